//! Tests of the whole table.

use std::collections::HashSet;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::cluster::{Cluster, SLOTS};
use super::entry::{GENERATIONS, KEY_BITS, MAX_DEPTH, MIN_DEPTH, PackedEntry};
use super::table::may_lie_better_alone;
use super::{TableEntry, TranspositionTable};
use crate::types::{
    Bound, Depth, MATE, MAX_EVAL, MAX_PLY, Move, TB_WIN, TB_WIN_IN_MAX, Value, mate_in, mated_in,
};
use crate::util::huge::{AllocError, HugeBox, Pages};
use crate::util::random::SplitMix;

const BOUNDS: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

fn hit(depth: Depth, bound: Bound) -> TableEntry {
    let value = Some(17);
    TableEntry {
        best_move: Move::from_bits(0x0041),
        value,
        static_eval: Some(-9),
        depth,
        bound,
        is_pv: false,
    }
}

#[test]
fn every_field_comes_back_at_its_extremes() {
    let table = TranspositionTable::new(1).unwrap();
    let moves = [None, Move::from_bits(1), Move::from_bits(0xFFFE)];
    let values = [None, Some(-MATE), Some(-1), Some(0), Some(1), Some(MATE)];
    let mut keys = SplitMix(0);
    for (best, value) in moves.into_iter().flat_map(|best| values.map(|value| (best, value))) {
        for (static_eval, bound) in values.into_iter().flat_map(|eval| BOUNDS.map(|bound| (eval, bound))) {
            for (depth, is_pv) in [MIN_DEPTH, -1, 0, MAX_PLY as Depth, MAX_DEPTH].map(|d| (d, d % 2 == 0)) {
                let key = keys.next();
                let stored = TableEntry { best_move: best, value, static_eval, depth, bound, is_pv };
                table.store(key, 0, &stored);
                assert_eq!(table.probe(key, 0), Some(stored));
                assert_eq!(table.probe(key ^ 1, 0), None);
            }
        }
    }
}

#[test]
fn what_is_out_of_range_is_clamped() {
    let table = TranspositionTable::new(1).unwrap();
    let wild =
        TableEntry { value: Some(Value::MAX), static_eval: Some(Value::MIN), ..hit(1000, Bound::Exact) };
    table.store(5, 0, &wild);
    let clamped = TableEntry { value: Some(MATE), static_eval: Some(-MATE), depth: MAX_DEPTH, ..wild };
    assert_eq!(table.probe(5, 0), Some(clamped));
    table.store(6, 0, &hit(Depth::MIN, Bound::Exact));
    assert_eq!(table.probe(6, 0).unwrap().depth, MIN_DEPTH);
}

#[test]
fn a_table_on_other_nodes_is_empty_and_of_the_old_size() {
    let mut table = TranspositionTable::new(4).unwrap();
    table.store(5, 0, &hit(3, Bound::Exact));
    // A node that is not there is no error.
    for nodes in [&[][..], &[0], &[0, 1], &[900]] {
        table.move_to(nodes).unwrap();
        assert_eq!((table.megabytes(), table.probe(5, 0)), (4, None));
        assert!(table.take_untouched() && !table.take_untouched());
        table.store(5, 0, &hit(3, Bound::Exact));
        assert!(table.probe(5, 0).is_some());
    }
    let mut none = TranspositionTable::without_memory();
    none.move_to(&[0]).unwrap();
    assert_eq!((none.megabytes(), none.take_untouched()), (0, false));
}

#[test]
fn entries_of_a_cluster_are_told_apart_by_the_lowest_bits_of_the_key() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(5, 0, &hit(3, Bound::Exact));
    // The cluster lies in the highest 14 bits of a key of this table.
    for bit in 0..50 {
        assert_eq!(table.probe(5 ^ 1 << bit, 0).is_none(), bit < KEY_BITS, "bit {bit}");
    }
}

