//! Extended null-move reductions.

use crate::params;
use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// Extended null-move reductions (David and Netanyahu 2008, "Extended Null-Move Reductions").
///
/// If the opponent can be given a second move in a row and the position is still good enough, it is very
/// probably good enough - but in zugzwang it is not. So a null move that fails high does not cut the node: it
/// reduces its depth, and the moves have the last word. Because nothing is ever pruned on the null move's
/// word alone, the null move may be tried in every phase of the game, pawn endgames included, and searched
/// with a large reduction: R = 3, and 4 beyond depth 6.
///
/// For deep searches [`Tuned`](super::tuned::Tuned) is the default.
///
/// Against pruning by [`Adaptive`](super::adaptive::Adaptive): 17 ± 13 Elo at 1+0.01, and −4 ± 18 at 5,000 nodes a move
/// (1,000 games each; `docs/null-move.md`). DR is open, as in the paper's table 5; it chose 4.
#[derive(Clone, Copy, Debug)]
pub struct Extended {
    /// The plies by which a fail-high reduces.
    pub dr: Depth,
}

impl Scheme for Extended {
    const NAME: &'static str = "extended";
    const SUMMARY: &'static str = "R = 3 or 4, tried everywhere but in check; DR open, 4 in the paper";
    const SOURCE: &'static str = "David and Netanyahu 2008";
    const USES_DR: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Extended { dr: settings.dr }
    }

    #[inline]
    fn reduction(&self, node: &NodeView) -> Depth {
        if node.depth > params::null_deep() { params::null_r_deep() } else { params::null_r() }
    }

    #[inline]
    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Reduce(self.dr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENDED: Extended = Extended { dr: 4 };

    fn node(depth: Depth) -> NodeView {
        NodeView { has_non_pawn_material: false, ..NodeView::sample(depth, -50) }
    }

    #[test]
    fn tries_everywhere_but_in_check_and_after_a_null_move() {
        assert!(EXTENDED.may_try(&node(1)));
        assert!(EXTENDED.may_try(&NodeView { pv: true, ..node(20) }));
        assert!(!EXTENDED.may_try(&NodeView { in_check: true, ..node(5) }));
        assert!(!EXTENDED.may_try(&NodeView { after_null: true, ..node(5) }));
    }

    #[test]
    fn reduces_by_three_then_by_four() {
        assert_eq!([1, 5, 6, 7, 8, 40].map(|depth| EXTENDED.reduction(&node(depth))), [3, 3, 3, 4, 4, 4]);
    }

    #[test]
    fn a_fail_high_reduces_and_never_cuts() {
        for depth in 1..=40 {
            for dr in 1..=6 {
                let extended = Extended { dr };
                assert_eq!(extended.on_fail_high(&node(depth), 32_000), FailHigh::Reduce(dr));
                assert_eq!(extended.reduction(&node(depth)), EXTENDED.reduction(&node(depth)));
            }
        }
    }
}
