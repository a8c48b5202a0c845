//! By how much a move is searched deeper: pure functions of what the singular search found.

use super::history::TtMoveHistory;
use super::node::NodeView;
use super::reductions::blended;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Depth, Value, is_decisive};

/// What the singular search means for the table move or its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singularity {
    /// The table move is searched by this many plies deeper; shallower if negative.
    Extend(Depth),
    /// Several moves reach beta: the node is left with this value (multi-cut).
    MultiCut(Value),
}

/// The table's value of a node whose table move may be singular: the node is deep enough, and the entry says, from a
/// search not much shallower than the node, that the move is worth at least this much.
#[inline]
pub fn singular_candidate(node: &NodeView, hit: &TableEntry) -> Option<Value> {
    let candidate = node.depth >= params::singular_depth()
        && hit.depth >= node.depth - params::singular_entry_depth()
        && hit.bound.is_lower();
    hit.value.filter(|&value| candidate && !is_decisive(value))
}

/// The depth of the singular search, in plies.
#[inline]
pub fn singular_search_depth(depth: Depth) -> Depth {
    ((depth - 1) * params::singular_share() / 16).max(1)
}

/// What it means that all other moves came to `value` in the singular search with the bound `singular_beta`.
///
/// A table move is singular when every other move stays clearly below it in a shallow search (singular extensions;
/// Anantharaman, Campbell and Hsu 1990): then all depends on it, and it is searched a ply deeper; two where the others
/// stay far below (farther in a PV node), and, outside PV nodes and if it is quiet, three where they stay farther still. If
/// instead the others reach beta too, several moves cut, and the node is left (multi-cut; Bjoernsson and Marsland 2001),
/// with the value that was found, a little nearer to beta, since the search was shallow; a decisive value is not believed.
/// Otherwise a table move that cuts, or any in an expected cut node, is searched shallower (negative extensions; the
/// practice of Stockfish since 2020). Multi-cut by the value found, double extensions in PV nodes and three plies of
/// negative extension, with other changes: 26 ± 21 Elo (500 games at 25,000 nodes).
/// Without all of this `bench` needs 0.50 times the nodes for its depth.
///
/// Checks are not extended. With a ply for each that loses nothing, 40 perpetual checks of drawn games were seen in 35,000
/// nodes in the mean instead of 48,000, and it was worth 2 ± 22 Elo (460 games at 8,000 nodes).
#[inline]
pub fn singularity(
    node: &NodeView,
    tt_value: Value,
    singular_beta: Value,
    value: Value,
    quiet: bool,
    tt_move_history: i32,
) -> Singularity {
    if value < singular_beta {
        let margin =
            if node.pv { params::double_extension_margin_pv() } else { params::double_extension_margin() };
        let margin = margin - params::singular_tt_history() * tt_move_history / TtMoveHistory::LIMIT;
        let double = value < singular_beta - margin;
        let triple = double && !node.pv && quiet && value < singular_beta - params::triple_extension_margin();
        Singularity::Extend(1 + Depth::from(double) + Depth::from(triple))
    } else if value >= node.beta && !is_decisive(value) {
        Singularity::MultiCut(blended(value, node.beta, node.depth, params::multi_cut_blend()))
    } else if singular_beta >= node.beta && !is_decisive(singular_beta) {
        Singularity::MultiCut(singular_beta)
    } else if tt_value >= node.beta {
        Singularity::Extend(-params::negative_extension_table())
    } else if node.cut_node {
        Singularity::Extend(-params::negative_extension_cut())
    } else {
        Singularity::Extend(0)
    }
}

/// What the other moves must stay below for the table move to be singular, in centipawns.
#[inline]
pub fn singular_beta(tt_value: Value, depth: Depth) -> Value {
    tt_value - params::singular_margin() * depth / 16
}

