//! Moves by piece and target square.

use super::entry::Entry;
use crate::types::{Piece, Square};

/// The place of a move among all: its piece and target square.
pub type Row = usize;

/// The place where there was no move, or a null move.
pub const NO_MOVE: Row = Piece::COUNT * 64;

/// The place of a move of `piece` to `to`.
#[inline]
pub fn row(piece: Piece, to: Square) -> Row {
    piece.index() * 64 + to.index()
}

/// An entry for every move. It begins with a cache line, so that each piece's moves fill two and not parts of three; in
/// `bench` the difference is lost in the noise (0.985, median of 16 pairs).
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct MoveRow<const BOUND: i32>([Entry<BOUND>; NO_MOVE]);

impl<const BOUND: i32> MoveRow<BOUND> {
    /// Nothing is known.
    pub fn new() -> Self {
        MoveRow([Entry::default(); NO_MOVE])
    }

    /// Forgets.
    pub fn clear(&mut self) {
        self.0.fill(Entry::default());
    }

    /// What is known of a move.
    #[inline]
    pub fn get(&self, m: Row) -> i32 {
        self.0[m].get()
    }

    /// Rewards or blames a move.
    #[inline]
    pub fn update(&mut self, m: Row, bonus: i32) {
        self.0[m].update(bonus);
    }
}
