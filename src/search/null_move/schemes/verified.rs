//! Verified null-move pruning.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, FailLow, Scheme, usual_conditions};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// The plies by which the null move is searched shallower.
const R: Depth = 3;
/// The plies by which a fail-high reduces the node that verifies it.
const DR: Depth = 1;

/// Verified null-move pruning (David-Tabibi and Netanyahu 2002, "Verified null-move pruning"): R = 3; the first
/// fail-high on a path only takes a ply off the depth, and below it null moves cut as they do elsewhere.
///
/// So every cut lies below a node whose moves were searched all the same, nearly as deep as without a null move. If none
/// of them then reaches beta, the null move was wrong: the side is in zugzwang, and the node is searched again at its full
/// depth, with verification on again. The parent of extended null-move reductions.
#[derive(Clone, Copy, Debug)]
pub struct Verified;

impl Scheme for Verified {
    const NAME: &'static str = "verified";
    const SUMMARY: &'static str =
        "the first fail-high of a path reduces by a ply, the rest cut; a zugzwang is searched again";
    const SOURCE: &'static str = "David-Tabibi and Netanyahu 2002";
    const READS_PATH: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Verified
    }

    fn may_try(&self, node: &NodeView) -> bool {
        // Where a verification could only be quiescence, there is none: then the null move is not tried either.
        usual_conditions(node) && (node.null_moves.below_reduction || node.depth > DR)
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        R
    }

    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        if node.null_moves.below_reduction { FailHigh::Cut } else { FailHigh::Reduce(DR) }
    }

    fn on_reduced_fail_low(&self, _node: &NodeView) -> FailLow {
        FailLow::Research
    }

    fn tt_may_cut_reduced(&self, node: &NodeView, value: Value) -> bool {
        // A fail-low must lead to the search at full depth.
        value >= node.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move_state::NullMoveState;

    fn below(node: NodeView) -> NodeView {
        NodeView { null_moves: NullMoveState { below_reduction: true, ..NullMoveState::default() }, ..node }
    }

    #[test]
    fn the_first_fail_high_reduces_and_those_below_cut() {
        for depth in 1..30 {
            let node = NodeView::sample(depth, -100);
            assert_eq!(Verified.may_try(&node), depth > 1);
            assert!(Verified.may_try(&below(node)));
            assert!(!Verified.may_try(&below(NodeView { after_null: true, ..node })));
            assert!(!Verified.may_try(&below(NodeView { in_check: true, ..node })));
            assert_eq!(Verified.reduction(&node), 3);
            assert_eq!(Verified.on_fail_high(&node, 99), FailHigh::Reduce(1));
            assert_eq!(Verified.on_fail_high(&below(node), 99), FailHigh::Cut);
        }
    }

    #[test]
    fn a_fail_low_is_a_zugzwang() {
        let node = NodeView::sample(8, 0);
        assert_eq!(Verified.on_reduced_fail_low(&node), FailLow::Research);
        assert!(Verified.tt_may_cut_reduced(&node, node.beta));
        assert!(!Verified.tt_may_cut_reduced(&node, node.beta - 1));
    }
}
