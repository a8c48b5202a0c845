//! The facade: a position, options, go, stop. UCI, bench and the tools talk to this and to nothing below.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::board::Board;
use crate::clock::{Budget, Limits};
use crate::nnue::Network;
use crate::pool::Pool;
use crate::search::null_move::NullCounts;
use crate::search::report::{Info, Listener};
use crate::search::{Job, SearchOptions};
use crate::topology::{self, Pin};
use crate::tt::Table;
use crate::types::Move;

/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// What an engine cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// A search is running.
    Busy,
    /// The table cannot have this size.
    Hash(String),
    /// There cannot be so many threads.
    Threads(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Busy => write!(f, "a search is running"),
            EngineError::Hash(reason) => write!(f, "hash: {reason}"),
            EngineError::Threads(reason) => write!(f, "threads: {reason}"),
        }
    }
}

impl std::error::Error for EngineError {}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play; `None` if there is none.
    pub best: Option<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// The last lines, best first.
    pub lines: Vec<Info>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// What became of the null moves of all threads, as far as they have told by the end.
    pub null_counts: NullCounts,
    /// From start to end.
    pub time: Duration,
}

/// A chess engine: a position, a transposition table and threads that wait for work.
pub struct Engine {
    board: Board,
    options: SearchOptions,
    pin: Pin,
    table: Arc<Table>,
    pool: Pool,
}

impl Engine {
    /// An engine at the start position with so many threads and so large a table.
    ///
    /// # Errors
    /// If there is no memory for the table or no room for the threads.
    pub fn new(threads: usize, hash_megabytes: usize) -> Result<Engine, EngineError> {
        let table = Table::new(hash_megabytes).map_err(|error| EngineError::Hash(error.to_string()))?;
        let pin = Pin::default();
        Ok(Engine {
            board: Board::start(),
            options: SearchOptions::default(),
            pin,
            table: Arc::new(table),
            pool: start_pool(threads, pin)?,
        })
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Gives the table another size in megabytes; its content is lost.
    ///
    /// # Errors
    /// If a search is running, or there is no memory: then the old table stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), EngineError> {
        let threads = self.threads();
        let table = self.own_table()?;
        table.resize(megabytes, threads).map_err(|error| EngineError::Hash(error.to_string()))
    }

    /// Empties the table.
    ///
    /// # Errors
    /// If a search is running.
    pub fn clear_hash(&mut self) -> Result<(), EngineError> {
        let threads = self.threads().min(topology::parallelism());
        self.own_table()?.clear(threads);
        Ok(())
    }

