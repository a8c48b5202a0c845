//! Probes and stores of the transposition table, on one to all hardware threads.
//!
//! The table is far larger than the caches and the keys are random, so that every access is to memory, as in a
//! search; one row probes without and one with a prefetch a few keys ahead. Times are of all threads together:
//! elements a second are the sum over the threads.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use caesura::tt::{Bound, Table};
use caesura::util::random::mix;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Megabytes of the table.
const SIZE: usize = 512;
/// How many keys ahead the prefetch goes.
const AHEAD: u64 = 8;

fn store(table: &Table, key: u64) {
    let depth = (key >> 20 & 15) as i32;
    table.store(key, 3, None, Some(31), Some(17), depth, Bound::Lower, false);
}

/// The time that `threads` threads take for `rounds` calls each.
fn timed(threads: usize, rounds: u64, work: impl Fn(u64) + Sync) -> Duration {
    let start = Instant::now();
    thread::scope(|scope| {
        for thread in 0..threads as u64 {
            let work = &work;
            scope.spawn(move || (0..rounds).for_each(|round| work(thread << 32 | round)));
        }
    });
    start.elapsed()
}

fn table(criterion: &mut Criterion) {
    let table = Table::new(SIZE).expect("memory for the table");
    let fill = (SIZE as u64) << 14;
    for number in 0..fill * 6 {
        store(&table, mix(number));
    }
    let all = thread::available_parallelism().map_or(1, usize::from);
    let counts: Vec<usize> =
        (0..).map(|power| 1 << power).take_while(|&count| count < all).chain([all]).collect();
    let mut bench = |name: &str, work: &(dyn Fn(u64) + Sync)| {
        let mut group = criterion.benchmark_group(format!("table/{name}"));
        group.sample_size(20).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
        for &threads in &counts {
            group.throughput(Throughput::Elements(threads as u64));
            group.bench_function(BenchmarkId::from_parameter(threads), |bencher| {
                bencher.iter_custom(|rounds| timed(threads, rounds, work));
            });
        }
        group.finish();
    };
    bench("probe", &|number| {
        black_box(table.probe(mix(number), 3));
    });
    bench("probe, prefetched", &|number| {
        table.prefetch(mix(number + AHEAD));
        black_box(table.probe(mix(number), 3));
    });
    bench("store", &|number| store(&table, mix(number)));
}

criterion_group!(benches, table);
criterion_main!(benches);
