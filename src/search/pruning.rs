//! May a node or a move be left out? Pure functions of a view of the node.
//!
//! Where a doc says "without it: 1.48 times the nodes", that is the node count of `bench` (every search to the same depth)
//! without the rule, as a multiple of that with it, which had signature 2,149,150. It says nothing of how good the moves
//! are.

use super::node::NodeView;
use super::reductions::{self, MoveView};
use super::window::INFINITY;
use crate::board::Board;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Bitboard, Bound, Depth, Move, Value, is_decisive, is_loss};

/// A mate decides the node: beta is one, or the table knows the side to move to be mated. A null move has nothing to
/// say there. Least of all in zugzwang, where the side to move would not be mated if it could pass: each node of a mate
/// that is already known would be reduced, and the table's depths would not reach back to where the mate begins. With
/// extended null-move reductions, the mate in 15 of the paper's figure 3 takes 1.3 to 3.7 million nodes with four
/// networks and nine settings; where the table is not asked, most of them do not find it in 30 million.
#[inline]
pub fn mate_decides(node: &NodeView) -> bool {
    is_decisive(node.beta) || is_loss(node.eval)
}

/// Reverse futility: the evaluation is so far above beta that no quiet move of the opponent will bring it back
/// within the depth left (static null move; Heinz 1998, "Extended futility pruning", turned round). Less is needed where
/// things get better for the side to move, and where the opponent's last move has made its own evaluation worse; more where
/// the evaluation is known to err (by its correction), and where the table knows a quiet move, which the margin does not
/// foresee. A node that was once on a principal variation is searched (the practice of Stockfish since 2021). A depth
/// of twelve and the terms of the square, the correction and the quiet table move, with eight other changes: 11 ± 11 Elo
/// (2,200 games at 8,000 nodes). With a depth of fifteen in place of nine, a move at 160,000 nodes loses 7.7 ± 6.0
/// ten-thousandths of a point less, by the judgement of Stockfish 15.1 in 449 positions. Without it: 1.48 times the nodes.
#[inline]
pub fn reverse_futility(node: &NodeView) -> bool {
    !node.tt_pv
        && !node.in_check
        && node.depth <= params::reverse_futility_depth()
        && !is_decisive(node.beta)
        && !is_decisive(node.eval)
        && node.eval - reverse_futility_margin(node) >= node.beta
}

/// How far above beta the evaluation must be for [`reverse_futility`], in centipawns: it grows a little faster than the
/// depth.
pub fn reverse_futility_margin(node: &NodeView) -> Value {
    let when = |condition: bool, by: i32| if condition { by } else { 0 };
    let margin = params::reverse_futility_margin() * node.depth
        + params::reverse_futility_square() * node.depth * node.depth / 16
        + params::reverse_futility_correction() * node.correction / 16
        + when(node.has_tt_move && !node.tt_capture, params::reverse_futility_quiet_move())
        - when(node.improving, params::reverse_futility_improving())
        - when(node.opponent_worsening, params::reverse_futility_worsening());
    // The numbers of a tuner could make it negative, and the node would be worth less than beta.
    margin.max(0)
}

/// The value of a node that reverse futility prunes: not the whole lead over beta, since the margin is a guess, and a
/// great bound would mislead the nodes above (the practice of Stockfish; tuned here, not measured by itself).
#[inline]
pub fn reverse_futility_value(node: &NodeView) -> Value {
    node.beta + (node.eval - node.beta) * params::reverse_futility_share() / 16
}

/// Razoring: so far below alpha that only captures can help; quiescence decides (Birmingham and Kent 1977).
/// Without it: 0.99 times the nodes, and −1 ± 9 Elo (2,014 games at 25,000 nodes).
#[inline]
pub fn razoring(node: &NodeView) -> bool {
    !node.pv
        && !node.in_check
        && !is_decisive(node.alpha)
        && node.eval + params::razoring_base() + params::razoring_depth() * node.depth * node.depth
            < node.alpha
}

