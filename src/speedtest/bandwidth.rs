//! Bandwidth of memory.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::sync::WaitGroup;

use crate::engine::{Engine, EngineError};
use crate::util::huge::HugeBox;

/// The most bytes that few threads together write in a round.
const SIZE: usize = 1 << 30;
/// The bytes that each of many threads writes, so that they do not stay in its caches.
const LEAST_SHARE: usize = 32 << 20;
/// How many rounds are timed.
const ROUNDS: usize = 4;

/// Bytes a second that `threads` threads write together, each into memory of its own: `bytes` in all, but no more than 1 GB or
/// 32 MB for each. Where these are few, caches are faster than memory. `None` if the memory or a thread is refused.
pub fn write_bandwidth(threads: usize, bytes: usize) -> Option<f64> {
    let most = SIZE.max(threads.saturating_mul(LEAST_SHARE));
    let share = (bytes.min(most) / threads.max(1)).max(1);
    let mut block = HugeBox::<u8>::new(share * threads).ok()?;
    let time = time_writes(&mut block, share)?;
    Some((block.len() * ROUNDS) as f64 / time.as_secs_f64().max(1e-9))
}

/// Writes a block several times, with a thread for each `share` of it. The time from the start of the first to the end of the
/// last; `None` if there is none, or the system refuses one.
fn time_writes(block: &mut [u8], share: usize) -> Option<Duration> {
    thread::scope(|scope| {
        let ready = WaitGroup::new();
        let spawn = |part| {
            let ready = ready.clone();
            thread::Builder::new().spawn_scoped(scope, move || write_rounds(part, ready))
        };
        let threads: Result<Vec<_>, _> = block.chunks_mut(share).map(spawn).collect();
        drop(ready);
        let times = threads.ok()?.into_iter().filter_map(|thread| thread.join().ok());
        let whole = times.reduce(|(first, last), (start, end)| (first.min(start), last.max(end)));
        whole.map(|(first, last)| last - first)
    })
}

/// When writing a block began, once all threads have backed theirs by memory, and when it ended.
fn write_rounds(block: &mut [u8], ready: WaitGroup) -> (Instant, Instant) {
    block.fill(u8::MAX);
    ready.wait();
    let start = Instant::now();
    for round in 0..ROUNDS {
        black_box(&mut block[..]).fill(round as u8);
    }
    (start, Instant::now())
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
    Ok((engine.hash_megabytes() << 20) as f64 / times[times.len() / 2].as_secs_f64().max(1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_written_in_every_round() {
        for (length, share) in [(1, 1), (1000, 1000), (1000, 300), (7, 1)] {
            let mut block = vec![0; length];
            assert!(time_writes(&mut block, share).is_some());
            assert!(block.iter().all(|&byte| byte == ROUNDS as u8 - 1), "{length} {share}");
        }
    }

    #[test]
    fn without_threads_there_is_no_bandwidth() {
        assert_eq!(write_bandwidth(0, 1 << 20), None);
    }
}