/// Extensions of extensions must come to an end: true while the path is at most twice as long as the iteration is deep (the
/// practice of Stockfish; not measured by itself here).
#[inline]
pub fn may_extend(ply: usize, root_depth: Depth) -> bool {
    ply < 2 * root_depth.max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bound, mate_in};

    #[test]
    fn a_candidate_comes_from_a_search_that_was_nearly_as_deep() {
        for depth in 1..20 {
            let node = NodeView::sample(depth, 0);
            for entry_depth in 0..20 {
                let near = depth - entry_depth <= params::singular_entry_depth();
                for bound in [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact] {
                    let expected = near
                        && depth >= params::singular_depth()
                        && matches!(bound, Bound::Lower | Bound::Exact);
                    let candidate = singular_candidate(&node, &TableEntry::sample(bound, 30, entry_depth));
                    assert_eq!(candidate, expected.then_some(30), "{depth} {entry_depth} {bound:?}");
                }
            }
            assert_eq!(singular_candidate(&node, &TableEntry::sample(Bound::Lower, mate_in(9), depth)), None);
            assert!((1..depth.max(2)).contains(&singular_search_depth(depth)));
        }
    }

    #[test]
    fn the_farther_the_others_stay_below_the_deeper_the_table_move_is_searched() {
        let node = NodeView::sample(8, 0);
        let target = 0;
        let extension = |node: &NodeView, value, quiet| singularity(node, 40, target, value, quiet, 0);
        let (double, triple) = (params::double_extension_margin(), params::triple_extension_margin());
        for (value, quiet, plies) in [
            (target - 1, true, 1),
            (target - double, true, 1),
            (target - double - 1, true, 2),
            (target - triple, true, 2),
            (target - triple - 1, false, 2),
            (target - triple - 1, true, 3),
        ] {
            assert_eq!(extension(&node, value, quiet), Singularity::Extend(plies), "{value}");
        }
        let pv = NodeView { pv: true, ..node };
        let double_pv = params::double_extension_margin_pv();
        for (value, plies) in [(target - 1, 1), (target - double_pv, 1), (target - double_pv - 1, 2)] {
            assert_eq!(extension(&pv, value, true), Singularity::Extend(plies), "{value} in a PV node");
        }
        assert_eq!(extension(&pv, target - triple - double_pv - 1, true), Singularity::Extend(2));
    }

    #[test]
    fn where_others_reach_the_singular_bound_the_node_is_left_or_the_move_searched_shallower() {
        let node = NodeView::sample(8, 0);
        let beta = node.beta;
        assert_eq!(singularity(&node, beta + 50, beta, beta, true, 0), Singularity::MultiCut(beta));
        for lead in [0, 9, 90, 900] {
            // Below beta is what table value and margin ask for: what counts is what was found.
            let Singularity::MultiCut(value) = singularity(&node, beta, beta - 5, beta + lead, true, 0)
            else {
                panic!("several moves cut");
            };
            assert!(
                (beta..=beta + lead).contains(&value) && value - beta >= lead * 8 / 9 - 1,
                "{lead}: {value}"
            );
        }
        // From a bound that is a loss by mate, a value is not blended: distances to mate are no centipawns.
        let lost = NodeView { beta: -mate_in(9), ..node };
        assert_eq!(singularity(&lost, 40, 0, 30, true, 0), Singularity::MultiCut(30));
        let negative = |node: &NodeView, tt_value| singularity(node, tt_value, beta - 1, beta - 1, true, 0);
        assert_eq!(negative(&node, beta), Singularity::Extend(-params::negative_extension_table()));
        let cut = NodeView { cut_node: true, ..node };
        assert_eq!(negative(&cut, beta - 1), Singularity::Extend(-params::negative_extension_cut()));
        assert_eq!(negative(&node, beta - 1), Singularity::Extend(0));
    }

    #[test]
    fn the_path_grows_to_twice_the_depth_of_the_iteration() {
        for root_depth in 0..60 {
            let longest = (0..250).filter(|&ply| may_extend(ply, root_depth)).count();
            assert_eq!(longest, 2 * root_depth.max(1) as usize);
        }
    }
}
