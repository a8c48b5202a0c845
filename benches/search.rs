//! Nodes per second of the whole search over the bench positions, on one and on all hardware threads.

mod rate;

use std::thread;

use caesura::bench::Setup;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn search(criterion: &mut Criterion) {
    let all = thread::available_parallelism().map_or(1, usize::from);
    let mut counts = vec![1, all];
    counts.dedup();
    let mut group = rate::group(criterion, "search");
    for threads in counts {
        let setup = Setup { depth: rate::DEPTH, threads, ..Setup::default() };
        group.bench_function(BenchmarkId::from_parameter(threads), |bencher| rate::searches(bencher, &setup));
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
