//! The facade: a position, options, go, stop. UCI, bench and the tools talk to this and to nothing below.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;

use crate::board::Board;
use crate::clock::TimeBudget;
use crate::pool::Pool;
use crate::search::root_move::root_moves;
use crate::search::{Job, NetworkReplicas, SearchOptions};
use crate::topology::{self, Machine, NumaPolicy, Pin, Placement};
use crate::tt::{ResizeError, TranspositionTable};
use crate::types::Move;
use crate::util::numa::BytesByNumaNode;
use crate::util::pages::PageBacking;
use crate::util::sync::Instant;

// What callers of the engine need with it.
pub use crate::clock::Limits;
pub use crate::nnue::load::{
    EMBEDDED as EMBEDDED_NETWORK, MATERIAL as MATERIAL_NETWORK, load as load_network,
};
pub use crate::nnue::{Network, NetworkError};
pub use crate::params::{ALL as TUNABLE_PARAMS, Param};
pub use crate::search::null_move::{NullCounts, SchemeName};
pub use crate::search::reports::{Info, Listener};

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
pub struct SearchResult {
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
    /// As many as were asked for; the plan may seat fewer.
    threads: usize,
    numa_policy: NumaPolicy,
    pin: Pin,
    placement: Placement,
    table: Arc<TranspositionTable>,
    pool: Pool,
}

impl Engine {
    /// An engine at the start position with so many threads and so large a table. No more threads search than there
    /// are processors, until [`Engine::set_policy`] wants all of them to.
    ///
    /// # Errors
    /// If there is no memory for the table or no room for the threads.
    pub fn new(threads: usize, hash_megabytes: usize) -> Result<Engine, EngineError> {
        let (policy, pin) = (NumaPolicy::default(), Pin::default());
        let (plan, pool) = start_pool(threads, &policy, pin)?;
        let mut engine = Engine {
            board: Board::start(),
            options: SearchOptions::default(),
            threads,
            numa_policy: policy,
            pin,
            placement: plan,
            table: Arc::new(TranspositionTable::without_memory()),
            pool,
        };
        engine.set_hash(hash_megabytes)?;
        engine.replicate_network();
        Ok(engine)
    }

    /// How many threads were asked for.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many threads search: fewer than were asked for, if the policy is [`Policy::Auto`] and there are not so many
    /// processors.
    pub fn active_threads(&self) -> usize {
        self.pool.len()
    }

