//! What a search exchanges with searches of the same position on other machines: table entries both ways, and what the
//! others have counted and found.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

use crossbeam::queue::ArrayQueue;
use crossbeam::utils::CachePadded;

use crate::board::Board;
use crate::tt::{SharedEntry, TableEntry};
use crate::types::{Depth, MATE, MAX_SEARCH_DEPTH, Move, Value};
use crate::util::sync::Mutex;

/// The least depth of an entry that is ever worth a message, in plies.
pub const MIN_SHARED_DEPTH: Depth = 4;
/// The depth from which entries are shared until the sender has seen how many there are, in plies.
pub const FIRST_SHARED_DEPTH: Depth = 8;
/// Entries that wait in the queue of one thread at most: those of about twenty milliseconds.
const QUEUED_ENTRIES: usize = 2048;

/// Called when a search begins and when it ends, by the threads on which the answer to the interface depends: it must not
/// block.
pub trait SearchObserver: Send + Sync {
    /// A search is about to begin.
    fn search_started(&self) {}
    /// The search has ended, and its best move has been announced. The next search begins after this has returned.
    fn search_ended(&self) {}
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSearchObserver;

impl SearchObserver for NoSearchObserver {}

/// What a search has found, as one machine reports it to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedResult {
    /// The depth of the last completed iteration, in plies.
    pub depth: Depth,
    /// The score of the line, in centipawns for the side to move.
    pub score: Value,
    /// The principal variation, best move first.
    pub pv: Vec<Move>,
}

impl SharedResult {
    /// True if the result can have a vote: its first move is one of the root moves, and its depth and score are some that a
    /// search can have.
    pub fn may_vote(&self, root_moves: &[Move]) -> bool {
        self.pv.first().is_some_and(|first| root_moves.contains(first))
            && (1..=MAX_SEARCH_DEPTH).contains(&self.depth)
            && (-MATE..=MATE).contains(&self.score)
    }

    /// The line up to the first move that is not legal.
    pub fn legal_line(&self, root: &Board) -> Vec<Move> {
        let mut board = root.clone();
        let legal = self.pv.iter().take_while(|&&m| {
            let is_legal = board.is_legal(m);
            if is_legal {
                board.make_move(m, &mut ());
            }
            is_legal
        });
        legal.copied().collect()
    }
}

/// What all other machines together have counted, and each has found.
#[derive(Clone, Debug, Default)]
pub struct Others {
    /// Nodes.
    pub nodes: u64,
    /// Positions that were found in endgame tables.
    pub tb_hits: u64,
    /// The result of each machine that has one.
    pub results: Vec<SharedResult>,
}

/// The entries of each search thread that wait to be sent. Only that thread adds to its queue. Those of many threads take long to
/// make, so that one search leaves them to the next but one.
#[derive(Clone)]
pub struct EntryQueues(Arc<[CachePadded<ArrayQueue<SharedEntry>>]>);

impl EntryQueues {
    /// An empty queue for each of this many threads.
    pub fn new(threads: usize) -> EntryQueues {
        EntryQueues((0..threads).map(|_| CachePadded::new(ArrayQueue::new(QUEUED_ENTRIES))).collect())
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.0.len()
    }

    /// Throws away what waits.
    fn clear(&self) {
        for queue in &*self.0 {
            while queue.pop().is_some() {}
        }
    }
}

/// The exchange of one search.
pub struct Sharing {
    observer: Arc<dyn SearchObserver>,
    /// Entries of this depth or more are queued, in plies.
    min_depth: AtomicI32,
    queues: EntryQueues,
    /// Entries that found their queue full.
    lost: AtomicU64,
    /// What this machine has last found that others may believe.
    found: Mutex<Option<SharedResult>>,
    others: Mutex<Others>,
}

impl Sharing {
    /// The exchange of a search by as many threads as there are queues, which the last search does not use.
    pub fn new(queues: EntryQueues, observer: Arc<dyn SearchObserver>) -> Sharing {
        queues.clear();
        Sharing {
            observer,
            min_depth: AtomicI32::new(FIRST_SHARED_DEPTH),
            queues,
            lost: AtomicU64::new(0),
            found: Mutex::new(None),
            others: Mutex::new(Others::default()),
        }
    }

    /// The observer to notify of the start and the end.
    pub fn observer(&self) -> &dyn SearchObserver {
        &*self.observer
    }

    /// Sets the depth from which entries are shared, in plies.
    pub fn set_min_depth(&self, depth: Depth) {
        self.min_depth.store(depth, Relaxed);
    }

