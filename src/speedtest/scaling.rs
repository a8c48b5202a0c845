//! Speed by number of threads.

use std::time::{Duration, Instant};

use crate::engine::EngineError;
use crate::engine::Limits;
use crate::engine::{self, Pin};
use crate::types::Depth;

use super::games::games;
use super::measure::{SpeedtestConfig, measure};

/// The speed of a number of threads.
#[derive(Clone, Copy, Debug)]
pub struct ScalingRow {
    /// Search threads.
    pub threads: usize,
    /// Nodes a second of all threads.
    pub rate: u64,
    /// The rate divided by that of this many single threads.
    pub efficiency: f64,
    /// The depth to which some positions are searched, in plies.
    pub depth: Depth,
    /// The time of these searches.
    pub time_to_depth: Duration,
    /// The nodes of the main thread in these searches. Where threads share processors, they show what more processors
    /// would gain, since threads that take turns get about equal shares.
    pub nodes_to_depth: u64,
}

/// The depth, and the depth in a run of less than [`LONG_RUN`].
const DEPTHS: [Depth; 2] = [14, 6];
const LONG_RUN: Duration = Duration::from_secs(5);
/// One in this many positions is searched to the depth.
const DEPTH_SAMPLE_STEP: usize = 24;

/// 1, 2, 4 and so on up to `most`, and `most` itself.
pub fn thread_counts(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |&count: &usize| count.checked_mul(2));
    powers.take_while(|&count| count < most).chain([most]).collect()
}

/// Measures each number of threads, up to as many as the policy allows, and calls `report` with each row.
///
/// # Errors
/// If there is no memory for the table or no room for the threads.
pub fn scaling(
    setup: &SpeedtestConfig,
    mut report: impl FnMut(&ScalingRow),
) -> Result<Vec<ScalingRow>, EngineError> {
    let depth = DEPTHS[usize::from(setup.time < LONG_RUN)];
    let mut rows: Vec<ScalingRow> = Vec::new();
    let most = engine::place_threads(engine::this_machine(), &setup.policy, setup.threads, Pin::default())
        .threads
        .len();
    for threads in thread_counts(most) {
        let (mut engine, speed) = measure(&SpeedtestConfig { threads, ..setup.clone() }, &|| false)?;
        let (mut time_to_depth, mut nodes_to_depth) = (Duration::ZERO, 0);
        for board in games().into_iter().flatten().step_by(DEPTH_SAMPLE_STEP) {
            engine.new_game()?;
            engine.set_position(board);
            let start = Instant::now();
            engine.search(Limits::depth(depth))?;
            time_to_depth += start.elapsed();
            nodes_to_depth += engine.nodes_by_thread().first().copied().unwrap_or(0);
        }
        let single = rows.first().map_or(speed.rate(), |row| row.rate) as f64;
        let efficiency = speed.rate() as f64 / (single * threads as f64).max(1.0);
        let row =
            ScalingRow { threads, rate: speed.rate(), efficiency, depth, time_to_depth, nodes_to_depth };
        report(&row);
        rows.push(row);
    }
    Ok(rows)
}

/// The rows as a table.
pub fn scaling_table(rows: &[ScalingRow]) -> String {
    let depth = rows.first().map_or(0, |row| row.depth);
    let mut lines = vec![format!(
        "threads  nodes/second  efficiency  time to depth {depth:>2} [s]  speed-up  in nodes of the main thread"
    )];
    for row in rows {
        let first = rows[0].time_to_depth.as_secs_f64();
        let time = row.time_to_depth.as_secs_f64();
        lines.push(format!(
            "{:>7}  {:>12}  {:>10.3}  {time:>20.2}  {:>8.2}  {:>27.2}",
            row.threads,
            row.rate,
            row.efficiency,
            first / time.max(1e-9),
            rows[0].nodes_to_depth as f64 / row.nodes_to_depth.max(1) as f64
        ));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_double_up_to_the_last() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(2), [1, 2]);
        assert_eq!(thread_counts(12), [1, 2, 4, 8, 12]);
        assert_eq!(thread_counts(16), [1, 2, 4, 8, 16]);
    }
}
