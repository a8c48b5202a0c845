//! Adaptive null-move pruning with greater reductions.

use super::scheme::{FailHigh, Scheme, usual};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// Beyond this depth the reduction is the greater one.
const DEEP: Depth = 6;

/// Null-move pruning with R = 3, and R = 4 beyond depth 6 (David and Netanyahu 2008, table 4).
///
/// The reductions of extended null-move reductions, with a fail-high that cuts: what the two differ in is the cut alone.
#[derive(Clone, Copy, Debug)]
pub struct Adaptive34;

impl Scheme for Adaptive34 {
    fn allowed(&self, node: &NodeView) -> bool {
        usual(node)
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        if node.depth > DEEP { 4 } else { 3 }
    }

    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reduction_is_greater_beyond_depth_six() {
        for depth in 1..30 {
            let node = NodeView::sample(depth, 0);
            assert_eq!(Adaptive34.reduction(&node), if depth > 6 { 4 } else { 3 });
            assert_eq!(Adaptive34.on_fail_high(&node, 0), FailHigh::Cut);
            assert!(Adaptive34.allowed(&node));
            assert!(!Adaptive34.allowed(&NodeView { after_null: true, ..node }));
            assert!(!Adaptive34.allowed(&NodeView { in_check: true, ..node }));
        }
    }
}
