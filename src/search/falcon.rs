//! The mode `falcon`: what Falcon, the program of David and Netanyahu (2008), did beside null moves, as their papers
//! describe it: multi-cut, and extensions for checks, recaptures, only replies, mate threats and passed pawns.
//!
//! The papers name these and give no numbers. Multi-cut has the numbers of its usual description, and an extension is a
//! ply, as was the custom of its time. So that the search ends, a move is extended by one ply at most, whatever speaks for
//! it, and none beyond twice the depth of the iteration. Futility pruning near the leaves, which Falcon had, is that of the
//! plain search; internal iterative deepening, which it had too, is missing.

use std::ops::ControlFlow::{self, Break, Continue};

use super::extensions::may_extend;
use super::move_picker::MovePicker;
use super::node::{Node, NodeView};
use super::null_move::Scheme;
use super::reductions::MoveView;
use super::searcher::Searcher;
use super::window::Window;
use crate::board::Board;
use crate::params;
use crate::types::{Depth, MATE_IN_MAX, Move, PieceType, Value, is_decisive};

/// May multi-cut be tried? In nodes that are expected to fail high, with something left to search at the reduced depth;
/// not in check, where there is little to choose from, and not where beta is decisive: few moves searched shallowly prove
/// no mate (Bjoernsson and Marsland 1999, "Multi-cut pruning in alpha-beta search").
pub fn may_try_multi_cut(node: &NodeView) -> bool {
    node.cut_node
        && !node.in_check
        && !is_decisive(node.beta)
        && node.depth >= params::falcon_multi_cut_depth()
}

/// The depth to which multi-cut searches the first moves of a node of this depth, in plies.
pub fn multi_cut_search_depth(depth: Depth) -> Depth {
    depth - 1 - params::falcon_multi_cut_reduction()
}

/// True if a move takes back on the square on which the last one has taken: an exchange is to be seen to its end (the
/// recapture extension of Cray Blitz and Deep Thought; Anantharaman 1991, "Extension heuristics").
pub fn is_recapture(last_move: Option<Move>, m: Move) -> bool {
    m.is_capture() && last_move.is_some_and(|last| last.is_capture() && last.to() == m.to())
}

/// True if a move brings a passed pawn to the seventh rank, by a push or a capture, or to an earlier one if
/// `falcon_passed_pawn_rank` says so: the promotion may lie just beyond the horizon (an old custom of chess programs). A pawn is
/// passed if no enemy pawn stands before it on its own or a neighbouring file.
pub fn is_passed_pawn_push(board: &Board, m: Move) -> bool {
    let us = board.side_to_move();
    let rank = m.to().rank().relative(us).index() as i32 + 1;
    board.pieces_of(us, PieceType::Pawn).has(m.from())
        && (params::falcon_passed_pawn_rank()..8).contains(&rank)
        && board.is_passed(us, m.to())
}

/// True if the value of a null move, for the side that passed, says that it would be mated: the opponent threatens mate
/// (Donninger 1993, "Null move and deep search").
pub fn is_mate_threat(value: Value) -> bool {
    value <= -MATE_IN_MAX
}

/// The reasons for which a move may be extended in the mode `falcon`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForcedMove {
    /// The move gives check.
    pub gives_check: bool,
    /// The move is a [recapture](is_recapture).
    pub recaptures: bool,
    /// The move is the only legal one of its node: a reply that is forced costs no width.
    pub is_only_reply: bool,
    /// The move brings a [passed pawn](is_passed_pawn_push) to the seventh rank.
    pub pushes_passed_pawn: bool,
}

/// By how many plies a move is searched deeper: the most that anything says, so that two reasons are no more than one.
pub fn forced_move_extension(m: &ForcedMove) -> Depth {
    let when = |condition: bool, plies: Depth| if condition { plies } else { 0 };
    when(m.gives_check, params::falcon_check())
        .max(when(m.recaptures, params::falcon_recapture()))
        .max(when(m.is_only_reply, params::falcon_only_reply()))
        .max(when(m.pushes_passed_pawn, params::falcon_passed_pawn()))
}

