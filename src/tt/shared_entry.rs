//! Entries on their way between the tables of several machines.

use super::entry::{PackedEntry, TableEntry};
use super::table::TranspositionTable;
use crate::types::{Bound, MATE, MAX_EVAL, MAX_SEARCH_DEPTH};

/// An entry with the whole key of its position, in 16 bytes: what one table can send another, of whatever size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEntry {
    /// The key of the position.
    pub key: u64,
    /// Move, value, evaluation, depth and bound as the table packs them.
    pub word: u64,
}

impl SharedEntry {
    /// Packs what a search found about a position that it reached `ply` plies from the root.
    pub fn pack(key: u64, ply: usize, entry: &TableEntry) -> SharedEntry {
        SharedEntry { key, word: PackedEntry::pack(entry, ply, 0).0 }
    }

    /// The entry as a search sees it that has the position at its root; `None` if no search can have found it.
    ///
    /// The word may come from anywhere: a value beyond mate, a bound without a value, an evaluation beyond [`MAX_EVAL`] or a
    /// depth beyond [`MAX_SEARCH_DEPTH`] is not let in. What passes may still be untrue, like an entry of another position that
    /// has the same bits of the key.
    pub fn unpack(self) -> Option<TableEntry> {
        let word = PackedEntry(self.word);
        let entry = word.unpack(0);
        let sound = !word.is_empty()
            && entry.depth <= MAX_SEARCH_DEPTH
            && entry.value.map_or(entry.bound == Bound::None, |value| value.abs() <= MATE)
            && entry.static_eval.is_none_or(|eval| eval.abs() <= MAX_EVAL);
        sound.then_some(entry)
    }
}

impl TranspositionTable {
    /// Stores an entry of another table as one of the present search. False if no search can have found it: then nothing
    /// is stored.
    pub fn store_shared(&self, shared: SharedEntry) -> bool {
        let entry = shared.unpack();
        if let Some(entry) = &entry {
            self.store(shared.key, 0, entry);
        }
        entry.is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::super::entry::MIN_DEPTH;
    use super::*;
    use crate::types::{Bound, Depth, Value, mate_in};

    fn table() -> TranspositionTable {
        TranspositionTable::new(1).expect("memory")
    }

    #[test]
    fn an_entry_says_the_same_in_another_table() {
        for value in [0, -31, 5000, mate_in(9)] {
            let (value, static_eval) = (Some(value), Some(17));
            let entry = TableEntry {
                best_move: crate::types::Move::from_bits(0x0041),
                value,
                static_eval,
                depth: 9,
                bound: Bound::Lower,
                is_pv: true,
            };
            let (key, here, there) = (0x1234_5678_9ABC_DEF0, table(), table());
            here.store(key, 4, &entry);
            assert!(there.store_shared(SharedEntry::pack(key, 4, &entry)));
            assert_eq!(there.probe(key, 4), here.probe(key, 4));
            assert_eq!(there.probe(key, 4), Some(entry));
            assert_ne!(there.probe(key, 7), there.probe(key, 4).filter(|_| value > Some(MAX_EVAL)));
        }
    }

    #[test]
    fn a_word_that_no_search_can_have_written_is_refused() {
        let table = table();
        let word = |value: i16, eval: i16, depth: u64| {
            u64::from(value as u16) << 16 | u64::from(eval as u16) << 32 | depth << 48
        };
        let depth_byte = |depth: Depth| (depth - MIN_DEPTH + 1) as u64;
        let refused = [
            word(0, 0, 0),
            word(MATE as i16 + 1, 0, 9),
            word(0, MAX_EVAL as i16 + 1, 9),
            word(0, 0, depth_byte(MAX_SEARCH_DEPTH + 1)),
            // A bound without a value.
            word(i16::MIN, 0, 9) | (Bound::Exact as u64) << 56,
        ];
        for word in refused {
            assert!(!table.store_shared(SharedEntry { key: 1, word }), "{word:016x}");
            assert_eq!(table.probe(1, 0), None);
        }
        let deepest = word(MATE as i16, -(MAX_EVAL as i16), depth_byte(MAX_SEARCH_DEPTH));
        assert!(table.store_shared(SharedEntry { key: 1, word: deepest }));
        assert_eq!(table.probe(1, 0).map(|entry| entry.depth), Some(MAX_SEARCH_DEPTH));
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_let_in_lies_in_the_range_of_the_search(key: u64, word: u64) {
            let (table, entry) = (table(), SharedEntry { key, word }.unpack());
            prop_assert_eq!(table.store_shared(SharedEntry { key, word }), entry.is_some());
            prop_assert_eq!(table.probe(key, 0), entry);
            let in_range = |value: Option<Value>, most| value.is_none_or(|value| value.abs() <= most);
            prop_assert!(entry.is_none_or(|entry| in_range(entry.value, MATE) && in_range(entry.static_eval, MAX_EVAL)));
            prop_assert!(entry.is_none_or(|entry| (MIN_DEPTH..=MAX_SEARCH_DEPTH).contains(&entry.depth)));
        }
    }
}
