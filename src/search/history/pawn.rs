//! Quiet moves by pawn structure.

use super::entry::boxed;
use super::row::{MoveRow, Row};

const STRUCTURES: usize = 512;

/// How well a move (piece and target) did in positions with the same pawns, by a hash of the pawn key: where a
/// piece belongs depends on the pawns more than on anything else.
pub struct PawnHistory(Box<[PawnRow; STRUCTURES]>);

/// How well moves did with one pawn structure.
pub type PawnRow = MoveRow<8192>;

impl PawnHistory {
    /// An empty table.
    pub fn new() -> Self {
        PawnHistory(boxed(PawnRow::new()))
    }

    /// Forgets.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(MoveRow::clear);
    }

    /// What is known of all moves with these pawns.
    #[inline]
    pub fn with(&self, pawn_key: u64) -> &PawnRow {
        &self.0[pawn_key as usize % STRUCTURES]
    }

    /// Rewards or blames a move.
    #[inline]
    pub fn update(&mut self, pawn_key: u64, next: Row, bonus: i32) {
        self.0[pawn_key as usize % STRUCTURES].update(next, bonus);
    }
}
