//! What all workers share during one search.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam::utils::CachePadded;

use super::null_move::{NullCounts, NullMoveSettings, SchemeName};
use super::reports::{Info, Listener};
use crate::board::Board;
use crate::clock::{Limits, TimeBudget};
use crate::nnue::{self, Network};
use crate::tt::TranspositionTable;
use crate::types::{Depth, Move, Value};
use crate::util::counter::ThreadCounters;
use crate::util::sync::{AtomicBool, AtomicU64, Condvar, Instant, Mutex, MutexGuard};

/// How long the end waits for a first searched move.
const PATIENCE: Duration = Duration::from_millis(25);

/// What stands for a deadline that is not set.
const NO_DEADLINE: u64 = u64::MAX;

/// What a search may be told besides its limits.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many lines to find.
    pub multi_pv: usize,
    /// What the way from the clock to the engine and back costs.
    pub move_overhead: Duration,
    /// The null-move scheme.
    pub null_move: SchemeName,
    /// The network to evaluate by.
    pub network: Arc<Network>,
    /// What else can be set about null moves.
    pub null_move_settings: NullMoveSettings,
    /// Copies of a network for the memory nodes.
    pub network_replicas: NetworkReplicas,
}

/// Copies of a network, one for each memory node, each lying there.
#[derive(Clone, Debug, Default)]
pub struct NetworkReplicas {
    /// What they are copies of.
    pub original: Option<Arc<Network>>,
    /// By node.
    pub by_numa_node: Vec<Arc<Network>>,
}

impl SearchOptions {
    /// The network to evaluate by on a memory node.
    pub fn network_on(&self, node: usize) -> &Arc<Network> {
        let network = &self.network;
        let current =
            self.network_replicas.original.as_ref().is_some_and(|original| Arc::ptr_eq(original, network));
        self.network_replicas.by_numa_node.get(node).filter(|_| current).unwrap_or(network)
    }
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            null_move: SchemeName::default(),
            network: nnue::embedded(),
            null_move_settings: NullMoveSettings::default(),
            network_replicas: NetworkReplicas::default(),
        }
    }
}

/// What a worker has found so far: good enough to play at any moment.
#[derive(Clone, Debug, Default)]
pub struct ThreadResult {
    /// The depth of the last iteration that counts; 0 before the first.
    pub depth: Depth,
    /// The score of the first line.
    pub score: Value,
    /// The lines, best first.
    pub lines: Vec<Info>,
}

/// How far a search has come, as its coordinator sees it.
#[derive(Debug, Default)]
struct Progress {
    /// The main worker has nothing left to do.
    finished: bool,
    /// Some worker has completed an iteration.
    found: bool,
    /// `stop` was asked for.
    stopped: bool,
    /// The move is pondered on: no clock runs.
    pondering: bool,
    /// When the clock began to run.
    clock_start: Option<Instant>,
    /// What workers want to have said, in its order.
    words: Vec<Word>,
}

/// Something that a worker wants to have said.
#[derive(Debug)]
enum Word {
    Lines(Vec<Info>),
    CurrentMove(Depth, Move, usize),
}

/// One search: everything that its workers share. Frozen but for atomics and short locks.
pub struct Job {
    /// The position, with the game that led to it.
    pub board: Board,
    /// When to end.
    pub limits: Limits,
    /// What else was asked for.
    pub options: SearchOptions,
    /// The root moves to search.
    pub root_moves: Vec<Move>,
    /// The time to use.
    pub budget: TimeBudget,
    /// When `go` came.
    pub started: Instant,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// Nodes, a counter a worker.
    pub nodes: ThreadCounters,
    /// When each worker began to search, in nanoseconds from the start; 0 before that.
    pub start_times: ThreadCounters,
    /// What became of each worker's null moves, up to its last iteration, or to its end once it has come.
    pub null_counts: Vec<CachePadded<Mutex<NullCounts>>>,
    /// What each worker found.
    pub thread_results: Vec<CachePadded<Mutex<ThreadResult>>>,
    stop: CachePadded<AtomicBool>,
    /// When the clock wants the search to end, in nanoseconds from the start; `NO_DEADLINE` while none runs.
    deadline: CachePadded<AtomicU64>,
    /// Nodes that no worker has claimed yet.
    node_budget: CachePadded<AtomicU64>,
    progress: Mutex<Progress>,
    changed: Condvar,
    outlet: Mutex<Outlet>,
}

