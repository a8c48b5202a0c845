//! What the histories learn from a node.

use super::{Histories, victim};
use crate::board::{Board, Threats};
use crate::params;
use crate::search::piece_to::{NO_MOVE, PieceTo, piece_to};
use crate::search::stack::{Stack, StackEntry};
use crate::types::{Bitboard, Depth, Move, Value};

/// What a move gains that was right at this depth, in units of history.
#[inline]
pub fn bonus(depth: Depth) -> i32 {
    (params::history_bonus() * depth - params::history_bonus_offset()).min(params::history_bonus_limit())
}

/// What a move loses that was wrong at this depth, in units of history.
#[inline]
pub fn malus(depth: Depth) -> i32 {
    (params::history_malus() * depth - params::history_malus_offset()).min(params::history_malus_limit())
}

/// A node on the path of a search: what updates need to find its entries.
#[derive(Clone, Copy)]
pub struct PathNode<'a> {
    /// The position of the node.
    pub board: &'a Board,
    /// The path to the node.
    pub stack: &'a Stack,
    /// The distance of the node from the root, in plies.
    pub ply: usize,
}

impl PathNode<'_> {
    /// The move that led to the node, with its stack entry, if it was neither a capture nor a promotion nor a null move.
    fn prior_quiet_move(&self) -> Option<(Move, StackEntry)> {
        if self.ply == 0 || self.board.captured().is_some() {
            return None;
        }
        let entry = *self.stack.back(self.ply, 1);
        entry.current_move.filter(|m| !m.is_promotion()).map(|m| (m, entry))
    }
}

impl Histories {
    /// A move failed high: it gains, and what was searched before it and failed low loses: all captures, but quiet moves only
    /// to a quiet move (history heuristic, Schaeffer 1983).
    pub fn update_on_fail_high(
        &mut self,
        node: PathNode<'_>,
        threats: &Threats,
        best: Move,
        (quiets, captures): (&[Move], &[Move]),
        depth: Depth,
    ) {
        let (bonus, malus) = (bonus(depth), malus(depth));
        if best.is_quiet() {
            self.update_quiet(node, best, threats.all, bonus);
            for &m in quiets {
                self.update_quiet(node, m, threats.all, -malus);
            }
        } else {
            self.update_capture(node.board, best, bonus * params::capture_bonus() / 16);
        }
        for &m in captures {
            self.update_capture(node.board, m, -malus * params::capture_malus() / 16);
        }
    }

    /// Adds a bonus, or a malus if it is negative, to a capture or promotion.
    fn update_capture(&mut self, board: &Board, m: Move, bonus: i32) {
        if let Some(piece) = board.piece_on(m.from()) {
            self.capture.update(piece, m.to(), victim(board, m), bonus);
        }
    }

    /// Adds a bonus, or a malus if it is negative, to a quiet move of the node in every history that knows quiet moves.
    /// `threats` are the squares that the opponent attacks.
    pub fn update_quiet(&mut self, node: PathNode<'_>, m: Move, threats: Bitboard, bonus: i32) {
        let Some(piece) = node.board.piece_on(m.from()) else {
            return;
        };
        let index = piece_to(piece, m.to());
        let (butterfly, pawn) = (params::update_butterfly(), params::update_pawn());
        self.shared.butterfly.of(node.board.side_to_move()).update(threats, m, bonus * butterfly / 16);
        self.pawn.update(node.board.keys().pawn(), index, bonus * pawn / 16);
        self.low_ply.update(node.ply, m, bonus * params::update_low_ply() / 16);
        self.update_continuations(node.stack, node.ply, index, bonus);
    }

    /// Adds a bonus, or a malus if it is negative, to a quiet move at `ply` as a continuation of the moves one, two,
    /// three and four plies before. All distances share one table: the order of moves reads the two nearest only, and so
    /// learns from the others too (the practice of Stockfish since 2016; the shares were tuned here, none measured by
    /// itself).
    pub fn update_continuations(&mut self, stack: &Stack, ply: usize, m: PieceTo, bonus: i32) {
        let shares = [
            params::update_continuation_1(),
            params::update_continuation_2(),
            params::update_continuation_3(),
            params::update_continuation_4(),
        ];
        for (share, back) in shares.into_iter().zip(1..) {
            self.continuation.update(stack.back(ply, back).piece_to, m, bonus * share / 16);
        }
    }

    /// A reduced quiet move at `ply` came above alpha and was searched again at full depth: the continuation histories
    /// learn at once whether it was `good`, while other moves of the node are still to come (the practice of Stockfish
    /// since 2019; with the first tuning and six other rules 54 ± 16 Elo, 1,134 games at 8,000 nodes).
    pub fn update_after_lmr_research(&mut self, stack: &Stack, ply: usize, good: bool, depth: Depth) {
        let bonus = if good { bonus(depth) } else { -malus(depth) } * params::lmr_research_bonus() / 16;
        // A move is being searched here: the remainder only keeps the index in bounds.
        let m = stack.back(ply, 0).piece_to % NO_MOVE;
        self.update_continuations(stack, ply, m, bonus);
    }

