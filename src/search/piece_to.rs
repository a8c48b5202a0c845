//! Moves by piece and target square: the index of histories that do not ask where a move comes from.

use crate::types::{Piece, Square};

/// The index of a move by its piece and target square: `piece * 64 + square`, or [`NO_MOVE`].
pub type PieceTo = usize;

/// The index that stands for no move and for a null move.
pub const NO_MOVE: PieceTo = Piece::COUNT * 64;

/// The index of a move of `piece` to `to`.
#[inline]
pub fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * 64 + to.index()
}
