//! The protocol of the threads - start, stop, ponder, quit - under a model checker: the real engine with real searches
//! of a few nodes, whose threads run in turn, in thousands of orders. An order in which threads wait for each other
//! for ever (a stop or a wake-up that was lost) is reported with a schedule that repeats it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use caesura::board::Board;
use caesura::clock::Limits;
use caesura::engine::{Engine, Others, SearchObserver, SharedResult};
use caesura::search::FIRST_ITERATION_NODES;
use caesura::search::reports::{Info, Listener};
use caesura::topology::NumaPolicy;
use caesura::types::{Depth, Move};
use caesura::util::sync::explore;

/// Three legal moves, and next to nothing below them.
const SMALL: &str = "8/8/8/8/8/k7/p7/K7 b - - 0 1";

/// Workers: a main one and two helpers, so that a task passes from one to the next.
const THREADS: usize = 3;

/// Counts the best moves reported.
#[derive(Default)]
struct BestMoveCounter(AtomicUsize);

impl Listener for BestMoveCounter {
    fn line(&self, _info: &Info) {
        assert_eq!(self.0.load(Ordering::SeqCst), 0, "a line after the best move");
    }

    fn current_move(&self, _depth: Depth, _m: Move, _number: usize) {}

    fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
        assert!(best.is_some());
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Counts starts, best moves and ends of shared searches, which must come in this order.
#[derive(Default)]
struct SharedSearches {
    started: AtomicUsize,
    answered: AtomicUsize,
    ended: AtomicUsize,
}

impl SearchObserver for SharedSearches {
    fn search_started(&self) {
        let ended = self.ended.load(Ordering::SeqCst);
        assert_eq!(self.started.fetch_add(1, Ordering::SeqCst), ended, "two searches at once");
    }

    fn search_ended(&self) {
        let answered = self.answered.load(Ordering::SeqCst);
        assert_eq!(self.ended.fetch_add(1, Ordering::SeqCst) + 1, answered, "the end before the best move");
    }
}

impl Listener for SharedSearches {
    fn line(&self, _info: &Info) {
        let [answered, ended] = [&self.answered, &self.ended].map(|count| count.load(Ordering::SeqCst));
        assert_eq!(answered, ended, "a line after the best move");
    }

    fn current_move(&self, _depth: Depth, _m: Move, _number: usize) {}

    fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
        assert!(best.is_some());
        self.answered.fetch_add(1, Ordering::SeqCst);
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new(THREADS, 1).expect("memory and threads");
    // All of them search, however few processors there are.
    engine.set_numa_policy(NumaPolicy::Off).expect("idle");
    engine.set_position(SMALL.parse::<Board>().expect("a position"));
    engine
}

/// Starts a search; the counter listens.
fn go(engine: &mut Engine, limits: Limits) -> Arc<BestMoveCounter> {
    let counter = Arc::new(BestMoveCounter::default());
    engine.go(limits, Arc::clone(&counter) as Arc<dyn Listener>).expect("idle");
    counter
}

/// Starts a search, waits for its end, and checks that it has answered once.
fn answers_once(engine: &mut Engine, limits: Limits, meanwhile: impl FnOnce(&Engine)) {
    let counter = go(engine, limits);
    meanwhile(engine);
    engine.wait();
    assert_eq!(best_moves(&counter), 1);
}

fn best_moves(counter: &BestMoveCounter) -> usize {
    counter.0.load(Ordering::SeqCst)
}

#[test]
fn a_search_ends_by_itself() {
    explore(|| {
        let mut engine = engine();
        for limits in [Limits::depth(1), Limits::depth(2), Limits::nodes(7)] {
            answers_once(&mut engine, limits, |_| ());
        }
        // The main thread completes its first iteration all the same.
        assert!(engine.nodes() <= 7 + FIRST_ITERATION_NODES);
    });
}

#[test]
fn a_stop_is_never_lost() {
    explore(|| {
        let mut engine = engine();
        // The second search begins while workers may still be at the first.
        for limits in [Limits { infinite: true, ..Limits::depth(2) }, Limits::depth(2)] {
            answers_once(&mut engine, limits, |engine| engine.stop());
        }
    });
}

#[test]
fn a_stop_and_a_hit_may_come_at_once() {
    explore(|| {
        let mut engine = engine();
        let time = Some(Duration::from_millis(100));
        let limits = Limits { ponder: true, time: [time; 2], ..Limits::depth(2) };
        answers_once(&mut engine, limits, |engine| {
            shuttle::thread::scope(|scope| {
                scope.spawn(|| engine.ponder_hit());
                engine.stop();
            });
        });
    });
}

#[test]
fn a_hit_alone_ends_the_wait() {
    explore(|| {
        let mut engine = engine();
        let limits = Limits { ponder: true, ..Limits::depth(1) };
        answers_once(&mut engine, limits, |engine| engine.ponder_hit());
    });
}

#[test]
fn the_clock_may_run_out_at_any_moment() {
    explore(|| {
        let mut engine = engine();
        for _ in 0..2 {
            let limits = Limits { move_time: Some(Duration::from_millis(5)), ..Limits::depth(2) };
            answers_once(&mut engine, limits, |_| ());
        }
    });
}

#[test]
fn quitting_in_the_middle_answers_once_and_ends_all_threads() {
    explore(|| {
        let mut engine = engine();
        let counter = go(&mut engine, Limits { infinite: true, ..Limits::depth(2) });
        drop(engine);
        assert_eq!(best_moves(&counter), 1);
    });
}

#[test]
fn after_a_search_memory_can_change_hands() {
    explore(|| {
        let mut engine = engine();
        answers_once(&mut engine, Limits::depth(1), |_| ());
        engine.set_hash(2).expect("idle");
        engine.new_game().expect("idle");
        engine.set_threads(1).expect("idle");
        answers_once(&mut engine, Limits::depth(1), |_| ());
    });
}

#[test]
fn another_thread_may_share_a_search_at_any_moment() {
    explore(|| {
        let mut engine = engine();
        let searches = Arc::new(SharedSearches::default());
        let shared = engine.share_searches(Arc::clone(&searches) as Arc<dyn SearchObserver>);
        let key = engine.board().key();
        let link = shuttle::thread::spawn(move || {
            for _ in 0..2 {
                let entries = shared.take_entries(8);
                shared.store(entries);
                let results: Vec<SharedResult> = shared.result().into_iter().collect();
                shared.set_others(key, Others { nodes: 1, tb_hits: 0, results });
            }
        });
        for limits in [Limits { infinite: true, ..Limits::depth(2) }, Limits::depth(1)] {
            engine.go(limits, Arc::clone(&searches) as Arc<dyn Listener>).expect("idle");
            engine.stop();
            engine.wait();
            engine.set_hash(2).expect("idle");
        }
        link.join().expect("ends");
        let SharedSearches { started, answered, ended } = &*searches;
        assert_eq!([started, answered, ended].map(|count| count.load(Ordering::SeqCst)), [2; 3]);
    });
}
