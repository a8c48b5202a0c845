//! The result of a search that was waited for.

use std::time::Duration;

use parking_lot::Mutex;

use crate::search::null_move::NullCounts;
use crate::search::reports::{Info, Listener};
use crate::types::Move;

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The answer that is expected, to ponder on.
    pub ponder: Option<Move>,
    /// The last principal variations, best first.
    pub lines: Vec<Info>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// What the search wanted to use and could not, such as damaged endgame tables, each once for as long as they are set;
    /// nothing of a search in the calling thread.
    pub warnings: Vec<String>,
    /// Null-move statistics of all threads, as far as they have published them by the end.
    pub null_counts: NullCounts,
    /// From the start to the best move.
    pub time: Duration,
}

/// A listener that keeps the last lines, warnings and the best move.
#[derive(Default)]
pub(super) struct Collector(Mutex<SearchResult>);

impl Collector {
    /// What has been reported so far; takes it away.
    pub(super) fn take(&self) -> SearchResult {
        std::mem::take(&mut *self.0.lock())
    }
}

impl Listener for Collector {
    fn line(&self, info: &Info) {
        info.put_into(&mut self.0.lock().lines);
    }

    fn warning(&self, text: &str) {
        self.0.lock().warnings.push(text.to_string());
    }

    fn best_move(&self, best: Option<Move>, ponder: Option<Move>) {
        let mut result = self.0.lock();
        result.best = best;
        result.ponder = ponder;
    }
}