/// The way out to the listener, and what went through it last. For the coordinator alone.
struct Outlet {
    listener: Option<Arc<dyn Listener>>,
    last: Option<(Option<Move>, u64)>,
}

impl Job {
    /// A search of `threads` workers that nobody works on yet.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        board: Board,
        limits: Limits,
        options: SearchOptions,
        root_moves: Vec<Move>,
        budget: TimeBudget,
        started: Instant,
        table: Arc<TranspositionTable>,
        threads: usize,
        listener: Arc<dyn Listener>,
    ) -> Job {
        let progress = Progress {
            pondering: limits.ponder,
            clock_start: (!limits.ponder).then_some(started),
            ..Progress::default()
        };
        let deadline = if limits.ponder { None } else { budget.hard };
        Job {
            board,
            deadline: CachePadded::new(AtomicU64::new(deadline.map_or(NO_DEADLINE, nanoseconds))),
            node_budget: CachePadded::new(AtomicU64::new(limits.nodes.unwrap_or(u64::MAX))),
            limits,
            options,
            root_moves,
            budget,
            started,
            table,
            nodes: ThreadCounters::new(threads),
            start_times: ThreadCounters::new(threads),
            null_counts: (0..threads).map(|_| CachePadded::default()).collect(),
            thread_results: (0..threads).map(|_| CachePadded::default()).collect(),
            stop: CachePadded::new(AtomicBool::new(false)),
            progress: Mutex::new(progress),
            changed: Condvar::new(),
            outlet: Mutex::new(Outlet { listener: Some(listener), last: None }),
        }
    }

    /// True once the workers should end. Relaxed is enough: the flag carries no data, and seeing it a few
    /// nodes later changes nothing.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells the workers to end.
    pub fn stop_workers(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True once the clock wants the search to end.
    pub fn is_past_deadline(&self) -> bool {
        let deadline = self.deadline.load(Ordering::Relaxed);
        deadline != NO_DEADLINE && nanoseconds(self.started.elapsed()) >= deadline
    }

    /// Claims up to `wanted` nodes; zero when none are left of a node-limited search. Workers claim in lots, so
    /// that the total is exact although nobody adds up counters.
    pub fn take_node_batch(&self, wanted: u64) -> u64 {
        if self.limits.nodes.is_none() {
            return wanted;
        }
        let mut granted = 0;
        let _ = self.node_budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            granted = wanted.min(left);
            Some(left - granted)
        });
        granted
    }

    /// What became of the null moves of all workers, as far as they have told.
    pub fn null_counts(&self) -> NullCounts {
        self.null_counts.iter().map(|counts| *counts.lock()).sum()
    }

    /// Asks for the end: the best move follows.
    pub fn request_stop(&self) {
        self.progress.lock().stopped = true;
        self.stop_workers();
        self.changed.notify_all();
    }

    /// The opponent played the expected move: the clock runs from now on.
    pub fn ponder_hit(&self) {
        let mut progress = self.progress.lock();
        if progress.pondering {
            progress.pondering = false;
            progress.clock_start = Some(Instant::now());
            if let Some(hard) = self.budget.hard {
                self.deadline.store(nanoseconds(self.started.elapsed() + hard), Ordering::Relaxed);
            }
        }
        self.changed.notify_all();
    }

    /// The main worker has nothing left to do.
    pub fn finish_main_thread(&self) {
        self.progress.lock().finished = true;
        self.changed.notify_all();
    }

    /// A worker has completed its first iteration.
    pub fn complete_first_iteration(&self) {
        self.progress.lock().found = true;
        self.changed.notify_all();
    }

    /// The time on the clock that the search has used; `None` while it ponders.
    pub fn clock_time(&self) -> Option<Duration> {
        self.progress.lock().clock_start.map(|start| start.elapsed())
    }

    /// Waits until the search has to end: `stop` came, the time is up, or the main worker has finished and
    /// nobody wants it to wait. Then tells the workers to end. Meanwhile says what they want to have said.
    pub fn wait_for_end(&self) {
        let mut progress = self.progress.lock();
        loop {
            if progress.stopped {
                break;
            }
            if !progress.words.is_empty() {
                let words = std::mem::take(&mut progress.words);
                MutexGuard::unlocked(&mut progress, || {
                    self.outlet.lock().say_all(words, self.table.hashfull());
                });
                continue;
            }
            if progress.finished && !self.limits.infinite && !progress.pondering {
                break;
            }
            match progress.clock_start.zip(self.budget.hard) {
                Some((start, hard)) if !progress.pondering => {
                    let deadline = start + hard;
                    if Instant::now() >= deadline {
                        break;
                    }
                    self.changed.wait_until(&mut progress, deadline);
                }
                _ => self.changed.wait(&mut progress),
            }
        }
        self.stop_workers();
        // Workers complete their first iteration even when stopped: a moment's patience, and the move has been
        // searched. On a machine with far more threads than processors it may not come in time.
        let deadline = Instant::now() + PATIENCE;
        while !progress.found && !progress.finished && Instant::now() < deadline {
            self.changed.wait_until(&mut progress, deadline);
        }
    }

    /// Has the listener told where the search is, unless the best move has been announced.
    pub fn report_current_move(&self, depth: Depth, m: Move, number: usize) {
        self.hand_on(Word::CurrentMove(depth, m, number));
    }

    /// Has the listener told of lines, best first, unless the best move has been announced.
    pub fn report_lines(&self, lines: &[Info]) {
        self.hand_on(Word::Lines(lines.to_vec()));
    }

    /// Leaves it to the coordinator to speak. A worker that spoke itself would often lose its processor to the
    /// listener that it wakes, and among many threads get it back late: holding up the best move meanwhile.
    fn hand_on(&self, word: Word) {
        self.progress.lock().words.push(word);
        self.changed.notify_all();
    }

    /// Announces the best move; nothing can be said after it. The lines that it comes from are told first,
    /// unless they were the last thing said.
    pub fn announce(&self, lines: &[Info], best: Option<Move>, ponder: Option<Move>) {
        let words = std::mem::take(&mut self.progress.lock().words);
        let mut outlet = self.outlet.lock();
        outlet.say_all(words, self.table.hashfull());
        if lines.first().is_some_and(|line| outlet.last != Some((line.pv.first().copied(), line.nodes))) {
            outlet.say(lines);
        }
        if let Some(listener) = outlet.listener.take() {
            if self.options.null_move_settings.report_counts {
                listener.note(&self.null_counts().to_string());
            }
            listener.best_move(best, ponder);
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(NO_DEADLINE)
}

impl Outlet {
    fn say_all(&mut self, words: Vec<Word>, hashfull: u32) {
        for word in words {
            match word {
                Word::Lines(mut lines) => {
                    for line in &mut lines {
                        line.hashfull = hashfull;
                    }
                    self.say(&lines);
                }
                Word::CurrentMove(depth, m, number) => {
                    if let Some(listener) = &self.listener {
                        listener.current_move(depth, m, number);
                    }
                }
            }
        }
    }

    fn say(&mut self, lines: &[Info]) {
        let Some(listener) = &self.listener else {
            return;
        };
        for line in lines {
            listener.line(line);
        }
        if let Some(line) = lines.first().filter(|line| line.multipv == 1) {
            self.last = Some((line.pv.first().copied(), line.nodes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::MIN_TIME;

    #[derive(Default)]
    struct Ear(Mutex<Vec<String>>);

    impl Listener for Ear {
        fn line(&self, info: &Info) {
            self.0.lock().push(format!("line {}", info.multipv));
        }

        fn current_move(&self, _depth: Depth, _m: Move, number: usize) {
            self.0.lock().push(format!("move {number}"));
        }

        fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
            self.0.lock().push(format!("best {best:?}"));
        }
    }

    fn job(limits: Limits, budget: TimeBudget, ear: &Arc<Ear>) -> Job {
        let table = Arc::new(TranspositionTable::new(1).expect("memory"));
        let listener = Arc::clone(ear) as Arc<dyn Listener>;
        let board = Board::start();
        let moves = board.legal_moves().to_vec();
        let options = SearchOptions::default();
        Job::new(board, limits, options, moves, budget, Instant::now(), table, 4, listener)
    }

    fn idle(limits: Limits) -> Job {
        job(limits, TimeBudget::default(), &Arc::default())
    }

    #[test]
    fn all_nodes_are_claimed_and_none_twice() {
        for limit in [0, 1, 7, 10_000] {
            let job = idle(Limits { nodes: Some(limit), ..Limits::default() });
            let claimed = std::thread::scope(|scope| {
                let worker = |wanted: u64| {
                    let job = &job;
                    scope.spawn(move || {
                        std::iter::repeat_with(|| job.take_node_batch(wanted))
                            .take_while(|&n| n > 0)
                            .sum::<u64>()
                    })
                };
                let workers = [1, 3, 16, 1000].map(worker);
                workers.into_iter().map(|worker| worker.join().expect("ends")).sum::<u64>()
            });
            assert_eq!(claimed, limit);
            assert_eq!(job.take_node_batch(1), 0);
        }
    }

    #[test]
    fn nothing_is_said_after_the_best_move() {
        let ear = Arc::new(Ear::default());
        let job = job(Limits::default(), TimeBudget::default(), &ear);
        let m = job.root_moves[0];
        let line = Info { multipv: 1, nodes: 5, pv: vec![m], ..Info::default() };
        job.report_lines(std::slice::from_ref(&line));
        job.report_current_move(7, m, 3);
        // The line that the move comes from was the last: it is not said again.
        job.announce(std::slice::from_ref(&line), Some(m), None);
        job.report_lines(&[line]);
        job.report_current_move(8, m, 4);
        job.announce(&[], None, None);
        assert_eq!(*ear.0.lock(), ["line 1", "move 3", &format!("best {:?}", Some(m))]);
    }

    #[test]
    fn a_line_that_is_news_is_said_before_the_best_move() {
        let ear = Arc::new(Ear::default());
        let job = job(Limits::default(), TimeBudget::default(), &ear);
        let line = |nodes| Info { multipv: 1, nodes, pv: vec![job.root_moves[0]], ..Info::default() };
        job.report_lines(&[line(5)]);
        job.announce(&[line(6), Info { multipv: 2, ..line(6) }], None, None);
        assert_eq!(*ear.0.lock(), ["line 1", "line 1", "line 2", "best None"]);
    }

    #[test]
    fn the_end_comes_with_the_last_of_its_reasons() {
        // Finished, and nobody wants more.
        let job = idle(Limits::default());
        job.finish_main_thread();
        job.wait_for_end();
        assert!(job.is_stopped());
        // Stopped before anything happened.
        let job = idle(Limits { infinite: true, ..Limits::default() });
        job.request_stop();
        job.wait_for_end();
        assert!(job.is_stopped());
        // The time is up.
        let budget = TimeBudget { soft: Some(MIN_TIME), hard: Some(MIN_TIME) };
        let job = self::job(Limits::default(), budget, &Arc::default());
        job.complete_first_iteration();
        job.wait_for_end();
        assert!(job.is_stopped() && job.clock_time().is_some_and(|time| time >= MIN_TIME));
    }

    #[test]
    fn workers_see_the_deadline_of_a_clock_that_runs() {
        let limits = |ponder| Limits { ponder, ..Limits::default() };
        let late = TimeBudget { soft: None, hard: Some(Duration::ZERO) };
        let early = TimeBudget { soft: None, hard: Some(Duration::MAX / 2) };
        let is_late = |ponder, budget| job(limits(ponder), budget, &Arc::default()).is_past_deadline();
        assert!(is_late(false, late));
        assert!(!is_late(false, early) && !is_late(false, TimeBudget::default()) && !is_late(true, late));
        for (budget, after) in [(late, true), (early, false), (TimeBudget::default(), false)] {
            let job = job(limits(true), budget, &Arc::default());
            job.ponder_hit();
            assert_eq!(job.is_past_deadline(), after);
        }
    }

    #[test]
    fn a_finished_search_waits_for_what_was_promised() {
        for (limits, hit) in [
            (Limits { infinite: true, ..Limits::default() }, false),
            (Limits { ponder: true, ..Limits::default() }, true),
        ] {
            let job = idle(limits);
            assert_eq!(job.clock_time().is_none(), hit);
            job.finish_main_thread();
            std::thread::scope(|scope| {
                let waiter = scope.spawn(|| job.wait_for_end());
                std::thread::sleep(Duration::from_millis(10));
                assert!(!waiter.is_finished() && !job.is_stopped());
                if hit {
                    job.ponder_hit()
                } else {
                    job.request_stop()
                }
                waiter.join().expect("ends");
            });
            assert!(job.is_stopped() && job.clock_time().is_some());
        }
    }
}
