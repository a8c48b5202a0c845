//! As in Fruit.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme, usual_conditions};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// The plies by which the null move is searched shallower.
const R: Depth = 3;
/// Below this depth the evaluation is not asked.
const EVAL_DEPTH: Depth = 4;

/// Null-move pruning as in Fruit 2.1 (Letouzey 2005): R = 3, and a fail-high cuts.
///
/// A null move that is expected to fail low only costs nodes: it is tried where the static evaluation already reaches
/// beta, or where the node is so shallow that the null search is quiescence. And with nothing but pawns, where zugzwang
/// is at home, the side does not pass.
#[derive(Clone, Copy, Debug)]
pub struct Fruit;

impl Scheme for Fruit {
    const NAME: &'static str = "fruit";
    const SUMMARY: &'static str =
        "R = 3, where the evaluation reaches beta or near the leaves, with a piece left";
    const SOURCE: &'static str = "Letouzey 2005";

    fn new(_settings: &NullMoveSettings) -> Self {
        Fruit
    }

    fn may_try(&self, node: &NodeView) -> bool {
        usual_conditions(node)
            && node.has_non_pawn_material
            && (node.static_eval >= node.beta || node.depth < EVAL_DEPTH)
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        R
    }

    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_the_evaluation_from_depth_four_on() {
        for depth in 1..30 {
            let beta = NodeView::sample(depth, 0).beta;
            let (above, below) = (NodeView::sample(depth, beta), NodeView::sample(depth, beta - 1));
            assert!(Fruit.may_try(&above));
            assert_eq!(Fruit.may_try(&below), depth < 4);
            for node in [above, below] {
                assert!(!Fruit.may_try(&NodeView { has_non_pawn_material: false, ..node }));
                assert!(!Fruit.may_try(&NodeView { in_check: true, ..node }));
                assert!(!Fruit.may_try(&NodeView { after_null: true, ..node }));
                assert_eq!((Fruit.reduction(&node), Fruit.on_fail_high(&node, 0)), (3, FailHigh::Cut));
            }
        }
    }
}
