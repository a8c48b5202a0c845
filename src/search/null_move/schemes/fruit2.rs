//! Null-move pruning of Fruit 2.1.

use super::fruit::Fruit;
use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme, usual_conditions};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// Below this depth no null move is tried.
const MIN_DEPTH: Depth = 2;

/// Null-move pruning as in Fruit 2.1 (Letouzey 2005; the rule is read off its source).
///
/// [Fruit 1.0](Fruit)'s rule with an exception: up to depth R + 1 the null move's search is quiescence and costs little, so
/// there it is tried whatever the evaluation says. At depth 1 it is not tried at all, nor in a PV node. R, cut and
/// verification are the same.
#[derive(Clone, Copy, Debug)]
pub struct Fruit2;

impl Scheme for Fruit2 {
    const NAME: &'static str = "fruit2";
    const SUMMARY: &'static str =
        "`fruit`, up to depth 4 whatever the evaluation; not at depth 1 or in PV nodes";
    const SOURCE: &'static str = "Letouzey 2005, Fruit 2.1";
    const READS_PATH: bool = Fruit::READS_PATH;
    const READS_MATERIAL: bool = Fruit::READS_MATERIAL;

    fn new(_settings: &NullMoveSettings) -> Self {
        Fruit2
    }

    fn may_try(&self, node: &NodeView) -> bool {
        usual_conditions(node)
            && !node.pv
            && node.depth >= MIN_DEPTH
            && node.has_non_pawn_material
            && (node.static_eval >= node.beta || node.depth <= self.reduction(node) + 1)
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        Fruit.reduction(node)
    }

    fn on_fail_high(&self, node: &NodeView, value: Value) -> FailHigh {
        Fruit.on_fail_high(node, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_the_evaluation_where_the_null_search_is_more_than_quiescence() {
        for depth in 1..30 {
            let beta = NodeView::sample(depth, 0).beta;
            let (above, below) = (NodeView::sample(depth, beta), NodeView::sample(depth, beta - 1));
            assert_eq!(Fruit2.may_try(&above), depth > 1);
            assert_eq!(Fruit2.may_try(&below), (2..=4).contains(&depth));
            for node in [above, below] {
                assert!(!Fruit2.may_try(&NodeView { pv: true, ..node }));
                assert!(!Fruit2.may_try(&NodeView { has_non_pawn_material: false, ..node }));
                assert!(!Fruit2.may_try(&NodeView { in_check: true, ..node }));
                assert!(!Fruit2.may_try(&NodeView { after_null: true, ..node }));
            }
        }
    }
}
