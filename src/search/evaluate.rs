//! The static evaluation as the search uses it.

use super::history::Row;
use super::worker::Worker;
use crate::types::{MATE_IN_MAX, Value};

impl Worker {
    /// The evaluation of the present position for the side to move, uncorrected: what the table stores.
    #[inline]
    pub fn raw_eval(&mut self) -> Value {
        self.evaluator.evaluate(&self.board).clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }

    /// A raw evaluation with what was learnt of its errors, and fading as the fifty-move rule comes nearer.
    #[inline]
    pub fn corrected(&self, ply: usize, raw: Value) -> Value {
        let faded = raw * (200 - i32::from(self.board.rule50().min(100))) / 200;
        (faded + self.correction.get(&self.board, self.last_moves(ply)))
            .clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }

    /// The rows of the two moves that led to the node at `ply`.
    #[inline]
    pub fn last_moves(&self, ply: usize) -> (Row, Row) {
        (self.stack.back(ply, 2).row, self.stack.back(ply, 1).row)
    }
}