    /// The quiet move that led to the node is judged by what it did to the static evaluation, before a search has said
    /// anything: `eval_difference` is the sum of the evaluations before and after it, each for its side to move, in
    /// centipawns (the practice of Stockfish since 2019). With hindsight, the futility of captures and
    /// correction by the last moves: 50 ± 24 Elo (520 games at 10,000 nodes).
    #[inline]
    pub fn update_by_eval_difference(&mut self, node: PathNode<'_>, eval_difference: Value) {
        let entry = *node.stack.back(node.ply, 1);
        let Some(m) = entry.current_move.filter(|m| m.is_quiet()) else {
            return;
        };
        let bonus = (-eval_difference * params::eval_difference_bonus() / 16)
            .clamp(-params::eval_difference_limit(), params::eval_difference_limit());
        self.shared.butterfly.of(!node.board.side_to_move()).update(entry.threats, m, bonus);
    }

    /// The table cuts the node: the quiet move that led to it, if it was tried early, loses, for the order of moves put a
    /// move first that has a known refutation (prior-move malus; the practice of Stockfish since 2016; with the first
    /// tuning and six other rules 54 ± 16 Elo, 1,134 games at 8,000 nodes).
    pub fn update_prior_move_malus(&mut self, node: PathNode<'_>, depth: Depth) {
        let Some((_, entry)) = node.prior_quiet_move() else {
            return;
        };
        if (1..=params::prior_move_early() as usize).contains(&entry.move_count) {
            let malus = -malus(depth) * params::prior_move_malus() / 16;
            for back in [2, 3] {
                let earlier = node.stack.back(node.ply, back).piece_to;
                self.continuation.update(earlier, entry.piece_to % NO_MOVE, malus);
            }
        }
    }

    /// All moves of the node failed low: the quiet move that led to it gains (prior-move bonus; the practice of Stockfish
    /// since 2016), the more so if it came late in the order, and if it is a `surprise`: the node came out well below its
    /// static evaluation (since 2023; these two with eight other changes 11 ± 11 Elo, 2,200 games at 8,000
    /// nodes).
    pub fn update_prior_move_bonus(&mut self, node: PathNode<'_>, depth: Depth, surprise: bool) {
        let Some((m, entry)) = node.prior_quiet_move() else {
            return;
        };
        let (continuation, butterfly) = (params::prior_move_continuation(), params::prior_move_butterfly());
        let late = entry.move_count > params::prior_move_early() as usize;
        let share = 16
            + if late { params::prior_move_late() } else { 0 }
            + if surprise { params::prior_move_surprise() } else { 0 };
        let (earlier, bonus) = (node.stack.back(node.ply, 2).piece_to, bonus(depth) * share / 16);
        self.continuation.update(earlier, entry.piece_to % NO_MOVE, bonus * continuation / 16);
        self.shared.butterfly.of(!node.board.side_to_move()).update(entry.threats, m, bonus * butterfly / 16);
    }
}

