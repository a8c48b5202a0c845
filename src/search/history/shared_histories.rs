//! The histories that a group of search threads shares.

use std::collections::TryReserveError;

use super::{Butterfly, Correction};

/// What the search threads of a group remember together, from search to search until a new game begins. A group is a few
/// threads, under one last-level cache where they are bound to one (see [`Placement`](crate::topology::Placement)).
///
/// Several threads learn sooner than one what does not depend on where in the tree they are: how far the evaluation is
/// wrong, and how good a quiet move is wherever it is played. With more threads than a few, most of what a thread reads here
/// has been written by another since, and must come from its cache. (Stockfish shares correction and pawn history by NUMA
/// node since 2025.) Butterfly history that eight threads share, and not one of each, made +26 ± 12 Elo at 3,000 nodes a
/// thread (1,600 games in lockstep, in which capture, continuation and pawn history were shared or not, too: 0, +1 and
/// +3 ± 12).
pub struct SharedHistories {
    /// Quiet moves by side, squares and threats.
    pub butterfly: Butterfly,
    /// The errors of the static evaluation.
    pub correction: Correction,
}

impl SharedHistories {
    /// Tables of zeros for this many threads.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(threads: usize) -> Result<SharedHistories, TryReserveError> {
        Ok(SharedHistories { butterfly: Butterfly::new()?, correction: Correction::new(threads)? })
    }

    /// Sets every entry to zero.
    pub fn clear(&self) {
        self.butterfly.clear();
        self.correction.clear();
    }
}
