//! How an evaluation listens to the board.

use crate::types::{Piece, Square};

use super::Board;

/// Told of every piece that comes, goes or moves while a move is made, and of a move taken back.
///
/// The board calls these in the order in which the pieces change; a capture is a removal before the move.
/// Nothing is said of single pieces when a move is taken back: an observer keeps what it needs to return to.
pub trait Observer {
    /// A move is about to be made on this board.
    fn before(&mut self, board: &Board);
    /// A piece appears.
    fn add(&mut self, piece: Piece, square: Square);
    /// A piece disappears.
    fn remove(&mut self, piece: Piece, square: Square);
    /// A piece goes from one square to another.
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.remove(piece, from);
        self.add(piece, to);
    }
    /// The last move was taken back.
    fn undone(&mut self);
}

/// Nobody listens.
impl Observer for () {
    #[inline]
    fn before(&mut self, _board: &Board) {}
    #[inline]
    fn add(&mut self, _piece: Piece, _square: Square) {}
    #[inline]
    fn remove(&mut self, _piece: Piece, _square: Square) {}
    #[inline]
    fn undone(&mut self) {}
}
