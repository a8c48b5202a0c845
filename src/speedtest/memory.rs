//! What memory can do.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

/// Bytes that each thread writes; beyond any cache.
const SIZE: usize = 64 << 20;
/// How often they are written.
const ROUNDS: usize = 8;

/// Bytes a second that so many threads together write into memory of their own.
pub fn write_bandwidth(threads: usize) -> f64 {
    let time = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut block = vec![1_u8; SIZE];
                    let start = Instant::now();
                    for round in 0..ROUNDS {
                        black_box(&mut block[..]).fill(round as u8);
                    }
                    start.elapsed()
                })
            })
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).max()
    });
    let bytes = (SIZE * ROUNDS * threads) as f64;
    bytes / time.unwrap_or_default().as_secs_f64().max(1e-9)
}
