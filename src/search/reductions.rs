//! By how much is a move, or a node, searched shallower? Pure functions of a view of the node and of the move.

use super::node::NodeView;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Depth, Value, is_decisive};

/// One ply, in the unit of reductions.
pub const PLY: i32 = 1024;

/// Natural logarithms in 1024ths. Whole numbers, so that the search is the same on every processor.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 1;
    while n < 256 {
        table[n] = logarithm(n as u64);
        n += 1;
    }
    table
};

/// 1024 ln n, rounded down (by one too many now and then): the binary logarithm digit by digit, by squaring, then a change
/// of base.
const fn logarithm(n: u64) -> i32 {
    const DIGITS: u32 = 20;
    let whole = n.ilog2();
    let mut mantissa = (n << 31) >> whole;
    let mut log = whole as u64;
    let mut digit = 0;
    while digit < DIGITS {
        mantissa = (mantissa * mantissa) >> 31;
        log <<= 1;
        if mantissa >= 1 << 32 {
            log |= 1;
            mantissa >>= 1;
        }
        digit += 1;
    }
    // ln 2 in 2^-32.
    const LN_2: u64 = 2_977_044_472;
    ((log * LN_2) >> (32 + DIGITS - 10)) as i32
}

/// What late-move reductions and pruning read of a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveView {
    /// The rank of the move in its node, from 1; moves that were pruned count, too.
    pub move_count: usize,
    /// The move is neither a capture nor a promotion to a queen.
    pub quiet: bool,
    /// The move gives check.
    pub gives_check: bool,
    /// The history value of the move.
    pub history: i32,
    /// The fail-highs by a searched move among the children of the node and of its earlier siblings so far; 0 while moves are
    /// pruned, which do not read it.
    pub cutoff_count: i32,
}

/// The reduction by depth and move count alone, in 1024ths of a ply: it grows with the logarithms of both, because the
/// later a move is in the order, the less likely it is the best (late-move reductions; Romstad 2006, Fruit and Glaurung).
#[inline]
pub fn base_reduction(depth: Depth, move_count: usize, quiet: bool) -> i32 {
    let product = LOGARITHMS[(depth.max(1) as usize).min(255)] * LOGARITHMS[move_count.min(255)] / 1024;
    let (base, factor) = if quiet {
        (params::reduction_quiet_base(), params::reduction_quiet_factor())
    } else {
        (params::reduction_capture_base(), params::reduction_capture_factor())
    };
    base + product * factor / 1024
}

/// May a move be searched shallower at first? Not the first one, nor the next ones at the root, where the move that is played
/// is chosen and the order is best known, nor any where the search below it is quiescence already. Reductions at the root
/// from the fifth move on, not from the third, lose 6.9 ± 6.1 ten-thousandths of a point a move less, by the judgement of
/// Stockfish 15.1 in 449 positions at 160,000 nodes.
#[inline(always)]
pub fn may_reduce(depth: Depth, move_count: usize, is_root: bool) -> bool {
    let unreduced = if is_root { 1 + params::reduction_root_moves() as usize } else { 1 };
    depth >= 2 && move_count > unreduced
}

