//! How long searches take to start and to stop.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, EngineError, Limits, Listener};
use crate::types::Move;

use super::games::games;

/// Percentiles of a list of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Percentiles {
    /// How many times there are.
    pub count: usize,
    /// The median.
    pub median: Duration,
    /// The 99th percentile.
    pub p99: Duration,
    /// The longest.
    pub max: Duration,
}

impl Percentiles {
    /// The percentiles of `times`, which come in any order.
    pub fn of(mut times: Vec<Duration>) -> Percentiles {
        times.sort_unstable();
        let at = |share: f64| {
            let place = (times.len() as f64 * share).ceil() as usize;
            times.get(place.max(1) - 1).copied().unwrap_or_default()
        };
        Percentiles { count: times.len(), median: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

impl fmt::Display for Percentiles {
    /// In milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let [median, p99, max] = [self.median, self.p99, self.max].map(milliseconds);
        write!(f, "{median:.3}, {p99:.3}, {max:.3}")
    }
}

/// How long searches took to start and to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// From `go` until the first thread searches.
    pub first: Percentiles,
    /// From `go` until all threads search, where they did within ten seconds.
    pub start: Percentiles,
    /// From `stop` to the best move.
    pub stop: Percentiles,
}

/// How often to test whether all threads have begun.
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// How long to wait for that.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Starts and stops `rounds` searches, or fewer if `is_cancelled` returns true before one. A search is stopped once all its
/// threads have begun, or after ten seconds.
///
/// # Errors
/// If a search is running.
pub fn latency(
    engine: &mut Engine,
    rounds: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Latency, EngineError> {
    let positions: Vec<_> = games().into_iter().flatten().collect();
    let (mut first, mut start, mut stop) = (Vec::new(), Vec::new(), Vec::new());
    for round in (0..rounds).take_while(|_| !is_cancelled()) {
        engine.set_position(positions[round * 7 % positions.len()].clone());
        let (sender, answers) = channel();
        let began = Instant::now();
        engine.go(Limits { infinite: true, ..Limits::default() }, Arc::new(BestMoveListener(sender)))?;
        let is_waiting = || began.elapsed() < START_TIMEOUT && !is_cancelled();
        while engine.thread_start_times().iter().any(Option::is_none) && is_waiting() {
            thread::sleep(POLL_INTERVAL);
        }
        let starts = engine.thread_start_times();
        first.extend(starts.iter().flatten().min());
        if starts.iter().all(Option::is_some) {
            start.extend(starts.iter().flatten().max());
        }
        let stopped = Instant::now();
        engine.stop();
        // The listener lives as long as the search, which a stop ends.
        if let Ok(answered) = answers.recv() {
            stop.push(answered.saturating_duration_since(stopped));
        }
        engine.wait();
    }
    Ok(Latency { first: Percentiles::of(first), start: Percentiles::of(start), stop: Percentiles::of(stop) })
}

/// Sends the time at which the best move is announced.
struct BestMoveListener(Sender<Instant>);

impl Listener for BestMoveListener {
    fn best_move(&self, _best: Option<Move>, _ponder: Option<Move>) {
        // Without a receiver the time is not needed.
        let _ = self.0.send(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NumaPolicy;

    #[test]
    fn percentiles_are_taken_from_the_sorted_times() {
        let times = |count: u64| (1..=count).rev().map(Duration::from_millis).collect();
        let [one, hundred] = [1, 100].map(|count| Percentiles::of(times(count)));
        assert_eq!(
            (one.count, one.median, one.p99, one.max),
            (1, one.max, one.max, Duration::from_millis(1))
        );
        assert_eq!([hundred.median, hundred.p99, hundred.max], [50, 99, 100].map(Duration::from_millis));
        assert_eq!(Percentiles::of(Vec::new()), Percentiles::default());
        assert_eq!(hundred.to_string(), "50.000, 99.000, 100.000");
    }

    #[test]
    fn every_round_is_timed() {
        let mut engine = Engine::new(3, 1).expect("memory");
        engine.set_numa_policy(NumaPolicy::Off).expect("idle");
        let found = latency(&mut engine, 5, &|| false).expect("idle");
        assert_eq!([found.first.count, found.start.count, found.stop.count], [5; 3]);
        assert!(found.first.max <= found.start.max && found.stop.max > Duration::ZERO);
    }
}
