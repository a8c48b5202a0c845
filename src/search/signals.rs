//! When a search ends: stop, deadline, ponder hit and node budget, and the wait of the coordinator for them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam::utils::CachePadded;

use super::request::SearchRequest;
use crate::util::sync::{AtomicBool, AtomicU64, Condvar, Instant, Mutex};

/// How long a stopped search waits for its first completed iteration, so that there is a searched move to play.
const FIRST_MOVE_TIMEOUT: Duration = Duration::from_millis(25);

/// Stands for a deadline that is not set.
const NO_DEADLINE: u64 = u64::MAX;

/// Why the coordinator woke up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wakeup {
    /// Reports are queued for the listener.
    Reports,
    /// The search has to end.
    End,
}

/// The signals between the interface, the coordinator and the search threads of one search.
///
/// At its nodes a search thread reads atomics only. The state behind the lock is for the coordinator, and for search threads
/// between iterations.
pub struct Signals {
    started: Instant,
    /// The hard time limit, counted from the start of the clock; `None` where nodes count as time.
    hard_limit: Option<Duration>,
    /// The hard limit is a time for this move.
    is_move_time: bool,
    /// The limits in nodes on the opponent's time and on ours, both counted from the start of the search; `u64::MAX`
    /// without a limit.
    node_limits: [u64; 2],
    infinite: bool,
    node_limited: bool,
    stop: CachePadded<AtomicBool>,
    /// The hard time limit in nanoseconds from `started`; [`NO_DEADLINE`] while no clock runs.
    deadline: CachePadded<AtomicU64>,
    /// Nodes of a node-limited search that no thread has taken yet.
    node_budget: CachePadded<AtomicU64>,
    /// Apart from what every node reads: each report of a search thread writes it.
    state: CachePadded<Mutex<SignalState>>,
    changed: CachePadded<Condvar>,
}

/// What the coordinator waits for.
#[derive(Clone, Copy, Debug, Default)]
struct SignalState {
    /// The interface asked for the end, or a ponder hit came when the search had lasted long enough.
    stop_requested: bool,
    /// The main thread has nothing left to search.
    main_thread_done: bool,
    /// Some thread has completed its first iteration.
    first_iteration_done: bool,
    /// The search runs on the opponent's time: no clock runs.
    pondering: bool,
    /// If it ponders, the hit ends it: an iteration has ended behind which it would have ended on our clock.
    ends_at_ponder_hit: bool,
    /// When our clock began to run.
    clock_start: Option<Instant>,
    /// Reports are queued.
    reports_pending: bool,
}

/// What the coordinator does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextStep {
    WakeUp(Wakeup),
    /// Wait for a change, or until a deadline.
    Wait(Option<Instant>),
}

impl Signals {
    /// The signals of a search that has not begun.
    pub fn new(request: &SearchRequest) -> Signals {
        let limits = &request.limits;
        let hard_limit = request.time_budget.hard.filter(|_| request.options.nodestime.is_none());
        let node_limits = [limits.nodes, request.node_limit()].map(|nodes| nodes.unwrap_or(u64::MAX));
        let deadline = if limits.ponder { None } else { hard_limit };
        let state = SignalState {
            pondering: limits.ponder,
            clock_start: (!limits.ponder).then_some(request.started),
            ..SignalState::default()
        };
        Signals {
            started: request.started,
            hard_limit,
            is_move_time: limits.move_time.is_some(),
            node_limits,
            infinite: limits.infinite,
            node_limited: request.node_limit().is_some(),
            stop: CachePadded::new(AtomicBool::new(false)),
            deadline: CachePadded::new(AtomicU64::new(deadline.map_or(NO_DEADLINE, nanoseconds))),
            node_budget: CachePadded::new(AtomicU64::new(node_limits[usize::from(!limits.ponder)])),
            state: CachePadded::new(Mutex::new(state)),
            changed: CachePadded::new(Condvar::new()),
        }
    }

