//! Nodes per second of whole searches, for criterion.

use std::time::Duration;

use caesura::bench::{Setup, Total, run};
use criterion::measurement::WallTime;
use criterion::{Bencher, BenchmarkGroup, Criterion, SamplingMode, Throughput};

/// The depth of every search.
pub const DEPTH: i32 = 9;
/// Nodes that times are scaled to: with several threads no two runs search the same tree.
const NODES: u64 = 1_000_000;

/// A group whose elements are nodes.
pub fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(NODES)).sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(10));
    group
}

/// Runs the bench, each time scaled to the same count of nodes.
pub fn searches(bencher: &mut Bencher<'_>, setup: &Setup) {
    bencher.iter_custom(|rounds| {
        let mut all = Total::default();
        for _ in 0..rounds {
            let total = run(setup, |_| {}).expect("memory and threads");
            all.nodes += total.nodes;
            all.time += total.time;
        }
        all.time.mul_f64((rounds * NODES) as f64 / all.nodes as f64)
    });
}
