//! Reductions by a fixed amount.

use super::scheme::{FailHigh, Scheme, usual};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// Null-move reductions with fixed numbers (David and Netanyahu 2008, tables 4 and 5): the null move is searched R plies
/// shallower, and its fail-high takes DR plies off the depth of the node.
///
/// The idea of [extended null-move reductions](super::extended::Extended) with nothing that depends on depth, to see what
/// each number does.
#[derive(Clone, Copy, Debug)]
pub struct Reduce {
    /// The plies by which the null move is searched shallower.
    pub r: Depth,
    /// The plies by which a fail-high reduces.
    pub dr: Depth,
}

impl Scheme for Reduce {
    fn allowed(&self, node: &NodeView) -> bool {
        usual(node)
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        self.r
    }

    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Reduce(self.dr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move::FailLow;

    #[test]
    fn both_numbers_are_as_given() {
        for (r, dr) in [(1, 4), (2, 3), (3, 2), (4, 1)] {
            let reduce = Reduce { r, dr };
            for depth in 1..30 {
                let node = NodeView { has_pieces: false, ..NodeView::sample(depth, -50) };
                assert!(reduce.allowed(&node));
                assert!(!reduce.allowed(&NodeView { after_null: true, ..node }));
                assert!(!reduce.allowed(&NodeView { in_check: true, ..node }));
                assert_eq!(reduce.reduction(&node), r);
                assert_eq!(reduce.on_fail_high(&node, 32_000), FailHigh::Reduce(dr));
                assert_eq!(reduce.on_reduced_fail_low(&node), FailLow::Accept);
            }
        }
    }
}
