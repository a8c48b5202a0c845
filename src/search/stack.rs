//! The search stack: what each node of the path leaves for its descendants to read.

use std::collections::TryReserveError;

use super::piece_to::{NO_MOVE, PieceTo};
use crate::types::{Bitboard, Depth, MAX_PLY, Move, Value};
use crate::util::memory::boxed_slice;

/// What a node leaves for its descendants to read.
#[derive(Clone, Copy, Debug)]
pub struct StackEntry {
    /// The corrected static evaluation, in centipawns; `None` in check.
    pub static_eval: Option<Value>,
    /// The move being searched; `None` for a null move.
    pub current_move: Option<Move>,
    /// The move being searched, by piece and target square; [`NO_MOVE`] for a null move.
    pub piece_to: PieceTo,
    /// The move that is left out while all others are searched, to see whether it is singular.
    pub excluded: Option<Move>,
    /// The fail-highs by a searched move, singular searches included, among nodes at this ply since the node two plies above was
    /// entered, or, at ply 1, the root.
    pub cutoff_count: i32,
    /// By how much the move being searched is reduced, in plies.
    pub reduction: Depth,
    /// The rank of the move being searched among those of its node, from 1. A null move, ProbCut and quiescence leave it
    /// as it was.
    pub move_count: usize,
    /// The squares that the opponent attacked when the move was made.
    pub threats: Bitboard,
    /// The node lies on a principal variation, or the table says that it once did.
    pub tt_pv: bool,
    /// The table move of the node is a capture.
    pub tt_capture: bool,
}

impl StackEntry {
    const EMPTY: StackEntry = StackEntry {
        static_eval: None,
        current_move: None,
        piece_to: NO_MOVE,
        excluded: None,
        cutoff_count: 0,
        reduction: 0,
        move_count: 0,
        threats: Bitboard::EMPTY,
        tt_pv: false,
        tt_capture: false,
    };
}

/// How many plies before the root a node may look.
const BEFORE_ROOT: usize = 6;

/// The entries of the path from the root, by ply, with empty ones before the root.
pub struct Stack(Box<[StackEntry]>);

impl Stack {
    /// A stack of empty entries.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<Stack, TryReserveError> {
        Ok(Stack(boxed_slice(StackEntry::EMPTY, MAX_PLY + BEFORE_ROOT + 4)?))
    }

    /// Empties all entries.
    pub fn clear(&mut self) {
        self.0.fill(StackEntry::EMPTY);
    }

    /// The entry `back` plies (at most six) before `ply`.
    #[inline]
    pub fn back(&self, ply: usize, back: usize) -> &StackEntry {
        debug_assert!(back <= BEFORE_ROOT);
        &self.0[ply + BEFORE_ROOT - back]
    }

    /// The entry at `ply`.
    #[inline]
    pub fn at(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + BEFORE_ROOT]
    }
}
