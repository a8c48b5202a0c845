//! What the threads of a search have found so far.

use std::sync::Arc;
use std::time::Duration;

use crossbeam::utils::CachePadded;

use super::null_move::{NullBreakdown, NullCounts};
use super::reports::Info;
use crate::types::{Bound, Depth, Move, Value, is_loss};
use crate::util::counter::ThreadCounters;
use crate::util::sync::Mutex;

/// What one thread has found so far: good enough to play at any moment.
#[derive(Clone, Debug, Default)]
pub struct ThreadResult {
    /// The depth of the last completed iteration, in plies; 0 before the first.
    pub depth: Depth,
    /// The score of the first line, in centipawns for the side to move.
    pub score: Value,
    /// The principal variations, best first.
    pub lines: Vec<Info>,
}

impl ThreadResult {
    /// The best move, if there is one yet.
    pub fn best_move(&self) -> Option<Move> {
        best_and_ponder(&self.lines).0
    }

    /// True if the score is a loss that a completed iteration has found: all moves lose. In the middle of an iteration, moves that
    /// are not searched yet may be better.
    pub fn is_proved_loss(&self) -> bool {
        is_loss(self.score) && self.lines.first().is_some_and(|line| line.depth <= self.depth)
    }

    /// Puts the line of a new best move first, as is done in the middle of an iteration. The other lines stay as the last
    /// iteration left them, or as an earlier best move of this one put them first, but none is worth more than the new one, which
    /// is the best so far; at most `multi_pv` remain.
    pub fn put_first(&mut self, line: Info, multi_pv: usize) {
        self.score = line.score;
        match self.lines.iter().position(|old| old.pv.first() == line.pv.first()) {
            Some(old) => {
                self.lines.remove(old);
            }
            None => self.lines.truncate(multi_pv.saturating_sub(1)),
        }
        for other in &mut self.lines {
            if other.score > line.score {
                (other.score, other.bound) = (line.score, Bound::Upper);
            }
        }
        self.lines.insert(0, line);
        for (index, line) in self.lines.iter_mut().enumerate() {
            line.multipv = index + 1;
        }
    }
}

/// The best move of these lines, the best of them first, and the answer that it expects, to ponder on.
pub fn best_and_ponder(lines: &[Info]) -> (Option<Move>, Option<Move>) {
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    (pv.first().copied(), pv.get(1).copied())
}

/// The results of all threads of one search. Each thread writes its own; any thread reads all.
pub struct Results {
    nodes: ThreadCounters,
    tb_hits: ThreadCounters,
    /// When each thread began to search, in nanoseconds from the start; 0 before that.
    start_times: ThreadCounters,
    null_counts: Box<[CachePadded<Mutex<NullCounts>>]>,
    null_breakdowns: Box<[Mutex<Option<NullBreakdown>>]>,
    threads: Box<[CachePadded<Mutex<Arc<ThreadResult>>>]>,
}

impl Results {
    /// The empty results of this many threads.
    pub fn new(threads: usize) -> Results {
        Results {
            nodes: ThreadCounters::new(threads),
            tb_hits: ThreadCounters::new(threads),
            start_times: ThreadCounters::new(threads),
            null_counts: (0..threads).map(|_| CachePadded::default()).collect(),
            null_breakdowns: (0..threads).map(|_| Mutex::default()).collect(),
            threads: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.sum()
    }

    /// The nodes of each thread.
    pub fn nodes_by_thread(&self) -> Vec<u64> {
        (0..self.threads()).map(|thread| self.nodes.get(thread).value()).collect()
    }

    /// Sets the nodes of a thread. To be called by that thread.
    #[inline]
    pub fn set_nodes(&self, thread: usize, nodes: u64) {
        self.nodes.get(thread).set(nodes);
    }

    /// How many positions all threads have found in endgame tables.
    pub fn tb_hits(&self) -> u64 {
        self.tb_hits.sum()
    }

    /// Sets how many positions a thread has found in endgame tables. To be called by that thread.
    pub fn set_tb_hits(&self, thread: usize, hits: u64) {
        self.tb_hits.get(thread).set(hits);
    }

    /// How long after the start each thread began to search; `None` for those that have not yet.
    pub fn start_times(&self) -> Vec<Option<Duration>> {
        let start = |nanoseconds| (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds));
        (0..self.threads()).map(|thread| start(self.start_times.get(thread).value())).collect()
    }

    /// Notes how long after the start a thread began to search. To be called by that thread.
    pub fn set_start_time(&self, thread: usize, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.start_times.get(thread).set(nanoseconds.max(1));
    }

