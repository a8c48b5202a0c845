//! Per-ply frames and principal variations.

use arrayvec::ArrayVec;

use super::history::{NO_MOVE, Row};
use crate::types::{Bitboard, Depth, MAX_PLY, Move, Value};

/// What a node leaves for its descendants to read.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<Value>,
    /// The move being searched; `None` for a null move.
    pub played: Option<Move>,
    /// Its row in the continuation history.
    pub row: Row,
    /// The move left out while its rivals are searched to see whether it is singular.
    pub excluded: Option<Move>,
    /// How many children failed high lately.
    pub cutoffs: i32,
    /// By how much the move being searched is reduced, in plies.
    pub reduction: Depth,
    /// The rank of the move being searched among those of its node, from 1. A null move, ProbCut and quiescence leave it
    /// as it was.
    pub number: usize,
    /// What the enemy attacked when the move was made.
    pub threats: Bitboard,
}

impl Frame {
    const EMPTY: Frame = Frame {
        static_eval: None,
        played: None,
        row: NO_MOVE,
        excluded: None,
        cutoffs: 0,
        reduction: 0,
        number: 0,
        threats: Bitboard::EMPTY,
    };
}

/// How far before the root a node may look.
const BEFORE: usize = 6;

/// The frames of the path from the root, with empty ones before it.
pub struct Stack(Box<[Frame]>);

impl Stack {
    /// An empty stack.
    pub fn new() -> Stack {
        Stack(vec![Frame::EMPTY; MAX_PLY + BEFORE + 4].into_boxed_slice())
    }

    /// Empties all frames.
    pub fn clear(&mut self) {
        self.0.fill(Frame::EMPTY);
    }

    /// The frame `back` plies (at most six) before `ply`.
    #[inline]
    pub fn back(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }

    /// The frame at `ply`.
    #[inline]
    pub fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }
}

/// A principal variation.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// The best line found so far from each ply of the path (the triangular table).
pub struct Lines(Vec<Line>);

impl Lines {
    /// Empty lines.
    pub fn new() -> Lines {
        Lines(vec![Line::new(); MAX_PLY + 1])
    }

    /// Forgets the line at `ply`.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line at `ply` becomes `m` and the line of the next ply.
    pub fn raise(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        let room = line.remaining_capacity();
        if let Some(rest) = lower.first() {
            line.extend(rest.iter().copied().take(room));
        }
    }

    /// The line at `ply`.
    pub fn get(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
