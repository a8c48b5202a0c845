//! Quiet moves by side, squares, and whether the opponent attacks them.

use std::collections::TryReserveError;

use super::history_entry::SharedHistoryEntry;
use crate::types::{Bitboard, Color, Move};
use crate::util::memory::boxed_array_with;

/// Butterfly history: how well quiet moves did, indexed by side to move, threats, and from- and to-square (the history
/// heuristic, Schaeffer 1983; the "butterfly" table, Hartmann 1988).
///
/// Whether the opponent attacks the two squares is part of the index: leaving an attacked square and leaving a safe one
/// are different moves.
pub struct Butterfly(Box<[[[SharedHistoryEntry<16384>; 4096]; 4]; 2]>);

impl Butterfly {
    /// A table of zeros.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Butterfly(boxed_array_with(|| [const { [const { SharedHistoryEntry::new() }; 4096] }; 4])?))
    }

    /// Sets every entry to zero.
    pub fn clear(&self) {
        self.0.iter().flatten().flatten().for_each(SharedHistoryEntry::clear);
    }

    #[inline]
    fn index(threats: Bitboard, m: Move) -> (usize, usize) {
        let attacked = usize::from(threats.has(m.from())) | usize::from(threats.has(m.to())) << 1;
        (attacked, usize::from(m.bits() & 0xFFF))
    }

    /// The value of a move of `side`; `threats` are the squares that the opponent attacks.
    #[inline]
    pub fn get(&self, side: Color, threats: Bitboard, m: Move) -> i32 {
        let (attacked, squares) = Self::index(threats, m);
        self.0[side.index()][attacked][squares].get()
    }

    /// Adds a bonus, or a malus if it is negative, to a move of `side`; `threats` are the squares that the opponent
    /// attacks.
    #[inline]
    pub fn update(&self, side: Color, threats: Bitboard, m: Move, bonus: i32) {
        let (attacked, squares) = Self::index(threats, m);
        self.0[side.index()][attacked][squares].update(bonus);
    }
}