    /// The null-move statistics of all threads, each up to its last completed iteration, or to its end once it has ended.
    pub fn null_counts(&self) -> NullCounts {
        self.null_counts.iter().map(|counts| *counts.lock()).sum()
    }

    /// Sets the null-move statistics of a thread.
    pub fn set_null_counts(&self, thread: usize, counts: NullCounts) {
        *self.null_counts[thread].lock() = counts;
    }

    /// The null moves of all threads by the class of their nodes, each up to its last completed iteration, or to its end
    /// once it has ended; `None` where they are not counted so.
    pub fn null_breakdown(&self) -> Option<NullBreakdown> {
        self.null_breakdowns.iter().filter_map(|counts| counts.lock().clone()).reduce(|mut sum, counts| {
            sum.add(&counts);
            sum
        })
    }

    /// Sets the null moves of a thread by the class of their nodes.
    pub fn set_null_breakdown(&self, thread: usize, counts: &NullBreakdown) {
        self.null_breakdowns[thread].lock().get_or_insert_default().clone_from(counts);
    }

    /// Replaces the result of a thread.
    pub fn set_result(&self, thread: usize, result: impl Into<Arc<ThreadResult>>) {
        let result = result.into();
        // The old result is dropped after the lock is released.
        let _old = std::mem::replace(&mut *self.threads[thread].lock(), result);
    }

    /// Puts the line of a new best move first in the result of a thread: see [`ThreadResult::put_first`].
    pub fn put_first(&self, thread: usize, line: Info, multi_pv: usize) {
        Arc::make_mut(&mut self.threads[thread].lock()).put_first(line, multi_pv);
    }

    /// The result of a thread so far. What the thread finds later does not change it.
    pub fn of_thread(&self, thread: usize) -> Arc<ThreadResult> {
        Arc::clone(&self.threads[thread].lock())
    }

    /// The result of a thread so far, unless the thread is writing it for longer than `timeout`.
    pub fn of_thread_within(&self, thread: usize, timeout: Duration) -> Option<Arc<ThreadResult>> {
        self.threads[thread].try_lock_for(timeout).map(|result| Arc::clone(&result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Move, MoveKind, Square};

    fn line(to: Square, score: Value) -> Info {
        Info { score, pv: vec![Move::new(Square::A1, to, MoveKind::Quiet)], ..Info::default() }
    }

    fn shown(result: &ThreadResult) -> Vec<(usize, Square, Value)> {
        result.lines.iter().map(|line| (line.multipv, line.pv[0].to(), line.score)).collect()
    }

    #[test]
    fn a_new_best_move_comes_first_and_the_others_keep_their_order() {
        let mut result = ThreadResult::default();
        result.put_first(line(Square::B1, 10), 2);
        result.put_first(line(Square::C1, 20), 2);
        assert_eq!(shown(&result), [(1, Square::C1, 20), (2, Square::B1, 10)]);
        // A move that has a line already loses the old one.
        result.put_first(line(Square::B1, 30), 2);
        assert_eq!(shown(&result), [(1, Square::B1, 30), (2, Square::C1, 20)]);
        // A move that has none takes the place of the last.
        result.put_first(line(Square::D1, 40), 2);
        assert_eq!(shown(&result), [(1, Square::D1, 40), (2, Square::B1, 30)]);
        assert_eq!(result.score, 40);
        // A new best move after a re-search is worth less than an earlier one seemed to be.
        result.put_first(line(Square::B1, 35), 2);
        assert_eq!(shown(&result), [(1, Square::B1, 35), (2, Square::D1, 35)]);
        assert_eq!([result.lines[0].bound, result.lines[1].bound], [Bound::Exact, Bound::Upper]);
    }

    #[test]
    fn a_result_that_was_read_does_not_change() {
        let results = Results::new(1);
        results.put_first(0, line(Square::B1, 10), 1);
        let before = results.of_thread(0);
        results.put_first(0, line(Square::C1, 20), 1);
        assert_eq!(shown(&before), [(1, Square::B1, 10)]);
        assert_eq!(shown(&results.of_thread(0)), [(1, Square::C1, 20)]);
        results.set_result(0, ThreadResult::default());
        assert_eq!((shown(&before).len(), shown(&results.of_thread(0)).len()), (1, 0));
        let _writes = results.threads[0].lock();
        assert!(results.of_thread_within(0, Duration::ZERO).is_none());
    }

    #[test]
    fn threads_that_have_not_begun_have_no_start_time() {
        let results = Results::new(3);
        results.set_start_time(0, Duration::ZERO);
        results.set_start_time(2, Duration::from_micros(3));
        let expected = [Some(Duration::from_nanos(1)), None, Some(Duration::from_micros(3))];
        assert_eq!(results.start_times(), expected);
    }
}