/// The reduction of a late move, in 1024ths of a ply.
///
/// To the base come terms for what makes a move more or less likely to matter. Less is taken off on or near the
/// principal variation, in an improving position, for a check, for good history, and where the evaluation is known to err
/// (by its correction); more in an expected cut node, the more without a table move, for a quiet move where the table move
/// captures, and where the children of the node have often failed high. All of these are the practice of Stockfish and
/// its kin since 2017; their sizes were tuned here together. Beside each other, at 200,000 nodes a move, a smaller constant and
/// less for the fail-highs of the children matter most (−4.5 ± 4.4 and −6.4 ± 4.8 ten-thousandths of a point that a move loses,
/// by the judgement of Stockfish 15.1 in 1,300 positions). The term of the correction, with
/// the order of quiet checks and the limit on captures in quiescence, came to 25 ± 22 Elo (560 games at 10,000 nodes).
#[inline]
pub fn late_move_reduction(node: &NodeView, m: &MoveView) -> i32 {
    let mut reduction = base_reduction(node.depth, m.move_count, m.quiet);
    let mut add = |condition: bool, by: i32| reduction += if condition { by } else { 0 };
    add(node.pv, -params::reduction_pv());
    add(node.pv, -window_share(node));
    add(node.tt_pv, -params::reduction_tt_pv());
    add(node.cut_node, params::reduction_cut_node());
    add(node.cut_node && !node.has_tt_move, params::reduction_no_tt_move());
    add(node.improving, -params::reduction_improving());
    add(m.gives_check, -params::reduction_check());
    add(node.tt_capture && m.quiet, params::reduction_tt_capture());
    add(m.cutoff_count > params::reduction_cutoff_count_min(), params::reduction_cutoff_count());
    reduction -= node.correction * PLY / params::reduction_correction();
    let history_of_a_ply =
        if m.quiet { params::reduction_history() } else { params::reduction_capture_history() };
    reduction - m.history * PLY / history_of_a_ply
}

/// How much less a move is reduced in a node that began with an open window the wider that was beside the window of the root, in
/// 1024ths of a ply: where little is settled yet, late moves matter more (the practice of Stockfish since 2022; with eight
/// other changes 11 ± 11 Elo, 2,200 games at 8,000 nodes).
#[inline]
fn window_share(node: &NodeView) -> i32 {
    params::reduction_window() * node.window().width().min(node.root_width) / node.root_width
}

/// The depth at which a move would be searched first, as move pruning estimates it, in plies: a quiet move that will be
/// reduced much needs less of a margin to be left out (the practice of Stockfish; tuned here, not measured by itself).
#[inline]
pub fn pruning_depth(depth: Depth, m: &MoveView) -> Depth {
    let reduction = base_reduction(depth, m.move_count, true) - m.history * PLY / params::pruning_history();
    (depth - reduction / PLY).max(0)
}

/// The depth of the full-depth search after a reduced one came to `value`, above alpha: a ply deeper than `depth` where
/// the move is clearly better than the `best` so far, a ply shallower where it is hardly better (the practice of Stockfish
/// since 2022; tuned here, not measured alone). Values are in centipawns.
#[inline]
pub fn research_depth(depth: Depth, value: Value, best: Value) -> Depth {
    let deeper = params::deeper_margin() + params::deeper_depth() * depth / 16;
    let deeper = depth + Depth::from(value > best + deeper);
    deeper - Depth::from(value < best + params::shallower_depth() * deeper / 16)
}

/// By how much a node is searched deeper or shallower in hindsight, in plies: the reduced move that led to it deserved more
/// if its own side stands no worse after it, and deserves no more if its side stands clearly worse.
/// `eval_difference` is what the move did to its side's static evaluation, negated, in centipawns (the practice of
/// Stockfish since 2024). With the futility of captures, history by evaluation difference and correction by the last
/// moves: 50 ± 24 Elo (520 games at 10,000 nodes).
#[inline]
pub fn hindsight(depth: Depth, reduction: Depth, eval_difference: Option<Value>) -> Depth {
    match eval_difference {
        Some(difference) if reduction >= params::hindsight_reduction() && difference <= 0 => 1,
        Some(difference) if reduction >= 1 && depth >= 2 && difference > params::hindsight_margin() => -1,
        _ => 0,
    }
}

/// Internal iterative reduction, in plies: without a table move, or with one from a much shallower search, a PV or cut
/// node is either unimportant or will be searched again soon, with a better one (Schroeder 2021; not measured by itself.
/// The rule for shallow entries came with the first tuning and six other rules: 54 ± 16 Elo, 1,134 games at 8,000 nodes).
/// `hit` is the table's entry, if there is one.
#[inline]
pub fn internal_iterative_reduction(node: &NodeView, hit: Option<&TableEntry>) -> Depth {
    let shallow = hit.is_none_or(|hit| hit.depth + params::iir_entry() <= node.depth);
    Depth::from(
        (node.pv || node.cut_node) && (!node.has_tt_move || shallow) && node.depth >= params::iir_depth(),
    )
}

