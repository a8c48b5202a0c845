//! The state of one search thread.

use std::collections::TryReserveError;
use std::sync::Arc;
use std::time::Duration;

use super::history::{Histories, SharedHistories};
use super::null_move::{NullBreakdown, NullCounts};
use super::null_move_state::NullMoveStack;
use super::pv::PvTable;
use super::results::ThreadResult;
use super::root_move::RootMove;
use super::stack::Stack;
use crate::board::Board;
use crate::nnue;
use crate::types::{Depth, Move, Value};

/// All that one search thread owns. It is made by the thread itself, so that its memory lies near the processor that
/// uses it.
pub struct Worker {
    /// The index of the thread; 0 is the main worker.
    pub id: usize,
    /// The NUMA node of the thread, counted from 0 in the placement.
    pub numa_node: usize,
    /// How often it yields its processor when it starts, so that other threads start: not at all if there are processors
    /// for all.
    pub yields_at_start: u32,
    /// The position being searched.
    pub board: Board,
    /// The network's accumulators for that position.
    pub evaluator: nnue::Evaluator,
    /// What the nodes of the path leave for their descendants.
    pub stack: Stack,
    /// The null moves on the path.
    pub null_moves: NullMoveStack,
    /// Principal variations.
    pub pv: PvTable,
    /// What was learnt of moves and of the errors of the static evaluation.
    pub histories: Histories,
    /// The moves at the root.
    pub root_moves: Vec<RootMove>,
    /// The index of the line being searched (MultiPV): the root moves before it belong to better lines.
    pub pv_index: usize,
    /// Legal moves are left out at the root (`searchmoves`).
    pub root_is_restricted: bool,
    /// The principal variation of the last iteration, for the line being searched; kept only where a null move asks for it.
    pub last_pv: Vec<Move>,
    /// Nodes of this search.
    pub nodes: u64,
    /// The most pieces of a position that is looked up in endgame tables; 0 if none is.
    pub tb_pieces: u32,
    /// Positions of this search that were found in endgame tables.
    pub tb_hits: u64,
    /// Null moves of this search.
    pub null_counts: NullCounts,
    /// Null moves of this search by the class of their nodes, where they are counted so.
    pub null_breakdown: Option<NullBreakdown>,
    /// Nodes of the current batch that may still be searched.
    pub node_batch: u64,
    /// The node limit of the search has been reached.
    pub node_limit_hit: bool,
    /// The greatest distance from the root of a PV node of the line being searched in this iteration, in plies.
    pub seldepth: usize,
    /// The width of the root's window, in centipawns.
    pub root_width: Value,
    /// The depth of this iteration, in plies.
    pub root_depth: Depth,
    /// The depth of the last completed iteration, in plies.
    pub completed_depth: Depth,
    /// What the thread had found when it completed that iteration.
    pub completed_result: Arc<ThreadResult>,
    /// How long after the start of the search the current move may be reported again.
    pub next_current_move: Duration,
    /// Nodes of this depth or more are offered to other machines, in plies; beyond every depth if there are none.
    pub shared_depth: Depth,
}

/// A bound on the memory of a worker in bytes. It takes about three quarters of that: two thirds of it are histories, most
/// of the rest accumulators.
pub const WORKER_BYTES: usize = 4 << 20;

impl Worker {
    /// An idle worker, at the start position.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(id: usize, numa_node: usize, shared: Arc<SharedHistories>) -> Result<Worker, TryReserveError> {
        let board = Board::start();
        Ok(Worker {
            id,
            numa_node,
            yields_at_start: 0,
            evaluator: nnue::Evaluator::new(nnue::embedded())?,
            board,
            stack: Stack::new()?,
            null_moves: NullMoveStack::new()?,
            pv: PvTable::new()?,
            histories: Histories::new(shared)?,
            root_moves: Vec::new(),
            pv_index: 0,
            root_is_restricted: false,
            last_pv: Vec::new(),
            nodes: 0,
            tb_pieces: 0,
            tb_hits: 0,
            null_counts: NullCounts::default(),
            null_breakdown: None,
            node_batch: 0,
            node_limit_hit: false,
            seldepth: 0,
            root_width: 1,
            root_depth: 0,
            completed_depth: 0,
            completed_result: Arc::default(),
            next_current_move: Duration::ZERO,
            shared_depth: Depth::MAX,
        })
    }

    /// True if the accumulators agree with the board: for assertions.
    pub fn is_in_step(&mut self) -> bool {
        self.evaluator.is_in_step_with(&self.board)
    }

    /// Clears what the worker itself has learnt.
    pub fn new_game(&mut self) {
        self.histories.clear();
    }
}