    /// Searches with another number of threads from now on.
    ///
    /// # Errors
    /// If a search is running, the number is out of range or the system refuses: then the old threads stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        self.idle()?;
        if threads != self.threads() {
            self.pool = start_pool(threads, self.pin)?;
        }
        Ok(())
    }

    /// Says when threads are pinned to cores.
    ///
    /// # Errors
    /// If a search is running or the system refuses: then all stays as it is.
    pub fn set_pin(&mut self, pin: Pin) -> Result<(), EngineError> {
        self.idle()?;
        if pin != self.pin {
            self.pool = start_pool(self.threads(), pin)?;
            self.pin = pin;
        }
        Ok(())
    }

    /// Forgets everything learnt from earlier positions.
    ///
    /// # Errors
    /// If a search is running.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.clear_hash()?;
        self.pool.new_game();
        Ok(())
    }

    /// Evaluates by this network from now on, or without one. What was learnt under another is forgotten.
    ///
    /// # Errors
    /// If a search is running: then all stays as it is.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), EngineError> {
        self.new_game()?;
        self.options.network = network;
        Ok(())
    }

    /// The network that positions are evaluated by, if it is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.options.network.as_ref()
    }

    /// What a search is told besides its limits; changes count from the next search on.
    pub fn options_mut(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// What a search is told besides its limits.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Sets the position, with the game that led to it. A running search goes on with the old one.
    pub fn set_position(&mut self, board: Board) {
        self.board = board;
    }

    /// Starts a search of the position; the listener hears of it from other threads.
    ///
    /// # Errors
    /// If a search is running.
    pub fn go(&mut self, limits: Limits, listener: Arc<dyn Listener>) -> Result<(), EngineError> {
        let started = Instant::now();
        if self.pool.is_searching() {
            return Err(EngineError::Busy);
        }
        self.pool.wait();
        let side = self.board.side_to_move();
        let budget = Budget::new(&limits, side, self.options.move_overhead, self.board.ply());
        let legal = self.board.legal_moves();
        let mut root_moves: Vec<Move> =
            legal.iter().copied().filter(|m| limits.search_moves.contains(m)).collect();
        if root_moves.is_empty() {
            root_moves.extend(legal);
        }
        self.table.new_search();
        self.pool.start(Arc::new(Job::new(
            self.board.clone(),
            limits,
            self.options.clone(),
            root_moves,
            budget,
            started,
            Arc::clone(&self.table),
            self.pool.len(),
            listener,
        )));
        Ok(())
    }

    /// Ends a running search: its best move follows at once.
    pub fn stop(&self) {
        if let Some(job) = self.pool.job() {
            job.request_stop();
        }
    }

    /// The opponent has played the move that is pondered on: the clock runs.
    pub fn ponder_hit(&self) {
        if let Some(job) = self.pool.job() {
            job.ponder_hit();
        }
    }

    /// True until the best move is announced.
    pub fn is_searching(&self) -> bool {
        self.pool.is_searching()
    }

    /// Waits until the best move has been announced.
    pub fn wait(&self) {
        self.pool.wait();
    }

    /// Searches and waits for the end. With `infinite` or `ponder` that needs a `stop` from another thread,
    /// which nobody here could send: both are ignored.
    ///
    /// # Errors
    /// If a search is running.
    pub fn search(&mut self, limits: Limits) -> Result<Outcome, EngineError> {
        let collector = Arc::new(Collector::default());
        let started = Instant::now();
        let limits = Limits { infinite: false, ponder: false, ..limits };
        self.go(limits, Arc::clone(&collector) as Arc<dyn Listener>)?;
        self.wait();
        let mut outcome = std::mem::take(&mut *collector.outcome.lock());
        outcome.nodes = self.nodes();
        outcome.null_counts = self.null_counts();
        outcome.time = started.elapsed();
        Ok(outcome)
    }

    /// The nodes of the last search, or of the present one so far.
    pub fn nodes(&self) -> u64 {
        self.pool.job().map_or(0, |job| job.nodes.sum())
    }

    /// What became of the null moves of the last search, as far as its threads have told.
    pub fn null_counts(&self) -> NullCounts {
        self.pool.job().map_or_else(NullCounts::default, Job::null_counts)
    }

    fn idle(&mut self) -> Result<(), EngineError> {
        if self.pool.is_searching() {
            return Err(EngineError::Busy);
        }
        self.pool.settle();
        Ok(())
    }

    /// The table, once nobody else holds it.
    fn own_table(&mut self) -> Result<&mut Table, EngineError> {
        self.idle()?;
        Arc::get_mut(&mut self.table).ok_or(EngineError::Busy)
    }
}

fn start_pool(threads: usize, pin: Pin) -> Result<Pool, EngineError> {
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(EngineError::Threads(format!("{threads} is not between 1 and {MAX_THREADS}")));
    }
    Pool::new(&topology::plan(pin, threads, &topology::cores()))
        .map_err(|error| EngineError::Threads(format!("{threads} cannot be started: {error}")))
}

#[derive(Default)]
struct Collector {
    outcome: Mutex<Outcome>,
}

impl Listener for Collector {
    fn line(&self, info: &Info) {
        let lines = &mut self.outcome.lock().lines;
        lines.truncate(info.multipv - 1);
        lines.push(info.clone());
    }

    fn best_move(&self, best: Option<Move>, ponder: Option<Move>) {
        let mut outcome = self.outcome.lock();
        outcome.best = best;
        outcome.ponder = ponder;
    }
}