/// May a move be left out? Then returns the value that it can have at most, in centipawns, and the value of the node must
/// not be less; `-INFINITY` if nothing is known of it. `bad_capture` says that only captures that lose material are left;
/// in `baseline` mode there is futility pruning only. `attacked` are the squares that the opponent attacks.
#[inline]
pub fn prune_move(
    node: &NodeView,
    board: &Board,
    m: Move,
    view: &MoveView,
    bad_capture: bool,
    baseline: bool,
    attacked: Bitboard,
) -> Option<Value> {
    if baseline {
        let futility_value = if view.quiet && !view.gives_check { futility(node, node.depth) } else { None };
        return futility_value.map(unless_decisive);
    }
    let (futility_value, prune);
    if view.quiet {
        let depth = reductions::pruning_depth(node.depth, view);
        futility_value = if view.gives_check { None } else { futility(node, depth) };
        prune = futility_value.is_none()
            && (history_pruning(node.depth, depth, view.history)
                || !board.see_ge_with(m, see_quiet_threshold(depth), attacked));
    } else {
        futility_value =
            if view.gives_check { None } else { capture_futility(node, board.gain(m), view.history) };
        prune = futility_value.is_none()
            && bad_capture
            && !board.see_ge(m, see_capture_threshold(node.depth, view.history));
    }
    if prune { Some(-INFINITY) } else { futility_value.map(unless_decisive) }
}

/// The most that a futile move can be worth, or `-INFINITY` if that is decisive: a margin added to an evaluation proves no
/// mate.
#[inline]
fn unless_decisive(at_most: Value) -> Value {
    if is_decisive(at_most) { -INFINITY } else { at_most }
}

/// Late-move pruning: after how many moves a node tries one more and leaves out the quiet rest. In a well-ordered list
/// the late moves of a shallow node hardly ever matter, least of all when things are not getting better
/// (move-count pruning; the practice of Stockfish and most engines). Without it: 1.06 times the nodes.
///
/// It makes optimists of searches of two to four plies, where two or three replies are all that answers a move of the root:
/// their scores are farther from the truth than the static evaluation (see `nets/notes.md`). Yet without it until the sixth
/// iteration −18 ± 23 Elo at 1,000 nodes and −1 ± 21 at 4,000 (600 games each).
#[inline]
pub fn late_move_count(node: &NodeView) -> usize {
    let limit = (params::late_move_base() + node.depth * node.depth) * 1024;
    (limit / if node.improving { 1024 } else { params::late_move_not_improving() }) as usize
}

/// Futility pruning of a quiet move: even a good quiet move does not lift the evaluation to alpha within the
/// depth that the move would get (Heinz 1998). Returns what the move can be worth at most, if that is too little.
/// With 30 centipawns for each ply and 20 besides, in place of 44 and 50, a move at 160,000 nodes loses 7.0 ± 6.6
/// ten-thousandths of a point less, by the judgement of Stockfish 15.1 in 449 positions. Without it: 1.24 times the nodes.
#[inline]
pub fn futility(node: &NodeView, reduced_depth: Depth) -> Option<Value> {
    let most = node.static_eval + params::futility_base() + params::futility_margin() * reduced_depth;
    (!node.in_check && reduced_depth <= params::futility_depth() && most <= node.alpha).then_some(most)
}

/// Futility pruning of a capture: what it takes does not lift the evaluation to alpha (the practice of Stockfish since
/// 2020). Returns what the move can be worth at most, if that is too little. Without it: 1.12 times the nodes. Together
/// with [hindsight](super::reductions::hindsight), [history by evaluation difference](super::history::update) and
/// correction by the last moves: 50 ± 24 Elo (520 games at 10,000 nodes).
#[inline]
pub fn capture_futility(node: &NodeView, gain: Value, history: i32) -> Option<Value> {
    let most = node.static_eval
        + gain
        + params::capture_futility_base()
        + params::capture_futility_margin() * node.depth
        + history / params::capture_futility_history();
    (!node.in_check && node.depth <= params::capture_futility_depth() && most <= node.alpha).then_some(most)
}

/// History pruning: a quiet move that has failed in most nodes so far will hardly be the best in this one (the practice of
/// Stockfish). Without it: 0.99 times the nodes, and −5 ± 9 Elo (2,014 games at 25,000 nodes).
#[inline]
pub fn history_pruning(depth: Depth, reduced_depth: Depth, history: i32) -> bool {
    reduced_depth <= params::history_pruning_depth() && history < -params::history_pruning_margin() * depth
}

