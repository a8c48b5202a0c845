//! By depth and evaluation, verified in endgames.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// The reduction of a shallow node.
const R: Depth = 3;
/// Beyond this depth the reduction grows.
const SHALLOW: Depth = 6;
/// The plies of depth beyond that that add one to the reduction.
const STEP: Depth = 3;
/// How far above beta an evaluation adds one more, in centipawns.
const CLEAR: Value = 200;
/// With this many pieces besides pawns and king, or fewer, a side has little material.
const LITTLE: u8 = 1;

/// The rule of the Chess Programming Wiki (Null Move Pruning), after the practice of engines about 2010:
/// R = 3 + max(0, (depth - 6) / 3), and one more with an evaluation 200 centipawns above beta.
///
/// The deeper the node and the clearer the case, the less must be searched to see that passing is good enough. A
/// fail-high cuts; but with only pawns or a single piece left, where zugzwang is likely, the node must reach beta in a
/// search R plies shallower, too, whose moves are as shallow as the null move was (a verification as in Fruit, Letouzey
/// 2005).
#[derive(Clone, Copy, Debug)]
pub struct Formula;

impl Scheme for Formula {
    const NAME: &'static str = "formula";
    const SUMMARY: &'static str = "R by depth and evaluation; verified with little material";
    const SOURCE: &'static str = "Chess Programming Wiki, Null Move Pruning";
    const READS_PATH: bool = true;
    const READS_MATERIAL: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Formula
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        R + ((node.depth - SHALLOW) / STEP).max(0) + Depth::from(node.eval - node.beta > CLEAR)
    }

    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        if node.own_pieces > LITTLE {
            return FailHigh::Cut;
        }
        let depth = (node.depth - self.reduction(node)).max(1);
        FailHigh::Verify { depth, without_null_moves: 1, both_sides: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reduction_grows_with_depth_and_evaluation() {
        let beta = NodeView::sample(1, 0).beta;
        for (depth, r) in [(1, 3), (6, 3), (8, 3), (9, 4), (11, 4), (12, 5), (18, 7), (30, 11)] {
            assert_eq!(Formula.reduction(&NodeView::sample(depth, beta + 200)), r, "{depth}");
            assert_eq!(Formula.reduction(&NodeView::sample(depth, beta + 201)), r + 1, "{depth}");
            assert!(Formula.may_try(&NodeView::sample(depth, 0)));
            assert!(!Formula.may_try(&NodeView { after_null: true, ..NodeView::sample(depth, 0) }));
        }
    }

    #[test]
    fn with_little_material_a_fail_high_is_verified() {
        let node = |own_pieces| NodeView { own_pieces, ..NodeView::sample(12, 0) };
        for pieces in [0, 1] {
            assert_eq!(
                Formula.on_fail_high(&node(pieces), 50),
                FailHigh::Verify { depth: 7, without_null_moves: 1, both_sides: true }
            );
        }
        assert_eq!(Formula.on_fail_high(&node(2), 50), FailHigh::Cut);
        let shallow = NodeView { own_pieces: 0, ..NodeView::sample(2, 0) };
        let shallowest = FailHigh::Verify { depth: 1, without_null_moves: 1, both_sides: true };
        assert_eq!(Formula.on_fail_high(&shallow, 50), shallowest);
    }
}
