//! The `speedtest` command, with Stockfish's arguments: `speedtest [THREADS [HASH [SECONDS]]]`.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::{Engine, EngineError, MAX_HASH, max_threads, this_machine};
use crate::speedtest::{
    SpeedtestConfig, SpeedtestReport, clear_bandwidth, default_hash, latency, measure, write_bandwidth,
};

/// Search time where none is given, in seconds.
const SECONDS: u64 = 60;
/// The longest search time, in seconds.
const MAX_SECONDS: u64 = 1_000_000;
/// Searches that are started and stopped to measure the latency.
const ROUNDS: usize = 100;

/// Measures in an engine of its own, which evaluates and places its threads as `model` does, and returns the report. Numbers
/// of threads, megabytes and seconds that are out of range are brought to the nearer end; what is missing is chosen for the
/// machine. Ends soon, with a report on what was measured until then, when `is_cancelled` returns true.
///
/// # Errors
/// If the system has no memory or threads for the engine.
pub fn run(
    words: &str,
    numbers: [Option<u64>; 3],
    model: &Engine,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<SpeedtestReport, EngineError> {
    let machine = this_machine();
    let parallelism = machine.parallelism(&machine.allowed);
    let within = |number: Option<u64>, default: usize, max: usize| {
        number.map_or(default, |number| usize::try_from(number).unwrap_or(max)).clamp(1, max)
    };
    let [threads, hash, seconds] = numbers;
    let threads = within(threads, parallelism, max_threads());
    let hash = within(hash, default_hash(threads), MAX_HASH);
    let config = SpeedtestConfig {
        threads,
        policy: model.numa_policy().clone(),
        pin: model.pin(),
        hash,
        time: Duration::from_secs(seconds.unwrap_or(SECONDS).clamp(1, MAX_SECONDS)),
        network: Arc::clone(model.network()),
    };
    let (mut engine, throughput) = measure(&config, is_cancelled)?;
    let latency = latency(&mut engine, ROUNDS, is_cancelled)?;
    let bandwidths = if is_cancelled() {
        [None; 2]
    } else {
        [Some(clear_bandwidth(&mut engine)?), write_bandwidth(threads.min(parallelism), hash << 20)]
    };
    let invocation = format!("speedtest {words}");
    Ok(SpeedtestReport::new(invocation.trim_end(), &config, &engine, &throughput, &latency, bandwidths))
}
