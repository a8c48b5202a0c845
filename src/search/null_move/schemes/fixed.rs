//! A fixed reduction.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::Scheme;
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::Depth;

/// Recursive null-move pruning with a fixed reduction: R = 1 (Goetsch and Campbell 1990, "Experiments with the
/// null-move heuristic"), R = 2 (Donninger 1993, "Null move and deep search"), and R = 3 and 4 as in the tables of David
/// and Netanyahu 2008.
///
/// Passing is nearly always worse than the best move. If the opponent, given two moves in a row, cannot bring the value
/// below beta even so, the node is left at once. The more shallow the null search the cheaper it is, and the more it
/// overlooks. In zugzwang the reasoning is wrong, whatever R.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// The plies by which the null move is searched shallower.
    pub r: Depth,
}

impl Scheme for Fixed {
    const NAME: &'static str = "fixed";
    const SUMMARY: &'static str = "recursive pruning; R open";
    const SOURCE: &'static str = "Goetsch and Campbell 1990, Donninger 1993";
    const USES_R: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Fixed { r: settings.r }
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        self.r
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move::scheme::FailHigh;

    #[test]
    fn passes_whenever_it_can_and_cuts() {
        for r in 1..=4 {
            let fixed = Fixed { r };
            for depth in 1..30 {
                let node = NodeView { has_non_pawn_material: false, ..NodeView::sample(depth, -300) };
                assert!(fixed.may_try(&node));
                assert!(!fixed.may_try(&NodeView { in_check: true, ..node }));
                assert!(!fixed.may_try(&NodeView { after_null: true, ..node }));
                assert_eq!(fixed.reduction(&node), r);
                assert_eq!(fixed.on_fail_high(&node, node.beta), FailHigh::Cut);
            }
        }
    }
}
