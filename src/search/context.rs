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
        let worker = &mut *self.worker;
        if worker.claimed == 0 {
            worker.claimed = self.job.claim_nodes(lot(self.job));
            if worker.claimed == 0 {
                worker.exhausted = true;
                self.job.stop_workers();
                return false;
            }
        }
        worker.claimed -= 1;
        worker.nodes += 1;
        self.job.nodes.get(worker.id).set(worker.nodes);
        true
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

/// How many nodes a worker claims at a time.
fn lot(job: &Job) -> u64 {
    match job.limits.nodes {
        // As good as endless, and still enough for every other worker.
        None => 1 << 32,
        Some(limit) if job.findings.len() == 1 => limit,
        Some(limit) => (limit / (8 * job.findings.len() as u64)).clamp(1, 1024),
    }
}