#[test]
fn hardly_any_entry_is_shown_for_a_position_that_was_never_stored() {
    const PROBES: u32 = 4_000_000;
    let table = TranspositionTable::new(1).unwrap();
    let mut keys = SplitMix(11);
    (0..400_000).for_each(|_| table.store(keys.next(), 0, &hit(3, Bound::Upper)));
    let wrong = (0..PROBES).filter(|_| table.probe(keys.next(), 0).is_some()).count();
    // Every entry of the cluster has its chance: 6 of 2^21 are 2.9 of a million.
    let expected = f64::from(PROBES) * SLOTS as f64 / f64::from(1 << KEY_BITS);
    assert!((wrong as f64) < 1.75 * expected, "{wrong} of {PROBES}, {expected:.1} expected");
}

#[test]
fn an_empty_table_knows_nothing() {
    let table = TranspositionTable::new(1).unwrap();
    for key in (0..=u64::from(u16::MAX)).chain([u64::MAX]) {
        assert_eq!(table.probe(key, 0), None);
        table.prefetch(key);
    }
    assert_eq!((table.hashfull(), table.megabytes()), (0, 1));
}

#[test]
fn mates_and_tablebase_wins_are_kept_relative_to_the_node() {
    let table = TranspositionTable::new(1).unwrap();
    for stored in [0, 1, 10, MAX_PLY / 2] {
        for distance in [0, 1, 7, MAX_PLY / 2] {
            for probed in [0, 3, 50, MAX_PLY / 2] {
                table.store(
                    9,
                    stored,
                    &TableEntry { value: Some(mate_in(stored + distance)), ..hit(5, Bound::Exact) },
                );
                assert_eq!(table.probe(9, probed).unwrap().value, Some(mate_in(probed + distance)));
                table.store(
                    9,
                    stored,
                    &TableEntry { value: Some(mated_in(stored + distance)), ..hit(5, Bound::Exact) },
                );
                assert_eq!(table.probe(9, probed).unwrap().value, Some(mated_in(probed + distance)));
            }
        }
    }
    // The most distant win is the last value before the evaluations.
    let most = TB_WIN_IN_MAX;
    for (value, later) in
        [(TB_WIN - 33, TB_WIN - 63), (33 - TB_WIN, 63 - TB_WIN), (most + 7, most), (-most - 7, -most)]
    {
        table.store(9, 30, &TableEntry { value: Some(value), ..hit(5, Bound::Exact) });
        assert_eq!(table.probe(9, 60).unwrap().value, Some(later));
    }
    for value in [MAX_EVAL, -MAX_EVAL, 0] {
        table.store(9, 30, &TableEntry { value: Some(value), ..hit(5, Bound::Exact) });
        assert_eq!(table.probe(9, 60).unwrap().value, Some(value));
    }
}

#[test]
fn missing_parts_are_kept() {
    let table = TranspositionTable::new(1).unwrap();
    let (key, old) = (1 << 40 | 3, hit(5, Bound::Lower));
    table.store(key, 0, &old);
    let bare = TableEntry { best_move: None, static_eval: None, value: Some(99), ..hit(4, Bound::Upper) };
    table.store(key, 0, &bare);
    let merged = TableEntry { best_move: old.best_move, static_eval: old.static_eval, ..bare };
    assert_eq!(table.probe(key, 0), Some(merged));
}

