//! Quiet moves as answers to, or continuations of, earlier moves.

use super::entry::{Entry, boxed};
use crate::types::{Piece, Square};

const SQUARES: usize = Piece::COUNT * 64;

/// A row of the table: the earlier move, by piece and target square.
pub type Row = usize;

/// The row when there was no earlier move, or a null move.
pub const NO_MOVE: Row = SQUARES;

/// The row of a move of `piece` to `to`.
#[inline]
pub fn row(piece: Piece, to: Square) -> Row {
    piece.index() * 64 + to.index()
}

/// How well a move (piece and target) did after an earlier one: a counter-move table when the earlier move is
/// the opponent's, a follow-up table when it is one's own (continuation history, after Uiterwijk 1992's
/// counter-move heuristic).
pub struct Continuation(Box<[ContinuationRow; SQUARES + 1]>);

/// How well moves did after one earlier move, by [`row`].
pub type ContinuationRow = [Entry<16384>; SQUARES];

impl Continuation {
    /// An empty table.
    pub fn new() -> Self {
        Continuation(boxed([Entry::default(); SQUARES]))
    }

    /// What is known of all moves after `earlier`.
    #[inline]
    pub fn after(&self, earlier: Row) -> &ContinuationRow {
        &self.0[earlier]
    }

    /// Rewards or blames `next` after `earlier`.
    #[inline]
    pub fn update(&mut self, earlier: Row, next: Row, bonus: i32) {
        self.0[earlier][next].update(bonus);
    }
}