/// What a quiet move may lose in the exchange that it starts, in centipawns (negative): one that only loses material
/// seldom turns out to be the best (SEE pruning; the practice of Stockfish). Without it and its twin for captures: 1.21
/// times the nodes.
#[inline]
pub fn see_quiet_threshold(reduced_depth: Depth) -> Value {
    -params::see_quiet_margin() * reduced_depth * reduced_depth
}

/// What a capture may lose in the exchange that it starts, in centipawns (negative): more if its history is good, never a
/// gain. See [`see_quiet_threshold`].
#[inline]
pub fn see_capture_threshold(depth: Depth, history: i32) -> Value {
    -(params::see_capture_margin() * depth + params::see_capture_history() * history / 1024).max(0)
}

/// ProbCut: the value that a capture must reach in a shallow search to cut the node (Buro 1995).
/// Without it: 0.94 times the nodes, and +2 ± 9 Elo (2,014 games at 25,000 nodes, with a margin of 282). With a margin of 200
/// in place of 364, a move at 200,000 nodes loses 6.7 ± 4.3 ten-thousandths of a point less, by the judgement of Stockfish 15.1
/// in 1,300 positions; with 290 in place of 140, 9.5 ± 6.8 less (449 positions, 160,000 nodes).
#[inline]
pub fn probcut_beta(node: &NodeView) -> Value {
    let margin = params::probcut_margin() - if node.improving { params::probcut_improving() } else { 0 };
    // The numbers of a tuner could make it negative, and a cut node would be worth more than its capture has proved.
    node.beta + margin.max(0)
}

/// May ProbCut be tried in a node? Not where the table has a value below `probcut_beta`, of whatever bound, from a search at least
/// as deep as what ProbCut would store (the practice of Stockfish since 2020).
#[inline]
pub fn may_try_probcut(node: &NodeView, hit: Option<&TableEntry>, probcut_beta: Value) -> bool {
    let refuted = hit.is_some_and(|hit| {
        hit.depth > node.depth - params::probcut_reduction()
            && hit.value.is_some_and(|value| value < probcut_beta)
    });
    !node.pv && !node.in_check && node.depth >= params::probcut_depth() && !is_decisive(node.beta) && !refuted
}

