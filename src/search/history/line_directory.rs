//! A directory of private caches, for tests: which lines of memory come to a thread from the cache of another.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// Bytes of a cache line.
const LINE: usize = 64;

thread_local! {
    /// The directory in which the accesses of this thread are entered, and the number of the thread there.
    static DIRECTORY: RefCell<Option<(Arc<Mutex<LineDirectory>>, usize)>> = const { RefCell::new(None) };
}

/// The lines of memory that threads share, each of up to 128 threads with a private cache without bounds.
///
/// A thread that reads a line which it has had, and which another has written since, gets it from a cache that has it
/// now: one under the same last-level cache if there is one, or a far one.
#[derive(Debug, Default)]
pub struct LineDirectory {
    lines: HashMap<usize, CacheLine>,
    /// The last-level cache of each thread.
    last_level_caches: Vec<usize>,
    /// Reads of lines that were lost to writes of others and came from under the same last-level cache.
    pub near_transfers: u64,
    /// Reads of lines that were lost to writes of others and came from under another last-level cache.
    pub far_transfers: u64,
}

/// What is known of a cache line: sets of threads, a bit each.
#[derive(Debug, Default)]
struct CacheLine {
    /// The threads whose caches have the line.
    holders: u128,
    /// The threads that have read or written the line at some time.
    visitors: u128,
}

impl LineDirectory {
    /// A directory for threads under these last-level caches.
    pub fn new(last_level_caches: Vec<usize>) -> LineDirectory {
        assert!(last_level_caches.len() <= 128);
        LineDirectory { last_level_caches, ..LineDirectory::default() }
    }

    /// Enters the accesses of the calling thread from now on, as those of the `thread`th.
    pub fn attend(directory: &Arc<Mutex<LineDirectory>>, thread: usize) {
        DIRECTORY.set(Some((Arc::clone(directory), thread)));
    }

    fn enter(&mut self, address: usize, thread: usize, is_write: bool) {
        let line = self.lines.entry(address / LINE).or_default();
        let bit = 1 << thread;
        if line.holders & bit == 0 && line.visitors & bit != 0 && !is_write {
            let cache = self.last_level_caches[thread];
            let is_near = self
                .last_level_caches
                .iter()
                .enumerate()
                .any(|(other, &its_cache)| its_cache == cache && line.holders & 1 << other != 0);
            *if is_near { &mut self.near_transfers } else { &mut self.far_transfers } += 1;
        }
        line.visitors |= bit;
        line.holders = if is_write { bit } else { line.holders | bit };
    }
}

/// Enters an access of the calling thread, if there is a directory for it.
pub fn enter_access<T>(place: &T, is_write: bool) {
    DIRECTORY.with_borrow(|directory| {
        if let Some((directory, thread)) = directory {
            directory.lock().enter(std::ptr::from_ref(place).addr(), *thread, is_write);
        }
    });
}

#[test]
fn a_line_that_another_has_written_is_transferred_from_the_nearest_cache() {
    let mut directory = LineDirectory::new(vec![0, 0, 1]);
    let transfers = |directory: &LineDirectory| (directory.near_transfers, directory.far_transfers);
    for thread in 0..3 {
        directory.enter(130, thread, false);
        directory.enter(130, thread, false);
    }
    assert_eq!(transfers(&directory), (0, 0), "a first read is no transfer");
    directory.enter(190, 0, true);
    directory.enter(191, 0, false);
    assert_eq!(transfers(&directory), (0, 0), "its own write");
    directory.enter(128, 1, false);
    assert_eq!(transfers(&directory), (1, 0));
    directory.enter(129, 2, false);
    assert_eq!(transfers(&directory), (1, 1));
    directory.enter(129, 2, false);
    directory.enter(192, 2, false);
    assert_eq!(transfers(&directory), (1, 1), "it has that line, and the next is another");
}
