//! The search of one node of a tree by itself: what its value is, asked from outside the search.

use super::job::Job;
use super::node::{All, Cut, NodeKind};
use super::null_move::{NullMoveObserver, Scheme};
use super::searcher::{DRAW, Searcher};
use super::window::Window;
use super::worker::Worker;
use crate::types::{Depth, MATE, MAX_PLY, Move, Value};

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
        let depth = query.depth.clamp(0, MAX_PLY as Depth - 1);
        self.worker.root_depth = query.path.len() as Depth + depth;
        // As in a search of the root, beside whose window a zero window is narrow.
        self.worker.root_width = Window::FULL.width();
        let query = NodeQuery { depth, beta: query.beta.clamp(-MATE, MATE), ..*query };
        if query.path.is_empty() {
            self.worker.stack.at(0).current_move = self.worker.board.legal_moves().first().copied();
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
        self.worker.stack.at(ply).static_eval = static_eval;
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
