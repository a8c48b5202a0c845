//! Named predicates: may a node or a move be left out? Pure functions of a view of the node.

use super::node::NodeView;
use crate::params;
use crate::types::{Depth, MATE_IN_MAX, Value};

/// True if a value is far from any mate.
#[inline]
pub fn is_ordinary(value: Value) -> bool {
    value.abs() < MATE_IN_MAX
}

/// Reverse futility: the evaluation is so far above beta that no quiet move of the opponent will bring it back
/// within the depth left (static null move; Heinz 1998, "Extended futility pruning", turned round).
#[inline]
pub fn reverse_futility(node: &NodeView) -> bool {
    let margin = params::reverse_futility_margin() * node.depth
        - if node.improving { params::reverse_futility_improving() } else { 0 };
    !node.pv
        && !node.in_check
        && node.depth <= params::reverse_futility_depth()
        && is_ordinary(node.beta)
        && is_ordinary(node.eval)
        && node.eval - margin >= node.beta
}

/// Razoring: so far below alpha that only captures can help; quiescence decides (Birmingham and Kent 1977).
#[inline]
pub fn razoring(node: &NodeView) -> bool {
    !node.pv
        && !node.in_check
        && is_ordinary(node.alpha)
        && node.eval + params::razoring_base() + params::razoring_depth() * node.depth * node.depth
            < node.alpha
}

/// Late-move pruning: how many moves a node tries before it leaves out the quiet rest. In a well-ordered list
/// the late moves of a shallow node hardly ever matter, least of all when things are not getting better.
#[inline]
pub fn late_move_limit(node: &NodeView) -> usize {
    let limit = (params::late_move_base() + node.depth * node.depth) * 1024;
    (limit / if node.improving { 1024 } else { params::late_move_stale() }) as usize
}

/// Futility pruning of a quiet move: even a good quiet move does not lift the evaluation to alpha within the
/// depth that the move would get (Heinz 1998). Returns what the move can be worth at most, if that is too little.
#[inline]
pub fn futility(node: &NodeView, reduced_depth: Depth) -> Option<Value> {
    let most = node.static_eval + params::futility_base() + params::futility_margin() * reduced_depth;
    (!node.in_check && reduced_depth <= params::futility_depth() && most <= node.alpha).then_some(most)
}

/// History pruning: a quiet move that has always failed.
#[inline]
pub fn poor_history(depth: Depth, reduced_depth: Depth, history: i32) -> bool {
    reduced_depth <= params::history_pruning_depth() && history < -params::history_pruning_margin() * depth
}

/// What a quiet move may lose in the exchange that it starts, in centipawns (negative).
#[inline]
pub fn quiet_exchange_limit(reduced_depth: Depth) -> Value {
    -params::see_quiet_margin() * reduced_depth * reduced_depth
}

/// What a capture may lose in the exchange that it starts, in centipawns (negative).
#[inline]
pub fn noisy_exchange_limit(depth: Depth) -> Value {
    -params::see_noisy_margin() * depth
}

/// ProbCut: the value that a capture must reach in a shallow search to cut the node (Buro 1995).
#[inline]
pub fn probcut_beta(node: &NodeView) -> Value {
    node.beta + params::probcut_margin() - if node.improving { params::probcut_improving() } else { 0 }
}

/// Singular extensions: what the rivals of the table move must stay below, for it to be singular
/// (Anantharaman, Campbell and Hsu 1990).
#[inline]
pub fn singular_beta(table_value: Value, depth: Depth) -> Value {
    table_value - params::singular_margin() * depth / 16
}
