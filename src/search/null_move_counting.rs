//! Counting null moves by the class of their nodes, and the nodes that they cost, where that is asked for.

use std::ops::ControlFlow;

use super::node::{Node, NodeView};
use super::null_move::Scheme;
use super::null_move::breakdown::{ExpectedKind, GamePhase, NodeClass, NullBreakdown, NullCell};
use super::searcher::Searcher;
use super::window::Best;
use crate::types::{Depth, Value};

/// A node that is being counted: its class, and the nodes of the worker when it was entered.
pub type CountedNode = Option<(NodeClass, u64)>;

impl<S: Scheme> Searcher<'_, S> {
    /// Begins or ends the counting of a search, as its settings want it.
    pub fn begin_counting(&mut self) {
        let counts = S::SWITCHES && self.job.request.options.null_move_settings.report_counts;
        self.worker.null_breakdown = counts.then(NullBreakdown::default);
    }

    /// Notes a node of which something is about to be searched. Nothing is noted where nothing is counted.
    #[inline]
    pub fn count_from_view(&self, view: &NodeView) -> CountedNode {
        if !S::SWITCHES || self.worker.null_breakdown.is_none() {
            return None;
        }
        let board = &self.worker.board;
        let phase = GamePhase::of_pieces(board.non_pawn_pieces().count());
        let kind = ExpectedKind::of(view.pv, view.cut_node);
        Some((NodeClass { phase, kind, depth: view.depth }, self.worker.nodes))
    }

    /// Notes a node whose moves are about to be searched, by the depth that it had before anything reduced it, as its null
    /// move was counted.
    #[inline]
    pub fn count_from(&self, view: &NodeView, full_depth: Depth) -> CountedNode {
        self.count_from_view(&NodeView { depth: full_depth, ..*view })
    }

    /// Counts something of a noted node; the function gets the nodes that have been searched since it was noted.
    #[inline]
    fn count(&mut self, counted: CountedNode, count: impl FnOnce(&mut NullCell, u64)) {
        if let Some((class, nodes_before)) = counted
            && let Some(breakdown) = &mut self.worker.null_breakdown
        {
            count(breakdown.at(class), self.worker.nodes - nodes_before);
        }
    }

    /// Counts a null move that has just been searched, with this value, against this bound.
    #[inline]
    pub fn count_null_search(&mut self, counted: CountedNode, value: Value, bound: Value) {
        self.count(counted, |cell, nodes| {
            cell.tried += 1;
            cell.fail_highs += u64::from(value >= bound);
            cell.null_nodes += nodes;
        });
    }

    /// Counts a second search, at the depth that it has without a null move, of a node that a null move had reduced.
    #[inline]
    pub fn count_second_search(&mut self, counted: CountedNode) {
        self.count(counted, |cell, nodes| {
            cell.second_searches += 1;
            cell.verification_nodes += nodes;
        });
    }

    /// Counts a node that a null move cuts.
    #[inline]
    pub fn count_cut(&mut self, view: &NodeView) {
        self.count(self.count_from_view(view), |cell, _| cell.cuts += 1);
    }

    /// Counts a node that a null move reduces.
    #[inline]
    pub fn count_reduction(&mut self, view: &NodeView) {
        self.count(self.count_from_view(view), |cell, _| cell.reductions += 1);
    }

    /// Counts the nodes of a search that has verified a fail-high.
    #[inline]
    pub fn count_verification(&mut self, counted: CountedNode) {
        self.count(counted, |cell, nodes| cell.verification_nodes += nodes);
    }

    /// Counts a node that a null move reduced and that was then left with this value before any move was searched.
    #[inline]
    pub fn count_reduced_cutoff(&mut self, counted: CountedNode, view: &NodeView, value: Value) {
        self.worker.null_counts.reduced_fail_lows += u64::from(value < view.beta);
        self.count(counted, |cell, nodes| {
            cell.reduced_nodes += nodes;
            cell.reduced_fail_lows += u64::from(value < view.beta);
        });
    }

    /// Counts a node whose moves have been searched, or which was left on the way, unless the whole search ends.
    #[inline]
    pub fn count_moves(&mut self, counted: CountedNode, node: &Node, searched: &ControlFlow<Value, Best>) {
        if counted.is_none() || self.is_stopped() {
            return;
        }
        let value = match searched {
            ControlFlow::Continue(best) => best.value,
            ControlFlow::Break(value) => *value,
        };
        self.count(counted, |cell, nodes| {
            if node.null_move_reduction > 0 {
                cell.reduced_nodes += nodes;
                cell.reduced_fail_lows += u64::from(value < node.view.beta);
            } else if value >= node.view.beta {
                cell.unreduced_fail_highs += 1;
                cell.unreduced_nodes += nodes;
            }
        });
    }
}