    /// Queues what a thread has stored about a position that it reached `ply` plies from the root, if it is deep enough. A
    /// thread does not wait: an entry that finds its queue full is lost.
    pub fn offer(&self, thread: usize, key: u64, ply: usize, entry: &TableEntry) {
        if entry.depth >= self.min_depth.load(Relaxed)
            && self.queues.0[thread].push(SharedEntry::pack(key, ply, entry)).is_err()
        {
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// Takes up to `most` entries from the queues, by turns.
    pub fn take_entries(&self, most: usize) -> Vec<SharedEntry> {
        let mut taken = Vec::new();
        let queues = self.queues.0.iter().enumerate();
        // An equal part of what is left for each: the last ones may take what the first did not need, and then all what none did.
        let parts = queues.map(|(index, queue)| (queue, self.queues.0.len() - index));
        for (queue, share) in parts.chain(self.queues.0.iter().map(|queue| (queue, 1))) {
            let part = (most - taken.len()) / share;
            taken.extend(std::iter::from_fn(|| queue.pop()).take(part));
        }
        taken
    }

    /// How many entries have found their queue full so far.
    pub fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }

    /// What this machine has found, if it is anything, or else what it had found before.
    pub fn found_or_before(&self, found: Option<SharedResult>) -> Option<SharedResult> {
        let mut last = self.found.lock();
        if found.is_some() {
            *last = found;
        }
        last.clone()
    }

    /// Replaces what is known of the others.
    pub fn set_others(&self, others: Others) {
        *self.others.lock() = others;
    }

    /// What the other machines have found so far, each.
    pub fn results(&self) -> Vec<SharedResult> {
        self.others.lock().results.clone()
    }

    /// The nodes of the other machines so far, and how many positions they have found in endgame tables.
    pub fn counts(&self) -> (u64, u64) {
        let others = self.others.lock();
        (others.nodes, others.tb_hits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bound, mate_in};

    fn entry(depth: Depth) -> TableEntry {
        TableEntry { depth, value: Some(1), bound: Bound::Exact, ..TableEntry::of_static_eval(2) }
    }

    #[test]
    fn deep_entries_wait_in_queues_that_are_emptied_by_turns() {
        let queues = EntryQueues::new(2);
        let sharing = Sharing::new(queues.clone(), Arc::new(NoSearchObserver));
        sharing.set_min_depth(6);
        (0..10).for_each(|key| sharing.offer(0, key, 3, &entry(5 + key as Depth % 2)));
        (10..12).for_each(|key| sharing.offer(1, key, 3, &entry(9)));
        let keys = |most| sharing.take_entries(most).iter().map(|entry| entry.key).collect::<Vec<_>>();
        assert_eq!(keys(4), [1, 3, 10, 11]);
        assert_eq!(keys(100), [5, 7, 9]);
        assert_eq!(keys(100), [0; 0]);
        (0..8).for_each(|key| sharing.offer(0, key, 3, &entry(6)));
        (8..10).for_each(|key| sharing.offer(1, key, 3, &entry(6)));
        assert_eq!(keys(9), [0, 1, 2, 3, 8, 9, 4, 5, 6], "as many as there are, whichever queue has them");
        assert_eq!(keys(9), [7]);
        (0..QUEUED_ENTRIES as u64 + 3).for_each(|key| sharing.offer(0, key, 0, &entry(6)));
        assert_eq!((sharing.lost(), sharing.take_entries(usize::MAX).len()), (3, QUEUED_ENTRIES));
        // The next search finds nothing of this one.
        sharing.offer(1, 1, 0, &entry(6));
        let next = Sharing::new(queues, Arc::new(NoSearchObserver));
        assert_eq!((next.lost(), next.take_entries(usize::MAX).len()), (0, 0));
    }

    #[test]
    fn a_line_from_outside_counts_as_far_as_it_is_legal() {
        let board = Board::start();
        let moves = board.legal_moves();
        let at = |index: usize| moves[index];
        let verified = |depth, score, pv: &[Move]| {
            let result = SharedResult { depth, score, pv: pv.to_vec() };
            result.may_vote(&moves[..3]).then(|| result.legal_line(&board))
        };
        assert_eq!(verified(5, 10, &[at(0), at(0)]), Some(vec![at(0)]), "White moves twice");
        assert_eq!(verified(5, 10, &[at(3)]), None, "no root move");
        assert_eq!(verified(5, 10, &[]), None);
        assert_eq!(verified(0, 10, &[at(0)]), None);
        for depth in [Depth::MIN, -1, MAX_SEARCH_DEPTH + 1, Depth::MAX] {
            assert_eq!(verified(depth, 10, &[at(0)]), None, "{depth}");
        }
        for score in [Value::MIN, -mate_in(0) - 1, mate_in(0) + 1, Value::MAX] {
            assert_eq!(verified(5, score, &[at(0)]), None, "{score}");
        }
        for (depth, score) in [(1, -MATE), (MAX_SEARCH_DEPTH, MATE)] {
            assert!(verified(depth, score, &[at(0)]).is_some(), "{depth} {score}");
        }
    }
}
