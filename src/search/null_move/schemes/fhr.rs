//! Fail-high reductions.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// The plies by which a fail-high reduces.
const DR: Depth = 1;

/// Fail-high reductions (Feldmann 1997, "Fail-high reductions", from the program Zugzwang): no null move is searched at
/// all.
///
/// A quiet position that stands above beta will probably fail high, and need not be searched as deep. Whether it is quiet
/// is worked out, not searched: the evaluation, less the most that the opponent threatens to win, must reach beta. The
/// node is then reduced by a ply, in a zero window only, and its value is taken as it comes.
#[derive(Clone, Copy, Debug)]
pub struct Fhr;

impl Scheme for Fhr {
    const NAME: &'static str = "fhr";
    const SUMMARY: &'static str = "no null search: evaluation less threats above beta reduces by a ply";
    const SOURCE: &'static str = "Feldmann 1997";
    const READS_THREAT: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Fhr
    }

    fn may_try(&self, _node: &NodeView) -> bool {
        false
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        0
    }

    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Reduce(DR)
    }

    fn fails_high_statically(&self, node: &NodeView) -> bool {
        !node.pv && !node.in_check && node.static_eval - node.threat >= node.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_that_outweighs_the_threats_reduces() {
        for depth in 1..20 {
            let beta = NodeView::sample(depth, 0).beta;
            let node = NodeView { threat: 90, ..NodeView::sample(depth, beta + 90) };
            assert!(Fhr.fails_high_statically(&node));
            assert!(!Fhr.fails_high_statically(&NodeView { threat: 91, ..node }));
            assert!(!Fhr.fails_high_statically(&NodeView { in_check: true, ..node }));
            assert!(!Fhr.fails_high_statically(&NodeView { pv: true, ..node }));
            assert!(!Fhr.may_try(&node));
            assert_eq!(Fhr.on_fail_high(&node, beta), FailHigh::Reduce(1));
        }
    }
}
