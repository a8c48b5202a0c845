//! A history entry: the law by which all histories learn.

use std::sync::atomic::{AtomicI16, Ordering};

#[cfg(test)]
use super::line_directory::enter_access;

/// A history value within `-BOUND..=BOUND`: a bonus counts the less, the nearer the value already is to the bound on that
/// side ("history gravity", as in Stockfish).
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct HistoryEntry<const BOUND: i32>(i16);

impl<const BOUND: i32> HistoryEntry<BOUND> {
    const FITS: () = assert!(BOUND > 0 && BOUND <= i16::MAX as i32);

    /// The value.
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the value towards the bound by a bonus, or away from it by a negative one.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        let () = Self::FITS;
        let bonus = bonus.clamp(-BOUND, BOUND);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / BOUND) as i16;
    }

    /// An entry with this value, clamped to the bound.
    pub fn with(value: i32) -> Self {
        HistoryEntry(value.clamp(-BOUND, BOUND) as i16)
    }
}

/// An [`HistoryEntry`] that several threads share. All accesses are relaxed: where two threads update it at once, one bonus
/// is lost. Nothing is written where nothing changes, so that the others keep the line.
#[derive(Debug)]
#[repr(transparent)]
pub struct SharedHistoryEntry<const BOUND: i32>(AtomicI16);

impl<const BOUND: i32> SharedHistoryEntry<BOUND> {
    /// An entry that has learnt nothing.
    pub const fn new() -> Self {
        SharedHistoryEntry(AtomicI16::new(0))
    }

    /// The value.
    #[inline]
    pub fn get(&self) -> i32 {
        #[cfg(test)]
        enter_access(self, false);
        i32::from(self.0.load(Ordering::Relaxed))
    }

    /// Moves the value as [`HistoryEntry::update`] does.
    #[inline]
    pub fn update(&self, bonus: i32) {
        #[cfg(test)]
        enter_access(self, false);
        let former = self.0.load(Ordering::Relaxed);
        let mut entry = HistoryEntry::<BOUND>(former);
        entry.update(bonus);
        if entry.0 != former {
            #[cfg(test)]
            enter_access(self, true);
            self.0.store(entry.0, Ordering::Relaxed);
        }
    }

    /// Sets the value to zero.
    #[inline]
    pub fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_their_bound() {
        let mut entry = HistoryEntry::<1000>::default();
        for bonus in [900, 900, 5000, -1, 1000, -32_000, -1000, -700, 3] {
            entry.update(bonus);
            assert!(entry.get().abs() <= 1000);
        }
        for _ in 0..100 {
            entry.update(500);
        }
        assert!(entry.get() > 990);
    }
}
