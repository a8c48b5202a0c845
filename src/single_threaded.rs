//! An engine without threads: it searches in the thread that calls it.
//!
//! Tools that play many games side by side have a thread for each game already. Handing searches of a few hundred
//! nodes to workers would cost them more than the searches themselves.

use std::sync::Arc;

use crate::board::Board;
use crate::clock::{Limits, TimeBudget};
use crate::engine::{EngineError, SearchResult};
use crate::nnue::Network;
use crate::search::history::Correction;
use crate::search::reports::{Listener, NullListener};
use crate::search::root_move::root_moves;
use crate::search::{self, Job, SearchOptions, Worker};
use crate::tt::TranspositionTable;
use crate::types::Move;
use crate::util::sync::Instant;

/// The stack that a thread needs to search, in bytes: the deepest path takes about a third of it.
pub const STACK: usize = 8 << 20;

/// One worker and its transposition table.
pub struct SingleThreadedEngine {
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    worker: Box<Worker>,
    listener: Arc<dyn Listener>,
}

impl SingleThreadedEngine {
    /// An engine with a table of so many megabytes.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(hash_megabytes: usize) -> Result<SingleThreadedEngine, EngineError> {
        let table =
            TranspositionTable::new(hash_megabytes).map_err(|error| EngineError::Hash(error.to_string()))?;
        Ok(SingleThreadedEngine {
            options: SearchOptions::default(),
            table: Arc::new(table),
            worker: Box::new(Worker::new(0, 0, Arc::new(Correction::new(1)))),
            listener: Arc::new(NullListener),
        })
    }

    /// Forgets everything learnt from earlier positions.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.worker.new_game();
        self.worker.correction.clear();
    }

    /// Evaluates by this network from now on. What was learnt under another is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        if !Arc::ptr_eq(&network, &self.options.network) {
            self.new_game();
            self.options.network = network;
        }
    }

    /// What a search is told besides its limits.
    pub fn options_mut(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// Searches a position, in a thread with a stack of at least [`STACK`]. Only nodes, depth and mate limit such a
    /// search, since nobody watches a clock meanwhile: without any of them it goes to the greatest depth. Where
    /// there is no move, there is no best one.
    pub fn search(&mut self, board: &Board, limits: Limits) -> SearchResult {
        let started = Instant::now();
        let root_moves = root_moves(board, &limits.search_moves);
        let Some(&any) = root_moves.first() else {
            return SearchResult::default();
        };
        self.table.new_search();
        let job = Job::new(
            board.clone(),
            Limits { infinite: false, ponder: false, ..limits },
            self.options.clone(),
            root_moves,
            TimeBudget::default(),
            started,
            Arc::clone(&self.table),
            1,
            Arc::clone(&self.listener),
        );
        search::run(&mut self.worker, &job);
        let lines = std::mem::take(&mut job.thread_results[0].lock().lines);
        let pv: &[Move] = lines.first().map_or(&[], |line| &line.pv);
        SearchResult {
            best: Some(pv.first().copied().unwrap_or(any)),
            ponder: pv.get(1).copied(),
            nodes: job.nodes.sum(),
            null_counts: job.null_counts(),
            time: started.elapsed(),
            lines,
        }
    }
}
