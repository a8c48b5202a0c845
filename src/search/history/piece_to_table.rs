//! A history entry for every piece and target square.

use super::history_entry::HistoryEntry;
use crate::search::piece_to::{NO_MOVE, PieceTo};
use crate::types::Square;
use crate::util::prefetch::prefetch;

/// A history value for every move by piece and target square, each within `-BOUND..=BOUND`; indexed by [`PieceTo`].
///
/// It begins with a cache line, so that each piece's moves fill two lines and not parts of three; in `bench` the
/// difference is lost in the noise (0.985, median of 16 pairs).
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct PieceToTable<const BOUND: i32>([HistoryEntry<BOUND>; NO_MOVE]);

impl<const BOUND: i32> PieceToTable<BOUND> {
    /// A table of zeros.
    pub fn new() -> Self {
        PieceToTable([HistoryEntry::default(); NO_MOVE])
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.0.fill(HistoryEntry::default());
    }

    /// The value of a move. `m` must not be [`NO_MOVE`].
    #[inline]
    pub fn get(&self, m: PieceTo) -> i32 {
        debug_assert!(m < NO_MOVE);
        self.0[m].get()
    }

    /// Fetches the values of all moves of a piece into the cache, to be read soon: `first` is its move to the first square.
    #[inline]
    pub fn prefetch_piece(&self, first: PieceTo) {
        const LINE: usize = 64 / size_of::<HistoryEntry<0>>();
        for m in (first..first + Square::COUNT).step_by(LINE) {
            prefetch(&self.0[m]);
        }
    }

    /// Adds a bonus, or a malus if it is negative, to the value of a move. `m` must not be [`NO_MOVE`].
    #[inline]
    pub fn update(&mut self, m: PieceTo, bonus: i32) {
        debug_assert!(m < NO_MOVE);
        self.0[m].update(bonus);
    }
}
