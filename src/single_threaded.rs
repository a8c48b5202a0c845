//! An engine without a thread pool: it searches in the thread that calls it.
//!
//! Tools that play many games side by side have a thread for each game already. Waking other threads for searches of a
//! few hundred nodes would cost more than the searches themselves.

use std::collections::TryReserveError;
use std::sync::Arc;

use crate::board::Board;
use crate::clock::{Limits, TimeBudget};
use crate::engine::{EngineError, SearchResult};
use crate::nnue::Network;
use crate::search::history::SharedHistories;
use crate::search::null_move::NullMoveObserver;
use crate::search::reports::{Listener, NullListener};
use crate::search::results::best_and_ponder;
use crate::search::{self, Job, NodeQuery, SearchOptions, SearchRequest, Worker};
use crate::tt::TranspositionTable;
use crate::types::Value;
use crate::util::sync::Instant;

pub use crate::search::job::STACK_SIZE;

/// An engine that searches in the calling thread, with a transposition table and histories of its own.
pub struct SingleThreadedEngine {
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    worker: Box<Worker>,
    listener: Arc<dyn Listener>,
}

impl SingleThreadedEngine {
    /// An engine with a transposition table of this many megabytes.
    ///
    /// # Errors
    /// If there is no memory for the table or the histories.
    pub fn new(hash_megabytes: usize) -> Result<SingleThreadedEngine, EngineError> {
        let worker = || Worker::new(0, 0, Arc::new(SharedHistories::new(1)?));
        let no_memory =
            |cause: TryReserveError| EngineError::StartThreads { requested: 1, cause: cause.into() };
        Ok(SingleThreadedEngine {
            options: SearchOptions::default(),
            table: Arc::new(TranspositionTable::new(hash_megabytes)?),
            worker: Box::new(worker().map_err(no_memory)?),
            listener: Arc::new(NullListener),
        })
    }

    /// Empties the transposition table and all histories.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.worker.new_game();
        self.worker.histories.shared.clear();
    }

    /// Sets the network that evaluates positions. If it is another than before, a new game begins.
    pub fn set_network(&mut self, network: Arc<Network>) {
        if !Arc::ptr_eq(&network, &self.options.network) {
            self.new_game();
            self.options.network = network;
        }
    }

    /// The search options; changes count from the next search on.
    pub fn options_mut(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// Searches a position and returns the result. The calling thread needs a stack of at least [`STACK_SIZE`] bytes.
    ///
    /// Only nodes, soft nodes, depth and mate limit the search, since no other thread watches the clock: without any of them
    /// it goes to the greatest depth. If there is no legal move, there is no best one.
    pub fn search(&mut self, board: &Board, limits: Limits) -> SearchResult {
        self.search_by(board, limits, search::run)
    }

    /// [`SingleThreadedEngine::search`], with an observer that sees the null moves and may overrule them. Unless they are
    /// overruled the result is the same; the search is a few per cent slower.
    pub fn search_observed(
        &mut self,
        board: &Board,
        limits: Limits,
        observer: &mut dyn NullMoveObserver,
    ) -> SearchResult {
        self.search_by(board, limits, |worker, job| search::run_observed(worker, job, observer))
    }

    fn search_by(
        &mut self,
        board: &Board,
        limits: Limits,
        run: impl FnOnce(&mut Worker, &Job),
    ) -> SearchResult {
        let started = Instant::now();
        let job = self.job(board, limits, started);
        if job.request.root_moves.is_empty() {
            return SearchResult::default();
        }
        run(&mut self.worker, &job);
        let lines = search::lines_or_one_ply(&job, job.results.of_thread(0).lines.clone());
        let (best, ponder) = best_and_ponder(&lines);
        SearchResult {
            best,
            ponder,
            nodes: job.results.nodes(),
            warnings: Vec::new(),
            null_counts: job.results.null_counts(),
            time: started.elapsed(),
            lines,
        }
    }

    /// Searches one node of the tree below a position, by iterative deepening up to its depth, and returns its value in
    /// centipawns for the side to move there: beta or more if it fails high, a bound in any case. `None` if it took more
    /// than this many nodes or the path is not legal.
    /// `&mut ()` is an observer that does nothing. The calling thread needs a stack of at least [`STACK_SIZE`] bytes.
    pub fn search_node(
        &mut self,
        root: &Board,
        node: &NodeQuery<'_>,
        nodes: u64,
        observer: &mut dyn NullMoveObserver,
    ) -> Option<Value> {
        let job = self.job(root, Limits::nodes(nodes), Instant::now());
        search::search_single_node(&mut self.worker, &job, node, observer)
    }

    /// A search that has not begun, with this engine's table.
    fn job(&self, board: &Board, limits: Limits, started: Instant) -> Job {
        let limits = Limits { infinite: false, ponder: false, ..limits };
        let request = SearchRequest::new(board.clone(), limits, self.options.clone(), started);
        let request = SearchRequest { time_budget: TimeBudget::default(), ..request };
        self.table.new_search();
        Job::new(request, Arc::clone(&self.table), 1, Arc::clone(&self.listener))
    }
}
