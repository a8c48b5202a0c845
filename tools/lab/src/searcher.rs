//! One search of one contender, watched iteration by iteration.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::engine::Engine;
use caesura::engine::Limits;
use caesura::engine::NullCounts;
use caesura::engine::{Info, Listener, NumaPolicy};
use caesura::types::{Bound, Depth, Move, Value};
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::mode::Mode;

/// How [`NullCounts`] are written down.
#[derive(Serialize, Deserialize)]
#[serde(remote = "NullCounts")]
pub struct NullCountsDef {
    tried: u64,
    fail_highs: u64,
    cuts: u64,
    reductions: u64,
    #[serde(rename = "overturned")]
    reduced_fail_lows: u64,
    verifications: u64,
    #[serde(rename = "doubles")]
    double_null_moves: u64,
}

/// What a search knew after an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Iteration {
    /// The depth, in plies.
    pub depth: Depth,
    /// Nodes since the start.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// The score.
    pub score: Value,
    /// The best move.
    pub best: Option<Move>,
}

/// When an iteration was completed, as results have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPoint {
    /// The depth, in plies.
    pub depth: Depth,
    /// The nodes since the start.
    pub nodes: u64,
    /// The milliseconds since the start.
    pub milliseconds: u64,
}

impl SearchPoint {
    /// The point at which an iteration was completed.
    pub fn of(iteration: &Iteration) -> SearchPoint {
        let milliseconds = iteration.time.as_millis() as u64;
        SearchPoint { depth: iteration.depth, nodes: iteration.nodes, milliseconds }
    }
}

/// What a search found, and what it took.
#[derive(Clone, Debug, Default)]
pub struct SearchTrace {
    /// The move to play.
    pub best: Option<Move>,
    /// What was known after each iteration; the last may not be whole, and its score then a bound.
    pub iterations: Vec<Iteration>,
    /// How many of the iterations, from the first on, were followed by another report: these are whole.
    pub followed: usize,
    /// All nodes.
    pub nodes: u64,
    /// From start to end.
    pub time: Duration,
    /// What became of the null moves.
    pub counts: NullCounts,
}

/// How often a search that is waited for looks whether it has been abandoned.
const TICK: Duration = Duration::from_millis(50);

/// What is known of a search so far.
#[derive(Default)]
struct Recorded {
    trace: SearchTrace,
    /// The last report, where it was a bound.
    bound: Option<Iteration>,
    is_over: bool,
}

#[derive(Default)]
struct IterationRecorder {
    state: Mutex<Recorded>,
    over: Condvar,
}

