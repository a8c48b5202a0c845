//! A worker at work: moves, node counts and the entry of a node, which every part of the search stands on.

use std::ops::ControlFlow;

use super::history::update::PathNode;
use super::job::Job;
use super::move_picker::PickerContext;
use super::node::NodeKind;
use super::null_move::{AnyScheme, NullMoveObserver, Scheme};
use super::piece_to::{NO_MOVE, piece_to};
use super::turns::EngineTurns;
use super::window::{Best, Raise, Window};
use super::worker::Worker;
use crate::board::Threats;
use crate::types::{DRAW, MAX_PLY, Move, Value};

/// A worker that searches a job under a null-move scheme.
pub struct Searcher<'a, S> {
    /// The thread's own state.
    pub worker: &'a mut Worker,
    /// What all threads share.
    pub job: &'a Job,
    /// What a null move means.
    pub scheme: S,
    /// The observer of the search, if [`Scheme::SWITCHES`] lets it have one.
    pub observer: Option<&'a mut dyn NullMoveObserver>,
}

impl<'a> Searcher<'a, AnyScheme> {
    /// A worker that searches a job under its scheme, with an observer.
    pub fn observed(worker: &'a mut Worker, job: &'a Job, observer: &'a mut dyn NullMoveObserver) -> Self {
        let options = &job.request.options;
        let scheme = options.null_move.scheme(&options.null_move_settings);
        Searcher { worker, job, scheme, observer: Some(observer) }
    }
}

