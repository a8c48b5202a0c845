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
pub struct Butterfly(Box<[SideButterfly; 2]>);

/// The part of [`Butterfly`] that belongs to one side: by threats, then by from- and to-square.
pub struct SideButterfly([[SharedHistoryEntry<16384>; 4096]; 4]);

impl Butterfly {
    /// A table of zeros.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Butterfly(boxed_array_with(SideButterfly::new)?))
    }

    /// Sets every entry to zero.
    pub fn clear(&self) {
        self.0.iter().flat_map(|side| &side.0).flatten().for_each(SharedHistoryEntry::clear);
    }

    /// The moves of one side.
    #[inline]
    pub fn of(&self, side: Color) -> &SideButterfly {
        &self.0[side.index()]
    }
}

impl SideButterfly {
    fn new() -> Self {
        SideButterfly([const { [const { SharedHistoryEntry::new() }; 4096] }; 4])
    }

    #[inline]
    fn entry(&self, threats: Bitboard, m: Move) -> &SharedHistoryEntry<16384> {
        let attacked = usize::from(threats.has(m.from())) | usize::from(threats.has(m.to())) << 1;
        &self.0[attacked][usize::from(m.bits() & 0xFFF)]
    }

    /// The value of a move; `threats` are the squares that the opponent attacks.
    #[inline]
    pub fn get(&self, threats: Bitboard, m: Move) -> i32 {
        self.entry(threats, m).get()
    }

    /// Adds a bonus, or a malus if it is negative, to a move; `threats` are the squares that the opponent attacks.
    #[inline]
    pub fn update(&self, threats: Bitboard, m: Move, bonus: i32) {
        self.entry(threats, m).update(bonus);
    }
}
