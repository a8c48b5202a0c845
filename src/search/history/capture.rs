//! Captures by piece, target and victim.

use super::entry::{Entry, boxed};
use crate::types::{Piece, PieceType, Square};

/// How well captures did, by the piece that takes, where, and what it takes. A promotion without a capture
/// counts as taking a pawn.
pub struct CaptureHistory(Box<[[[Entry<16384>; 6]; 64]; 12]>);

impl CaptureHistory {
    /// An empty table.
    pub fn new() -> Self {
        CaptureHistory(boxed([[Entry::default(); 6]; 64]))
    }

    /// Forgets.
    pub fn clear(&mut self) {
        self.0.iter_mut().flatten().for_each(|victims| victims.fill(Entry::default()));
    }

    /// The value of a capture.
    #[inline]
    pub fn get(&self, piece: Piece, to: Square, victim: PieceType) -> i32 {
        self.0[piece.index()][to.index()][victim.index()].get()
    }

    /// Rewards or blames a capture.
    #[inline]
    pub fn update(&mut self, piece: Piece, to: Square, victim: PieceType, bonus: i32) {
        self.0[piece.index()][to.index()][victim.index()].update(bonus);
    }
}
