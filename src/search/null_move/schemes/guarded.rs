//! Pruning as of about 2014.

use crate::params;
use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme, usual_conditions, verify_deep_nodes};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// Null-move pruning as strong engines had it for a decade (the practice of Stockfish and its kin from about 2014 on).
/// What they have come to since is [`Modern`](super::modern::Modern).
///
/// It is guarded on every side. It is tried only in a zero window, with a piece left, where the evaluation reaches beta,
/// the static one too but for a margin that shrinks with depth. R is large and grows with depth and with the evaluation's
/// lead. A fail-high cuts; from some depth on only if the node, searched R plies shallower, reaches beta as well: then its
/// moves are as shallow as the null move was. For three quarters of that depth null moves are forbidden, to both sides where
/// Stockfish forbade them to the verified side alone until 2022, and below a verification nothing is verified again.
#[derive(Clone, Copy, Debug)]
pub struct Guarded;

impl Scheme for Guarded {
    const NAME: &'static str = "guarded";
    const SUMMARY: &'static str = "pruning where the evaluation reaches beta, verified at high depth";
    const SOURCE: &'static str = "strong engines from about 2014 on";
    const READS_PATH: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Guarded
    }

    fn may_try(&self, node: &NodeView) -> bool {
        let margin = params::guarded_margin() - params::guarded_margin_depth() * node.depth;
        usual_conditions(node)
            && !node.pv
            && node.has_non_pawn_material
            && node.eval >= node.beta
            && node.static_eval >= node.beta + margin
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        let lead = (node.eval - node.beta) / params::guarded_eval();
        params::guarded_r()
            + node.depth / params::guarded_depth()
            + lead.clamp(0, params::guarded_eval_limit())
    }

    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        verify_deep_nodes(node, params::guarded_verify_depth(), node.depth - self.reduction(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move_state::NullMoveState;

    fn above(depth: Depth) -> NodeView {
        NodeView::sample(depth, NodeView::sample(depth, 0).beta + 1000)
    }

    #[test]
    fn every_guard_can_forbid_it() {
        for depth in 1..30 {
            let node = above(depth);
            assert!(Guarded.may_try(&node));
            for forbidden in [
                NodeView { in_check: true, ..node },
                NodeView { after_null: true, ..node },
                NodeView { pv: true, ..node },
                NodeView { has_non_pawn_material: false, ..node },
                NodeView { eval: node.beta - 1, ..node },
                NodeView { static_eval: node.beta - 1000, ..node },
            ] {
                assert!(!Guarded.may_try(&forbidden), "{forbidden:?}");
            }
        }
    }

    #[test]
    fn the_reduction_grows_with_depth_and_lead() {
        for depth in 1..40 {
            let r = |eval| Guarded.reduction(&NodeView::sample(depth, eval));
            assert!(r(0) >= params::guarded_r() && r(5000) > r(0));
            assert_eq!(r(5000), r(9000));
            assert!(Guarded.reduction(&above(depth + 8)) > Guarded.reduction(&above(depth)));
        }
    }

    #[test]
    fn deep_fail_highs_are_verified_once() {
        let deep = above(params::guarded_verify_depth());
        assert_eq!(Guarded.on_fail_high(&above(deep.depth - 1), 0), FailHigh::Cut);
        let FailHigh::Verify { depth, without_null_moves, both_sides: true } = Guarded.on_fail_high(&deep, 0)
        else {
            panic!("cuts");
        };
        assert!((1..deep.depth).contains(&depth) && (1..=depth as usize).contains(&without_null_moves));
        let path = NullMoveState { null_move_min_ply: [20; 2], ..NullMoveState::default() };
        assert_eq!(Guarded.on_fail_high(&NodeView { null_moves: path, ..deep }, 0), FailHigh::Cut);
    }
}
