//! Per-thread counters, each on a cache line of its own.
//!
//! Only its owner writes a counter, so a plain load and store do the work of a locked addition; any thread may
//! read. The sum is not a snapshot: it is right once the owners are still, and a few behind before that.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam::utils::CachePadded;

/// A number that one thread counts up and others look at.
#[derive(Debug, Default)]
pub struct ThreadCounter(AtomicU64);

impl ThreadCounter {
    /// Counts `amount` more. To be called by the owner alone: two threads adding at once lose counts.
    #[inline]
    pub fn add(&self, amount: u64) {
        self.set(self.value().wrapping_add(amount));
    }

    /// Sets the count. To be called by the owner, or while the owner is still.
    #[inline]
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// The count so far.
    #[inline]
    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One counter for each thread.
#[derive(Debug)]
pub struct ThreadCounters(Box<[CachePadded<ThreadCounter>]>);

impl ThreadCounters {
    /// Counters at zero for this many threads.
    pub fn new(threads: usize) -> ThreadCounters {
        ThreadCounters((0..threads).map(|_| CachePadded::default()).collect())
    }

    /// The counter of one thread.
    ///
    /// # Panics
    /// If there is no such thread.
    #[inline]
    pub fn get(&self, thread: usize) -> &ThreadCounter {
        &self.0[thread]
    }

    /// The sum over all threads, wrapping.
    pub fn sum(&self) -> u64 {
        self.0.iter().fold(0, |sum, counter| sum.wrapping_add(counter.value()))
    }

    /// Sets every counter to zero. To be called while the owners are still.
    pub fn reset(&self) {
        for counter in &self.0 {
            counter.set(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_without_loss() {
        let counters = ThreadCounters::new(4);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let counter = counters.get(thread);
                scope.spawn(move || (0..10_000).for_each(|_| counter.add(thread as u64)));
            }
        });
        assert_eq!(counters.get(3).value(), 30_000);
        assert_eq!(counters.sum(), 60_000);
        counters.reset();
        assert_eq!(counters.sum(), 0);
    }

    #[test]
    fn neighbours_share_no_cache_line() {
        let counters = ThreadCounters::new(2);
        let address = |thread| std::ptr::from_ref(counters.get(thread)) as usize;
        assert!(address(1) - address(0) >= 64);
    }
}
