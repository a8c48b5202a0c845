//! Extended null-move reductions, tuned for deep searches.

use crate::params;
use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, FailLow, Scheme, usual_conditions};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// A number in 16ths of a ply, in plies.
const SIXTEENTHS: i32 = 16;

/// [Extended null-move reductions](super::extended::Extended) with what twenty years of null-move pruning have found.
///
/// The idea is the same: a null move's fail-high does not cut the node, it only reduces it. Four things differ. The null
/// move is tried only in expected cut nodes, and where the static evaluation is above beta by a margin that falls with
/// depth and the table knows no bound below beta: elsewhere it hardly ever fails high, and two of three null searches are for
/// nothing. Its search is shallow, R = 6 plies and a third of the depth, since it only has to confirm what the evaluation says (both: the practice of strong
/// engines since 2020). A reduced node is a shallower one also for reverse futility, which may end it at once. And if the
/// moves of a reduced node stay below beta after all, the null move has erred, and the node is searched again at its full
/// depth (David-Tabibi and Netanyahu 2002, "Verified null-move pruning").
///
/// Two more conditions are there for zugzwang, in which an error far from the leaves is not found before the search is
/// several plies deeper: no null move at a depth beyond ten plies, nor with fewer than two pieces besides king and pawns.
/// No cost of them was found in games: +5 ± 12 with them (1,000 at 25,000 nodes).
///
/// So every null search is quiescence: up to depth ten R leaves it no ply. Up to depth five a fail-high leaves the node
/// none either, and quiescence, in which the side to move may stand pat, has the last word; only at depths six to ten do
/// the moves have it.
///
/// Against no null move at all, at 25,000 nodes a move: +14 ± 18 Elo with the four (600 games), −5 ± 9 with the two
/// conditions and the network w512 (2,014). `docs/strength.md` has the steps one by one, and the zugzwangs that are solved.
#[derive(Clone, Copy, Debug)]
pub struct Tuned;

impl Scheme for Tuned {
    const NAME: &'static str = "tuned";
    const SUMMARY: &'static str = "the default: in cut nodes up to depth 10, R from 6 + a third of the depth (quiescence), DR = 5; from depth 6 on the moves decide, and a fail-low is searched again";
    const SOURCE: &'static str = "ours";
    const SWITCHES: bool = false;
    const READS_MATERIAL: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Tuned
    }

    #[inline]
    fn may_try(&self, node: &NodeView) -> bool {
        let margin = params::tuned_margin()
            - params::tuned_margin_depth() * node.depth
            - if node.improving { params::tuned_margin_improving() } else { 0 };
        usual_conditions(node)
            && node.cut_node
            && node.depth <= params::tuned_depth_max()
            && i32::from(node.own_pieces) >= params::tuned_pieces()
            && node.eval >= node.beta
            && node.static_eval >= node.beta + margin
    }

    #[inline]
    fn reduction(&self, node: &NodeView) -> Depth {
        ((params::tuned_r_base() + params::tuned_r_depth() * node.depth) / SIXTEENTHS).max(0)
    }

    #[inline]
    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Reduce(params::tuned_dr().min(node.depth))
    }

    #[inline]
    fn on_reduced_fail_low(&self, _node: &NodeView) -> FailLow {
        FailLow::Research
    }

    #[inline]
    fn prunes_reduced(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expected cut node of this depth whose evaluation lies this far above beta.
    fn node(depth: Depth, lead: Value) -> NodeView {
        let sample = NodeView { cut_node: true, ..NodeView::sample(depth, 0) };
        NodeView { static_eval: sample.beta + lead, eval: sample.beta + lead, ..sample }
    }

    #[test]
    fn every_condition_can_forbid_it() {
        for depth in 1..=params::tuned_depth_max() {
            let good = node(depth, 1000);
            assert!(Tuned.may_try(&good));
            for forbidden in [
                NodeView { in_check: true, ..good },
                NodeView { after_null: true, ..good },
                NodeView { cut_node: false, ..good },
                NodeView { eval: good.beta - 1, ..good },
                NodeView { static_eval: good.beta - 1000, ..good },
                NodeView { own_pieces: params::tuned_pieces() as u8 - 1, ..good },
                NodeView { depth: params::tuned_depth_max() + 1, ..good },
            ] {
                assert!(!Tuned.may_try(&forbidden), "{forbidden:?}");
            }
        }
    }

    #[test]
    fn the_deeper_the_node_and_the_better_it_gets_the_less_the_evaluation_must_reach() {
        let least = |depth, improving| {
            let may_try = |lead: Value| {
                let node = NodeView { improving, ..node(depth, lead) };
                Tuned.may_try(&NodeView { eval: node.beta + 500, ..node })
            };
            (-1000..1000).find(|&lead| may_try(lead)).expect("a lead")
        };
        for depth in 1..params::tuned_depth_max() {
            assert!(least(depth + 1, false) < least(depth, false), "{depth}");
            assert!(least(depth, true) < least(depth, false), "{depth}");
        }
    }

    #[test]
    fn the_reduction_grows_with_depth_and_leaves_quiescence_where_a_null_move_is_tried() {
        let r = |depth| Tuned.reduction(&node(depth, 0));
        for depth in 1..40 {
            assert!(r(depth + 1) >= r(depth) && r(depth + 4) > r(depth));
        }
        for depth in 1..=params::tuned_depth_max() {
            assert!(depth - r(depth) - 1 <= 0, "{depth}");
        }
    }

    #[test]
    fn a_fail_high_reduces_to_quiescence_at_most_and_a_fail_low_is_not_believed() {
        for depth in 1..40 {
            let node = node(depth, 500);
            let FailHigh::Reduce(plies) = Tuned.on_fail_high(&node, 500) else { panic!("it never cuts") };
            assert!((1..=depth).contains(&plies));
            assert_eq!(Tuned.on_reduced_fail_low(&node), FailLow::Research);
        }
    }
}
