//! Strict turns: search threads that run one after the other, so that a search by many of them can be repeated.
//!
//! Among threads that run at once, the order in which they write to what they share is another each time, and so is the
//! tree. Here one thread searches while the others wait, and after a number of nodes it is the next one's turn. A search by
//! any number of threads is then the same each time, on any number of processors: what many threads are worth can be
//! measured in games on two of them, at equal nodes. Nothing is said about speed.
//!
//! Searches of several engines can take their turns together, too: simulated machines, whose messages are delivered by
//! one more thread that has its turn among theirs.

use std::sync::Arc;

use crate::util::sync::{Condvar, Mutex};

/// The turns of the threads of a search.
#[derive(Debug)]
pub struct Turns {
    /// The nodes of a turn.
    nodes: u64,
    state: Mutex<TurnState>,
    /// One for each thread, so that a turn wakes that thread alone.
    turn_has_come: Box<[Condvar]>,
}

#[derive(Debug)]
struct TurnState {
    /// The thread that searches.
    current: usize,
    /// The threads that have not left, by number: all of them from the start, whenever they come.
    present: Box<[bool]>,
}

impl Turns {
    /// Turns of this many nodes, or one at least, among this many threads. The first has the first turn.
    pub fn new(nodes: u64, threads: usize) -> Turns {
        let present = vec![true; threads].into();
        Turns {
            nodes: nodes.max(1),
            state: Mutex::new(TurnState { current: 0, present }),
            turn_has_come: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    /// The nodes of a turn.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Waits for the first turn of a thread. It takes part until what this returns is dropped.
    pub fn enter(&self, thread: usize) -> TurnGuard<'_> {
        self.wait_for_turn(thread);
        TurnGuard { turns: self, thread }
    }

    /// Ends the turn of the thread whose turn it is, and waits for its next one.
    pub fn pass(&self, thread: usize) {
        self.end_turn(thread, true);
        self.wait_for_turn(thread);
    }

    /// True until a thread has left. It stays what it is while another thread has its turn.
    pub fn is_present(&self, thread: usize) -> bool {
        self.state.lock().present[thread]
    }

    fn wait_for_turn(&self, thread: usize) {
        let mut state = self.state.lock();
        while state.current != thread {
            self.turn_has_come[thread].wait(&mut state);
        }
    }

    fn end_turn(&self, thread: usize, stays: bool) {
        let mut state = self.state.lock();
        state.present[thread] = stays;
        let threads = state.present.len();
        let mut after = (1..=threads).map(|distance| (thread + distance) % threads);
        if let Some(next) = after.find(|&next| state.present[next]) {
            state.current = next;
            self.turn_has_come[next].notify_all();
        }
    }
}

/// The places that the threads of one engine have among turns that other engines may share.
#[derive(Clone, Debug)]
pub struct EngineTurns {
    turns: Arc<Turns>,
    first_thread: usize,
}

impl EngineTurns {
    /// The places of an engine whose main thread has this number among the turns; its other threads have those after it.
    pub fn new(turns: Arc<Turns>, first_thread: usize) -> EngineTurns {
        EngineTurns { turns, first_thread }
    }

    /// The nodes of a turn.
    pub fn nodes(&self) -> u64 {
        self.turns.nodes()
    }

    /// Waits for the first turn of a thread of this engine. It takes part until what this returns is dropped.
    pub fn enter(&self, thread: usize) -> TurnGuard<'_> {
        self.turns.enter(self.first_thread + thread)
    }

    /// Ends the turn of the thread of this engine whose turn it is, and waits for its next one.
    pub fn pass(&self, thread: usize) {
        self.turns.pass(self.first_thread + thread);
    }
}

/// A thread that takes part in the turns of a search. When this is dropped, the thread leaves them.
#[derive(Debug)]
pub struct TurnGuard<'a> {
    turns: &'a Turns,
    thread: usize,
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        self.turns.end_turn(self.thread, false);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use parking_lot::Mutex;

    use super::*;

    #[test]
    fn threads_take_turns_in_the_order_of_their_numbers() {
        for threads in 1..6 {
            let turns = Turns::new(100, threads);
            let log = Mutex::new(Vec::new());
            thread::scope(|scope| {
                for id in (0..threads).rev() {
                    let (turns, log) = (&turns, &log);
                    scope.spawn(move || {
                        let _guard = turns.enter(id);
                        // The higher its number, the earlier a thread leaves.
                        for turn in 0..threads - id {
                            log.lock().push((turn, id));
                            turns.pass(id);
                        }
                    });
                }
            });
            let expected: Vec<(usize, usize)> =
                (0..threads).flat_map(|turn| (0..threads - turn).map(move |id| (turn, id))).collect();
            assert_eq!(*log.lock(), expected);
        }
    }
}
