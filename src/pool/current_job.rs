//! The present search, for a thread that is none of the pool.

use std::sync::Arc;

use super::coordinator;
use crate::search::Job;
use crate::search::sharing::SharedResult;
use crate::util::sync::Mutex;

/// The search that a pool runs, if it runs one, as another thread may look at it.
///
/// The search cannot be taken out: where the pool gives up its search, because memory changes hands, it waits for a thread
/// that looks at it.
#[derive(Clone, Default)]
pub struct CurrentJob(Arc<Mutex<Option<Arc<Job>>>>);

impl CurrentJob {
    /// Calls a function with the present search, or with the last one unless the pool has been made idle since.
    pub fn with<T>(&self, function: impl FnOnce(&Job) -> T) -> Option<T> {
        self.0.lock().as_deref().map(function)
    }

    /// What the threads have found so far, by the vote that selects the best move.
    pub fn result(&self) -> Option<SharedResult> {
        self.with(coordinator::shared_result)?
    }

    /// Shows another search, or none.
    pub(super) fn set(&self, job: Option<Arc<Job>>) {
        // The old one is dropped after the lock is released.
        let _old = std::mem::replace(&mut *self.0.lock(), job);
    }
}
