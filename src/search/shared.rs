//! What all workers share during one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam::utils::CachePadded;
use parking_lot::{Condvar, Mutex};

use super::null_move::SchemeName;
use super::report::{Info, Listener};
use crate::board::Board;
use crate::clock::{Budget, Limits};
use crate::tt::Table;
use crate::types::{Depth, Move, Value};
use crate::util::counter::Counters;

/// How long the end waits for a first searched move.
const PATIENCE: Duration = Duration::from_millis(25);

/// What a search may be told besides its limits.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many lines to find.
    pub multi_pv: usize,
    /// What the way from the clock to the engine and back costs.
    pub move_overhead: Duration,
    /// The null-move scheme.
    pub null_move: SchemeName,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            null_move: SchemeName::default(),
        }
    }
}

/// What a worker has found so far: good enough to play at any moment.
#[derive(Clone, Debug, Default)]
pub struct Finding {
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
    pub budget: Budget,
    /// When `go` came.
    pub started: Instant,
    /// The transposition table.
    pub table: Arc<Table>,
    /// Nodes, a counter a worker.
    pub nodes: Counters,
    /// What each worker found.
    pub findings: Vec<CachePadded<Mutex<Finding>>>,
    stop: CachePadded<AtomicBool>,
    /// Nodes that no worker has claimed yet.
    unclaimed: CachePadded<AtomicU64>,
    progress: Mutex<Progress>,
    changed: Condvar,
    outlet: Mutex<Outlet>,
}

/// The way out to the listener, and what went through it last.
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
        budget: Budget,
        started: Instant,
        table: Arc<Table>,
        threads: usize,
        listener: Arc<dyn Listener>,
    ) -> Job {
        let progress = Progress {
            pondering: limits.ponder,
            clock_start: (!limits.ponder).then_some(started),
            ..Progress::default()
        };
        Job {
            board,
            unclaimed: CachePadded::new(AtomicU64::new(limits.nodes.unwrap_or(u64::MAX))),
            limits,
            options,
            root_moves,
            budget,
            started,
            table,
            nodes: Counters::new(threads),
            findings: (0..threads).map(|_| CachePadded::default()).collect(),
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

    /// Claims up to `wanted` nodes of a node-limited search; zero when none are left. Workers claim in lots, so
    /// that the total is exact although nobody adds up counters.
    pub fn claim_nodes(&self, wanted: u64) -> u64 {
        let mut granted = 0;
        let _ = self.unclaimed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            granted = wanted.min(left);
            Some(left - granted)
        });
        granted
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
        }
        self.changed.notify_all();
    }

    /// The main worker has nothing left to do.
    pub fn finish(&self) {
        self.progress.lock().finished = true;
        self.changed.notify_all();
    }

    /// A worker has completed its first iteration.
    pub fn found(&self) {
        self.progress.lock().found = true;
        self.changed.notify_all();
    }

    /// The time on the clock that the search has used; `None` while it ponders.
    pub fn clock_time(&self) -> Option<Duration> {
        self.progress.lock().clock_start.map(|start| start.elapsed())
    }

    /// Waits until the search has to end: `stop` came, the time is up, or the main worker has finished and
    /// nobody wants it to wait. Then tells the workers to end.
    pub fn wait_for_end(&self) {
        let mut progress = self.progress.lock();
        loop {
            if progress.stopped {
                break;
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

    /// Tells the listener where the search is, unless the best move has been announced.
    pub fn report_current_move(&self, depth: Depth, m: Move, number: usize) {
        if let Some(listener) = &self.outlet.lock().listener {
            listener.current_move(depth, m, number);
        }
    }

    /// Tells the listener of lines, best first, unless the best move has been announced.
    pub fn report_lines(&self, lines: &[Info]) {
        self.outlet.lock().say(lines);
    }

    /// Announces the best move; nothing can be said after it. The lines that it comes from are told first,
    /// unless they were the last thing said.
    pub fn announce(&self, lines: &[Info], best: Option<Move>, ponder: Option<Move>) {
        let mut outlet = self.outlet.lock();
        if lines.first().is_some_and(|line| outlet.last != Some((line.pv.first().copied(), line.nodes))) {
            outlet.say(lines);
        }
        if let Some(listener) = outlet.listener.take() {
            listener.best_move(best, ponder);
        }
    }
}

impl Outlet {
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
