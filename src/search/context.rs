//! A worker at work: what every part of the search stands on.

use super::history::{NO_MOVE, row};
use super::null_move::Scheme;
use super::picker::Knowledge;
use super::shared::Job;
use super::worker::Worker;
use crate::board::Threats;
use crate::types::{Move, Value};

/// A worker at work on a job, under a null-move scheme.
pub struct Search<'a, S> {
    /// The thread's own state.
    pub worker: &'a mut Worker,
    /// What all threads share.
    pub job: &'a Job,
    /// What a null move means.
    pub scheme: S,
}

/// The score of a draw.
pub(super) const DRAW: Value = 0;

impl<S: Scheme> Search<'_, S> {
    /// True when the search must end; then every value on the way up is void.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        // The first iteration is always completed, so that there is a searched move to play.
        self.worker.exhausted || self.job.is_stopped() && self.worker.completed > 0
    }

    /// Counts a node; false if none may be searched any more.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        if self.worker.node_batch == 0 && !self.next_node_batch() {
            return false;
        }
        let worker = &mut *self.worker;
        worker.node_batch -= 1;
        worker.nodes += 1;
        self.job.nodes.get(worker.id).set(worker.nodes);
        true
    }

    /// Claims the next nodes and looks at the clock; false if there are none.
    ///
    /// It is the coordinator that ends the search. But among many more threads than processors it is 30 ms before its
    /// turn comes, while some worker is always at work; and once all have seen the flag, nobody is in its way.
    #[cold]
    fn next_node_batch(&mut self) -> bool {
        if self.job.is_past_deadline() {
            self.job.stop_workers();
        }
        self.worker.node_batch = self.job.take_node_batch(node_batch_size(self.job));
        if self.worker.node_batch == 0 {
            self.worker.exhausted = true;
            self.job.stop_workers();
        }
        self.worker.node_batch > 0
    }

    /// Fetches into the cache what the table holds of the position after a move that is likely to be played.
    #[inline]
    pub(super) fn prefetch(&self, m: Move) {
        self.job.table.prefetch(self.worker.board.key_after(m));
    }

    /// Plays a move on the board.
    #[inline]
    pub(super) fn advance(&mut self, ply: usize, m: Move) {
        let worker = &mut *self.worker;
        let frame = worker.stack.at(ply);
        frame.played = Some(m);
        frame.row = worker.board.piece_on(m.from()).map_or(NO_MOVE, |piece| row(piece, m.to()));
        worker.board.make(m, &mut worker.evaluator);
        worker.correction.prefetch(&worker.board, worker.last_moves(ply + 1));
        if S::PATH {
            worker.passes.descend(ply, false);
        }
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn retreat(&mut self, m: Move) {
        let worker = &mut *self.worker;
        worker.board.undo(m, &mut worker.evaluator);
    }

    pub(super) fn knowledge<'b>(&'b self, ply: usize, threats: &'b Threats) -> Knowledge<'b> {
        Knowledge {
            board: &self.worker.board,
            histories: &self.worker.histories,
            stack: &self.worker.stack,
            ply,
            threats,
        }
    }
}

/// The most nodes that a worker claims at a time, about a millisecond's.
const MAX_NODE_BATCH: u64 = 1024;

/// How many nodes a worker claims at a time.
fn node_batch_size(job: &Job) -> u64 {
    let workers = job.thread_results.len() as u64;
    // Enough is left for every other worker.
    let share = if workers == 1 {
        MAX_NODE_BATCH
    } else {
        job.limits.nodes.map_or(MAX_NODE_BATCH, |limit| limit / (8 * workers))
    };
    share.clamp(1, MAX_NODE_BATCH)
}
