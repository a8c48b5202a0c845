//! Pruning as of 2024 to 2026.

use crate::params;
use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme, usual_conditions, verify_deep_nodes};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// Null-move pruning as the strongest engines have it from about 2024 on (the practice of Stockfish and its kin; the
/// numbers are ours, about theirs, and not tuned).
///
/// The null move has become rare and cheap. It is tried only where the node is expected to fail high in any case (a cut
/// node), with a piece left, and where the static evaluation is above beta by a margin that falls with depth and turns
/// negative at last. Its search is shallow: R is 6 plies, plus a third of the depth, plus up to three for the lead of the
/// evaluation, so that most null moves are decided by quiescence. A fail-high cuts. From depth 16 on the node itself,
/// searched to the depth of the position after the null move, R + 1 plies shallower, must reach beta too: then its moves
/// are a ply shallower than the null move was. For three quarters of that depth null moves are forbidden to both sides,
/// and below a verification nothing is verified again.
#[derive(Clone, Copy, Debug)]
pub struct Modern;

impl Scheme for Modern {
    const NAME: &'static str = "modern";
    const SUMMARY: &'static str =
        "pruning in expected cut nodes, R from 6 + a third of the depth, verified from depth 16";
    const SOURCE: &'static str = "strong engines, 2024 to 2026";
    const READS_PATH: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Modern
    }

    fn may_try(&self, node: &NodeView) -> bool {
        let margin = params::modern_margin() - params::modern_margin_depth() * node.depth;
        usual_conditions(node)
            && node.cut_node
            && node.has_non_pawn_material
            && node.static_eval >= node.beta + margin
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        let lead = (node.eval - node.beta) / params::modern_eval();
        params::modern_r() + node.depth / params::modern_depth() + lead.clamp(0, params::modern_eval_limit())
    }

    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        verify_deep_nodes(node, params::modern_verify_depth(), node.depth - self.reduction(node) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move_state::NullMoveState;

    fn lead(depth: Depth, lead: Value) -> NodeView {
        let node = NodeView { cut_node: true, ..NodeView::sample(depth, 0) };
        NodeView { static_eval: node.beta + lead, eval: node.beta + lead, ..node }
    }

    #[test]
    fn every_condition_can_forbid_it() {
        for depth in 1..30 {
            let node = lead(depth, 1000);
            assert!(Modern.may_try(&node));
            for forbidden in [
                NodeView { in_check: true, ..node },
                NodeView { after_null: true, ..node },
                NodeView { cut_node: false, ..node },
                NodeView { has_non_pawn_material: false, ..node },
                NodeView { static_eval: node.beta - 1000, ..node },
            ] {
                assert!(!Modern.may_try(&forbidden), "{forbidden:?}");
            }
        }
    }

    #[test]
    fn the_deeper_the_node_the_less_the_evaluation_must_reach() {
        let least = |depth| (-1000..1000).find(|&cp| Modern.may_try(&lead(depth, cp))).expect("a lead");
        for depth in 1..40 {
            assert!(least(depth + 1) < least(depth), "{depth}");
        }
    }

    #[test]
    fn the_reduction_grows_with_depth_and_lead() {
        let r = |depth, cp| Modern.reduction(&lead(depth, cp));
        let (step, limit) = (params::modern_eval(), params::modern_eval_limit());
        for depth in 1..40 {
            assert_eq!(r(depth, 0), r(depth, -2000));
            assert_eq!(r(depth + params::modern_depth(), 0), r(depth, 0) + 1);
            for plies in 0..=limit + 2 {
                assert_eq!(r(depth, plies * step), r(depth, 0) + plies.min(limit));
            }
        }
    }

    #[test]
    fn deep_fail_highs_are_verified_once_without_null_moves_of_either_side() {
        for depth in 1..60 {
            let node = lead(depth, 0);
            let decision = Modern.on_fail_high(&node, node.beta);
            if depth < params::modern_verify_depth() {
                assert_eq!(decision, FailHigh::Cut);
                continue;
            }
            let FailHigh::Verify { depth: verified, without_null_moves, both_sides: true } = decision else {
                panic!("{decision:?}");
            };
            assert!((1..depth).contains(&verified) && (1..=verified as usize).contains(&without_null_moves));
            let path = NullMoveState { null_move_min_ply: [20; 2], ..NullMoveState::default() };
            assert_eq!(Modern.on_fail_high(&NodeView { null_moves: path, ..node }, 0), FailHigh::Cut);
        }
    }
}