    /// Gives the table another size in megabytes; its content is lost. The threads touch its memory first, each a
    /// part, so that it is there soon, and, unless the plan says on which nodes, lies where they are.
    ///
    /// # Errors
    /// If a search is running, or there is no memory: then the old table stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), EngineError> {
        let nodes = self.placement.table_numa_nodes.clone();
        self.renew_table(|table| table.allocate(megabytes, &nodes))
    }

    /// The size of the table in megabytes, and on what pages it lies, if the system says.
    pub fn hash(&self) -> (usize, Option<PageBacking>) {
        (self.table.megabytes(), self.table.backing())
    }

    /// On which memory nodes the table lies, if the system says.
    pub fn hash_by_numa_node(&self) -> Option<BytesByNumaNode> {
        self.table.bytes_by_numa_node()
    }

    /// Empties the table.
    ///
    /// # Errors
    /// If a search is running.
    pub fn clear_hash(&mut self) -> Result<(), EngineError> {
        self.require_idle()?;
        let (table, parts) = (Arc::clone(&self.table), self.active_threads());
        self.pool.broadcast(move |part| table.clear_part(part, parts));
        Ok(())
    }

    /// Searches with another number of threads from now on, as far as the policy lets all of them search.
    ///
    /// # Errors
    /// If a search is running, the number is out of range or the system refuses: then the old threads stay. If there is
    /// no memory for the table on the nodes of the new ones: then it is smaller.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        self.require_idle()?;
        if threads != self.threads {
            let seated = start_pool(threads, &self.numa_policy, self.pin)?;
            self.threads = threads;
            self.replace_threads(seated)?;
        }
        Ok(())
    }

    /// The machine that the threads run on.
    pub fn machine(&self) -> &'static Machine {
        topology::this_machine()
    }

    /// Where the threads have their places.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Says to which memory nodes threads are bound, and whether more may search than there are processors.
    ///
    /// # Errors
    /// If a search is running or the system refuses: then all stays as it is. If there is no memory for the table on the
    /// nodes of the new threads: then it is smaller.
    pub fn set_numa_policy(&mut self, policy: NumaPolicy) -> Result<(), EngineError> {
        self.require_idle()?;
        if policy != self.numa_policy {
            let seated = start_pool(self.threads, &policy, self.pin)?;
            self.numa_policy = policy;
            self.replace_threads(seated)?;
        }
        Ok(())
    }

    /// Says when threads are pinned to single processors.
    ///
    /// # Errors
    /// If a search is running or the system refuses: then all stays as it is. If there is no memory for the table on the
    /// nodes of the new threads: then it is smaller.
    pub fn set_pin(&mut self, pin: Pin) -> Result<(), EngineError> {
        self.require_idle()?;
        if pin != self.pin {
            let seated = start_pool(self.threads, &self.numa_policy, pin)?;
            self.pin = pin;
            self.replace_threads(seated)?;
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

    /// Evaluates by this network from now on. What was learnt under another is forgotten.
    ///
    /// # Errors
    /// If a search is running: then all stays as it is.
    pub fn set_network(&mut self, network: Arc<Network>) -> Result<(), EngineError> {
        self.require_idle()?;
        if !Arc::ptr_eq(&network, &self.options.network) {
            self.new_game()?;
            self.options.network = network;
            self.replicate_network();
        }
        Ok(())
    }

    /// The network that positions are evaluated by.
    pub fn network(&self) -> &Arc<Network> {
        &self.options.network
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
        let budget = TimeBudget::new(&limits, side, self.options.move_overhead, self.board.ply());
        let root_moves = root_moves(&self.board, &limits.search_moves);
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
    pub fn search(&mut self, limits: Limits) -> Result<SearchResult, EngineError> {
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

    /// The nodes that each thread that searches has done in the last search, or in the present one so far.
    pub fn nodes_by_thread(&self) -> Vec<u64> {
        let count =
            |job: &Job| (0..self.active_threads()).map(|thread| job.nodes.get(thread).value()).collect();
        self.pool.job().map_or_else(Vec::new, count)
    }

    /// How long after `go` each thread that searches has begun to; `None` for those that have not yet.
    pub fn thread_start_times(&self) -> Vec<Option<Duration>> {
        let start = |nanoseconds| (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds));
        let starts = |job: &Job| {
            (0..self.active_threads()).map(|thread| start(job.start_times.get(thread).value())).collect()
        };
        self.pool.job().map_or_else(Vec::new, starts)
    }

    /// Goes on with new threads. Memory follows them: the copies of the network, and, where they are on other nodes
    /// than before, a new table in the place of the old one.
    fn replace_threads(&mut self, (plan, pool): (Placement, Pool)) -> Result<(), EngineError> {
        self.pool = pool;
        let former = std::mem::replace(&mut self.placement, plan);
        self.replicate_network();
        if former.table_numa_nodes != self.placement.table_numa_nodes {
            let nodes = self.placement.table_numa_nodes.clone();
            self.renew_table(|table| table.move_to(&nodes))?;
        }
        Ok(())
    }

    /// Has the threads touch what memory the table gets.
    fn renew_table(
        &mut self,
        renew: impl FnOnce(&mut TranspositionTable) -> Result<(), ResizeError>,
    ) -> Result<(), EngineError> {
        let table = self.table_mut()?;
        let result = renew(table).map_err(|error| EngineError::Hash(error.to_string()));
        if table.take_untouched() {
            let (table, parts) = (Arc::clone(&self.table), self.active_threads());
            self.pool.broadcast(move |part| table.touch_part(part, parts));
        }
        result
    }

    /// Gives every memory node of the plan its own copy of the network, made by a thread of that node. Where there
    /// is no memory for one, its threads use the original.
    fn replicate_network(&mut self) {
        self.options.network_replicas = NetworkReplicas::default();
        if self.placement.numa_nodes == 1 {
            return;
        }
        let network = Arc::clone(&self.options.network);
        let first = |node| self.placement.threads.iter().position(|seat| seat.numa_node == node);
        let makers: Vec<Option<usize>> = (0..self.placement.numa_nodes).map(first).collect();
        let made: Arc<Vec<OnceLock<Network>>> = Arc::new(makers.iter().map(|_| OnceLock::new()).collect());
        let (original, slots) = (Arc::clone(&network), Arc::clone(&made));
        self.pool.broadcast(move |worker| {
            if let Some(node) = makers.iter().position(|&maker| maker == Some(worker))
                && let Ok(copy) = original.duplicate()
            {
                // Nobody else fills this slot.
                let _ = slots[node].set(copy);
            }
        });
        let copies = Arc::into_inner(made).unwrap_or_default().into_iter();
        let nodes =
            copies.map(|slot| slot.into_inner().map_or_else(|| Arc::clone(&network), Arc::new)).collect();
        self.options.network_replicas = NetworkReplicas { original: Some(network), by_numa_node: nodes };
    }

    fn require_idle(&mut self) -> Result<(), EngineError> {
        if self.pool.is_searching() {
            return Err(EngineError::Busy);
        }
        self.pool.wait_until_idle();
        Ok(())
    }

    /// The table, once nobody else holds it.
    fn table_mut(&mut self) -> Result<&mut TranspositionTable, EngineError> {
        self.require_idle()?;
        Arc::get_mut(&mut self.table).ok_or(EngineError::Busy)
    }
}

fn start_pool(threads: usize, policy: &NumaPolicy, pin: Pin) -> Result<(Placement, Pool), EngineError> {
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(EngineError::Threads(format!("{threads} is not between 1 and {MAX_THREADS}")));
    }
    let plan = topology::place_threads(topology::this_machine(), policy, threads, pin);
    let pool = Pool::new(&plan)
        .map_err(|error| EngineError::Threads(format!("{threads} cannot be started: {error}")))?;
    Ok((plan, pool))
}

#[derive(Default)]
struct Collector {
    outcome: Mutex<SearchResult>,
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
