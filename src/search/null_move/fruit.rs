//! As in Fruit.

use super::scheme::{FailHigh, Scheme, usual};
use crate::search::node::NodeView;
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
    fn allowed(&self, node: &NodeView) -> bool {
        usual(node) && node.has_pieces && (node.static_eval >= node.beta || node.depth < EVAL_DEPTH)
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
            assert!(Fruit.allowed(&above));
            assert_eq!(Fruit.allowed(&below), depth < 4);
            for node in [above, below] {
                assert!(!Fruit.allowed(&NodeView { has_pieces: false, ..node }));
                assert!(!Fruit.allowed(&NodeView { in_check: true, ..node }));
                assert!(!Fruit.allowed(&NodeView { after_null: true, ..node }));
                assert_eq!((Fruit.reduction(&node), Fruit.on_fail_high(&node, 0)), (3, FailHigh::Cut));
            }
        }
    }
}
