//! One cache line of entries.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::entry::PackedEntry;
use crate::types::{Bound, Depth};

/// Entries in a cluster.
pub(super) const SLOTS: usize = 6;

/// A shallower store leaves a deeper entry of the same position and search alone if it is deeper by more.
const DEPTH_MARGIN: Depth = 4;
/// Plies of depth that an entry is worth less for every search since it was stored.
const AGE_WEIGHT: Depth = 8;

/// A number that threads read and write without any order: an atomic of the machine, or of a model checker.
pub(super) trait Cell<T> {
    fn get(&self) -> T;
    fn set(&self, value: T);
}

impl Cell<u64> for AtomicU64 {
    #[inline]
    fn get(&self) -> u64 {
        self.load(Relaxed)
    }

    #[inline]
    fn set(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

impl Cell<u16> for AtomicU16 {
    #[inline]
    fn get(&self) -> u16 {
        self.load(Relaxed)
    }

    #[inline]
    fn set(&self, value: u16) {
        self.store(value, Relaxed);
    }
}

/// Six entries, data apart from keys so that nothing needs padding.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub(super) struct Cluster<D = AtomicU64, K = AtomicU16> {
    data: [D; SLOTS],
    keys: [K; SLOTS],
}

const _: () = assert!(size_of::<Cluster>() == 64 && align_of::<Cluster>() == 64);

impl<D: Cell<u64>, K: Cell<u16>> Cluster<D, K> {
    /// The word of a slot, and the key it belongs to (meaningless if two stores met in the slot).
    #[inline]
    fn load(&self, slot: usize) -> (PackedEntry, u16) {
        let word = PackedEntry(self.data[slot].get());
        (word, self.keys[slot].get() ^ word.fold())
    }

    #[inline]
    fn save(&self, slot: usize, word: PackedEntry, key: u16) {
        self.data[slot].set(word.0);
        self.keys[slot].set(key ^ word.fold());
    }

    /// The word stored for a key.
    #[inline]
    pub(super) fn probe(&self, key: u16) -> Option<PackedEntry> {
        (0..SLOTS)
            .map(|slot| self.load(slot))
            .find(|&(word, owner)| owner == key && !word.is_empty())
            .map(|(word, _)| word)
    }

    /// Stores a word: over the entry of the same key, else in an empty slot, else over the entry that is
    /// worth least.
    pub(super) fn store(&self, key: u16, new: PackedEntry) {
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
        let words = self.data.iter().map(|word| PackedEntry(word.get()));
        words.filter(|word| !word.is_empty() && word.generation() == generation).count()
    }

