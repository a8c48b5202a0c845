//! Reports to the observer of a search, if it has one, of what happens at its nodes.

use super::node::{NodeKind, NodeView};
use super::null_move::breakdown::ExpectedKind;
use super::null_move::observer::{EnteredNode, NodePruning, NodeSearch};
use super::null_move::refusal::{Refusal, refusals};
use super::null_move::{FailHigh, NullMoveObserver, Scheme};
use super::pruning;
use super::searcher::Searcher;
use super::window::Window;
use crate::tt::TableEntry;
use crate::types::{Depth, Value};

impl<S: Scheme> Searcher<'_, S> {
    /// The observer of a search that looks at its settings. A search that does not is compiled as if there was none.
    #[inline]
    fn observer(&mut self) -> Option<&mut dyn NullMoveObserver> {
        if !S::SWITCHES {
            return None;
        }
        match &mut self.observer {
            Some(observer) => Some(&mut **observer),
            None => None,
        }
    }

    /// Reports to the observer that a node is entered.
    #[inline]
    pub fn observe_entry<N: NodeKind>(&mut self, depth: Depth, ply: usize, window: Window) {
        if !S::SWITCHES || self.observer.is_none() {
            return;
        }
        let stack = &self.worker.stack;
        let node = EnteredNode {
            ply,
            depth,
            alpha: window.alpha,
            beta: window.beta,
            kind: ExpectedKind::of(N::PV, N::CUT),
            last_move: if N::ROOT { None } else { stack.back(ply, 1).current_move },
            excluded: stack.back(ply, 0).excluded,
        };
        if let Some(observer) = self.observer() {
            observer.enter(&node);
        }
    }

    /// Reports to the observer that the node that was entered last is left.
    #[inline]
    pub fn observe_exit(&mut self, value: Value) {
        if let Some(observer) = self.observer() {
            observer.leave(value);
        }
    }

    /// Reports to the observer that the network is about to be asked; `hit` is the table's entry of the node.
    #[inline]
    pub fn observe_evaluation(&mut self, hit: Option<&TableEntry>) {
        if S::SWITCHES
            && hit.is_none_or(|hit| hit.static_eval.is_none())
            && let Some(observer) = &mut self.observer
        {
            observer.evaluate(&self.worker.board);
        }
    }

    /// Reports to the observer that a node is pruned.
    #[inline]
    pub fn observe_pruning(&mut self, view: &NodeView, by: NodePruning) {
        if let Some(observer) = self.observer() {
            observer.prune(view, by);
        }
    }

    /// Reports to the observer why no null move is tried at a node.
    #[inline]
    pub fn observe_refusal(&mut self, view: &NodeView) {
        if self.observer().is_some_and(|observer| observer.wants_refusals()) {
            let why = self.refusals(view);
            if let Some(observer) = self.observer() {
                observer.refuse(view, &why);
            }
        }
    }

    /// All that forbids a null move at a node.
    #[cold]
    fn refusals(&mut self, view: &NodeView) -> Vec<Refusal> {
        let outside = [
            (Refusal::Decisive, pruning::mate_decides(view)),
            (Refusal::Setting, self.is_null_move_forbidden(view)),
            (Refusal::Verification, S::READS_PATH && view.null_moves.is_forbidden(view.ply)),
        ];
        let mut all: Vec<Refusal> =
            outside.into_iter().filter(|&(_, forbids)| forbids).map(|(refusal, _)| refusal).collect();
        all.extend(refusals(&self.scheme, view));
        all
    }

    /// Reports to the observer what the search of a null move returned.
    #[inline]
    pub fn observe_null_search(&mut self, view: &NodeView, depth: Depth, bound: Value, value: Value) {
        if let Some(observer) = self.observer() {
            observer.null_search(view, NodeSearch { depth, bound, value });
        }
    }

    /// Reports to the observer that a null move has failed high; false if it overrules what would follow.
    #[inline]
    pub fn observe_fail_high(&mut self, view: &NodeView, value: Value, decision: FailHigh) -> bool {
        self.observer().is_none_or(|observer| observer.fail_high(view, value, decision))
    }

    /// Reports to the observer what a verification returned.
    #[inline]
    pub fn observe_verification(&mut self, view: &NodeView, depth: Depth, value: Value) {
        if let Some(observer) = self.observer() {
            observer.verification(view, NodeSearch { depth, bound: view.beta, value });
        }
    }

    /// Reports to the observer what the moves of a node returned at the depth of its view, or quiescence in their place.
    #[inline]
    pub fn observe_moves(&mut self, view: &NodeView, value: Value) {
        if let Some(observer) = self.observer() {
            observer.moves(view, NodeSearch { depth: view.depth, bound: view.beta, value });
        }
    }
}
