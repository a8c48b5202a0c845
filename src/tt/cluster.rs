//! One cache line of entries.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::entry::{KEY_BITS, PackedEntry};
use crate::params;
use crate::types::{Bound, Depth};

/// Entries in a cluster.
pub(super) const SLOTS: usize = 6;
/// The bits of a key that lie beside those of the other slots, above the sixteen of the slot's own.
const HIGH_BITS: usize = (KEY_BITS - u16::BITS) as usize;

const _: () = assert!(SLOTS * HIGH_BITS <= u32::BITS as usize);

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

impl Cell<u32> for AtomicU32 {
    #[inline]
    fn get(&self) -> u32 {
        self.load(Relaxed)
    }

    #[inline]
    fn set(&self, value: u32) {
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

/// Six entries, data apart from keys so that nothing needs padding, and in the four bytes that are left five more bits of
/// each key.
///
/// These five bits of all slots share a word. Two stores at the same time may undo each other's part of it: then the entry
/// of one of them is lost, and reads as a miss. No entry is ever shown that the sixteen bits alone would not show.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub(super) struct Cluster<D = AtomicU64, K = AtomicU16, H = AtomicU32> {
    data: [D; SLOTS],
    keys: [K; SLOTS],
    high: H,
}

const _: () = assert!(size_of::<Cluster>() == 64 && align_of::<Cluster>() == 64);

/// The key bits of a slot in the word that all slots share.
#[inline]
const fn high_bits(high: u32, slot: usize) -> u32 {
    high >> (HIGH_BITS * slot) & ((1 << HIGH_BITS) - 1)
}

/// What the slot of a word stores of a position's key: its lowest [`KEY_BITS`], mixed with the word.
#[inline]
const fn stored_key(key: u64, word: PackedEntry) -> u32 {
    key as u32 & ((1 << KEY_BITS) - 1) ^ word.fold()
}

impl<D: Cell<u64>, K: Cell<u16>, H: Cell<u32>> Cluster<D, K, H> {
    #[inline]
    fn load(&self, slot: usize) -> PackedEntry {
        PackedEntry(self.data[slot].get())
    }

    /// True if this word of a slot was stored for the key; false, but for an unlikely chance, if two stores met in the
    /// slot. The bits that the slots share are looked at last: they hardly ever decide.
    #[inline]
    fn is_of(&self, slot: usize, word: PackedEntry, key: u64) -> bool {
        let stored = stored_key(key, word);
        self.keys[slot].get() == stored as u16
            && !word.is_empty()
            && high_bits(self.high.get(), slot) == stored >> u16::BITS
    }

    #[inline]
    fn save(&self, slot: usize, word: PackedEntry, key: u64) {
        let stored = stored_key(key, word);
        self.data[slot].set(word.0);
        self.keys[slot].set(stored as u16);
        let high = self.high.get();
        let changed = (stored >> u16::BITS ^ high_bits(high, slot)) << (HIGH_BITS * slot);
        if changed != 0 {
            self.high.set(high ^ changed);
        }
    }

    /// The word stored for a key, of which only the [`KEY_BITS`] lowest bits are looked at.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<PackedEntry> {
        (0..SLOTS)
            .map(|slot| (slot, self.load(slot)))
            .find(|&(slot, word)| self.is_of(slot, word, key))
            .map(|(_, word)| word)
    }

    /// Stores a word: over the entry of the same key, else in an empty slot, else over the entry that is worth least.
    /// A deep entry saves more than a shallow one, and one of a former search is needed less often: each search since
    /// takes plies from its worth (the practice of Stockfish; not measured by itself here).
    pub(super) fn store(&self, key: u64, new: PackedEntry) {
        let mut victim = 0;
        let mut least = Depth::MAX;
        for slot in 0..SLOTS {
            let old = self.load(slot);
            if old.is_empty() {
                if least > Depth::MIN {
                    (victim, least) = (slot, Depth::MIN);
                }
                continue;
            }
            if self.is_of(slot, old, key) {
                let word = if outranks(old, new) { old.completed_by(new) } else { new.completed_by(old) };
                return self.save(slot, word, key);
            }
            let worth = old.depth() - params::tt_age_weight() * Depth::from(old.age(new.generation()));
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
        cluster.high.set(0);
    }
}

/// True if the entry of a position shall stay although a new one has come: shallow searches of a node, in singular search
/// or null-move verification, must not replace the deep result of the same search; an exact value always replaces it (the
/// practice of Stockfish).
///
/// Twelve plies in place of the margin of four come deeper in pawn endings, where a bound on the other side than the window
/// asks for keeps out what would answer, but in games at 25,000 nodes a move they make −9 ± 9 Elo from openings (2,160
/// games), and +11 ± 13 from endings (600).
fn outranks(old: PackedEntry, new: PackedEntry) -> bool {
    match (old.bound(), new.bound()) {
        (Bound::None, _) | (_, Bound::Exact) => false,
        (_, Bound::None) => true,
        _ => old.generation() == new.generation() && old.depth() > new.depth() + params::tt_depth_margin(),
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

    use loom::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

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

    impl Cell<u32> for AtomicU32 {
        fn get(&self) -> u32 {
            self.load(Relaxed)
        }

        fn set(&self, value: u32) {
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

    type Modelled = Cluster<AtomicU64, AtomicU16, AtomicU32>;

    /// A whole word: nothing in it would be filled in from another.
    fn word(value: i32) -> PackedEntry {
        let best_move = crate::types::Move::from_bits(0x0041);
        let (value, static_eval) = (Some(value), Some(-value));
        let entry = TableEntry { best_move, value, static_eval, depth: 3, bound: Bound::Lower, is_pv: false };
        PackedEntry::pack(&entry, 0, 0)
    }

    /// Lets two threads store while a third looks for both keys, in every order of their steps with at most this many
    /// involuntary changes of threads, and with every value that a load may see.
    fn race(stores: [(u64, i32); 2], filled: usize, changes: usize) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(changes);
        model.check(move || {
            let cluster: Arc<Modelled> = Arc::new(Cluster {
                data: std::array::from_fn(|_| AtomicU64::new(0)),
                keys: std::array::from_fn(|_| AtomicU16::new(0)),
                high: AtomicU32::new(0),
            });
            (0..filled as i32).for_each(|slot| cluster.store(5000 + slot as u64, word(500 + slot)));
            let writers = stores.map(|(key, value)| {
                let cluster = Arc::clone(&cluster);
                loom::thread::spawn(move || cluster.store(key, word(value)))
            });
            let check = |key: u64| {
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
