//! Reductions by a fixed amount.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme};
use crate::search::null_move::settings::NullMoveSettings;
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
    const NAME: &'static str = "reduce";
    const SUMMARY: &'static str = "a fail-high reduces; R and DR open";
    const SOURCE: &'static str = "David and Netanyahu 2008, tables 4 and 5";
    const USES_R: bool = true;
    const USES_DR: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Reduce { r: settings.r, dr: settings.dr }
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
                let node = NodeView { has_non_pawn_material: false, ..NodeView::sample(depth, -50) };
                assert!(reduce.may_try(&node));
                assert!(!reduce.may_try(&NodeView { after_null: true, ..node }));
                assert!(!reduce.may_try(&NodeView { in_check: true, ..node }));
                assert_eq!(reduce.reduction(&node), r);
                assert_eq!(reduce.on_fail_high(&node, 32_000), FailHigh::Reduce(dr));
                assert_eq!(reduce.on_reduced_fail_low(&node), FailLow::Accept);
            }
        }
    }
}
