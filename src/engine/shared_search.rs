//! The present search of an engine, for a thread that exchanges what it knows with other machines.

use crate::board::Board;
use crate::pool::CurrentJob;
use crate::search::sharing::{Others, SharedResult, Sharing};
use crate::tt::SharedEntry;
use crate::types::{Depth, Move};

/// The present search of an engine, or its last one; see [`Engine::share_searches`](super::Engine::share_searches).
///
/// All methods may be called from any thread. They wait for one another, and as long as a search thread takes to read or write
/// its result. Without a search they do nothing and return nothing.
#[derive(Clone)]
pub struct SharedSearch(CurrentJob);

impl SharedSearch {
    pub(super) fn new(job: CurrentJob) -> SharedSearch {
        SharedSearch(job)
    }

    /// The position that is searched.
    pub fn board(&self) -> Option<Board> {
        self.0.with(|job| job.request.board.clone())
    }

    /// The root moves that the search is restricted to (`searchmoves`); empty for all.
    pub fn search_moves(&self) -> Vec<Move> {
        self.0.with(|job| job.request.limits.search_moves.clone()).unwrap_or_default()
    }

    /// The name of the network that evaluates: a digest of its contents.
    pub fn network(&self) -> Option<String> {
        self.0.with(|job| job.request.options.network.name())
    }

    /// The nodes of the threads of this machine so far, and how many positions they have found in endgame tables.
    pub fn counts(&self) -> (u64, u64) {
        self.0.with(|job| (job.results.nodes(), job.results.tb_hits())).unwrap_or_default()
    }

    /// What the threads of this machine have found so far; `None` before their first iteration.
    pub fn result(&self) -> Option<SharedResult> {
        self.0.result()
    }

    /// Makes known what the other machines have counted and found in the position of this key: counts go into what is
    /// reported, results into the vote on the best move. Does nothing if a search of another position has begun meanwhile.
    pub fn set_others(&self, key: u64, others: Others) {
        self.0.with(|job| {
            if let Some(sharing) = job.sharing.as_ref().filter(|_| job.request.board.key() == key) {
                sharing.set_others(others);
            }
        });
    }

    /// Has entries of this depth or more queued from now on, in plies; not below
    /// [`MIN_SHARED_DEPTH`](super::MIN_SHARED_DEPTH).
    pub fn set_min_depth(&self, depth: Depth) {
        self.with_sharing(|sharing| sharing.set_min_depth(depth));
    }

    /// Takes up to `most` entries of the table that its own threads have found.
    pub fn take_entries(&self, most: usize) -> Vec<SharedEntry> {
        self.with_sharing(|sharing| sharing.take_entries(most)).unwrap_or_default()
    }

    /// How many entries this search has lost because they were not taken in time.
    pub fn lost_entries(&self) -> u64 {
        self.with_sharing(Sharing::lost).unwrap_or_default()
    }

    /// Stores entries of other machines in the table. Returns how many were refused because no search can have found them.
    pub fn store(&self, entries: impl IntoIterator<Item = SharedEntry>) -> usize {
        // Nothing of the caller's runs while the job is locked.
        let entries: Vec<SharedEntry> = entries.into_iter().collect();
        let store = |job: &crate::search::Job| {
            entries.into_iter().filter(|&entry| !job.table.store_shared(entry)).count()
        };
        self.0.with(store).unwrap_or_default()
    }

    fn with_sharing<T>(&self, function: impl FnOnce(&Sharing) -> T) -> Option<T> {
        self.0.with(|job| job.sharing.as_ref().map(function))?
    }
}
