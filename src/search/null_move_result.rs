//! What a null move that was searched makes of its node, where no move need be searched for that.

use std::ops::ControlFlow::{self, Break, Continue};

use super::extensions;
use super::falcon::is_mate_threat;
use super::node::{Node, NodeKind, NodeView};
use super::null_move::{FailLow, Scheme};
use super::null_move_state::NullMoveState;
use super::pruning;
use super::searcher::Searcher;
use crate::types::{Depth, Move, Square, Value, is_decisive};

/// What a null move that was searched changes in its node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullMoveResult {
    /// The plies by which the node is searched shallower.
    pub reduction: Depth,
    /// The plies by which the node is searched deeper.
    pub extension: Depth,
    /// The square of a piece that the refutation of the null move captures.
    pub in_danger: Option<Square>,
}

impl<S: Scheme> Searcher<'_, S> {
    /// Cuts the node by its null move's fail-high, and counts the cut. A mate that needs the opponent to pass is not proved.
    pub fn null_move_cut(&mut self, view: &NodeView, value: Value) -> ControlFlow<Value, NullMoveResult> {
        self.worker.null_counts.cuts += 1;
        self.count_cut(view);
        Break(if is_decisive(value) { view.beta } else { value.max(view.beta) })
    }

    /// Verifies a null move's fail-high with this value by a search of the node itself, `depth` plies deep, for which `forbid`
    /// forbids null moves: cuts the node if that fails high, too. Otherwise the table's marks of the node, its static evaluation,
    /// and what is forbidden there, stay as they were.
    pub fn verify_null_move(
        &mut self,
        view: &NodeView,
        value: Value,
        (depth, forbid): (Depth, impl FnOnce(&mut NullMoveState)),
        search: impl FnOnce(&mut Self) -> Value,
    ) -> ControlFlow<Value, NullMoveResult> {
        self.worker.null_counts.verifications += 1;
        let counted = self.count_from_view(view);
        let entry = self.worker.stack.at(view.ply);
        let known = (entry.tt_pv, entry.tt_capture, entry.static_eval);
        let entry = self.worker.null_moves.at(view.ply);
        let kept = entry.state;
        forbid(&mut entry.state);
        entry.verifying = true;
        let verified = search(self);
        let entry = self.worker.stack.at(view.ply);
        (entry.tt_pv, entry.tt_capture, entry.static_eval) = known;
        let entry = self.worker.null_moves.at(view.ply);
        (entry.state, entry.for_children, entry.verifying) = (kept, kept, false);
        self.check_stop()?;
        self.count_verification(counted);
        self.observe_verification(view, depth, verified);
        if verified >= view.beta {
            self.null_move_cut(view, value)
        } else {
            Continue(NullMoveResult::default())
        }
    }

    /// Has the node searched this many plies shallower.
    pub fn null_move_reduction(&mut self, view: &NodeView, reduction: Depth) -> NullMoveResult {
        if reduction > 0 {
            self.worker.null_counts.reductions += 1;
            self.count_reduction(view);
            if S::READS_PATH {
                self.worker.null_moves.at(view.ply).for_children.below_reduction = true;
            }
        }
        NullMoveResult { reduction, ..NullMoveResult::default() }
    }

    /// Leaves a node that a null move has just reduced, if no move need be searched at the depth that is left: with the
    /// value of quiescence, by the table, or by reverse futility pruning.
    pub fn cutoff_after_reduction<N: NodeKind>(&mut self, node: &Node) -> ControlFlow<Value> {
        let (view, window) = (&node.view, node.view.window());
        let counted = self.count_from(view, view.depth + node.null_move_reduction);
        let value = if view.depth <= 0 {
            let value = self.enter_quiescence::<N::Quiescence>(view.ply, window);
            self.check_stop()?;
            Some(value)
        } else if N::PV {
            None
        } else {
            let prunes = self.scheme.prunes_reduced() && !self.is_baseline();
            self.try_tt_cutoff(node.tt_hit.as_ref(), view.ply, view.depth, window)
                .filter(|&value| self.scheme.tt_may_cut_reduced(view, value))
                .or_else(|| {
                    (prunes && pruning::reverse_futility(view)).then(|| pruning::reverse_futility_value(view))
                })
        };
        let Some(value) = value else {
            return Continue(());
        };
        self.count_reduced_cutoff(counted, view, value);
        self.observe_moves(view, value);
        Break(value)
    }

    /// What the move that refutes a null move shows, where a switch asks for it.
    pub fn null_move_fail_low(
        &mut self,
        ply: usize,
        value: Value,
        refutation: Option<Move>,
    ) -> NullMoveResult {
        let switches = self.job.request.options.null_move_settings.switches;
        let worker = &mut *self.worker;
        worker.null_moves.at(ply).refutation = refutation;
        let mated = (switches.mate_threat || switches.falcon) && is_mate_threat(value);
        let again = switches.botvinnik_markoff
            && refutation.is_some()
            && worker.null_moves.refutation_two_plies_before(ply) == refutation;
        // In the mode `falcon` a move is extended once, before or after it is made.
        let is_extended = ply > 0 && worker.null_moves.at(ply - 1).extended;
        let extends = (mated || again) && !is_extended && extensions::may_extend(ply, worker.root_depth);
        let board = &worker.board;
        let us = board.side_to_move();
        let in_danger = refutation
            .filter(|_| switches.refutation_order)
            .map(Move::to)
            .filter(|&square| board.by_color(us).has(square) && square != board.king(us));
        NullMoveResult { reduction: 0, extension: Depth::from(extends), in_danger }
    }

    /// The move that refutes the null move on the board, as the table knows it, where a switch asks for it.
    pub fn null_move_refutation(&self, ply: usize) -> Option<Move> {
        if !S::SWITCHES || !self.job.request.options.null_move_settings.switches.wants_refutation() {
            return None;
        }
        self.legal_tt_move(self.probe_tt(ply + 1).as_ref())
    }

    /// Did the moves of a node that a null move had reduced fail low, and does the scheme then want the node to be
    /// searched again, at the depth that it has without a null move?
    pub fn is_full_depth_needed(&mut self, node: &Node, value: Value) -> bool {
        if node.null_move_reduction == 0 || value >= node.view.beta {
            return false;
        }
        self.worker.null_counts.reduced_fail_lows += 1;
        if self.scheme.on_reduced_fail_low(&node.view) == FailLow::Accept {
            return false;
        }
        self.worker.null_counts.verifications += 1;
        if S::READS_PATH {
            let entry = self.worker.null_moves.at(node.view.ply);
            entry.for_children = entry.state;
        }
        true
    }
}
