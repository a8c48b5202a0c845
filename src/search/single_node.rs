//! The search of one node of a tree by itself: what its value is, asked from outside the search.

use super::job::Job;
use super::node::{All, Cut, NodeKind};
use super::null_move::{NullMoveObserver, Scheme};
use super::searcher::Searcher;
use super::window::Window;
use super::worker::Worker;
use crate::types::{DRAW, Depth, MATE, MAX_PLY, MAX_SEARCH_DEPTH, Move, MoveKind, Square, Value};

/// Stands for the unknown move that led to the root. No null move, and a promotion, of which no history learns.
const UNKNOWN_MOVE: Move = Move::new(Square::A7, Square::A8, MoveKind::PromoteQueen);

/// A node of a tree, and the question whether its value reaches beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeQuery<'a> {
    /// The moves from the root of the tree to the node; `None` is a null move. If there are none, the root itself is
    /// searched, as if a move had led to it.
    pub path: &'a [Option<Move>],
    /// The depth to search it to, in plies; with none left it is a quiescence search.
    pub depth: Depth,
    /// The value to reach, in centipawns for the side to move at the node.
    pub beta: Value,
    /// The node is expected to reach it.
    pub cut_node: bool,
}

/// Searches a node of the tree below the position of the job, with a zero window below beta and by iterative deepening.
/// Returns its value: a bound, in centipawns for its side to move. `None` if the job's limit of nodes did not suffice, or
/// the path is too long or not legal.
pub fn search_single_node(
    worker: &mut Worker,
    job: &Job,
    query: &NodeQuery<'_>,
    observer: &mut dyn NullMoveObserver,
) -> Option<Value> {
    Searcher::observed(worker, job, observer).search_single_node(query)
}

impl<S: Scheme> Searcher<'_, S> {
    fn search_single_node(&mut self, query: &NodeQuery<'_>) -> Option<Value> {
        self.begin();
        // The limit of nodes holds from the first one on.
        self.worker.completed_depth = 1;
        let depth = query.depth.clamp(0, MAX_SEARCH_DEPTH);
        // A node at the end of an empty path is searched as if a move had led to it.
        self.worker.root_depth = query.path.len().max(1) as Depth + depth;
        // As in a search of the root, beside whose window a zero window is narrow.
        self.worker.root_width = Window::FULL.width();
        let query = NodeQuery { depth, beta: query.beta.clamp(-MATE, MATE), ..*query };
        if query.path.is_empty() {
            self.worker.stack.at(0).current_move = Some(UNKNOWN_MOVE);
            return self.search_end_of_path(&query, 1);
        }
        self.follow(&query, 0)
    }

    /// Goes on along the path from `ply` on, and searches the node at its end.
    fn follow(&mut self, query: &NodeQuery<'_>, ply: usize) -> Option<Value> {
        let Some(&step) = query.path.get(ply) else { return self.search_end_of_path(query, ply) };
        if ply >= MAX_PLY - 2 {
            return None;
        }
        let in_check = self.worker.board.in_check();
        let static_eval = if in_check { None } else { Some(self.worker.evaluate(ply, None).corrected) };
        let board = &self.worker.board;
        let threats = board.threats(!board.side_to_move()).all;
        let entry = self.worker.stack.at(ply);
        entry.static_eval = static_eval;
        // As if it were the first move of its node: no picker has ranked it.
        (entry.threats, entry.move_count) = (threats, 1);
        let entry = self.worker.null_moves.at(ply);
        entry.for_children = entry.state;
        match step {
            Some(m) if self.worker.board.is_legal(m) => {
                self.make_move(ply, m);
                let value = self.follow(query, ply + 1);
                self.unmake_move(m);
                value
            }
            None if !in_check => {
                let mut value = None;
                self.search_null_move(ply, |search| {
                    value = search.follow(query, ply + 1);
                    DRAW
                });
                value
            }
            _ => None,
        }
    }

    /// Searches the node at `ply`, where the worker's board is, ply by ply deeper.
    fn search_end_of_path(&mut self, query: &NodeQuery<'_>, ply: usize) -> Option<Value> {
        if query.cut_node {
            self.search_iteratively::<Cut>(query, ply)
        } else {
            self.search_iteratively::<All>(query, ply)
        }
    }

    fn search_iteratively<N: NodeKind>(&mut self, query: &NodeQuery<'_>, ply: usize) -> Option<Value> {
        let mut value = None;
        for depth in query.depth.min(1)..=query.depth {
            value = Some(self.negamax::<N>(depth, ply, Window::zero_below(query.beta)));
            if self.is_stopped() {
                return None;
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::notation::parse_uci;
    use crate::clock::Limits;
    use crate::search::tests::{job, material_request, worker};
    use crate::types::{Bitboard, Color};

    /// More than the nodes of the tests are worth, and too little for razoring.
    const BETA: Value = 600;

    /// Searches a node that fails low, and looks at the worker.
    fn fail_low(fen: &str, path: &[&str], look: impl FnOnce(&Board, &Worker)) {
        let board: Board = fen.parse().expect(fen);
        let path: Vec<_> = path.iter().map(|m| parse_uci(&board, m)).collect();
        let query = NodeQuery { path: &path, depth: 3, beta: BETA, cut_node: false };
        let (job, mut worker) = (job(material_request(board.clone(), Limits::nodes(100_000))), worker());
        let value = search_single_node(&mut worker, &job, &query, &mut ()).expect("within the limit");
        assert!(value < BETA, "{value}");
        look(&board, &worker);
    }

    #[test]
    fn no_move_of_the_side_to_move_counts_as_the_opponents() {
        fail_low("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1", &[], |board, worker| {
            for m in board.legal_moves() {
                let history = worker.histories.shared.butterfly.of(Color::Black).get(Bitboard::EMPTY, m);
                assert_eq!(history, 0, "{m:?}");
            }
        });
    }

    #[test]
    fn an_empty_path_counts_as_one_move() {
        for path in [&[][..], &["e2e4"]] {
            fail_low("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1", path, |_, worker| {
                assert_eq!(worker.root_depth, 4)
            });
        }
    }

    #[test]
    fn the_line_of_another_search_is_forgotten() {
        let board = Board::start();
        let query = NodeQuery { path: &[], depth: 1, beta: BETA, cut_node: false };
        let (job, mut worker) = (job(material_request(board.clone(), Limits::nodes(100_000))), worker());
        worker.last_pv = board.legal_moves().to_vec();
        search_single_node(&mut worker, &job, &query, &mut ()).expect("within the limit");
        assert_eq!(worker.last_pv, []);
    }

    #[test]
    fn histories_learn_of_a_move_of_the_path_under_the_threats_that_it_met() {
        // The rook attacks the knight.
        fail_low("4k3/8/8/8/8/r1N5/8/4K3 w - - 0 1", &["c3e4"], |board, worker| {
            let m = parse_uci(board, "c3e4").expect("legal");
            let butterfly = |threats| worker.histories.shared.butterfly.of(Color::White).get(threats, m);
            assert!(butterfly(board.threats(Color::Black).all) > 0);
            assert_eq!(butterfly(Bitboard::EMPTY), 0);
        });
    }
}