#[test]
fn deep_entries_of_the_same_search_stay() {
    let table = TranspositionTable::new(1).unwrap();
    let key = 77;
    let deep = TableEntry { best_move: None, ..hit(20, Bound::Upper) };
    table.store(key, 0, &deep);
    let shallow = TableEntry { value: Some(3), static_eval: Some(4), ..hit(10, Bound::Lower) };
    table.store(key, 0, &shallow);
    assert_eq!(table.probe(key, 0), Some(TableEntry { best_move: shallow.best_move, ..deep }));
    let evaluation = TableEntry { value: None, ..hit(0, Bound::None) };
    table.store(key, 0, &evaluation);
    assert_eq!(table.probe(key, 0).unwrap().depth, 20);
    table.store(key, 0, &hit(16, Bound::Lower));
    assert_eq!(table.probe(key, 0).unwrap().depth, 16);
    table.store(key, 0, &hit(0, Bound::Exact));
    assert_eq!(table.probe(key, 0).unwrap().depth, 0);
    table.store(key, 0, &deep);
    table.new_search();
    table.store(key, 0, &shallow);
    assert_eq!(table.probe(key, 0), Some(shallow));
}

#[test]
fn the_shallowest_gives_way() {
    let table = TranspositionTable::new(1).unwrap();
    for slot in 0..SLOTS as u64 {
        table.store(slot, 0, &hit(10 - slot as Depth, Bound::Exact));
    }
    table.store(100, 0, &hit(0, Bound::Exact));
    for slot in 0..SLOTS as u64 {
        assert_eq!(table.probe(slot, 0).is_some(), slot < SLOTS as u64 - 1);
    }
    assert!(table.probe(100, 0).is_some());
}

#[test]
fn the_old_gives_way_before_the_shallow() {
    for start in [0, GENERATIONS - 1] {
        let table = TranspositionTable::new(1).unwrap();
        (0..start).for_each(|_| table.new_search());
        table.store(0, 0, &hit(12, Bound::Exact));
        table.new_search();
        table.new_search();
        for slot in 1..SLOTS as u64 {
            table.store(slot, 0, &hit(1, Bound::Exact));
        }
        table.store(100, 0, &hit(0, Bound::Exact));
        assert!(table.probe(0, 0).is_none() && table.probe(1, 0).is_some() && table.probe(100, 0).is_some());
    }
}

#[test]
fn the_table_fills_up_and_empties() {
    let mut table = TranspositionTable::new(1).unwrap();
    let mut keys = SplitMix(1);
    for _ in 0..1_000_000 {
        table.store(keys.next(), 0, &hit(3, Bound::Upper));
    }
    assert!(table.hashfull() > 990);
    table.new_search();
    assert_eq!(table.hashfull(), 0);
    for (megabytes, threads) in [(33, 3), (8, 64), (1, 0)] {
        table.resize(megabytes, threads).unwrap();
        assert_eq!((table.megabytes(), table.hashfull()), (megabytes, 0));
        let stored: Vec<u64> = (0..1000).map(|_| keys.next()).collect();
        stored.iter().for_each(|&key| table.store(key, 0, &hit(3, Bound::Upper)));
        assert!(stored.iter().all(|&key| table.probe(key, 0).is_some()));
        table.clear(threads);
        assert!(stored.iter().all(|&key| table.probe(key, 0).is_none()));
    }
}

#[test]
fn parts_make_up_the_whole() {
    let mut table = TranspositionTable::without_memory();
    table.allocate(7, &[]).unwrap();
    assert!(table.take_untouched() && !table.take_untouched());
    for parts in [1, 2, 3, 4, 5, 1024] {
        (0..parts).for_each(|part| table.touch_part(part, parts));
        let mut keys = SplitMix(parts as u64);
        let keys: Vec<u64> = (0..1000).map(|_| keys.next()).collect();
        keys.iter().for_each(|&key| table.store(key, 0, &hit(3, Bound::Upper)));
        assert!(keys.iter().all(|&key| table.probe(key, 0).is_some()));
        (0..parts).for_each(|part| table.clear_part(part, parts));
        assert!(keys.iter().all(|&key| table.probe(key, 0).is_none()));
    }
    table.touch_part(0, 0);
}

