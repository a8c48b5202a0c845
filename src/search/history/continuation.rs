//! Quiet moves as answers to, or continuations of, earlier moves.

use super::entry::boxed;
use super::row::{MoveRow, NO_MOVE, Row};

/// How well a move (piece and target) did after an earlier one: a counter-move table when the earlier move is
/// the opponent's, a follow-up table when it is one's own (continuation history, after Uiterwijk 1992's
/// counter-move heuristic).
pub struct Continuation(Box<[ContinuationRow; NO_MOVE + 1]>);

/// How well moves did after one earlier move.
pub type ContinuationRow = MoveRow<16384>;

impl Continuation {
    /// An empty table.
    pub fn new() -> Self {
        Continuation(boxed(ContinuationRow::new()))
    }

    /// Forgets.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(MoveRow::clear);
    }

    /// What is known of all moves after `earlier`.
    #[inline]
    pub fn after(&self, earlier: Row) -> &ContinuationRow {
        &self.0[earlier]
    }

    /// Rewards or blames `next` after `earlier`.
    #[inline]
    pub fn update(&mut self, earlier: Row, next: Row, bonus: i32) {
        self.0[earlier].update(next, bonus);
    }
}