/// The depth from which histories learn of a fail-high, in plies: one more where it is clear (the practice of Stockfish;
/// tuned here, not measured by itself).
#[inline(always)]
pub fn fail_high_depth(depth: Depth, value: Value, beta: Value) -> Depth {
    depth + Depth::from(value > beta + params::history_clear_margin())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::stack::Stack;

    fn quiet_and_capture(board: &Board) -> (Vec<Move>, Vec<Move>) {
        board.legal_moves().into_iter().partition(|m| m.is_quiet())
    }

    /// A position with captures for the side to move.
    const MIDDLEGAME: &str = "r1bqkbnr/ppp2ppp/2n5/3pp3/3PP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4";

    fn value(histories: &Histories, board: &Board, m: Move) -> i32 {
        let threats = board.threats(!board.side_to_move()).all;
        let piece = board.piece_on(m.from()).expect("a piece");
        if m.is_quiet() {
            histories.shared.butterfly.of(board.side_to_move()).get(threats, m)
                + histories.pawn.with(board.keys().pawn()).get(piece_to(piece, m.to()))
                + histories.continuation.after(NO_MOVE).get(piece_to(piece, m.to()))
        } else {
            histories.capture.get(piece, m.to(), victim(board, m))
        }
    }

    #[test]
    fn bonus_and_malus_grow_with_depth_up_to_their_limits() {
        for depth in 1..60 {
            assert!(bonus(depth) <= bonus(depth + 1) && bonus(depth) <= params::history_bonus_limit());
            assert!(malus(depth) <= malus(depth + 1) && malus(depth) <= params::history_malus_limit());
        }
        assert!(bonus(1) < bonus(60) && malus(1) < malus(60));
    }

    #[test]
    fn a_clear_fail_high_teaches_more_than_a_close_one() {
        for depth in 1..20 {
            let learnt = |lead| bonus(fail_high_depth(depth, 50 + lead, 50));
            assert_eq!(learnt(0), bonus(depth));
            assert!(learnt(1000) >= learnt(0) && fail_high_depth(depth, 1050, 50) > depth);
        }
    }

    #[test]
    fn the_move_that_failed_high_gains_and_those_before_it_lose() {
        let board: Board = MIDDLEGAME.parse().expect("a position");
        let (quiets, captures) = quiet_and_capture(&board);
        let threats = board.threats(!board.side_to_move());
        let stack = Stack::new().expect("memory");
        let node = PathNode { board: &board, stack: &stack, ply: 0 };
        // A quiet move: quiet moves and captures before it lose, others are not touched.
        let mut histories = Histories::of_one_thread();
        histories.update_on_fail_high(node, &threats, quiets[2], (&quiets[..2], &captures[..1]), 8);
        assert!(value(&histories, &board, quiets[2]) > 0);
        assert!(quiets[..2].iter().chain(&captures[..1]).all(|&m| value(&histories, &board, m) < 0));
        assert!(captures[1..].iter().all(|&m| value(&histories, &board, m) == 0));
        // A capture: quiet moves before it are not blamed.
        let mut histories = Histories::of_one_thread();
        histories.update_on_fail_high(node, &threats, captures[1], (&quiets[..2], &captures[..1]), 8);
        assert!(value(&histories, &board, captures[1]) > 0 && value(&histories, &board, captures[0]) < 0);
        assert!(quiets.iter().all(|&m| value(&histories, &board, m) == 0));
    }

    /// Histories after an update of the node that a move of the start position leads to, and that move's value in the
    /// butterfly history and after no move.
    fn prior_move(m: Move, move_count: usize, update: impl Fn(&mut Histories, PathNode<'_>)) -> (i32, i32) {
        let mut board = Board::start();
        let threats = board.threats(!board.side_to_move()).all;
        let piece = board.piece_on(m.from()).expect("a piece");
        let index = piece_to(piece, m.to());
        let mut stack = Stack::new().expect("memory");
        *stack.at(0) =
            StackEntry { current_move: Some(m), piece_to: index, move_count, threats, ..*stack.back(0, 1) };
        let side = board.side_to_move();
        board.make_move(m, &mut ());
        let mut histories = Histories::of_one_thread();
        update(&mut histories, PathNode { board: &board, stack: &stack, ply: 1 });
        (
            histories.shared.butterfly.of(side).get(threats, m),
            histories.continuation.after(NO_MOVE).get(index),
        )
    }

    #[test]
    fn the_move_that_led_to_a_node_learns_what_became_of_it() {
        let m = Board::start().legal_moves()[0];
        let (butterfly, continuation) =
            prior_move(m, 1, |histories, node| histories.update_prior_move_bonus(node, 9, false));
        assert!(butterfly > 0 && continuation > 0);
        let gain = |move_count, surprise| {
            prior_move(m, move_count, |histories, node| {
                histories.update_prior_move_bonus(node, 2, surprise);
            })
            .0
        };
        assert_eq!(gain(20, false) > gain(1, false), params::prior_move_late() > 0);
        assert_eq!(gain(1, true) > gain(1, false), params::prior_move_surprise() > 0);
        for move_count in 1..20 {
            let (butterfly, continuation) =
                prior_move(m, move_count, |histories, node| histories.update_prior_move_malus(node, 9));
            assert_eq!(butterfly, 0);
            assert_eq!(continuation < 0, move_count <= params::prior_move_early() as usize, "{move_count}");
        }
        for difference in [-300, -40, 40, 300] {
            let (butterfly, _) = prior_move(m, 1, |histories, node| {
                histories.update_by_eval_difference(node, difference);
            });
            assert_eq!(butterfly.signum(), -difference.signum(), "{difference}");
            assert!(butterfly.abs() <= params::eval_difference_limit());
        }
    }

    #[test]
    fn a_second_search_teaches_the_continuation_histories() {
        let mut stack = Stack::new().expect("memory");
        stack.at(4).piece_to = 77;
        for good in [false, true] {
            let mut histories = Histories::of_one_thread();
            histories.update_after_lmr_research(&stack, 4, good, 10);
            assert_eq!(histories.continuation.after(NO_MOVE).get(77).signum(), if good { 1 } else { -1 });
        }
    }
}
