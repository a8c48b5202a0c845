//! The 64 bits of an entry.

use crate::types::{Bound, Depth, MATE, Move, TB_WIN_IN_MAX, Value, is_loss, is_win};
use crate::util::random::GOLDEN_RATIO;

/// What the transposition table stores of a position, and what a probe returns.
///
/// A probe returns a copy, which no other thread can change. Keys are compared by 21 bits, so that once in a while the
/// entry belongs to another position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The best move, or the one that failed high. Well formed, but perhaps not legal: the entry may be of another
    /// position.
    pub best_move: Option<Move>,
    /// The value in centipawns for the side to move; mates count from the root, as in the search.
    pub value: Option<Value>,
    /// The static evaluation before corrections, in centipawns for the side to move, if it was stored.
    pub static_eval: Option<Value>,
    /// The depth of the search that found the value, in plies; 0 in quiescence.
    pub depth: Depth,
    /// How the value relates to the true one.
    pub bound: Bound,
    /// True if the position was once on a principal variation.
    pub is_pv: bool,
}

impl TableEntry {
    /// An entry of nothing but the static evaluation before corrections, in centipawns for the side to move. Its depth is
    /// below that of quiescence.
    #[inline]
    pub const fn of_static_eval(static_eval: Value) -> TableEntry {
        TableEntry {
            best_move: None,
            value: None,
            static_eval: Some(static_eval),
            depth: -1,
            bound: Bound::None,
            is_pv: false,
        }
    }
}

#[cfg(test)]
impl TableEntry {
    /// An entry of a value alone, in centipawns, that a search of this depth in plies found with this bound.
    pub fn sample(bound: Bound, value: Value, depth: Depth) -> TableEntry {
        TableEntry { best_move: None, value: Some(value), static_eval: None, depth, bound, is_pv: false }
    }
}

/// The lowest bits of a position's key, by which the entries of a cluster are distinguished.
pub(super) const KEY_BITS: u32 = 21;
/// The least depth that can be stored.
pub(super) const MIN_DEPTH: Depth = 1 - DEPTH_OFFSET;
/// The greatest depth that can be stored.
pub(super) const MAX_DEPTH: Depth = 255 - DEPTH_OFFSET;
/// How many searches a generation number distinguishes.
pub(super) const GENERATIONS: u8 = 32;

/// Added to a depth so that quiescence depths can be stored and zero means an empty entry.
const DEPTH_OFFSET: Depth = 8;
/// Stands for a value or an evaluation that is not there.
const ABSENT: i16 = i16::MIN;

const VALUE_SHIFT: u32 = 16;
const EVAL_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const PV_SHIFT: u32 = 58;
const GENERATION_SHIFT: u32 = 59;

const _: () = assert!(MATE < i16::MAX as Value && -MATE > ABSENT as Value);

/// An entry without its key: move 16 bits, value 16, static evaluation 16, depth 8, bound 2, principal
/// variation 1, generation 5, from the lowest. All zero is an empty entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct PackedEntry(pub(super) u64);

impl PackedEntry {
    /// Packs what a search at `ply` found. Values beyond mate and depths beyond the range are clamped.
    pub(super) fn pack(hit: &TableEntry, ply: usize, generation: u8) -> PackedEntry {
        let best = u64::from(hit.best_move.map_or(0, Move::bits));
        let value = bits_of(hit.value.map(|value| to_node(value, ply)));
        let eval = bits_of(hit.static_eval);
        let depth = (hit.depth.clamp(MIN_DEPTH, MAX_DEPTH) + DEPTH_OFFSET) as u64;
        let bound = hit.bound as u64;
        PackedEntry(
            best | value << VALUE_SHIFT
                | eval << EVAL_SHIFT
                | depth << DEPTH_SHIFT
                | bound << BOUND_SHIFT
                | u64::from(hit.is_pv) << PV_SHIFT
                | u64::from(generation % GENERATIONS) << GENERATION_SHIFT,
        )
    }

    /// The entry as the search at `ply` sees it.
    #[inline]
    pub(super) fn unpack(self, ply: usize) -> TableEntry {
        TableEntry {
            best_move: Move::from_bits(self.0 as u16),
            value: value_of(self.0 >> VALUE_SHIFT).map(|value| from_node(value, ply)),
            static_eval: value_of(self.0 >> EVAL_SHIFT),
            depth: self.depth(),
            bound: self.bound(),
            is_pv: self.0 >> PV_SHIFT & 1 != 0,
        }
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 >> DEPTH_SHIFT & 0xFF == 0
    }

    #[inline]
    pub(super) const fn depth(self) -> Depth {
        (self.0 >> DEPTH_SHIFT & 0xFF) as Depth - DEPTH_OFFSET
    }

    #[inline]
    pub(super) const fn bound(self) -> Bound {
        Bound::from_bits(self.0 >> BOUND_SHIFT)
    }

    #[inline]
    pub(super) const fn generation(self) -> u8 {
        (self.0 >> GENERATION_SHIFT) as u8
    }

    /// How many searches ago it was stored, modulo [`GENERATIONS`].
    #[inline]
    pub(super) const fn age(self, generation: u8) -> u8 {
        generation.wrapping_sub(self.generation()) % GENERATIONS
    }

    /// This entry, with the move and the evaluation of `other` where it has none itself.
    pub(super) fn completed_by(self, other: PackedEntry) -> PackedEntry {
        const MOVE: u64 = 0xFFFF;
        const EVAL: u64 = 0xFFFF << EVAL_SHIFT;
        let mut word = self.0;
        if word & MOVE == 0 {
            word |= other.0 & MOVE;
        }
        if value_of(word >> EVAL_SHIFT).is_none() {
            word = word & !EVAL | other.0 & EVAL;
        }
        PackedEntry(word)
    }

    /// As many bits as the table compares of a key, on which every bit of the word has a say. A plain XOR of its parts will
    /// not do: a value and an equal evaluation would cancel out.
    #[inline]
    pub(super) const fn fold(self) -> u32 {
        (self.0.wrapping_mul(GOLDEN_RATIO) >> (u64::BITS - KEY_BITS)) as u32
    }
}

#[inline]
fn bits_of(value: Option<Value>) -> u64 {
    let value = value.map_or(ABSENT, |value| value.clamp(-MATE, MATE) as i16);
    u64::from(value as u16)
}

#[inline]
fn value_of(bits: u64) -> Option<Value> {
    let value = bits as u16 as i16;
    (value != ABSENT).then_some(Value::from(value))
}

/// Mates and tablebase wins count from the root in the search, but from the node in the table, where other paths will
/// find them.
#[inline]
fn to_node(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value + ply as Value
    } else if is_loss(value) {
        value - ply as Value
    } else {
        value
    }
}

/// The reverse of [`to_node`]. A mate beyond the deepest ply comes out just below
/// [`MATE_IN_MAX`](crate::types::MATE_IN_MAX): it is still won, but is not shown as a mate. A win of the endgame tables
/// beyond it stays the most distant one.
#[inline]
fn from_node(value: Value, ply: usize) -> Value {
    if is_win(value) {
        (value - ply as Value).max(TB_WIN_IN_MAX)
    } else if is_loss(value) {
        (value + ply as Value).min(-TB_WIN_IN_MAX)
    } else {
        value
    }
}