    /// Makes the system back the page under a cluster known to be zero.
    #[inline]
    pub(super) fn touch(&self) {
        self.data[0].set(0);
    }
}

/// Empties clusters.
///
/// A processor that learns of all the memory at once need not read it before it writes: on two cores of an AMD EPYC
/// (Zen 3) a gigabyte is empty after 20 ms, where stores one by one take 52.
pub(super) fn clear(clusters: &[Cluster]) {
    #[cfg(all(target_arch = "x86_64", not(thread_sanitizer)))]
    {
        let words = size_of_val(clusters) / size_of::<u64>();
        // SAFETY: these are the words of the slice and no more. They are all atomics, aligned to 8 bytes, and zero is a
        // value that each may have; to other threads every word is a store of its own, as that of an atomic is. The
        // direction flag is clear, as it always is in Rust.
        unsafe {
            std::arch::asm!(
                "rep stosq",
                inout("rcx") words => _,
                inout("rdi") clusters.as_ptr() => _,
                in("rax") 0_u64,
                options(nostack, preserves_flags)
            );
        }
    }
    #[cfg(any(not(target_arch = "x86_64"), thread_sanitizer))]
    for cluster in clusters {
        cluster.data.iter().for_each(|word| word.set(0));
        cluster.keys.iter().for_each(|key| key.set(0));
    }
}

/// True if the entry of a position shall stay although a new one has come.
fn outranks(old: PackedEntry, new: PackedEntry) -> bool {
    match (old.bound(), new.bound()) {
        (Bound::None, _) | (_, Bound::Exact) => false,
        (_, Bound::None) => true,
        _ => old.generation() == new.generation() && old.depth() > new.depth() + DEPTH_MARGIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::TableEntry;

    #[test]
    fn halves_of_two_stores_read_as_a_miss() {
        let words = [0, 1, -31, 500].map(|value| {
            let value = Some(value);
            let hit = TableEntry {
                best_move: None,
                value,
                static_eval: value,
                depth: 3,
                bound: Bound::Lower,
                is_pv: false,
            };
            PackedEntry::pack(&hit, 0, 0)
        });
        for (key, first) in (1000..).zip(words) {
            for (other, second) in (2000..).zip(words) {
                let (cluster, torn) = (<Cluster>::zeroed(), <Cluster>::zeroed());
                cluster.store(key, first);
                assert_eq!(cluster.probe(key), Some(first));
                torn.store(other, second);
                torn.data[0].store(first.0, Relaxed);
                // Without the fold, the second owner would be shown the first one's word.
                assert_eq!(torn.probe(key), None);
                assert_eq!(torn.probe(other), (first == second).then_some(second));
            }
        }
    }
}

/// All that a memory as loose as the language allows can make of a slot, as `loom` finds it.
#[cfg(all(test, feature = "model"))]
mod model {
    use std::sync::Arc;

    use loom::sync::atomic::{AtomicU16, AtomicU64};

    use super::*;
    use crate::tt::TableEntry;

    impl Cell<u64> for AtomicU64 {
        fn get(&self) -> u64 {
            self.load(Relaxed)
        }

        fn set(&self, value: u64) {
            self.store(value, Relaxed);
        }
    }

    impl Cell<u16> for AtomicU16 {
        fn get(&self) -> u16 {
            self.load(Relaxed)
        }

        fn set(&self, value: u16) {
            self.store(value, Relaxed);
        }
    }

    type Modelled = Cluster<AtomicU64, AtomicU16>;

    /// A whole word: nothing in it would be filled in from another.
    fn word(value: i32) -> PackedEntry {
        let best_move = crate::types::Move::from_bits(0x0041);
        let (value, static_eval) = (Some(value), Some(-value));
        let entry = TableEntry { best_move, value, static_eval, depth: 3, bound: Bound::Lower, is_pv: false };
        PackedEntry::pack(&entry, 0, 0)
    }

    /// Lets two threads store while a third looks for both keys, in every order of their steps with at most this many
    /// involuntary changes of threads, and with every value that a load may see.
    fn race(stores: [(u16, i32); 2], filled: usize, changes: usize) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(changes);
        model.check(move || {
            let cluster: Arc<Modelled> = Arc::new(Cluster {
                data: std::array::from_fn(|_| AtomicU64::new(0)),
                keys: std::array::from_fn(|_| AtomicU16::new(0)),
            });
            (0..filled as u16).for_each(|slot| cluster.store(5000 + slot, word(500 + i32::from(slot))));
            let writers = stores.map(|(key, value)| {
                let cluster = Arc::clone(&cluster);
                loom::thread::spawn(move || cluster.store(key, word(value)))
            });
            let check = |key: u16| {
                let Some(hit) = cluster.probe(key) else { return };
                assert!(
                    stores.iter().any(|&(owner, value)| owner == key && hit == word(value)),
                    "{key}: {hit:?}"
                );
            };
            stores.iter().for_each(|&(key, _)| check(key));
            writers.into_iter().for_each(|writer| writer.join().expect("ends"));
            stores.iter().for_each(|&(key, _)| check(key));
        });
    }

    #[test]
    fn a_slot_in_a_model_never_shows_what_was_not_stored_for_the_key() {
        race([(1000, 17), (2000, 18)], 0, 2);
        race([(1000, 17), (1000, 18)], 0, 2);
        race([(1000, 17), (2000, 18)], SLOTS, 1);
    }
}
