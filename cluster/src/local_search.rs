//! What the protocol needs of the engine on its own machine.

use caesura::board::notation::to_uci;
use caesura::engine::{Others, SharedEntry, SharedResult, SharedSearch};
use caesura::types::Depth;

/// The present search of the engine on this machine, or its last one.
pub trait LocalSearch {
    /// What is searched; `None` if nothing is.
    fn subject(&self) -> Option<Subject>;
    /// The nodes of this machine so far, and its tablebase hits.
    fn counts(&self) -> (u64, u64);
    /// What this machine has found so far.
    fn result(&self) -> Option<SharedResult>;
    /// Makes known what the other machines have counted and found in the position of this key, if that is searched.
    fn set_others(&self, key: u64, others: Others);
    /// Sets the depth from which entries are queued, in plies.
    fn set_min_depth(&self, depth: Depth);
    /// Takes up to `most` entries from the queues.
    fn take_entries(&self, most: usize) -> Vec<SharedEntry>;
    /// How many entries have been lost because the queues were full.
    fn lost_entries(&self) -> u64;
    /// Stores entries of other machines; returns how many were refused.
    fn store(&self, entries: Vec<SharedEntry>) -> usize;
}

/// What a search is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The key of the position.
    pub key: u64,
    /// The moves to keep to, in UCI notation; empty for all.
    pub search_moves: Vec<String>,
    /// The network that evaluates.
    pub network: String,
}

impl LocalSearch for SharedSearch {
    fn subject(&self) -> Option<Subject> {
        let (board, network) = (self.board()?, self.network()?);
        let text = |&m| to_uci(m, board.is_chess960()).to_string();
        let search_moves = self.search_moves().iter().map(text).collect();
        Some(Subject { key: board.key(), search_moves, network })
    }

    fn counts(&self) -> (u64, u64) {
        SharedSearch::counts(self)
    }

    fn result(&self) -> Option<SharedResult> {
        SharedSearch::result(self)
    }

    fn set_others(&self, key: u64, others: Others) {
        SharedSearch::set_others(self, key, others);
    }

    fn set_min_depth(&self, depth: Depth) {
        SharedSearch::set_min_depth(self, depth);
    }

    fn take_entries(&self, most: usize) -> Vec<SharedEntry> {
        SharedSearch::take_entries(self, most)
    }

    fn lost_entries(&self) -> u64 {
        SharedSearch::lost_entries(self)
    }

    fn store(&self, entries: Vec<SharedEntry>) -> usize {
        SharedSearch::store(self, entries)
    }
}