/// A value above beta, blended with beta: how far a shallow search is above beta means little, and the table would hand
/// the exaggeration on (the practice of Stockfish since 2023; tuned here, not measured alone).
#[inline]
pub fn blended_fail_high(value: Value, beta: Value, depth: Depth) -> Value {
    blended(value, beta, depth, params::fail_high_blend())
}

/// The mean of the value of a search of this depth, which weighs 16 for each ply, and beta; the value itself if either is
/// decisive, since distances to mate are no centipawns. Values are in centipawns.
#[inline]
pub fn blended(value: Value, beta: Value, depth: Depth, beta_weight: i32) -> Value {
    if is_decisive(value) || is_decisive(beta) {
        return value;
    }
    let weight = 16 * depth;
    (value * weight + beta * beta_weight) / (weight + beta_weight)
}

#[cfg(test)]
impl MoveView {
    /// A quiet move without a history, for tests to change.
    pub const fn sample(move_count: usize) -> MoveView {
        MoveView { move_count, quiet: true, gives_check: false, history: 0, cutoff_count: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::mate_in;

    const QUIET: MoveView = MoveView::sample(8);

    #[test]
    fn logarithms_are_right_within_a_digit() {
        for (n, &found) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(found) - exact).abs() < 1.5, "{n}: {exact}");
        }
    }

    #[test]
    fn the_base_grows_with_depth_and_move_count() {
        for quiet in [false, true] {
            for depth in 1..60 {
                for move_count in 1..80 {
                    let base = base_reduction(depth, move_count, quiet);
                    assert!(base <= base_reduction(depth + 1, move_count, quiet));
                    assert!(base <= base_reduction(depth, move_count + 1, quiet));
                }
            }
        }
    }

    #[test]
    fn each_term_takes_its_part() {
        let node = NodeView { depth: 10, ..NodeView::sample(10, 0) };
        let plain = late_move_reduction(&node, &QUIET);
        let by_node = |node: NodeView| late_move_reduction(&node, &QUIET) - plain;
        let narrow = NodeView { pv: true, root_width: 100_000, ..node };
        assert_eq!(by_node(narrow), -params::reduction_pv());
        let root_width = node.window().width();
        let widest = NodeView { pv: true, root_width, ..node };
        assert_eq!(by_node(widest), -params::reduction_pv() - params::reduction_window());
        assert_eq!(by_node(NodeView { root_width, ..node }), 0, "a zero window");
        assert_eq!(by_node(NodeView { tt_pv: true, ..node }), -params::reduction_tt_pv());
        assert_eq!(by_node(NodeView { improving: true, ..node }), -params::reduction_improving());
        assert_eq!(by_node(NodeView { tt_capture: true, ..node }), params::reduction_tt_capture());
        let cut = NodeView { cut_node: true, ..node };
        assert_eq!(by_node(cut), params::reduction_cut_node());
        let unknown = NodeView { has_tt_move: false, ..cut };
        assert_eq!(by_node(unknown), params::reduction_cut_node() + params::reduction_no_tt_move());
        assert_eq!(by_node(NodeView { has_tt_move: false, ..node }), 0);
        assert_eq!(by_node(NodeView { correction: params::reduction_correction(), ..node }), -PLY);
        let by_move = |m: MoveView| late_move_reduction(&node, &m) - plain;
        assert_eq!(by_move(MoveView { gives_check: true, ..QUIET }), -params::reduction_check());
        assert_eq!(by_move(MoveView { history: 2 * params::reduction_history(), ..QUIET }), -2 * PLY);
        assert_eq!(by_move(MoveView { history: -params::reduction_history(), ..QUIET }), PLY);
        let often = params::reduction_cutoff_count_min() + 1;
        assert_eq!(by_move(MoveView { cutoff_count: often, ..QUIET }), params::reduction_cutoff_count());
        assert_eq!(by_move(MoveView { cutoff_count: often - 1, ..QUIET }), 0);
        // A capture has a base and a history of its own, and does not mind that the table move captures.
        let capture = MoveView { quiet: false, history: params::reduction_capture_history(), ..QUIET };
        let captures = NodeView { tt_capture: true, ..node };
        assert_eq!(late_move_reduction(&captures, &capture), base_reduction(10, 8, false) - PLY);
    }

    #[test]
    fn first_moves_are_searched_to_their_full_depth() {
        let root_moves = params::reduction_root_moves() as usize;
        for (depth, move_count, elsewhere, at_the_root) in [
            (9, 1, false, false),
            (9, 2, true, root_moves == 0),
            (9, 1 + root_moves, root_moves > 0, false),
            (9, 2 + root_moves, true, true),
            (1, 30, false, false),
        ] {
            assert_eq!(may_reduce(depth, move_count, false), elsewhere, "{depth} {move_count}");
            assert_eq!(may_reduce(depth, move_count, true), at_the_root, "{depth} {move_count}");
        }
    }

    #[test]
    fn good_history_deepens_what_pruning_expects() {
        for depth in 1..20 {
            let at = |history| pruning_depth(depth, &MoveView { history, ..QUIET });
            assert!(at(-30_000) <= at(0) && at(0) <= at(30_000) && at(-1_000_000) == 0);
        }
    }

    #[test]
    fn a_second_search_is_deeper_where_the_move_is_clearly_better() {
        for depth in 1..30 {
            let deeper = params::deeper_margin() + params::deeper_depth() * depth / 16;
            let shallower = params::shallower_depth() * depth / 16;
            assert_eq!(research_depth(depth, 100 + deeper + 1, 100), depth + 1);
            assert_eq!(research_depth(depth, 100 + deeper, 100), depth);
            assert_eq!(research_depth(depth, 100 + shallower, 100), depth);
            assert_eq!(research_depth(depth, 100 + shallower - 1, 100), depth - Depth::from(shallower > 0));
        }
    }

    #[test]
    fn hindsight_gives_back_what_was_reduced_for_nothing() {
        let (reduced, margin) = (params::hindsight_reduction(), params::hindsight_margin());
        for depth in 1..20 {
            assert_eq!(hindsight(depth, reduced, Some(0)), 1);
            assert_eq!(hindsight(depth, reduced - 1, Some(-500)), 0);
            assert_eq!(hindsight(depth, 1, Some(margin + 1)), -Depth::from(depth >= 2));
            assert_eq!(hindsight(depth, 1, Some(margin)), 0);
            assert_eq!(hindsight(depth, 0, Some(margin + 1)), 0);
            assert_eq!(hindsight(depth, reduced, None), 0, "in check nothing is known");
        }
    }

    #[test]
    fn a_node_without_a_good_table_move_is_reduced_where_it_matters() {
        let entry = |depth| TableEntry { depth, ..TableEntry::of_static_eval(0) };
        for depth in 1..20 {
            let deep = depth >= params::iir_depth();
            let cut = NodeView { cut_node: true, ..NodeView::sample(depth, 0) };
            assert_eq!(internal_iterative_reduction(&cut, Some(&entry(depth))), 0);
            assert_eq!(internal_iterative_reduction(&cut, None), Depth::from(deep));
            let shallow = depth - params::iir_entry();
            assert_eq!(internal_iterative_reduction(&cut, Some(&entry(shallow))), Depth::from(deep));
            assert_eq!(internal_iterative_reduction(&cut, Some(&entry(shallow + 1))), 0);
            let no_move = NodeView { has_tt_move: false, ..cut };
            assert_eq!(internal_iterative_reduction(&no_move, Some(&entry(depth))), Depth::from(deep));
            let all = NodeView { cut_node: false, ..no_move };
            assert_eq!(internal_iterative_reduction(&all, None), 0, "an expected all node");
        }
    }

    #[test]
    fn a_blended_value_lies_between_beta_and_the_value() {
        for depth in 1..30 {
            for value in [50, 51, 90, 2000] {
                let blended = blended_fail_high(value, 50, depth);
                assert!((50..=value).contains(&blended));
                assert!(blended <= blended_fail_high(value, 50, depth + 1));
            }
            assert_eq!(blended_fail_high(mate_in(5), 50, depth), mate_in(5));
        }
    }
}
