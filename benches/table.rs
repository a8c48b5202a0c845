//! Probes and stores of the transposition table, on one to all hardware threads.
//!
//! The table is far larger than the caches and the keys are random, so that every access is to memory, as in a
//! search; one row probes without and one with a prefetch a few keys ahead. What is probed was stored once and is mostly
//! still there; what is stored is new. Times are of all threads together: elements a second are the sum over the threads.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use caesura::tt::{TableEntry, TranspositionTable};
use caesura::types::Bound;
use caesura::util::random::mix;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Megabytes of the table.
const SIZE: usize = 512;
/// How many keys are stored at the beginning: six for each cluster.
const STORED: u64 = 6 * ((SIZE as u64) << 14);
/// How many keys ahead the prefetch goes.
const AHEAD: u64 = 8;

fn store(table: &TranspositionTable, key: u64) {
    let depth = (key >> 20 & 15) as i32;
    let (value, static_eval) = (Some(31), Some(17));
    let entry = TableEntry { best_move: None, value, static_eval, depth, bound: Bound::Lower, is_pv: false };
    table.store(key, 3, &entry);
}

/// The time that `threads` threads take for `rounds` calls each, given the thread's number and the round.
fn timed(threads: u64, rounds: u64, work: impl Fn(u64, u64) + Sync) -> Duration {
    let start = Instant::now();
    thread::scope(|scope| {
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || (0..rounds).for_each(|round| work(thread, round)));
        }
    });
    start.elapsed()
}

fn table(criterion: &mut Criterion) {
    let table = TranspositionTable::new(SIZE).expect("memory for the table");
    for number in 0..STORED {
        store(&table, mix(number));
    }
    let all = thread::available_parallelism().map_or(1, usize::from) as u64;
    let counts: Vec<u64> =
        (0..).map(|power| 1 << power).take_while(|&count| count < all).chain([all]).collect();
    // Never the same twice, so that what is stored is new in all rows.
    let mut measurement = 0;
    let mut bench = |name: &str, work: &(dyn Fn(u64, u64) + Sync)| {
        let mut group = criterion.benchmark_group(format!("table/{name}"));
        group.sample_size(20).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
        for &threads in &counts {
            group.throughput(Throughput::Elements(threads));
            group.bench_function(BenchmarkId::from_parameter(threads), |bencher| {
                bencher.iter_custom(|rounds| {
                    measurement += 1;
                    timed(threads, rounds, |thread, round| work(thread, measurement << 40 | round))
                });
            });
        }
        group.finish();
    };
    // The threads follow each other through what is stored, far apart.
    let stored = |thread: u64, round: u64| mix((thread * (STORED / all) + round) % STORED);
    let new = |thread: u64, round: u64| mix((thread + 1) << 56 | round);
    bench("probe", &|thread, round| {
        black_box(table.probe(stored(thread, round), 3));
    });
    bench("probe, prefetched", &|thread, round| {
        table.prefetch(stored(thread, round + AHEAD));
        black_box(table.probe(stored(thread, round), 3));
    });
    bench("store", &|thread, round| store(&table, new(thread, round)));
    bench("probe and store, prefetched", &|thread, round| {
        table.prefetch(new(thread, round + AHEAD));
        black_box(table.probe(new(thread, round), 3));
        store(&table, new(thread, round));
    });
}

criterion_group!(benches, table);
criterion_main!(benches);
