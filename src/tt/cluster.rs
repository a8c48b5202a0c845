//! One cache line of entries.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::entry::{Bound, Word};
use crate::types::Depth;

/// Entries in a cluster.
pub(super) const SLOTS: usize = 6;

/// A shallower store leaves a deeper entry of the same position and search alone if it is deeper by more.
const DEPTH_MARGIN: Depth = 4;
/// Plies of depth that an entry is worth less for every search since it was stored.
const AGE_WEIGHT: Depth = 8;

/// Six entries, data apart from keys so that nothing needs padding.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub(super) struct Cluster {
    data: [AtomicU64; SLOTS],
    keys: [AtomicU16; SLOTS],
}

const _: () = assert!(size_of::<Cluster>() == 64 && align_of::<Cluster>() == 64);

impl Cluster {
    /// The word of a slot, and the key it belongs to (meaningless if two stores met in the slot).
    #[inline]
    fn load(&self, slot: usize) -> (Word, u16) {
        let word = Word(self.data[slot].load(Relaxed));
        (word, self.keys[slot].load(Relaxed) ^ word.fold())
    }

    #[inline]
    fn save(&self, slot: usize, word: Word, key: u16) {
        self.data[slot].store(word.0, Relaxed);
        self.keys[slot].store(key ^ word.fold(), Relaxed);
    }

    /// The word stored for a key.
    #[inline]
    pub(super) fn find(&self, key: u16) -> Option<Word> {
        (0..SLOTS)
            .map(|slot| self.load(slot))
            .find(|&(word, owner)| owner == key && !word.is_empty())
            .map(|(word, _)| word)
    }

    /// Stores a word: over the entry of the same key, else in an empty slot, else over the entry that is
    /// worth least.
    pub(super) fn put(&self, key: u16, new: Word) {
        let mut victim = 0;
        let mut least = Depth::MAX;
        for slot in 0..SLOTS {
            let (old, owner) = self.load(slot);
            if old.is_empty() {
                if least > Depth::MIN {
                    (victim, least) = (slot, Depth::MIN);
                }
                continue;
            }
            if owner == key {
                let word = if outranks(old, new) { old.completed_by(new) } else { new.completed_by(old) };
                return self.save(slot, word, key);
            }
            let worth = old.depth() - AGE_WEIGHT * Depth::from(old.age(new.generation()));
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        self.save(victim, new, key);
    }

    /// How many entries are of this generation.
    pub(super) fn count(&self, generation: u8) -> usize {
        let words = self.data.iter().map(|word| Word(word.load(Relaxed)));
        words.filter(|word| !word.is_empty() && word.generation() == generation).count()
    }

    /// Empties all slots.
    #[inline]
    pub(super) fn clear(&self) {
        self.data.iter().for_each(|word| word.store(0, Relaxed));
        self.keys.iter().for_each(|key| key.store(0, Relaxed));
    }

    /// Makes the system back the page under a cluster known to be zero.
    #[inline]
    pub(super) fn touch(&self) {
        self.data[0].store(0, Relaxed);
    }
}

/// True if the entry of a position shall stay although a new one has come.
fn outranks(old: Word, new: Word) -> bool {
    match (old.bound(), new.bound()) {
        (Bound::None, _) | (_, Bound::Exact) => false,
        (_, Bound::None) => true,
        _ => old.generation() == new.generation() && old.depth() > new.depth() + DEPTH_MARGIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::Hit;

    #[test]
    fn halves_of_two_stores_read_as_a_miss() {
        let words = [0, 1, -31, 500].map(|value| {
            let value = Some(value);
            let hit =
                Hit { best: None, value, static_eval: value, depth: 3, bound: Bound::Lower, was_pv: false };
            Word::pack(&hit, 0, 0)
        });
        for (key, first) in (1000..).zip(words) {
            for (other, second) in (2000..).zip(words) {
                let (cluster, torn) = (Cluster::zeroed(), Cluster::zeroed());
                cluster.put(key, first);
                assert_eq!(cluster.find(key), Some(first));
                torn.put(other, second);
                torn.data[0].store(first.0, Relaxed);
                // Without the fold, the second owner would be shown the first one's word.
                assert_eq!(torn.find(key), None);
                assert_eq!(torn.find(other), (first == second).then_some(second));
            }
        }
    }
}