    /// True once the search threads should end.
    ///
    /// Relaxed is enough: the flag carries no data, and seeing it a few nodes later changes nothing.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Makes the search threads end. To the interface the search goes on until the best move is announced.
    pub fn stop_threads(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True once the hard time limit has passed; never while pondering.
    pub fn is_past_deadline(&self) -> bool {
        let deadline = self.deadline.load(Ordering::Relaxed);
        deadline != NO_DEADLINE && nanoseconds(self.started.elapsed()) >= deadline
    }

    /// Takes up to `wanted` nodes from the budget of a node-limited search; 0 if none are left. Without a node limit all
    /// are granted.
    ///
    /// Threads take nodes in batches, so that they need no counter that all of them write at every node. The total is never
    /// above the limit, but for a first iteration that is completed all the same. With one thread it is exact; with more,
    /// those that are stopped by the one that finds the budget empty leave the rest of their batches.
    pub fn take_node_batch(&self, wanted: u64) -> u64 {
        if !self.node_limited {
            return wanted;
        }
        let mut granted = 0;
        let _ = self.node_budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            granted = wanted.min(left);
            Some(left - granted)
        });
        granted
    }

    /// Asks for the end, as the interface does: the best move follows.
    pub fn request_stop(&self) {
        self.state.lock().stop_requested = true;
        self.stop_threads();
        self.changed.notify_all();
    }

    /// True if the interface has asked for the end or a ponder hit has ended the search: the best move is awaited.
    pub fn is_stop_requested(&self) -> bool {
        self.state.lock().stop_requested
    }

    /// The opponent has played the expected move: our clock runs from now on, unless the search has lasted as long as it would
    /// have on our clock, and ends. A time for the move begins now, whatever was searched before, unless it is counted in nodes.
    /// Does nothing unless the search ponders.
    pub fn ponder_hit(&self) {
        let mut state = self.state.lock();
        if state.pondering {
            state.pondering = false;
            state.clock_start = Some(Instant::now());
            let mut is_over = state.ends_at_ponder_hit;
            if let Some(hard) = self.hard_limit {
                let elapsed = self.started.elapsed();
                is_over |= elapsed >= hard && !self.is_move_time;
                self.deadline.store(nanoseconds(elapsed.saturating_add(hard)), Ordering::Relaxed);
            }
            let [before, after] = self.node_limits;
            let _ = self.node_budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(after.saturating_sub(before - left))
            });
            if is_over {
                state.stop_requested = true;
                self.stop_threads();
            }
        }
        self.changed.notify_all();
    }

    /// Takes in whether the main thread would end the search after this iteration if our clock ran. While the search
    /// ponders, a hit ends it at once in that case; true if it is to end now, since the hit has come meanwhile.
    pub fn ends_at_ponder_hit(&self, ends: bool) -> bool {
        let mut state = self.state.lock();
        state.ends_at_ponder_hit = ends;
        ends && !state.pondering
    }

    /// The main thread has nothing left to search.
    pub fn finish_main_thread(&self) {
        self.state.lock().main_thread_done = true;
        self.changed.notify_all();
    }

    /// A thread has completed its first iteration.
    pub fn complete_first_iteration(&self) {
        self.state.lock().first_iteration_done = true;
        self.changed.notify_all();
    }

    /// Reports have been queued for the listener.
    pub fn reports_queued(&self) {
        self.state.lock().reports_pending = true;
        self.changed.notify_all();
    }

    /// The time that the search has used on our clock; `None` while it ponders.
    pub fn clock_time(&self) -> Option<Duration> {
        self.state.lock().clock_start.map(|start| start.elapsed())
    }

    /// Waits until reports are queued or the search has to end. For the coordinator.
    pub fn wait(&self) -> Wakeup {
        let mut state = self.state.lock();
        loop {
            match self.next_step(&state, Instant::now()) {
                NextStep::WakeUp(wakeup) => {
                    state.reports_pending = false;
                    return wakeup;
                }
                NextStep::Wait(Some(deadline)) => {
                    self.changed.wait_until(&mut state, deadline);
                }
                NextStep::Wait(None) => self.changed.wait(&mut state),
            }
        }
    }

    /// Waits until a move has been searched that can be played, but not for long.
    ///
    /// Search threads complete a short first iteration even when stopped. With far more threads than processors it may not
    /// come in time, and a long one is not completed at all.
    pub fn wait_for_first_iteration(&self) {
        let mut state = self.state.lock();
        let deadline = Instant::now() + FIRST_MOVE_TIMEOUT;
        while !state.first_iteration_done && !state.main_thread_done && Instant::now() < deadline {
            self.changed.wait_until(&mut state, deadline);
        }
    }

    /// The search ends when a stop was requested, or the time is up, or the main thread is done and the search need not
    /// wait for a stop (`infinite`) or a hit (`ponder`).
    fn next_step(&self, state: &SignalState, now: Instant) -> NextStep {
        if state.stop_requested {
            return NextStep::WakeUp(Wakeup::End);
        }
        if state.reports_pending {
            return NextStep::WakeUp(Wakeup::Reports);
        }
        if state.main_thread_done && !self.infinite && !state.pondering {
            return NextStep::WakeUp(Wakeup::End);
        }
        match state.clock_start.zip(self.hard_limit) {
            Some((start, hard)) if !state.pondering => {
                // A time that no clock reaches is none.
                let deadline = start.checked_add(hard);
                if deadline.is_some_and(|deadline| now >= deadline) {
                    NextStep::WakeUp(Wakeup::End)
                } else {
                    NextStep::Wait(deadline)
                }
            }
            _ => NextStep::Wait(None),
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(NO_DEADLINE)
}

#[cfg(test)]
mod tests {
    use super::super::request::SearchOptions;
    use super::*;
    use crate::board::Board;
    use crate::clock::{Limits, NodeRate, TimeBudget};

    const END: NextStep = NextStep::WakeUp(Wakeup::End);

    fn signals(limits: Limits, hard: Option<Duration>) -> Signals {
        let request = SearchRequest::new(Board::start(), limits, SearchOptions::default(), Instant::now());
        Signals::new(&SearchRequest { time_budget: TimeBudget { soft: None, hard }, ..request })
    }

    fn next_step(signals: &Signals, after: Duration) -> NextStep {
        signals.next_step(&signals.state.lock(), signals.started + after)
    }

    #[test]
    fn the_node_budget_is_spent_exactly() {
        for limit in [0, 1, 7, 10_000] {
            let signals = signals(Limits::nodes(limit), None);
            let taken = std::thread::scope(|scope| {
                let thread = |wanted: u64| {
                    let signals = &signals;
                    let batches = std::iter::repeat_with(move || signals.take_node_batch(wanted));
                    scope.spawn(move || batches.take_while(|&nodes| nodes > 0).sum::<u64>())
                };
                let threads = [1, 3, 16, 1000].map(thread);
                threads.into_iter().map(|thread| thread.join().expect("ends")).sum::<u64>()
            });
            assert_eq!((taken, signals.take_node_batch(1)), (limit, 0));
        }
        assert_eq!(signals(Limits::default(), None).take_node_batch(1000), 1000);
    }

    #[test]
    fn only_a_stop_from_outside_is_a_request() {
        let signals = signals(Limits::default(), None);
        signals.stop_threads();
        signals.finish_main_thread();
        assert!(!signals.is_stop_requested());
        signals.request_stop();
        assert!(signals.is_stop_requested());
    }

    #[test]
    fn nodes_before_a_ponder_hit_count_where_nodes_are_time() {
        let options = SearchOptions { nodestime: NodeRate::new(10), ..SearchOptions::default() };
        let request = |ponder, nodes| {
            let limits = Limits { ponder, nodes, ..Limits::default() };
            let request = SearchRequest::new(Board::start(), limits, options.clone(), Instant::now());
            let time_budget = TimeBudget { soft: None, hard: Some(Duration::from_millis(100)) };
            Signals::new(&SearchRequest { time_budget, ..request })
        };
        // 100 milliseconds are 1,000 nodes; no time is measured.
        let signals = request(false, None);
        assert_eq!((signals.take_node_batch(600), signals.take_node_batch(600)), (600, 400));
        assert!(!signals.is_past_deadline());
        assert_eq!(next_step(&signals, Duration::from_secs(9)), NextStep::Wait(None));
        assert_eq!(request(false, Some(50)).take_node_batch(600), 50);
        for before in [0, 300, 1000, 5000] {
            let signals = request(true, None);
            assert_eq!(signals.take_node_batch(before), before);
            signals.ponder_hit();
            assert_eq!(signals.take_node_batch(5000), 1000_u64.saturating_sub(before));
        }
    }

    #[test]
    fn a_search_ends_when_the_main_thread_is_done() {
        let signals = signals(Limits::default(), None);
        assert_eq!(next_step(&signals, Duration::ZERO), NextStep::Wait(None));
        signals.finish_main_thread();
        assert_eq!(signals.wait(), Wakeup::End);
    }

    #[test]
    fn a_stop_ends_any_search() {
        for limits in [
            Limits::default(),
            Limits { infinite: true, ..Limits::default() },
            Limits { ponder: true, ..Limits::default() },
        ] {
            let signals = signals(limits, None);
            signals.reports_queued();
            signals.request_stop();
            assert_eq!(signals.wait(), Wakeup::End);
            assert!(signals.is_stopped());
        }
    }

    #[test]
    fn a_search_ends_when_its_time_is_up() {
        let hard = Duration::from_millis(100);
        let signals = signals(Limits::default(), Some(hard));
        assert_eq!(next_step(&signals, hard / 2), NextStep::Wait(Some(signals.started + hard)));
        assert_eq!(next_step(&signals, hard), END);
        let short = self::signals(Limits::default(), Some(Duration::from_millis(1)));
        assert_eq!(short.wait(), Wakeup::End);
        assert!(short.clock_time().is_some_and(|time| time >= Duration::from_millis(1)));
    }

    #[test]
    fn a_finished_infinite_search_waits_for_the_stop() {
        let signals = signals(Limits { infinite: true, ..Limits::default() }, None);
        signals.finish_main_thread();
        assert_eq!(next_step(&signals, Duration::from_secs(9)), NextStep::Wait(None));
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| signals.wait());
            assert!(!signals.is_stopped());
            signals.request_stop();
            assert_eq!(waiter.join().expect("ends"), Wakeup::End);
        });
    }

    #[test]
    fn a_time_that_no_clock_reaches_is_none() {
        let signals = signals(Limits { ponder: true, ..Limits::default() }, Some(Duration::MAX));
        signals.ponder_hit();
        assert_eq!(next_step(&signals, Duration::from_secs(9)), NextStep::Wait(None));
        assert!(!signals.is_past_deadline());
    }

    #[test]
    fn a_finished_ponder_search_waits_for_the_hit() {
        let hard = Duration::from_secs(60);
        let signals = signals(Limits { ponder: true, ..Limits::default() }, Some(hard));
        signals.finish_main_thread();
        assert_eq!(next_step(&signals, 2 * hard), NextStep::Wait(None));
        assert_eq!(signals.clock_time(), None);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| signals.wait());
            signals.ponder_hit();
            assert_eq!(waiter.join().expect("ends"), Wakeup::End);
        });
        assert!(signals.clock_time().is_some());
    }

    #[test]
    fn the_time_before_a_ponder_hit_is_not_ours() {
        let hard = Duration::from_secs(60);
        let signals = signals(Limits { ponder: true, ..Limits::default() }, Some(hard));
        let mut pondered = Duration::ZERO;
        while pondered.is_zero() {
            pondered = signals.started.elapsed();
        }
        signals.ponder_hit();
        assert!(signals.deadline.load(Ordering::Relaxed) >= nanoseconds(pondered + hard));
        let step = next_step(&signals, Duration::ZERO);
        assert!(
            matches!(step, NextStep::Wait(Some(deadline)) if deadline >= signals.started + pondered + hard)
        );
    }

    #[test]
    fn a_hit_ends_a_search_that_has_lasted_beyond_its_hard_limit() {
        for move_time in [None, Some(Duration::from_nanos(1))] {
            let limits = Limits { ponder: true, move_time, ..Limits::default() };
            let signals = signals(limits, Some(Duration::from_nanos(1)));
            while signals.started.elapsed().is_zero() {}
            signals.ponder_hit();
            assert_eq!(
                (signals.is_stopped(), signals.is_stop_requested()),
                (move_time.is_none(), move_time.is_none())
            );
        }
    }

    #[test]
    fn a_hit_ends_a_search_that_would_have_ended_on_our_clock() {
        let pondering = || signals(Limits { ponder: true, ..Limits::default() }, None);
        for ends in [false, true] {
            let signals = pondering();
            assert!(!signals.ends_at_ponder_hit(!ends) && !signals.ends_at_ponder_hit(ends), "no hit yet");
            assert_eq!(next_step(&signals, Duration::from_secs(9)), NextStep::Wait(None));
            signals.ponder_hit();
            // What was said last counts.
            assert_eq!((signals.is_stopped(), next_step(&signals, Duration::ZERO) == END), (ends, ends));
        }
        // The hit may come between the end of the iteration and the question.
        for ends in [false, true] {
            let signals = pondering();
            signals.ponder_hit();
            assert_eq!(signals.ends_at_ponder_hit(ends), ends);
            assert!(!signals.is_stopped());
        }
    }

    #[test]
    fn queued_reports_wake_the_coordinator_once() {
        let signals = signals(Limits::default(), None);
        signals.reports_queued();
        signals.finish_main_thread();
        assert_eq!((signals.wait(), signals.wait()), (Wakeup::Reports, Wakeup::End));
    }

    #[test]
    fn search_threads_see_the_deadline_of_a_clock_that_runs() {
        let limits = |ponder| Limits { ponder, ..Limits::default() };
        let (late, early) = (Some(Duration::ZERO), Some(Duration::MAX / 2));
        assert!(signals(limits(false), late).is_past_deadline());
        for (ponder, hard) in [(false, early), (false, None), (true, late)] {
            assert!(!signals(limits(ponder), hard).is_past_deadline());
        }
        for (hard, after_hit) in [(late, true), (early, false), (None, false)] {
            let signals = signals(limits(true), hard);
            signals.ponder_hit();
            assert_eq!(signals.is_past_deadline(), after_hit);
        }
    }
}
