//! The static evaluation as the search uses it.

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
    pub fn corrected(&self, raw: Value) -> Value {
        let faded = raw * (200 - i32::from(self.board.rule50().min(100))) / 200;
        (faded + self.histories.correction.get(&self.board)).clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }
}
