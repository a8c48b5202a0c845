//! Quiet moves by pawn structure.

use std::collections::TryReserveError;

use super::piece_to_table::PieceToTable;
use crate::search::piece_to::PieceTo;
use crate::util::memory::boxed_array;

/// How many pawn structures the table distinguishes.
const STRUCTURES: usize = 512;

/// Pawn history: how well a quiet move did in positions with the same pawns, indexed by a hash of the pawn key, then by
/// piece and target square. Where a piece belongs depends on the pawns more than on anything else (the practice of
/// Stockfish since 2023; not measured by itself here).
pub struct PawnHistory(Box<[PawnTable; STRUCTURES]>);

/// How well quiet moves did with one pawn structure, by piece and target square.
pub type PawnTable = PieceToTable<8192>;

impl PawnHistory {
    /// A table of zeros.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(PawnHistory(boxed_array(PawnTable::new())?))
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(PieceToTable::clear);
    }

    /// The values of all moves with the pawns of this key.
    #[inline]
    pub fn with(&self, pawn_key: u64) -> &PawnTable {
        &self.0[pawn_key as usize % STRUCTURES]
    }

    /// Adds a bonus, or a malus if it is negative, to a move with the pawns of this key.
    #[inline]
    pub fn update(&mut self, pawn_key: u64, m: PieceTo, bonus: i32) {
        self.0[pawn_key as usize % STRUCTURES].update(m, bonus);
    }
}
