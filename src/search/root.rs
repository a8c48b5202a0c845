//! The moves at the root.

use crate::board::Board;
use crate::types::{Bound, Move, Value};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its score in the present iteration; `None` until it has been the best at least once.
    pub score: Option<Value>,
    /// Its score in the iteration before.
    pub previous: Option<Value>,
    /// How to read the score.
    pub bound: Bound,
    /// The greatest distance from the root that its search reached, in plies.
    pub seldepth: usize,
    /// Nodes spent on it since the start.
    pub nodes: u64,
    /// Its line, the move itself first.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// A move of which nothing is known.
    pub fn new(m: Move) -> RootMove {
        RootMove { m, score: None, previous: None, bound: Bound::Exact, seldepth: 0, nodes: 0, pv: vec![m] }
    }

    /// What to sort by: scored moves first, then by the last iteration.
    fn order(&self) -> (i32, i32) {
        (self.score.unwrap_or(i32::MIN), self.previous.unwrap_or(i32::MIN))
    }
}

/// The moves to search at the root of a position: those of the ones asked for that are legal, or, where none is, all.
pub fn wanted(board: &Board, asked: &[Move]) -> Vec<Move> {
    let mut moves = board.legal_moves().to_vec();
    if moves.iter().any(|m| asked.contains(m)) {
        moves.retain(|m| asked.contains(m));
    }
    moves
}

/// Sorts the best moves to the front and leaves equals in their order.
pub fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|m| std::cmp::Reverse(m.order()));
}