impl<S: Scheme> Searcher<'_, S> {
    /// True if the switch `falcon` is on.
    #[inline]
    pub fn is_falcon(&self) -> bool {
        S::SWITCHES && self.job.request.options.null_move_settings.switches.falcon
    }

    /// Multi-cut: leaves an expected cut node with beta where several of its first moves reach beta at a reduced depth.
    /// Were one of these cutoffs wrong, another might still be right (Bjoernsson and Marsland 1999). `search` searches a
    /// move that has been made, to a depth and in a window.
    pub fn try_multi_cut(
        &mut self,
        node: &mut Node,
        mut search: impl FnMut(&mut Self, Depth, Window) -> Value,
    ) -> ControlFlow<Value> {
        let view = node.view;
        if !self.is_falcon() || !may_try_multi_cut(&view) {
            return Continue(());
        }
        let (ply, depth) = (view.ply, multi_cut_search_depth(view.depth));
        let window = Window::zero_below(view.beta).negated();
        let threats = *node.threats(|| self.worker.threats());
        self.worker.stack.at(ply).threats = threats.all;
        let mut picker = MovePicker::new(node.tt_move);
        let mut cutoffs = 0;
        for move_count in 1..=params::falcon_multi_cut_moves() as usize {
            let Some(m) = picker.next(&self.picker_context(ply, &threats)) else { break };
            if !self.count_node() {
                break;
            }
            self.prefetch(m);
            self.worker.stack.at(ply).move_count = move_count;
            self.make_move(ply, m);
            let value = -search(self, depth, window);
            self.unmake_move(m);
            self.check_stop()?;
            cutoffs += i32::from(value >= view.beta);
            if cutoffs >= params::falcon_multi_cut_cutoffs() {
                return Break(view.beta);
            }
        }
        Continue(())
    }

    /// By how many plies a move of the node at `ply`, which is about to be made, is searched deeper.
    pub fn forced_move_extension(&mut self, ply: usize, m: Move, view: &MoveView) -> Depth {
        let board = &self.worker.board;
        let forced = ForcedMove {
            gives_check: view.gives_check,
            recaptures: is_recapture(self.worker.stack.back(ply, 1).current_move, m),
            is_only_reply: view.move_count == 1 && board.legal_moves().len() == 1,
            pushes_passed_pawn: is_passed_pawn_push(board, m),
        };
        let plies = if may_extend(ply, self.worker.root_depth) { forced_move_extension(&forced) } else { 0 };
        self.worker.null_moves.at(ply).extended = plies > 0;
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::super::null_move::NullMoveSwitches;
    use super::super::tests::{AHEAD, SCRIPT, at_node, plain};
    use super::*;
    use crate::board::notation::parse_uci;
    use crate::types::mate_in;

    #[test]
    fn multi_cut_is_tried_in_deep_nodes_that_are_expected_to_fail_high() {
        let least = params::falcon_multi_cut_depth();
        let node = NodeView { cut_node: true, ..NodeView::sample(least, 0) };
        assert!(may_try_multi_cut(&node));
        for other in [
            NodeView { depth: least - 1, ..node },
            NodeView { cut_node: false, ..node },
            NodeView { in_check: true, ..node },
            NodeView { beta: mate_in(5), ..node },
        ] {
            assert!(!may_try_multi_cut(&other), "{other:?}");
        }
        assert!((0..least - 1).contains(&multi_cut_search_depth(least)));
    }

    #[test]
    fn a_recapture_takes_where_the_last_move_took() {
        let mut board: Board = "4k3/8/2p5/3p4/4P3/5N2/8/4K3 w - - 0 1".parse().expect("a position");
        let takes = parse_uci(&board, "e4d5").expect("legal");
        let quiet = parse_uci(&board, "f3d4").expect("legal");
        board.make_move(takes, &mut ());
        let back = parse_uci(&board, "c6d5").expect("legal");
        assert!(is_recapture(Some(takes), back));
        assert!(!is_recapture(Some(quiet), back) && !is_recapture(None, back));
        assert!(!is_recapture(Some(takes), parse_uci(&board, "c6c5").expect("legal")));
    }

    #[test]
    fn a_push_counts_if_the_pawn_is_passed_and_near_its_promotion() {
        let push = |fen: &str, m: &str| {
            let board: Board = fen.parse().expect(fen);
            is_passed_pawn_push(&board, parse_uci(&board, m).expect(m))
        };
        let white = "7k/2p5/P3P3/8/8/8/8/K7 w - - 0 1";
        assert!(push(white, "e6e7") && push(white, "a6a7") && !push(white, "a1b1"));
        assert!(!push("7k/8/8/4P3/8/8/8/K7 w - - 0 1", "e5e6"), "the sixth rank is too far");
        assert!(!push("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8q"), "a promotion is no push");
        assert!(push("k7/8/8/8/8/4p3/8/7K b - - 0 1", "e3e2"));
    }

    #[test]
    fn only_a_mate_after_passing_is_a_mate_threat() {
        assert!(is_mate_threat(-mate_in(4)) && is_mate_threat(-MATE_IN_MAX));
        assert!(!is_mate_threat(-MATE_IN_MAX + 1) && !is_mate_threat(mate_in(4)));
    }

    #[test]
    fn each_reason_extends_by_a_ply_and_all_together_by_no_more() {
        let none = ForcedMove::default();
        assert_eq!(forced_move_extension(&none), 0);
        let all =
            ForcedMove { gives_check: true, recaptures: true, is_only_reply: true, pushes_passed_pawn: true };
        for one in [
            ForcedMove { gives_check: true, ..none },
            ForcedMove { recaptures: true, ..none },
            ForcedMove { is_only_reply: true, ..none },
            ForcedMove { pushes_passed_pawn: true, ..none },
            all,
        ] {
            assert_eq!(forced_move_extension(&one), 1, "{one:?}");
        }
    }

    /// The search of the mode.
    fn falcon() -> NullMoveSwitches {
        NullMoveSwitches { falcon: true, ..plain() }
    }

    #[test]
    fn a_node_is_left_as_soon_as_enough_of_its_first_moves_reach_beta() {
        let cutoffs = params::falcon_multi_cut_cutoffs();
        let most = params::falcon_multi_cut_moves();
        for (failing, cut, searched) in
            [(0, true, cutoffs), (most - cutoffs, true, most), (most, false, most)]
        {
            at_node(AHEAD, SCRIPT, falcon(), |search| {
                let view = NodeView { ply: 1, cut_node: true, beta: 50, alpha: 49, ..NodeView::sample(8, 0) };
                let mut node = Node::new(view, (None, None), None, None, Window::FULL);
                let mut count = 0;
                let result = search.try_multi_cut(&mut node, |search, depth, window| {
                    assert_eq!(
                        (depth, window),
                        (multi_cut_search_depth(8), Window::zero_below(50).negated())
                    );
                    count += 1;
                    assert_eq!(search.worker.stack.back(2, 1).move_count, count as usize);
                    if count <= failing { -49 } else { -50 }
                });
                assert_eq!(result, if cut { Break(50) } else { Continue(()) }, "{failing}");
                assert_eq!(count, searched, "{failing}");
            });
        }
    }

    #[test]
    fn no_move_is_extended_beyond_twice_the_depth_of_the_iteration() {
        at_node(AHEAD, SCRIPT, falcon(), |search| {
            let m = search.worker.board.legal_moves()[0];
            let view = MoveView { gives_check: true, ..MoveView::sample(2) };
            search.worker.root_depth = 1;
            assert_eq!(search.forced_move_extension(1, m, &view), 1);
            assert!(search.worker.null_moves.at(1).extended);
            assert_eq!(search.forced_move_extension(2, m, &view), 0);
            assert!(!search.worker.null_moves.at(2).extended);
        });
    }

    #[test]
    fn a_mate_threat_extends_a_node_unless_the_move_that_led_there_is_extended() {
        for extended in [false, true] {
            at_node(AHEAD, SCRIPT, falcon(), |search| {
                search.worker.null_moves.at(0).extended = extended;
                let result = search.null_move_fail_low(1, -mate_in(4), None);
                assert_eq!(result.extension, Depth::from(!extended));
                assert_eq!(search.null_move_fail_low(1, -300, None).extension, 0);
            });
        }
    }
}
