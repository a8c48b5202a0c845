//! What an observer of a search sees of its null moves, node by node.

use super::breakdown::ExpectedKind;
use super::refusal::Refusal;
use super::scheme::FailHigh;
use crate::board::Board;
use crate::search::node::NodeView;
use crate::types::{Depth, Move, Value};

/// A node that the search enters. Values are in centipawns for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnteredNode {
    /// The distance from the root, in plies.
    pub ply: usize,
    /// The depth to search, in plies.
    pub depth: Depth,
    /// The lower end of the window.
    pub alpha: Value,
    /// The upper end of the window.
    pub beta: Value,
    /// What the node is expected to be.
    pub kind: ExpectedKind,
    /// The move that led here; `None` for a null move, and at the root.
    pub last_move: Option<Move>,
    /// The move that a singular search leaves out here.
    pub excluded: Option<Move>,
}

/// What one search at a node returned: of its null move, of its moves, or of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeSearch {
    /// The depth that was left to search, in plies: below the null move, or at the node itself.
    pub depth: Depth,
    /// The value that had to be reached, in centipawns for the side to move.
    pub bound: Value,
    /// The value, in centipawns for the side to move.
    pub value: Value,
}

/// Pruning of a whole node, other than by a null move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodePruning {
    /// The evaluation is hopelessly below alpha.
    Razoring,
    /// The evaluation is far above beta.
    ReverseFutility,
}

/// Receives what happens at the nodes of a search, in one thread, and may overrule its null moves. Every method does
/// nothing by default.
///
/// Between [`enter`](NullMoveObserver::enter) and [`leave`](NullMoveObserver::leave) of a node come those of the nodes
/// searched below it, and of other searches of the same node (verifications, singular searches). Of the nodes of quiescence
/// only [`evaluate`](NullMoveObserver::evaluate) is reported. Only a search that looks at its
/// [settings](super::NullMoveSettings) has an observer; the program as it plays is compiled without a trace of it.
pub trait NullMoveObserver {
    /// A node is entered.
    fn enter(&mut self, _node: &EnteredNode) {}

    /// The network is about to evaluate this position: a node that was entered, or one of quiescence.
    fn evaluate(&mut self, _board: &Board) {}

    /// The whole node is pruned before a null move is thought of.
    fn prune(&mut self, _view: &NodeView, _by: NodePruning) {}

    /// Are [`refuse`](NullMoveObserver::refuse) and its reasons wanted? They take time.
    fn wants_refusals(&self) -> bool {
        false
    }

    /// No null move is tried at the node.
    fn refuse(&mut self, _view: &NodeView, _why: &[Refusal]) {}

    /// A null move has been searched.
    fn null_search(&mut self, _view: &NodeView, _search: NodeSearch) {}

    /// The null move of the node has failed high with this value, by a search or by evaluation alone, and this would
    /// follow. Returns whether it may: if not, the node is searched as if it had no null move.
    fn fail_high(&mut self, _view: &NodeView, _value: Value, _decision: FailHigh) -> bool {
        true
    }

    /// A fail-high has been verified.
    fn verification(&mut self, _view: &NodeView, _search: NodeSearch) {}

    /// The moves of the node have been searched, or quiescence in their place: at its full depth, or at what a null move
    /// has left of it.
    fn moves(&mut self, _view: &NodeView, _search: NodeSearch) {}

    /// The node that was entered last, of those that have not been left, is left with this value, in centipawns for its
    /// side to move. It is void when the search is over.
    fn leave(&mut self, _value: Value) {}
}

/// An observer that does nothing.
impl NullMoveObserver for () {}
