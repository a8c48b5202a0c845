//! The whole test, for the command line and for UCI.

use std::ops::RangeInclusive;

use crate::engine::{EngineError, NumaPolicy, max_threads, parallelism_under, this_machine};

use super::bandwidth::{clear_bandwidth, write_bandwidth};
use super::latency::latency;
use super::measure::{SpeedtestConfig, measure};
use super::report::SpeedtestReport;

/// Search time where none is given, in seconds.
pub const DEFAULT_SECONDS: u64 = 60;
/// The search times that can be asked for, in seconds.
pub const SECONDS: RangeInclusive<f64> = 0.1..=1e6;
/// Searches that are started and stopped to measure the latency, where no number is given.
pub const DEFAULT_ROUNDS: usize = 100;

/// Search threads where no number is given: as many as can run at once under a policy.
pub fn default_threads(policy: &NumaPolicy) -> usize {
    parallelism_under(this_machine(), policy).min(max_threads())
}

/// Measures speed, latency from `rounds` searches that are started and stopped, and bandwidths; `invocation` is the command
/// that asked for it. Ends soon, with a report on what was measured until then, when `is_cancelled` returns true.
///
/// # Errors
/// If there is no memory for the table or no room for the threads.
pub fn run(
    invocation: &str,
    config: &SpeedtestConfig,
    rounds: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<SpeedtestReport, EngineError> {
    let (mut engine, throughput) = measure(config, is_cancelled)?;
    let latency = latency(&mut engine, rounds, is_cancelled)?;
    let bandwidths = if is_cancelled() {
        [None; 2]
    } else {
        let writers = config.threads.min(default_threads(&config.policy));
        [Some(clear_bandwidth(&mut engine)?), write_bandwidth(writers, config.hash << 20)]
    };
    Ok(SpeedtestReport::new(invocation, config, &engine, &throughput, &latency, bandwidths))
}
