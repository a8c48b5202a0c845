//! Null-move pruning of Fruit 1.0.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme, usual_conditions};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// The plies by which the null move is searched shallower.
const R: Depth = 3;
/// The plies by which a verification is searched shallower than the node.
const VERIFICATION_REDUCTION: Depth = 5;
/// With this many pieces besides pawns and king, or fewer, a fail-high is verified.
const ENDGAME: u8 = 1;

/// Null-move pruning as in Fruit 1.0 (Letouzey 2004, technical notes; reprinted in the manual of GNU Chess).
///
/// A null move that is expected to fail low only costs nodes: it is tried where the static evaluation already reaches
/// beta, and nowhere else. R = 3, and a fail-high cuts; in the endgame it cuts if a search of the moves, reduced more
/// than the null move's, reaches beta too. (What counts as an endgame, that a side without pieces does not pass, and how
/// deep the verification is, are taken from [Fruit 2.1](super::fruit2::Fruit2).)
#[derive(Clone, Copy, Debug)]
pub struct Fruit;

impl Scheme for Fruit {
    const NAME: &'static str = "fruit";
    const SUMMARY: &'static str =
        "R = 3, where the evaluation reaches beta, with a piece left; verified with a single one";
    const SOURCE: &'static str = "Letouzey 2004, Fruit 1.0";
    const READS_PATH: bool = true;
    const READS_MATERIAL: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Fruit
    }

    fn may_try(&self, node: &NodeView) -> bool {
        usual_conditions(node) && node.has_non_pawn_material && node.static_eval >= node.beta
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        R
    }

    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        if node.own_pieces > ENDGAME || node.depth <= VERIFICATION_REDUCTION {
            return FailHigh::Cut;
        }
        FailHigh::Verify {
            depth: node.depth - VERIFICATION_REDUCTION,
            without_null_moves: 1,
            both_sides: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_the_evaluation_at_every_depth() {
        for depth in 1..30 {
            let beta = NodeView::sample(depth, 0).beta;
            let above = NodeView::sample(depth, beta);
            assert!(Fruit.may_try(&above) && !Fruit.may_try(&NodeView::sample(depth, beta - 1)));
            assert!(!Fruit.may_try(&NodeView { has_non_pawn_material: false, ..above }));
            assert!(!Fruit.may_try(&NodeView { in_check: true, ..above }));
            assert!(!Fruit.may_try(&NodeView { after_null: true, ..above }));
            assert_eq!(Fruit.reduction(&above), 3);
        }
    }

    #[test]
    fn a_single_piece_is_verified_where_there_is_depth_for_it() {
        for depth in 1..30 {
            let node = NodeView { own_pieces: 2, ..NodeView::sample(depth, 500) };
            assert_eq!(Fruit.on_fail_high(&node, node.beta), FailHigh::Cut);
            let verified = FailHigh::Verify { depth: depth - 5, without_null_moves: 1, both_sides: false };
            let expected = if depth > 5 { verified } else { FailHigh::Cut };
            assert_eq!(Fruit.on_fail_high(&NodeView { own_pieces: 1, ..node }, node.beta), expected);
        }
    }
}