impl<S: Scheme> Searcher<'_, S> {
    /// True when the search must end; then every value on the way up is void.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.worker.node_limit_hit || self.job.signals.is_stopped() && !self.may_finish_first_iteration()
    }

    /// True while the first iteration goes on in spite of a stop, so that there is a searched move to play. It takes some
    /// dozens of nodes, but with many queens on the board quiescence may need millions, and then it is stopped too.
    /// Where threads take turns the main thread alone is waited for.
    fn may_finish_first_iteration(&self) -> bool {
        self.worker.completed_depth == 0
            && self.worker.nodes < FIRST_ITERATION_NODES
            && (self.worker.id == 0 || self.job.turns.is_none())
    }

    /// Leaves a node when the search must end.
    #[inline]
    pub fn check_stop(&self) -> ControlFlow<Value> {
        if self.is_stopped() { ControlFlow::Break(DRAW) } else { ControlFlow::Continue(()) }
    }

    /// Counts a node; false if the node limit has been reached.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if self.worker.node_batch == 0 && !self.next_node_batch() {
            return false;
        }
        let worker = &mut *self.worker;
        worker.node_batch -= 1;
        worker.nodes += 1;
        self.job.results.set_nodes(worker.id, worker.nodes);
        true
    }

    /// Requests the next batch of nodes and looks at the clock; false if no nodes are left.
    ///
    /// It is the coordinator that ends the search. But among many more threads than processors it is 30 ms before its
    /// turn comes, while some worker is always at work; and once all have seen the flag, no worker is in its way.
    #[cold]
    fn next_node_batch(&mut self) -> bool {
        if let Some(turns) = &self.job.turns {
            turns.pass(self.worker.id);
            if self.is_stopped() {
                return false;
            }
        }
        if self.job.signals.is_past_deadline() {
            self.job.signals.stop_threads();
        }
        self.worker.node_batch = self.job.signals.take_node_batch(node_batch_size(self.job));
        if self.worker.node_batch == 0 {
            self.job.signals.stop_threads();
            if self.worker.id == 0 && self.may_finish_first_iteration() {
                self.worker.node_batch = FIRST_ITERATION_NODES - self.worker.nodes;
            } else {
                self.worker.node_limit_hit = true;
            }
        }
        self.worker.node_batch > 0
    }

    /// Prefetches the table entry of the position after a move that is likely to be searched.
    #[inline]
    pub fn prefetch(&self, m: Move) {
        self.job.table.prefetch(self.worker.board.key_after(m));
    }

    /// Prefetches the table entries that the first searches of a node will probe, so that they come while it is evaluated:
    /// after its table move, and after a null move where one is likely.
    #[inline]
    pub fn prefetch_ahead(&self, tt_move: Option<Move>, null_move_likely: bool) {
        if let Some(m) = tt_move {
            self.prefetch(m);
        }
        if null_move_likely {
            self.job.table.prefetch(self.worker.board.key_after_null());
        }
    }

    /// Makes a move on the board and on the stack.
    #[inline]
    pub fn make_move(&mut self, ply: usize, m: Move) {
        let worker = &mut *self.worker;
        let entry = worker.stack.at(ply);
        entry.current_move = Some(m);
        entry.piece_to = worker.board.piece_on(m.from()).map_or(NO_MOVE, |piece| piece_to(piece, m.to()));
        worker.board.make_move(m, &mut worker.evaluator);
        worker.histories.shared.correction.prefetch(&worker.board, worker.last_moves(ply + 1));
        if S::READS_PATH {
            worker.null_moves.descend(ply, false);
        }
    }

    /// Takes back the last move.
    #[inline]
    pub fn unmake_move(&mut self, m: Move) {
        let worker = &mut *self.worker;
        worker.board.unmake_move(m, &mut worker.evaluator);
    }

    /// Makes a null move on the board and on the stack, searches the position after it, and takes it back: the only place
    /// where the search passes. `search` returns the value for the opponent; the result is for the side that passed.
    #[inline]
    pub fn search_null_move(&mut self, ply: usize, search: impl FnOnce(&mut Self) -> Value) -> Value {
        let worker = &mut *self.worker;
        worker.null_counts.tried += 1;
        let entry = worker.stack.at(ply);
        entry.current_move = None;
        entry.piece_to = NO_MOVE;
        if S::READS_PATH {
            worker.null_moves.descend(ply, true);
        }
        worker.board.make_null_move();
        let value = -search(self);
        self.worker.board.unmake_null_move();
        value
    }

    /// What every node begins with: a new principal variation, the end of the search, draws, and the greatest ply. Returns
    /// the window, its alpha raised where a repetition can be forced; or the value of a node that needs no search.
    #[inline]
    pub fn enter_node<N: NodeKind>(&mut self, ply: usize, window: Window) -> ControlFlow<Value, Window> {
        if N::PV {
            self.worker.pv.clear(ply);
            self.worker.seldepth = self.worker.seldepth.max(ply);
        }
        if N::ROOT {
            return ControlFlow::Continue(window);
        }
        self.check_stop()?;
        let worker = &mut *self.worker;
        let mut window = window;
        if window.alpha < DRAW && worker.board.upcoming_repetition(ply) {
            window.alpha = DRAW;
            if window.is_empty() {
                return ControlFlow::Break(DRAW);
            }
        }
        if worker.board.is_draw(ply) {
            return ControlFlow::Break(DRAW);
        }
        if ply >= MAX_PLY - 1 {
            let value = if worker.board.in_check() { DRAW } else { worker.evaluate(ply, None).corrected };
            return ControlFlow::Break(value);
        }
        ControlFlow::Continue(window)
    }

    /// Takes the value of one more move into the best so far, and into the principal variation if it raised alpha.
    #[inline]
    pub fn raise<N: NodeKind>(&mut self, ply: usize, best: &mut Best, m: Move, value: Value) -> Raise {
        let raise = best.raise(m, value);
        if N::PV && raise != Raise::FailLow {
            self.worker.pv.update(ply, m);
        }
        raise
    }

    /// What the moves of the node at `ply` are scored by; `threats` is what the opponent attacks there.
    #[inline]
    pub fn picker_context<'b>(&'b self, ply: usize, threats: &'b Threats) -> PickerContext<'b> {
        PickerContext {
            board: &self.worker.board,
            histories: &self.worker.histories,
            stack: &self.worker.stack,
            ply,
            threats,
        }
    }

    /// True if the search leaves out what hides the effect of a null move (the switches `plain` and `falcon`).
    #[inline]
    pub fn is_baseline(&self) -> bool {
        S::SWITCHES && self.job.request.options.null_move_settings.switches.is_baseline()
    }
}

impl Worker {
    /// The histories, and the node at `ply` for their updates.
    #[inline]
    pub fn histories_at(&mut self, ply: usize) -> (&mut super::history::Histories, PathNode<'_>) {
        (&mut self.histories, PathNode { board: &self.board, stack: &self.stack, ply })
    }
}

/// A worker that has searched this many nodes stops even in its first iteration, which is finished otherwise although the
/// search was stopped or the node limit is reached: about a millisecond at most. In 42 positions of a benchmark the
/// iteration took 0 to 196 nodes, 38 at the median.
pub const FIRST_ITERATION_NODES: u64 = 1024;

/// The most nodes that a worker requests at a time, as many as it searches in about a millisecond.
const MAX_NODE_BATCH: u64 = 1024;

/// How many nodes a worker requests at a time.
fn node_batch_size(job: &Job) -> u64 {
    let workers = job.results.threads() as u64;
    let most = job.turns.as_ref().map_or(MAX_NODE_BATCH, EngineTurns::nodes);
    // Enough is left for every other worker.
    let share = if workers == 1 {
        most
    } else {
        job.request.node_limit().map_or(most, |limit| limit / (8 * workers))
    };
    share.clamp(1, most)
}
