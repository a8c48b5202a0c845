//! The `speedtest` command, with Stockfish's arguments: `speedtest [THREADS [HASH [SECONDS]]]`.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::{Engine, EngineError, MAX_HASH, max_threads};
use crate::speedtest::{
    self, DEFAULT_ROUNDS, DEFAULT_SECONDS, SpeedtestConfig, SpeedtestReport, default_hash, default_threads,
};

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
    let within = |number: Option<u64>, default: usize, max: usize| {
        number.map_or(default, |number| usize::try_from(number).unwrap_or(max)).clamp(1, max)
    };
    let [threads, hash, seconds] = numbers;
    let threads = within(threads, default_threads(model.numa_policy()), max_threads());
    let hash = within(hash, default_hash(threads), MAX_HASH);
    let config = SpeedtestConfig {
        threads,
        policy: model.numa_policy().clone(),
        pin: model.pin(),
        hash,
        time: Duration::from_secs(
            seconds.unwrap_or(DEFAULT_SECONDS).clamp(1, *speedtest::SECONDS.end() as u64),
        ),
        network: Arc::clone(model.network()),
    };
    speedtest::run(format!("speedtest {words}").trim_end(), &config, DEFAULT_ROUNDS, is_cancelled)
}
