//! Bandwidth of memory.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, EngineError};
use crate::util::huge::HugeBox;

/// The most bytes that all threads together write in a round.
const SIZE: usize = 1 << 30;
/// How many rounds are timed.
const ROUNDS: usize = 4;

/// Bytes a second that `threads` threads write together, each into memory of its own: `bytes` in all, but 1 GB at most.
/// `None` if the memory or a thread is refused.
pub fn write_bandwidth(threads: usize, bytes: usize) -> Option<f64> {
    let share = (bytes.min(SIZE) / threads.max(1)).max(1);
    let mut block = HugeBox::<u8>::new(share * threads).ok()?;
    let time = thread::scope(|scope| {
        let spawn = |part| thread::Builder::new().spawn_scoped(scope, move || seconds(part));
        let workers: Vec<_> = block.chunks_mut(share).map(spawn).collect::<Result<_, _>>().ok()?;
        workers.into_iter().filter_map(|worker| worker.join().ok()).max_by(f64::total_cmp)
    })?;
    Some((share * ROUNDS * threads) as f64 / time.max(1e-9))
}

/// The seconds that writing a block takes, once it is backed by memory.
fn seconds(block: &mut [u8]) -> f64 {
    block.fill(1);
    let start = Instant::now();
    for round in 0..ROUNDS {
        black_box(&mut block[..]).fill(round as u8);
    }
    start.elapsed().as_secs_f64()
}

/// Bytes a second at which the table is cleared, the median of five times.
///
/// # Errors
/// If a search is running.
pub fn clear_bandwidth(engine: &mut Engine) -> Result<f64, EngineError> {
    // The first time may find pages that are not backed yet.
    engine.clear_hash()?;
    let mut times = [Duration::ZERO; 5];
    for time in &mut times {
        let start = Instant::now();
        engine.clear_hash()?;
        *time = start.elapsed();
    }
    times.sort_unstable();
    let (megabytes, _) = engine.hash();
    Ok((megabytes << 20) as f64 / times[times.len() / 2].as_secs_f64().max(1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_memory_for_has_a_bandwidth() {
        for (threads, bytes) in [(1, 1 << 20), (3, 5 << 20), (2, 0)] {
            assert!(write_bandwidth(threads, bytes).is_some_and(|rate| rate > 0.0));
        }
        assert_eq!(write_bandwidth(0, 1 << 20), None);
    }
}