/// The value of a node where no capture reached ProbCut's bound, but the table has found still more in nearly the same
/// depth (the practice of Stockfish since 2020; with the first tuning and six other rules 54 ± 16 Elo, 1,134 games at 8,000
/// nodes). It is seldom reached: reverse futility cuts before where the table's value is the evaluation. At the head of all
/// moves, in check and for exact entries, too, it makes 2 ± 8 Elo more (3,228 games at 20,000 nodes with other changes).
#[inline]
pub fn probcut_by_tt(node: &NodeView, hit: Option<&TableEntry>) -> Option<Value> {
    let sure = node.beta + params::probcut_tt_margin();
    hit.filter(|hit| hit.bound == Bound::Lower && hit.depth >= node.depth - params::probcut_tt_entry())
        .and_then(|hit| hit.value)
        .is_some_and(|value| value >= sure && !is_decisive(value))
        .then_some(sure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_uci;
    use crate::types::{MATE_IN_MAX, MAX_EVAL, TB_WIN, mate_in, mated_in};

    fn node(depth: Depth, eval: Value, alpha: Value) -> NodeView {
        NodeView { alpha, beta: alpha + 1, tt_capture: true, ..NodeView::sample(depth, eval) }
    }

    #[test]
    fn far_above_beta_a_node_is_left_and_far_below_alpha_it_is_razored() {
        for depth in 1..=20 {
            let above = node(depth, 20_000, 0);
            assert_eq!(reverse_futility(&above), depth <= params::reverse_futility_depth());
            assert!(!razoring(&above));
            assert!(!reverse_futility(&node(depth, -20_000, 0)));
            let margin = |change: fn(&mut NodeView)| {
                let mut view = NodeView { tt_capture: true, ..NodeView::sample(depth, 0) };
                change(&mut view);
                reverse_futility_margin(&view)
            };
            let plain = margin(|_| ());
            assert!(margin(|view| view.depth += 1) > plain && margin(|view| view.correction = 160) > plain);
            assert!(
                margin(|view| view.tt_capture = false) > plain
                    && margin(|view| view.improving = true) < plain
            );
            if depth <= params::reverse_futility_depth() {
                assert!(reverse_futility(&node(depth, 1 + plain, 0)));
                assert!(!reverse_futility(&node(depth, plain, 0)));
            }
        }
        let least = |depth| (1..20_000).find(|&lead| razoring(&node(depth, -lead, 0))).expect("far enough");
        for depth in 1..6 {
            assert!(least(depth) < least(depth + 1), "{depth}");
        }
    }

    #[test]
    fn in_check_on_open_windows_and_near_mates_no_node_is_left() {
        for depth in 1..=20 {
            for eval in [-20_000, 0, 20_000] {
                let quiet = node(depth, eval, 0);
                let pv = NodeView { pv: true, tt_pv: true, ..quiet };
                assert!(
                    !reverse_futility(&NodeView { tt_pv: true, ..quiet }),
                    "once on a principal variation"
                );
                for view in [NodeView { in_check: true, ..quiet }, pv] {
                    assert!(!reverse_futility(&view) && !razoring(&view), "{view:?}");
                }
                assert_eq!(futility(&NodeView { in_check: true, ..quiet }, 0), None);
                for alpha in [mate_in(9), mated_in(9)] {
                    let view = node(depth, eval, alpha);
                    assert!(!reverse_futility(&view) && !razoring(&view), "{view:?}");
                }
            }
            assert!(!reverse_futility(&node(depth, mate_in(9), 0)));
        }
    }

    #[test]
    fn a_mate_decides_where_it_is_wanted_or_suffered_and_not_where_it_is_given() {
        for depth in 1..=20 {
            for eval in [-MAX_EVAL, -500, 0, 500, MAX_EVAL, TB_WIN, MATE_IN_MAX, mate_in(1)] {
                assert!(!mate_decides(&node(depth, eval, 0)), "{eval}");
                for alpha in [mate_in(9), mated_in(9), MAX_EVAL, -MAX_EVAL - 2] {
                    assert!(mate_decides(&node(depth, eval, alpha)), "{eval}, {alpha}");
                }
            }
            for eval in [mated_in(0), mated_in(29), -TB_WIN] {
                assert!(mate_decides(&node(depth, eval, 0)), "{eval}");
            }
        }
    }

    #[test]
    fn moves_are_left_out_less_the_deeper_the_node() {
        for depth in 1..40 {
            let (view, deeper) = (node(depth, 0, 0), node(depth + 1, 0, 0));
            let improving = NodeView { improving: true, ..view };
            assert!(late_move_count(&view) >= 1 && late_move_count(&view) <= late_move_count(&deeper));
            assert!(late_move_count(&improving) >= late_move_count(&view));
            assert!(see_quiet_threshold(depth) > see_quiet_threshold(depth + 1));
            assert!(see_capture_threshold(depth, 0) > see_capture_threshold(depth + 1, 0));
            assert!(see_capture_threshold(depth, 5000) <= see_capture_threshold(depth, -5000));
            assert!(see_capture_threshold(depth, -16384) <= 0);
            for reduced in 0..12 {
                let alpha = params::futility_base() + params::futility_margin() * reduced;
                let within = reduced <= params::futility_depth();
                assert_eq!(futility(&node(depth, 0, alpha), reduced).is_some(), within);
                assert_eq!(futility(&node(depth, 0, alpha - 1), reduced), None);
                let limit = -params::history_pruning_margin() * depth;
                let within = reduced <= params::history_pruning_depth();
                assert_eq!(history_pruning(depth, reduced, limit - 1), within);
                assert!(!history_pruning(depth, reduced, limit));
            }
        }
        assert_eq!(see_quiet_threshold(0), 0);
        let view = node(8, 0, 30);
        assert!(probcut_beta(&view) > view.beta);
        assert!(probcut_beta(&NodeView { improving: true, ..view }) <= probcut_beta(&view));
    }

    /// A quiet queen move that a pawn answers, one that is safe, and a capture of a defended pawn.
    fn moves() -> (Board, [Move; 3]) {
        let board: Board = "6k1/1p6/2pp4/8/8/8/8/2Q3K1 w - - 0 1".parse().expect("a position");
        let moves = ["c1c5", "c1a1", "c1c6"].map(|text| parse_uci(&board, text).expect(text));
        (board, moves)
    }

    #[test]
    fn moves_that_lose_material_or_hope_are_left_out() {
        let (board, [losing, safe, capture]) = moves();
        let attacked = board.threats(!board.side_to_move()).all;
        let prune = |eval, m: Move, view: MoveView, bad_capture, baseline| {
            prune_move(&node(2, eval, 0), &board, m, &view, bad_capture, baseline, attacked)
        };
        let quiet = MoveView::sample(1);
        let noisy = MoveView { quiet: false, ..quiet };
        // By the exchange: nothing is known of the value.
        assert_eq!(prune(500, losing, quiet, false, false), Some(-INFINITY));
        assert_eq!(prune(500, safe, quiet, false, false), None);
        assert_eq!(prune(500, capture, noisy, true, false), Some(-INFINITY));
        assert_eq!(prune(500, capture, noisy, false, false), None, "the picker has found it good");
        // By the evaluation: the node is worth no less than what was hoped for.
        for (m, view) in [(safe, quiet), (capture, noisy)] {
            let hoped = prune(-2000, m, view, false, false).expect("futile");
            assert!((-2000..=0).contains(&hoped), "{hoped}");
            let check = MoveView { gives_check: true, ..view };
            assert_eq!(prune(-2000, m, check, false, false), None);
        }
        // Baseline mode leaves out futile quiet moves alone.
        assert!(prune(-2000, safe, quiet, false, true).is_some());
        assert_eq!(prune(500, losing, quiet, false, true), None);
        assert_eq!(prune(-2000, capture, noisy, true, true), None);
    }

    #[test]
    fn a_capture_is_futile_where_all_that_it_takes_is_not_enough() {
        for depth in 1..20 {
            let at = |gain, history| capture_futility(&node(depth, -3000, 0), gain, history);
            let hoped = at(100, 0);
            assert_eq!(hoped.is_some(), depth <= params::capture_futility_depth());
            if let Some(most) = hoped {
                assert_eq!(at(101, 0), Some(most + 1));
                assert_eq!(at(100 - most, 0), Some(0), "just not above alpha");
                assert_eq!(at(101 - most, 0), None);
                assert!(at(100, 16_384) > hoped && at(100, -16_384) < hoped);
                let in_check = NodeView { in_check: true, ..node(depth, -3000, 0) };
                assert_eq!(capture_futility(&in_check, 100, 0), None);
            }
        }
    }

    #[test]
    fn probcut_is_tried_where_nothing_speaks_against_it() {
        let deep = params::probcut_depth();
        let good = node(deep, 0, 0);
        let beta = probcut_beta(&good);
        assert!(may_try_probcut(&good, None, beta));
        for forbidden in [
            NodeView { pv: true, ..good },
            NodeView { in_check: true, ..good },
            NodeView { depth: deep - 1, ..good },
            node(deep, 0, mate_in(9)),
        ] {
            assert!(!may_try_probcut(&forbidden, None, beta), "{forbidden:?}");
        }
        // The table speaks against it if it has searched deep enough and found less.
        for (value, depth, tried) in [(beta - 1, deep, false), (beta, deep, true), (beta - 1, 0, true)] {
            let hit = TableEntry::sample(Bound::Upper, value, depth);
            assert_eq!(may_try_probcut(&good, Some(&hit), beta), tried, "{value} {depth}");
        }
    }

    #[test]
    fn the_table_cuts_as_probcut_would_with_a_lower_bound_far_above_beta() {
        let view = node(8, 0, 0);
        let by_table =
            |bound, value, depth| probcut_by_tt(&view, Some(&TableEntry::sample(bound, value, depth)));
        let value = by_table(Bound::Lower, MAX_EVAL, 8).expect("a cut");
        assert!((view.beta + 1..MAX_EVAL).contains(&value), "{value}");
        assert_eq!(by_table(Bound::Lower, value, 8), Some(value), "no more than is sure");
        for (bound, found, depth) in [
            (Bound::Lower, value - 1, 8),
            (Bound::Upper, MAX_EVAL, 8),
            (Bound::Lower, MAX_EVAL, 0),
            (Bound::Lower, mate_in(9), 8),
        ] {
            assert_eq!(by_table(bound, found, depth), None, "{bound:?} {found} {depth}");
        }
        assert_eq!(probcut_by_tt(&view, None), None);
    }
}
