//! Nodes per second of the whole search over the bench positions, on one and on all hardware threads.
//!
//! With several threads no two runs search the same tree: times are scaled to a fixed number of nodes, which are
//! the elements.

use std::thread;
use std::time::Duration;

use caesura::bench::{BenchResult, run};
use caesura::engine::{DEFAULT_HASH, Engine};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

/// The depth of every search.
const DEPTH: i32 = 9;
/// Nodes that times are scaled to.
const NODES: u64 = 1_000_000;

fn search(criterion: &mut Criterion) {
    let all = thread::available_parallelism().map_or(1, usize::from);
    let mut counts = vec![1, all];
    counts.dedup();
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES)).sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(10));
    for threads in counts {
        let mut engine = Engine::new(threads, DEFAULT_HASH).expect("memory and threads");
        group.bench_function(BenchmarkId::from_parameter(threads), |bencher| {
            bencher.iter_custom(|rounds| {
                let mut all = BenchResult::default();
                for _ in 0..rounds {
                    let total = run(&mut engine, DEPTH, |_| {}).expect("idle");
                    all.nodes += total.nodes;
                    all.time += total.time;
                }
                all.time.mul_f64((rounds * NODES) as f64 / all.nodes as f64)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