#[test]
fn a_part_is_cleared_and_nothing_else() {
    let table = TranspositionTable::new(7).unwrap();
    let clusters = table.index(u64::MAX) + 1;
    // One in each cluster.
    let keys: Vec<u64> =
        (0..clusters).map(|index| ((index as u128) << 64).div_ceil(clusters as u128) as u64 + 1).collect();
    assert!(keys.iter().enumerate().all(|(index, &key)| table.index(key) == index));
    for parts in [2, 4] {
        keys.iter().for_each(|&key| table.store(key, 0, &hit(3, Bound::Upper)));
        let mut cleared = 0;
        for part in 0..parts {
            table.clear_part(part, parts);
            let empty = keys.iter().take_while(|&&key| table.probe(key, 0).is_none()).count();
            assert!(empty > cleared, "{part} of {parts}");
            assert!(keys[empty..].iter().all(|&key| table.probe(key, 0).is_some()), "{part} of {parts}");
            cleared = empty;
        }
        assert_eq!(cleared, clusters);
    }
}

#[test]
fn a_size_that_does_not_fit_keeps_the_table() {
    let mut table = TranspositionTable::new(2).unwrap();
    table.store(42, 0, &hit(3, Bound::Exact));
    for megabytes in [0, 1 << 32, 1 << 43, usize::MAX] {
        let error = table.resize(megabytes, 2).unwrap_err();
        assert_eq!((error.requested, error.current, error.content_kept), (megabytes, 2, true));
        assert!(error.to_string().ends_with("; keeping the one of 2 MB"));
        assert_eq!(table.probe(42, 0), Some(hit(3, Bound::Exact)));
    }
    table.resize(2, 2).unwrap();
    assert_eq!(table.probe(42, 0), Some(hit(3, Bound::Exact)));
    assert!(TranspositionTable::new(1 << 40).unwrap_err().to_string().ends_with("; there is none"));
}

/// An allocator with this much memory in all, which refuses the calls (counted from 0) in `refuse`.
fn allocator(
    megabytes: usize,
    refuse: &[usize],
) -> impl FnMut(usize, usize) -> Result<HugeBox<Cluster>, AllocError> {
    let mut calls = 0;
    move |clusters, held| {
        calls += 1;
        let fits = (clusters + held) * size_of::<Cluster>() <= megabytes << 20;
        if fits && !refuse.contains(&(calls - 1)) {
            HugeBox::new(clusters)
        } else {
            Err(AllocError::Refused { needed: 0 })
        }
    }
}

#[test]
fn where_two_tables_do_not_fit_one_still_may() {
    let filled = || {
        let table = TranspositionTable::new(4).unwrap();
        table.store(42, 0, &hit(3, Bound::Exact));
        table
    };
    for (megabytes, memory) in [(6, 6), (6, 9), (3, 6), (1, 4)] {
        let mut table = filled();
        assert_eq!(table.resize_with(megabytes, allocator(memory, &[])), Ok(()));
        assert_eq!((table.megabytes(), table.probe(42, 0)), (megabytes, None));
    }
    let mut table = filled();
    let error = table.resize_with(7, allocator(6, &[])).unwrap_err();
    assert!(error.content_kept && table.megabytes() == 4 && table.probe(42, 0).is_some());

    // The calls: both at once, the difference, alone, then 4, 2 and 1 megabytes.
    for (refuse, now) in [(&[2][..], 4), (&[2, 3], 2), (&[2, 3, 4], 1), (&[2, 3, 4, 5], 0)] {
        let mut table = filled();
        let error = table.resize_with(6, allocator(6, refuse)).unwrap_err();
        assert_eq!((error.current, error.content_kept, table.megabytes()), (now, false, now));
        assert_eq!(table.probe(42, 0), None);
        table.store(42, 0, &hit(3, Bound::Exact));
        table.prefetch(42);
        table.clear(2);
        assert_eq!((table.probe(42, 0), table.hashfull()), (None, 0));
        table.resize(1, 1).unwrap();
        assert_eq!(table.megabytes(), 1);
    }
}

