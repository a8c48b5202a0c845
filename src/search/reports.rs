//! What a search reports. It never prints.

use std::time::Duration;

use crate::types::{Bound, Depth, Move, Value};

/// One line of the search's thinking.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// The nominal depth, in plies.
    pub depth: Depth,
    /// The greatest distance from the root, in plies.
    pub seldepth: usize,
    /// The rank of the line, from 1.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Value,
    /// How to read the score.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, per mille.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tb_hits: u64,
    /// The line, best move first.
    pub pv: Vec<Move>,
}

/// Who listens to a search. Called from the thread that watches the clock, one call at a time: whoever takes long holds
/// up the best move.
pub trait Listener: Send + Sync {
    /// A line is known.
    fn line(&self, _info: &Info) {}
    /// A root move is being searched, the `number`th (from 1).
    fn current_move(&self, _depth: Depth, _m: Move, _number: usize) {}
    /// Something worth saying.
    fn note(&self, _text: &str) {}
    /// The end: exactly once a search, the last call. `None` when there is no legal move.
    fn best_move(&self, _best: Option<Move>, _ponder: Option<Move>) {}
}

/// A listener that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullListener;

impl Listener for NullListener {}
