//! Quiet moves as answers to, or continuations of, earlier moves.

use std::collections::TryReserveError;

use super::piece_to_table::PieceToTable;
use crate::search::piece_to::{NO_MOVE, PieceTo};
use crate::util::memory::boxed_array;

/// Continuation history: how well a quiet move did after an earlier one, indexed by the earlier move and the later one,
/// each by piece and target square.
///
/// After the opponent's move it is a counter-move table, after one's own a follow-up table (after the counter-move
/// heuristic, Uiterwijk 1992; the practice of Stockfish since 2016).
pub struct Continuation(Box<[ContinuationTable; NO_MOVE + 1]>);

/// How well quiet moves did after one earlier move, by piece and target square.
pub type ContinuationTable = PieceToTable<16384>;

impl Continuation {
    /// A table of zeros.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Continuation(boxed_array(ContinuationTable::new())?))
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(PieceToTable::clear);
    }

    /// The values of all moves after `earlier`, which may be [`NO_MOVE`].
    #[inline]
    pub fn after(&self, earlier: PieceTo) -> &ContinuationTable {
        &self.0[earlier]
    }

    /// Adds a bonus, or a malus if it is negative, to `next` after `earlier`, which may be [`NO_MOVE`].
    #[inline]
    pub fn update(&mut self, earlier: PieceTo, next: PieceTo, bonus: i32) {
        self.0[earlier].update(next, bonus);
    }
}
