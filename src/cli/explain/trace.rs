//! Keeps the upper part of the tree of a search.

use crate::engine::{EnteredNode, FailHigh, NodePruning, NodeSearch, NodeView, NullMoveObserver, Refusal};
use crate::types::{Depth, Value};

/// A null move that was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NullSearch {
    /// How many plies shallower than a move it was searched.
    pub reduction: Depth,
    /// What it returned, at which depth, against which bound.
    pub search: NodeSearch,
}

/// A node of the tree. Values are in centipawns for its side to move.
#[derive(Clone, Debug)]
pub(super) struct TraceNode {
    /// How it was entered.
    pub entered: EnteredNode,
    /// The index of the node from which it was entered; `None` for the root.
    pub parent: Option<usize>,
    /// The node from which it was entered is the same one: a verification or a singular search.
    pub is_again: bool,
    /// The static evaluation, and what the table makes of it; `None` in check, and where nothing asked for them.
    pub evals: Option<(Value, Value)>,
    /// What pruned the whole node before a null move.
    pub pruned: Option<NodePruning>,
    /// What forbade a null move.
    pub refusals: Vec<Refusal>,
    /// The null move.
    pub null_search: Option<NullSearch>,
    /// What its fail-high led to.
    pub decision: Option<FailHigh>,
    /// What a verification of the fail-high returned.
    pub verification: Option<NodeSearch>,
    /// What the moves returned; twice where a node was searched again at its full depth.
    pub moves: Vec<NodeSearch>,
    /// The value that the node was left with.
    pub value: Option<Value>,
    /// The nodes that were entered below it, shown or not.
    pub below: u64,
}

/// How much of a tree is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraceLimits {
    /// The greatest distance from the root, in plies.
    pub plies: usize,
    /// The most nodes.
    pub nodes: usize,
}

/// The upper part of the tree of the last search of the root: that of the last iteration, with its last window.
#[derive(Debug)]
pub(super) struct Trace {
    limits: TraceLimits,
    /// The nodes in the order in which they were entered.
    pub nodes: Vec<TraceNode>,
    /// Nodes near enough to the root were left out, because there were too many.
    pub is_cut_short: bool,
    /// The nodes on the way to the present one: an index, or none if the node is not kept.
    open: Vec<Option<usize>>,
}

impl Trace {
    /// A tree that nothing has been entered into.
    pub(super) const fn new(limits: TraceLimits) -> Trace {
        Trace { limits, nodes: Vec::new(), is_cut_short: false, open: Vec::new() }
    }

    /// The node that the search is at, if it is kept.
    fn present(&mut self) -> Option<&mut TraceNode> {
        let index = (*self.open.last()?)?;
        self.nodes.get_mut(index)
    }

    fn look(&mut self, view: &NodeView, note: impl FnOnce(&mut TraceNode)) {
        if let Some(node) = self.present() {
            node.evals = (!view.in_check).then_some((view.static_eval, view.eval));
            note(node);
        }
    }

    /// The index of a new node; `None` if it is not kept.
    fn keep(&mut self, entered: &EnteredNode) -> Option<usize> {
        let parent = match self.open.last() {
            Some(None) => return None,
            Some(&Some(parent)) => Some(parent),
            None => None,
        };
        if entered.ply > self.limits.plies {
            return None;
        }
        if self.nodes.len() >= self.limits.nodes {
            self.is_cut_short = true;
            return None;
        }
        self.nodes.push(TraceNode {
            entered: *entered,
            parent,
            is_again: parent.is_some_and(|parent| self.nodes[parent].entered.ply == entered.ply),
            evals: None,
            pruned: None,
            refusals: Vec::new(),
            null_search: None,
            decision: None,
            verification: None,
            moves: Vec::new(),
            value: None,
            below: 0,
        });
        Some(self.nodes.len() - 1)
    }
}

impl NullMoveObserver for Trace {
    fn enter(&mut self, node: &EnteredNode) {
        if node.ply == 0 {
            (self.is_cut_short, self.open) = (false, Vec::new());
            self.nodes.clear();
        }
        for index in self.open.iter().flatten() {
            self.nodes[*index].below += 1;
        }
        let index = self.keep(node);
        self.open.push(index);
    }

    fn prune(&mut self, view: &NodeView, by: NodePruning) {
        self.look(view, |node| node.pruned = Some(by));
    }

    fn wants_refusals(&self) -> bool {
        self.open.last().is_some_and(Option::is_some)
    }

    fn refuse(&mut self, view: &NodeView, why: &[Refusal]) {
        self.look(view, |node| node.refusals = why.to_vec());
    }

    fn null_search(&mut self, view: &NodeView, search: NodeSearch) {
        let reduction = view.depth - 1 - search.depth;
        self.look(view, |node| node.null_search = Some(NullSearch { reduction, search }));
    }

    fn fail_high(&mut self, view: &NodeView, _value: Value, decision: FailHigh) -> bool {
        self.look(view, |node| node.decision = Some(decision));
        true
    }

    fn verification(&mut self, view: &NodeView, search: NodeSearch) {
        self.look(view, |node| node.verification = Some(search));
    }

    fn moves(&mut self, view: &NodeView, search: NodeSearch) {
        self.look(view, |node| node.moves.push(search));
    }

    fn leave(&mut self, value: Value) {
        if let Some(node) = self.present() {
            node.value = Some(value);
        }
        self.open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::engine::{Limits, MATERIAL_NETWORK, SchemeName, load_network};
    use crate::single_threaded::SingleThreadedEngine;

    fn trace(limits: TraceLimits, depth: Depth) -> Trace {
        let mut engine = SingleThreadedEngine::new(1).expect("memory");
        engine.set_network(load_network(MATERIAL_NETWORK.as_ref()).expect("built in"));
        engine.options_mut().null_move = SchemeName::Extended;
        let mut trace = Trace::new(limits);
        let limits = Limits::depth(depth);
        engine.search_observed(&Board::start(), limits, &mut trace);
        trace
    }

    #[test]
    fn the_tree_holds_together() {
        let trace = trace(TraceLimits { plies: 4, nodes: 100_000 }, 7);
        assert!(!trace.is_cut_short && trace.open.is_empty() && trace.nodes.len() > 20);
        assert_eq!((trace.nodes[0].parent, trace.nodes[0].entered.ply), (None, 0));
        for (index, node) in trace.nodes.iter().enumerate().skip(1) {
            let parent = node.parent.expect("a parent");
            let plies = node.entered.ply - trace.nodes[parent].entered.ply;
            assert!(parent < index && plies == usize::from(!node.is_again));
            assert!(node.entered.ply <= 4 && node.value.is_some());
            assert!(trace.nodes[parent].below > node.below);
        }
        let null_moves = trace.nodes.iter().filter(|node| node.null_search.is_some()).count();
        assert!(null_moves > 0 && trace.nodes.iter().any(|node| !node.refusals.is_empty()));
        assert!(trace.nodes.iter().all(|node| node.null_search.is_none_or(|null| null.reduction >= 3)));
    }

    #[test]
    fn a_tree_that_is_too_large_is_cut_short_and_says_so() {
        let trace = trace(TraceLimits { plies: 4, nodes: 10 }, 7);
        assert!(trace.is_cut_short && trace.nodes.len() == 10 && trace.nodes[0].below > 10);
    }
}