impl IterationRecorder {
    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end of the search; false if it was abandoned before.
    fn wait(&self, abandon: &AtomicBool) -> bool {
        let mut state = self.lock();
        while !state.is_over {
            if abandon.load(Ordering::Relaxed) {
                return false;
            }
            state = self.over.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl Listener for IterationRecorder {
    fn line(&self, info: &Info) {
        if info.multipv != 1 {
            return;
        }
        let iteration = Iteration {
            depth: info.depth,
            nodes: info.nodes,
            time: info.time,
            score: info.score,
            best: info.pv.first().copied(),
        };
        let mut state = self.lock();
        state.trace.followed = state.trace.iterations.len();
        state.bound = (info.bound != Bound::Exact).then_some(iteration);
        if state.bound.is_some() {
            return;
        }
        let found = &mut state.trace;
        // The last line is reported again with the best move.
        match found.iterations.last_mut() {
            Some(last) if last.depth == iteration.depth && last.best == iteration.best => {
                last.score = iteration.score;
            }
            _ => found.iterations.push(iteration),
        }
    }

    fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
        let mut state = self.lock();
        let Recorded { trace, bound, is_over } = &mut *state;
        trace.best = best;
        // A search that ends while its window fails may answer with a move that no iteration has found.
        let is_new = trace.iterations.last().is_none_or(|last| last.best != best);
        trace.iterations.extend(bound.filter(|bound| is_new && bound.best == best));
        *is_over = true;
        self.over.notify_all();
    }
}

/// The nodes of a turn, where the threads of a search take turns.
const TURN_NODES: NonZeroU64 = NonZeroU64::new(1024).unwrap();

/// An engine without move overhead, all of whose threads search, however few processors there are.
///
/// # Errors
/// If the engine cannot be started.
pub fn start_engine(hash: usize, threads: usize) -> Result<Engine, LabError> {
    let mut engine = Engine::new(threads, hash)?;
    if threads > 1 {
        engine.set_numa_policy(NumaPolicy::Off)?;
    }
    engine.options_mut().move_overhead = Duration::ZERO;
    Ok(engine)
}

/// Has the threads of an engine take turns if there are several and their searches are to repeat; otherwise all search at
/// once.
pub fn set_turns(engine: &mut Engine, repeatable: bool) {
    let takes_turns = repeatable && engine.threads() > 1;
    engine.options_mut().turn_nodes = takes_turns.then_some(TURN_NODES);
}

/// An engine that searches for any contender.
pub struct Searcher {
    engine: Engine,
}

impl Searcher {
    /// A searcher with a transposition table of this many megabytes and this many threads.
    ///
    /// # Errors
    /// If the engine cannot be started.
    pub fn new(hash: usize, threads: usize) -> Result<Searcher, LabError> {
        Ok(Searcher { engine: start_engine(hash, threads)? })
    }

    /// Clears the transposition table and the histories.
    ///
    /// # Errors
    /// If the engine refuses.
    pub fn new_game(&mut self) -> Result<(), LabError> {
        Ok(self.engine.new_game()?)
    }

    /// Lets a contender search a position. `None` if the search was abandoned.
    ///
    /// # Errors
    /// If the engine refuses.
    pub fn search(
        &mut self,
        contender: &Contender,
        mode: Mode,
        board: &Board,
        limits: Limits,
        abandon: &AtomicBool,
    ) -> Result<Option<SearchTrace>, LabError> {
        contender.configure(&mut self.engine, mode);
        set_turns(&mut self.engine, limits.move_time.is_none());
        self.engine.set_position(board.clone());
        let watcher = Arc::new(IterationRecorder::default());
        let started = Instant::now();
        self.engine.go(limits, Arc::clone(&watcher) as Arc<dyn Listener>)?;
        let whole = watcher.wait(abandon);
        if !whole {
            self.engine.stop();
        }
        self.engine.wait();
        if !whole {
            return Ok(None);
        }
        let time = started.elapsed();
        let mut found = std::mem::take(&mut watcher.lock().trace);
        found.time = time;
        found.nodes = self.engine.nodes();
        found.counts = self.engine.null_counts();
        Ok(Some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caesura::types::{MoveKind, Square};

    const FIRST: Move = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    const SECOND: Move = Move::new(Square::D2, Square::D4, MoveKind::DoublePush);

    /// The trace of a search that reports these lines - depth, nodes, bound and best move - and ends with this best move.
    fn trace(lines: &[(Depth, u64, Bound, Move)], best: Move) -> SearchTrace {
        let recorder = IterationRecorder::default();
        for &(depth, nodes, bound, best) in lines {
            recorder.line(&Info { depth, nodes, bound, multipv: 1, pv: vec![best], ..Info::default() });
        }
        recorder.best_move(Some(best), None);
        std::mem::take(&mut recorder.lock().trace)
    }

    fn steps(trace: &SearchTrace) -> Vec<(Depth, u64, Option<Move>)> {
        trace.iterations.iter().map(|step| (step.depth, step.nodes, step.best)).collect()
    }

    #[test]
    fn a_move_that_is_found_by_a_window_that_fails_is_recorded_with_its_nodes() {
        let ends_there = [(1, 20, Bound::Exact, FIRST), (2, 50, Bound::Lower, SECOND)];
        let trace = trace(&ends_there, SECOND);
        assert_eq!(steps(&trace), [(1, 20, Some(FIRST)), (2, 50, Some(SECOND))]);
        assert_eq!(trace.followed, 1);
    }

    #[test]
    fn other_bounds_are_left_out() {
        let goes_on =
            [(2, 50, Bound::Lower, SECOND), (2, 60, Bound::Upper, FIRST), (2, 70, Bound::Exact, FIRST)];
        assert_eq!(steps(&trace(&goes_on, FIRST)), [(2, 70, Some(FIRST))]);
        let same_move = [(2, 70, Bound::Exact, FIRST), (3, 90, Bound::Lower, FIRST)];
        assert_eq!(steps(&trace(&same_move, FIRST)), [(2, 70, Some(FIRST))]);
    }

    #[test]
    fn an_iteration_behind_which_another_report_comes_is_whole() {
        let repeated =
            [(1, 20, Bound::Exact, FIRST), (2, 50, Bound::Exact, FIRST), (2, 80, Bound::Exact, FIRST)];
        let of_repeated = trace(&repeated, FIRST);
        assert_eq!((steps(&of_repeated).last(), of_repeated.followed), (Some(&(2, 50, Some(FIRST))), 2));
        assert_eq!(trace(&repeated[..2], FIRST).followed, 1);
    }
}
