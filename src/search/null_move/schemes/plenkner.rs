//! Verified with one ply more.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, MAX_PLY, Value};

/// Null-move pruning that zugzwang cannot harm (Plenkner 1995, "A null-move technique impervious to zugzwang", ICCA Journal
/// 18(2); built after the summary that Bruce Moreland gave of it in rec.games.chess.computer in 1996).
///
/// A fail-high is not believed before the moves have been searched as well, with a reduction of R + 1 and without any null
/// move in that whole search. Where none of them reaches beta, the side is taken to be in zugzwang, and the node is
/// searched as if no null move had been tried. In the full search the table, endgame tables, reverse futility and ProbCut may
/// answer before the moves, as in any node; in the plain search the moves do. R is open: in the article it is 2, and 3 here
/// where nothing else is said, as in the other schemes that leave it open.
#[derive(Clone, Copy, Debug)]
pub struct Plenkner {
    /// The plies by which the null move is searched shallower.
    pub r: Depth,
}

impl Scheme for Plenkner {
    const NAME: &'static str = "plenkner";
    const SUMMARY: &'static str = "every cut verified by the moves with R + 1 and no null move below; R open";
    const SOURCE: &'static str = "Plenkner 1995";
    const USES_R: bool = true;
    const READS_PATH: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Plenkner { r: settings.r }
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        self.r
    }

    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        let depth = (node.depth - self.r - 1).max(1);
        FailHigh::Verify { depth, without_null_moves: MAX_PLY, both_sides: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move_state::NullMoveState;

    #[test]
    fn every_fail_high_is_verified_and_nothing_below() {
        for r in 1..=4 {
            let plenkner = Plenkner { r };
            for depth in 1..30 {
                let node = NodeView { has_non_pawn_material: false, ..NodeView::sample(depth, -300) };
                assert!(plenkner.may_try(&node) && !plenkner.may_try(&NodeView { in_check: true, ..node }));
                assert!(!plenkner.may_try(&NodeView { after_null: true, ..node }));
                assert_eq!(plenkner.reduction(&node), r);
                let FailHigh::Verify { depth: verified, without_null_moves, both_sides } =
                    plenkner.on_fail_high(&node, node.beta)
                else {
                    panic!("cuts");
                };
                assert_eq!(verified, (depth - r - 1).max(1));
                let mut below = NullMoveState::default();
                below.forbid(1, without_null_moves, both_sides);
                assert!((1..MAX_PLY).all(|ply| below.is_forbidden(ply)));
            }
        }
    }
}
