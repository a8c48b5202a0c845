//! Extended null-move reductions, tuned for deep searches.

use crate::params;
use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme, usual_conditions};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// A number in 16ths of a ply, in plies.
const SIXTEENTHS: i32 = 16;

/// [Extended null-move reductions](super::extended::Extended) with numbers for searches twice as deep as those of 2008.
///
/// The idea is the same: a null move's fail-high does not cut the node, it only reduces it, and the moves have the last word. What
/// differs is when to ask and how much it costs. The null move is tried only where the evaluation reaches beta, since
/// it hardly ever fails high elsewhere; and it is searched shallower where the evaluation lies far above beta, since then
/// less is needed to confirm it. (It could be searched shallower the deeper the node is, too, and was before tuning.)
///
/// R has since been tuned with the other numbers of the search (see [`params`]), and is a little less. Before that, in
/// games at 5,000 nodes a move: 83 ± 24 Elo above `extended` (604 games, a sequential test of 0 against 5
/// passed), level with `guarded` (−3 ± 12, 2,000 games). With the evaluation by hand-written terms that came before the
/// network, at 8,000 nodes: the greater part of the gain comes from gate and R. DR = 3 instead of 5 costs
/// about 49 ± 42; a DR that grows with depth (`dr_depth = 8`, 28 ± 39 below `guarded`) or goes to quiescence at once
/// (`dr_base = 256`, 28 ± 37 below) gains nothing; nor does reducing late moves of a reduced node less (`relief = 600`,
/// 7 ± 30 below). The other numbers are there for experiments.
#[derive(Clone, Copy, Debug)]
pub struct Tuned;

impl Scheme for Tuned {
    const NAME: &'static str = "tuned";
    const SUMMARY: &'static str =
        "the default: `extended` tried where the evaluation reaches beta, R = 4 or 5 by evaluation, DR = 5";
    const SOURCE: &'static str = "ours";
    const SWITCHES: bool = false;

    fn new(_settings: &NullMoveSettings) -> Self {
        Tuned
    }

    #[inline]
    fn may_try(&self, node: &NodeView) -> bool {
        usual_conditions(node) && node.eval >= node.beta + params::tuned_margin()
    }

    #[inline]
    fn reduction(&self, node: &NodeView) -> Depth {
        let lead = (node.eval - node.beta) / params::tuned_r_eval();
        params::tuned_r_base() / SIXTEENTHS + lead.clamp(0, params::tuned_r_eval_limit())
    }

    #[inline]
    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Reduce((params::tuned_dr_base() / SIXTEENTHS).min(node.depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_from_the_margin_on() {
        for depth in 1..30 {
            let beta = NodeView::sample(depth, 0).beta;
            let node = NodeView::sample(depth, beta + params::tuned_margin());
            assert!(Tuned.may_try(&node) && !Tuned.may_try(&NodeView { eval: node.eval - 1, ..node }));
            assert!(!Tuned.may_try(&NodeView { after_null: true, ..node }));
            assert!(!Tuned.may_try(&NodeView { in_check: true, ..node }));
        }
    }

    #[test]
    fn the_reduction_grows_with_the_lead_up_to_its_limit() {
        let beta = NodeView::sample(8, 0).beta;
        let r = |lead| Tuned.reduction(&NodeView::sample(8, beta + lead));
        let (base, step, limit) =
            (params::tuned_r_base() / SIXTEENTHS, params::tuned_r_eval(), params::tuned_r_eval_limit());
        assert_eq!((r(-900), r(0), r(step - 1)), (base, base, base));
        for plies in 1..=limit + 3 {
            assert_eq!(r(plies * step), base + plies.min(limit));
        }
    }

    #[test]
    fn a_fail_high_reduces_to_quiescence_at_most() {
        for depth in 1..40 {
            let node = NodeView::sample(depth, 500);
            let FailHigh::Reduce(plies) = Tuned.on_fail_high(&node, 500) else { panic!("it never cuts") };
            assert_eq!(plies, depth.min(params::tuned_dr_base() / SIXTEENTHS));
        }
    }
}
