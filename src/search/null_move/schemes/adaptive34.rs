//! Adaptive null-move pruning with greater reductions.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::Scheme;
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::Depth;

/// Beyond this depth the reduction is the greater one.
const DEEP: Depth = 6;

/// Null-move pruning with R = 3, and R = 4 beyond depth 6 (David and Netanyahu 2008, table 4).
///
/// The published reductions of extended null-move reductions, with a fail-high that cuts: what the two differ in is the cut alone.
#[derive(Clone, Copy, Debug)]
pub struct Adaptive34;

impl Scheme for Adaptive34 {
    const NAME: &'static str = "adaptive34";
    const SUMMARY: &'static str = "R = 3 or 4 by depth";
    const SOURCE: &'static str = "David and Netanyahu 2008, table 4";

    fn new(_settings: &NullMoveSettings) -> Self {
        Adaptive34
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        if node.depth > DEEP { 4 } else { 3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move::scheme::FailHigh;

    #[test]
    fn the_reduction_is_greater_beyond_depth_six() {
        // Table 4 of the paper.
        let reduction = |depth| Adaptive34.reduction(&NodeView::sample(depth, 0));
        assert_eq!([1, 5, 6, 7, 8, 30].map(reduction), [3, 3, 3, 4, 4, 4]);
        for depth in 1..30 {
            let node = NodeView::sample(depth, 0);
            assert_eq!(Adaptive34.on_fail_high(&node, 0), FailHigh::Cut);
            assert!(Adaptive34.may_try(&node));
            assert!(!Adaptive34.may_try(&NodeView { after_null: true, ..node }));
            assert!(!Adaptive34.may_try(&NodeView { in_check: true, ..node }));
        }
    }
}