#[test]
fn a_table_gives_its_preallocated_pages_up_for_one_that_needs_them() {
    let others = [Pages::Huge, Pages::Plain, Pages::Heap];
    for held in [Pages::PreallocatedGiant, Pages::PreallocatedHuge] {
        assert!(others.iter().all(|&new| may_lie_better_alone(held, new)));
        assert!(!may_lie_better_alone(held, Pages::PreallocatedGiant));
        assert!(!may_lie_better_alone(held, Pages::PreallocatedHuge));
        assert!(others.iter().all(|&other| !may_lie_better_alone(other, held)));
    }
    assert!(!may_lie_better_alone(Pages::Huge, Pages::Heap));
}

/// What the hammer stores for a key: every field follows from it.
fn derived(key: u64) -> TableEntry {
    let word = SplitMix(key).next();
    TableEntry {
        best_move: Move::from_bits(word as u16).or(Move::from_bits(1)),
        value: Some(Value::from((word >> 16) as u16 as i16 / 2)),
        static_eval: Some(Value::from((word >> 32) as u16 as i16 / 2)),
        depth: (word >> 48) as Depth % 20,
        bound: Bound::Exact,
        is_pv: word >> 63 != 0,
    }
}

/// Keys of one cluster such that no word stored for one of them, beside the stored key of another (or of an
/// empty slot), reads as an entry of a third: with these, not a single wrong hit is chance.
fn distinguishable(keys: impl Iterator<Item = u64>, count: usize) -> Vec<u64> {
    // The folded data and the stored key of every kept key, and of an empty slot.
    let mut stored = vec![(0, 0)];
    let mut kept: Vec<u64> = Vec::new();
    for key in keys {
        let fold = PackedEntry::pack(&derived(key), 0, 0).fold();
        stored.push((fold as u16, key as u16 ^ fold as u16));
        kept.push(key);
        let owners: HashSet<u16> = kept.iter().map(|&key| key as u16).collect();
        let torn = stored.iter().enumerate().flat_map(|(d, data)| {
            let rest = stored.iter().enumerate().filter(move |&(k, _)| d != 0 && k != d);
            rest.map(move |(_, other)| data.0 ^ other.1)
        });
        if owners.len() < kept.len() || torn.into_iter().any(|owner| owners.contains(&owner)) {
            stored.pop();
            kept.pop();
        }
        if kept.len() == count {
            break;
        }
    }
    kept
}

#[test]
fn hammered_by_many_threads_every_hit_is_true() {
    const CLUSTERS: u64 = 1;
    const KEYS: usize = 12;
    const THREADS: u64 = 4;
    const ROUNDS: usize = 2_000_000;
    let table = TranspositionTable::new(1).unwrap();
    let mut mixer = SplitMix(7);
    let mut keys = Vec::new();
    for cluster in 0..CLUSTERS {
        // The cluster lies in the highest 14 bits of a key of this table.
        let random = std::iter::repeat_with(|| cluster << 50 | mixer.next() >> 14);
        keys.extend(distinguishable(random, KEYS));
    }
    assert_eq!(keys.len(), CLUSTERS as usize * KEYS);
    assert!(keys.iter().enumerate().all(|(index, &key)| table.index(key) == index / KEYS));

    let (hits, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, keys, hits, wrong, start) = (&table, &keys, &hits, &wrong, &start);
            scope.spawn(move || {
                let mut mixer = SplitMix(thread);
                start.wait();
                for _ in 0..ROUNDS {
                    let choice = mixer.next();
                    let key = keys[choice as usize % keys.len()];
                    if choice >> 63 != 0 {
                        table.store(key, 0, &derived(key));
                    } else if let Some(hit) = table.probe(key, 0) {
                        hits.fetch_add(1, Relaxed);
                        wrong.fetch_add(usize::from(hit != derived(key)), Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(wrong.into_inner(), 0);
    assert!(hits.into_inner() > THREADS as usize * ROUNDS / 20);
}
