//! Principal variation search: the recursion above quiescence. The steps of a node, whose numbers the code repeats:
//!
//!  1. depth: with none left, quiescence
//!  2. entry: the end of the search, draws, the maximum ply, mate distance
//!  3. transposition table: cutoff
//!  4. endgame tables, after a capture or pawn move
//!  5. static evaluation, corrected and compared with earlier ones
//!  6. hindsight: the depth after a move that was reduced too much or too little
//!  7. razoring
//!  8. reverse futility pruning
//!  9. null move: reduces the node, or cuts or verifies in other schemes
//! 10. internal iterative reduction
//! 11. ProbCut, or multi-cut in the mode `falcon`
//! 12. the next move of the picker
//! 13. pruning of moves: late-move, futility, history and SEE pruning
//! 14. singular search: extensions, multi-cut; in the mode `falcon`, extensions of forced moves
//! 15. the move is made
//! 16. late-move reduction, and the full-depth search of a move that did better than expected
//! 17. zero-window search of a move that is not reduced
//! 18. full-window search of the first move and of one that raised alpha in a PV node
//! 19. the move is unmade; best move, alpha, cutoff
//! 20. histories learn from a fail-high
//! 21. a fail-low below a null-move reduction: the node may be searched again, at the depth that it has without a null move
//! 22. the value of the node: mate, stalemate, fail-soft bounds
//! 23. transposition table and correction history

use std::ops::ControlFlow::{self, Break, Continue};

use arrayvec::ArrayVec;

use super::extensions::{self, Singularity};
use super::history::update::fail_high_depth;
use super::move_picker::MovePicker;
use super::node::{Cut, Node, NodeKind, NodeView};
use super::null_move::observer::NodePruning;
use super::null_move::{FailHigh, Scheme};
use super::null_move_result::NullMoveResult;
use super::null_move_state::NullMoveState;
use super::pruning;
use super::reductions::{self, MoveView, PLY};
use super::scheme_inputs;
use super::searcher::Searcher;
use super::tt_access::tt_pv;
use super::tt_cutoff::may_cut;
use super::window::{Best, INFINITY, Raise, Window};
use super::worker::Worker;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Bound, DRAW, Depth, MAX_PLY, Move, Value, is_decisive, is_loss, mated_in};

impl<S: Scheme> Searcher<'_, S> {
    /// The value of the node at `ply` for the side to move, in centipawns, searched `depth` plies deep within the window.
    ///
    /// Fail-soft: a value outside the window is a bound. The value is void when the search is over.
    pub fn negamax<N: NodeKind>(&mut self, depth: Depth, ply: usize, window: Window) -> Value {
        debug_assert!(!window.is_empty() && (N::PV || window.is_zero_window()), "{window:?}");
        // A ply takes one from the depth; extensions and hindsight give back at most four, those of the switches one more.
        let most = MAX_PLY + if S::SWITCHES { 4 } else { 3 } * ply;
        debug_assert!(ply < MAX_PLY && depth <= most as Depth, "depth {depth} at ply {ply}");
        debug_assert!(!N::ROOT || ply == 0 && self.worker.is_in_step());
        // Step 1: depth
        if depth <= 0 {
            return self.enter_quiescence::<N::Quiescence>(ply, window);
        }
        self.observe_entry::<N>(depth, ply, window);
        let (Continue(value) | Break(value)) = self.search_node::<N>(depth, ply, window);
        self.observe_exit(value);
        value
    }

    /// Steps 2 to 23.
    fn search_node<N: NodeKind>(
        &mut self,
        depth: Depth,
        ply: usize,
        window: Window,
    ) -> ControlFlow<Value, Value> {
        // Step 2: entry
        let entered = self.enter_node::<N>(ply, window)?;
        let can_repeat = entered.alpha > window.alpha;
        let window = if N::ROOT { entered } else { entered.within_mate_distance(ply)? };
        let mut node = self.set_up_node::<N>(depth, ply, window)?;
        node.can_repeat = can_repeat;
        let full_depth = node.view.depth;
        if !N::ROOT && node.excluded.is_none() {
            // What ends a PV node here has not searched the move that repeats.
            let least = if N::PV && can_repeat { DRAW } else { -INFINITY };
            self.search_before_moves::<N>(&mut node).map_break(|value| value.max(least))?;
        }
        self.check_stop()?;
        let counted = self.count_from(&node.view, full_depth);
        let searched = self.search_moves::<N>(&mut node);
        self.count_moves(counted, &node, &searched);
        let mut best = searched?;
        self.observe_moves(&node.view, best.value);
        // Step 21: a fail-low below a null-move reduction
        if self.is_full_depth_needed(&node, best.value) {
            node.view.depth = full_depth;
            if !self.is_baseline() {
                // Step 10 once more
                node.view.depth -= reductions::internal_iterative_reduction(&node.view, node.tt_hit.as_ref());
            }
            node.null_move_reduction = 0;
            if N::PV {
                // The line of the search that was not deep enough.
                self.worker.pv.clear(ply);
            }
            let counted = self.count_from(&node.view, full_depth);
            let searched = self.search_moves::<N>(&mut node);
            self.count_second_search(counted);
            best = searched?;
            self.observe_moves(&node.view, best.value);
        }
        // Steps 22 and 23: the value of the node, the table and correction history
        Continue(self.finish_node::<N>(&node, best))
    }

    /// Steps 3 to 6: what a node knows before anything below it is searched.
    pub(super) fn set_up_node<N: NodeKind>(
        &mut self,
        depth: Depth,
        ply: usize,
        window: Window,
    ) -> ControlFlow<Value, Node> {
        let excluded = self.worker.stack.at(ply).excluded;
        self.worker.stack.at(ply + 2).cutoff_count = 0;
        if N::ROOT {
            // No node two plies above resets it.
            self.worker.stack.at(1).cutoff_count = 0;
        }

        // Step 3: transposition table
        let hit = if excluded.is_some() { None } else { self.prepare_and_probe_tt(ply) };
        let tt_move = if N::ROOT {
            Some(self.worker.root_moves[self.worker.pv_index].m)
        } else {
            self.legal_tt_move(hit.as_ref())
        };
        if !N::PV
            && let Some(value) = self.try_tt_cutoff(hit.as_ref(), ply, depth, window)
            && may_cut(N::CUT, value, window.beta, depth)
        {
            if value >= window.beta {
                self.update_after_tt_cutoff(ply, tt_move, depth);
            }
            return Break(value);
        }

        self.prefetch_ahead(tt_move, N::CUT);

        // Step 4: endgame tables
        let tb_window = self.probe_tablebases::<N>(depth, ply, window, hit.as_ref())?;

        // Step 5: static evaluation
        let in_check = self.worker.board.in_check();
        let (mut static_eval, mut eval, mut correction, mut raw_eval) = (DRAW, DRAW, 0, None);
        if !in_check && excluded.is_some() {
            static_eval = self.worker.stack.at(ply).static_eval.unwrap_or(DRAW);
            eval = static_eval;
        } else if !in_check {
            self.observe_evaluation(hit.as_ref());
            let evaluation = self.worker.evaluate(ply, hit.as_ref());
            self.store_static_eval(ply, hit.as_ref(), evaluation.raw);
            (static_eval, correction) = (evaluation.corrected, evaluation.correction);
            (eval, raw_eval) = (evaluation.with_tt_value(hit.as_ref()), Some(evaluation.raw));
        }
        self.worker.stack.at(ply).static_eval = if in_check { None } else { Some(static_eval) };
        let stack = &self.worker.stack;
        let last_own_eval = stack.back(ply, 2).static_eval.or(stack.back(ply, 4).static_eval);
        let prior = *stack.back(ply, 1);
        let eval_difference =
            if in_check || N::ROOT { None } else { prior.static_eval.map(|eval| static_eval + eval) };

        // Step 6: hindsight, once for a node that is searched again to verify its null move
        let mut depth = depth;
        let verifying = S::READS_PATH && self.worker.null_moves.at(ply).verifying;
        if !N::ROOT && excluded.is_none() && !verifying {
            depth += reductions::hindsight(depth, prior.reduction, eval_difference);
            if let Some(difference) = eval_difference {
                let (histories, node) = self.worker.histories_at(ply);
                histories.update_by_eval_difference(node, difference);
            }
        }
        // A singular search does not ask the table, but late moves there are reduced as in the node itself, the correction apart:
        // a singular search that knows it lost 8.6 ± 6.9 ten-thousandths of a point a move (449 positions, 160,000 nodes).
        let entry = self.worker.stack.at(ply);
        if excluded.is_none() {
            entry.tt_pv = tt_pv::<N>(hit.as_ref());
            entry.tt_capture = tt_move.is_some_and(|m| m.is_capture());
        }
        let (tt_pv, tt_capture) = (entry.tt_pv, entry.tt_capture);
        let mut view = NodeView {
            depth,
            ply,
            alpha: window.alpha,
            beta: window.beta,
            static_eval,
            eval,
            correction,
            pv: N::PV,
            in_check,
            improving: !in_check && last_own_eval.is_some_and(|eval| static_eval > eval),
            opponent_worsening: eval_difference.is_some_and(|difference| difference > 0),
            cut_node: N::CUT,
            after_null: !N::ROOT && prior.current_move.is_none(),
            has_non_pawn_material: self.worker.board.has_non_pawn_material(self.worker.board.side_to_move()),
            tt_pv,
            root_width: self.worker.root_width,
            has_tt_move: tt_move.or(excluded).is_some(),
            tt_capture,
            null_moves: Default::default(),
            own_pieces: 0,
            most_pieces: 0,
            threat: 0,
        };
        scheme_inputs::fill(&self.scheme, self.worker, &mut view, excluded.is_none());
        Continue(Node::new(view, (hit, tt_move), excluded, raw_eval, tb_window))
    }

    /// Steps 7 to 11: pruning and reductions of the whole node.
    fn search_before_moves<N: NodeKind>(&mut self, node: &mut Node) -> ControlFlow<Value> {
        let (baseline, ply) = (self.is_baseline(), node.view.ply);
        // Step 7: razoring
        if !baseline && pruning::razoring(&node.view) {
            let value = self.qsearch::<N::Quiescence>(ply, node.view.window());
            if value <= node.view.alpha {
                self.check_stop()?;
                self.observe_pruning(&node.view, NodePruning::Razoring);
                return Break(value);
            }
        }
        // Step 8: reverse futility pruning
        if !baseline && pruning::reverse_futility(&node.view) {
            self.observe_pruning(&node.view, NodePruning::ReverseFutility);
            return Break(pruning::reverse_futility_value(&node.view));
        }
        // Step 9: null move
        let result = self.try_null_move::<N>(&node.view)?;
        if result.reduction > 0 {
            node.view.depth -= result.reduction;
            node.null_move_reduction = result.reduction;
            self.cutoff_after_reduction::<N>(node)?;
        }
        if S::SWITCHES {
            node.view.depth += result.extension;
            if let Some(square) = result.in_danger {
                // As if a pawn attacked it: the piece's moves away come earlier.
                let threats = node.threats(|| self.worker.threats());
                threats.by_pawn |= square;
                threats.by_minor |= square;
                threats.by_rook |= square;
            }
        }
        if S::SWITCHES && baseline {
            return self.try_multi_cut(node, |search, depth, window| {
                search.negamax::<N::ZeroWindowChild>(depth, ply + 1, window)
            });
        }
        // Step 10: internal iterative reduction
        node.view.depth -= reductions::internal_iterative_reduction(&node.view, node.tt_hit.as_ref());
        // Step 11: ProbCut
        self.try_probcut::<N>(node)
    }

    /// Tries a null move where the scheme allows it. Breaks with a cut, or returns what becomes of the node.
    pub(super) fn try_null_move<N: NodeKind>(
        &mut self,
        view: &NodeView,
    ) -> ControlFlow<Value, NullMoveResult> {
        if pruning::mate_decides(view) || self.is_null_move_forbidden(view) {
            self.observe_refusal(view);
            return Continue(NullMoveResult::default());
        }
        if self.scheme.fails_high_statically(view) {
            return self.null_move_fail_high::<N>(view, view.beta);
        }
        let ply = view.ply;
        if !self.scheme.may_try(view) || S::READS_PATH && view.null_moves.is_forbidden(ply) {
            self.observe_refusal(view);
            return Continue(NullMoveResult::default());
        }
        if !self.count_node() {
            return Break(DRAW);
        }
        self.worker.null_counts.double_null_moves += u64::from(view.after_null);
        let counted = self.count_from_view(view);
        let bound = self.scheme.bound(view);
        let depth = view.depth - self.scheme.reduction(view) - 1;
        let mut refutation = None;
        let value = self.search_null_move(ply, |search| {
            let window = Window::zero_below(bound).negated();
            let value = search.negamax::<N::ZeroWindowChild>(depth, ply + 1, window);
            refutation = search.null_move_refutation(ply);
            value
        });
        self.check_stop()?;
        self.count_null_search(counted, value, bound);
        self.observe_null_search(view, depth, bound, value);
        if value >= bound {
            self.worker.null_counts.fail_highs += 1;
            return self.null_move_fail_high::<N>(view, value);
        }
        Continue(if S::SWITCHES {
            self.null_move_fail_low(ply, value, refutation)
        } else {
            NullMoveResult::default()
        })
    }

    /// Does what the scheme says that a fail-high means.
    fn null_move_fail_high<N: NodeKind>(
        &mut self,
        view: &NodeView,
        value: Value,
    ) -> ControlFlow<Value, NullMoveResult> {
        let ply = view.ply;
        let decision = self.scheme.on_fail_high(view, value);
        if !self.observe_fail_high(view, value, decision) {
            return Continue(NullMoveResult::default());
        }
        match decision {
            FailHigh::Cut => self.null_move_cut(view, value),
            FailHigh::Reduce(reduction) => Continue(self.null_move_reduction(view, reduction)),
            FailHigh::Verify { depth, without_null_moves, both_sides } => {
                let forbid = |state: &mut NullMoveState| state.forbid(ply, without_null_moves, both_sides);
                self.verify_null_move(view, value, (depth, forbid), |search| {
                    search.negamax::<N::ZeroWindow>(depth.max(1), ply, Window::zero_below(view.beta))
                })
            }
        }
    }

    /// ProbCut: a capture that stays far above beta in a shallow search very probably stays above it in a deep one (Buro
    /// 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm").
    fn try_probcut<N: NodeKind>(&mut self, node: &mut Node) -> ControlFlow<Value> {
        let (view, hit, tt_move) = (node.view, node.tt_hit, node.tt_move);
        let probcut_beta = pruning::probcut_beta(&view);
        let depth = view.depth - params::probcut_reduction();
        if !pruning::may_try_probcut(&view, hit.as_ref(), probcut_beta) {
            return Continue(());
        }
        let (ply, gain) = (view.ply, probcut_beta - view.static_eval);
        let threats = *node.threats(|| self.worker.threats());
        let window = Window::zero_below(probcut_beta).negated();
        let mut picker = MovePicker::noisy(tt_move, gain);
        while let Some(m) = picker.next(&self.picker_context(ply, &threats)) {
            if Some(m) == tt_move && !self.worker.board.see_ge(m, gain) {
                continue;
            }
            if !self.count_node() {
                return Continue(());
            }
            self.prefetch(m);
            self.make_move(ply, m);
            let mut value = -self.qsearch::<N::Quiescence>(ply + 1, window);
            if value >= probcut_beta && depth > 0 {
                value = -self.negamax::<N::ZeroWindowChild>(depth, ply + 1, window);
            }
            self.unmake_move(m);
            self.check_stop()?;
            if value >= probcut_beta {
                let entry = TableEntry {
                    best_move: Some(m),
                    value: Some(value),
                    static_eval: node.raw_eval,
                    depth: depth + 1,
                    bound: Bound::Lower,
                    is_pv: hit.is_some_and(|hit| hit.is_pv),
                };
                self.store_tt(ply, &entry);
                return Break(if is_decisive(value) { value } else { value - (probcut_beta - view.beta) });
            }
        }
        match pruning::probcut_by_tt(&view, hit.as_ref()) {
            Some(value) => Break(value),
            None => Continue(()),
        }
    }

    /// Steps 12 to 20: searches the moves.
    fn search_moves<N: NodeKind>(&mut self, node: &mut Node) -> ControlFlow<Value, Best> {
        let ply = node.view.ply;
        let threats = *node.threats(|| self.worker.threats());
        let (node, view, baseline) = (&*node, &node.view, self.is_baseline());
        let known = if node.can_repeat { node.tb_window.alpha.max(DRAW) } else { node.tb_window.alpha };
        let mut best = Best::at_least(known, view.window());
        let mut move_count = 0;
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut captures: ArrayVec<Move, 32> = ArrayVec::new();
        let mut picker = MovePicker::new(node.tt_move);
        self.worker.stack.at(ply).threats = threats.all;
        if S::READS_ALTERNATIVES && node.excluded.is_none() && self.scheme.reads_alternatives() {
            let good_moves = scheme_inputs::good_moves(&self.picker_context(ply, &threats), node.tt_move);
            self.worker.null_moves.add_alternatives(ply, good_moves);
        }
        // Step 12: the next move
        while let Some(m) = picker.next(&self.picker_context(ply, &threats)) {
            if Some(m) == node.excluded || N::ROOT && !self.is_root_move(m) {
                continue;
            }
            move_count += 1;
            // For nothing if the move is pruned, but otherwise the entry is there when it is probed.
            self.prefetch(m);
            if N::ROOT && self.worker.id == 0 {
                self.report_current_move(view.depth, m, move_count);
            }
            // The first move is not reduced, and pruned only where a lower bound is known without it.
            let may_prune_or_reduce = self.is_falcon() || move_count > 1 || !is_loss(best.value);
            let board = &self.worker.board;
            let mut move_view = MoveView {
                move_count,
                quiet: m.is_quiet(),
                gives_check: may_prune_or_reduce && board.gives_check_with(m, picker.check_info(board)),
                history: if may_prune_or_reduce { self.picker_context(ply, &threats).history(m) } else { 0 },
                cutoff_count: 0,
            };
            // Step 13: pruning of moves
            if !N::ROOT && !is_loss(best.value) && view.has_non_pawn_material {
                if !baseline && move_count > pruning::late_move_count(view) {
                    picker.skip_quiets();
                }
                let board = &self.worker.board;
                let bad = picker.is_bad_noisy();
                let at_most = pruning::prune_move(view, board, m, &move_view, bad, baseline, threats.all);
                if let Some(at_most) = at_most {
                    best.value = best.value.max(at_most);
                    continue;
                }
            }
            // Step 14: singular search
            let extension = if self.is_falcon() {
                self.forced_move_extension(ply, m, &move_view)
            } else {
                self.singular_extension::<N>(node, m)?
            };
            if !self.count_node() {
                break;
            }
            // Step 15: the move is made
            let nodes_before = self.worker.nodes;
            move_view.cutoff_count = self.worker.stack.at(ply + 1).cutoff_count;
            self.worker.stack.at(ply).move_count = move_count;
            self.make_move(ply, m);
            let value = self.search_move::<N>(view, &move_view, extension, &best);
            // Step 19: the move is unmade
            self.unmake_move(m);
            self.check_stop()?;
            if N::ROOT {
                self.record_root_move(m, value, move_count == 1, best.window, nodes_before);
            }
            if self.raise::<N>(ply, &mut best, m, value) == Raise::FailHigh {
                self.worker.stack.at(ply).cutoff_count += 1;
                break;
            }
            if Some(m) != best.best_move {
                // A move that does not fit gets its malus another time.
                let _ = if m.is_quiet() { quiets.try_push(m) } else { captures.try_push(m) };
            }
        }
        self.check_stop()?;
        // Step 20: histories
        if best.value >= view.beta
            && let Some(m) = best.best_move
        {
            let depth = fail_high_depth(view.depth, best.value, view.beta);
            let (histories, path_node) = self.worker.histories_at(ply);
            histories.update_on_fail_high(path_node, &threats, m, (&quiets, &captures), depth);
        }
        if move_count == 0 {
            // Only the excluded move, mate, or stalemate.
            let no_move = if view.in_check { mated_in(ply) } else { DRAW };
            return Break(if node.excluded.is_some() { view.alpha } else { no_move });
        }
        Continue(best)
    }

    /// Step 14: by how many plies the move is extended, if it is the table move and a search of all others is called for;
    /// or the value of the node where several moves cut.
    fn singular_extension<N: NodeKind>(&mut self, node: &Node, m: Move) -> ControlFlow<Value, Depth> {
        let (view, ply) = (&node.view, node.view.ply);
        if N::ROOT
            || node.tt_move != Some(m)
            || node.excluded.is_some()
            || self.is_baseline()
            || !extensions::may_extend(ply, self.worker.root_depth)
        {
            return Continue(0);
        }
        let Some(tt_value) = node.tt_hit.and_then(|hit| extensions::singular_candidate(view, &hit)) else {
            return Continue(0);
        };
        let singular_beta = extensions::singular_beta(tt_value, view.depth);
        self.worker.stack.at(ply).excluded = Some(m);
        let depth = extensions::singular_search_depth(view.depth);
        let value = self.negamax::<N::ZeroWindow>(depth, ply, Window::zero_below(singular_beta));
        self.worker.stack.at(ply).excluded = None;
        self.check_stop()?;
        let tt_move_history = self.worker.histories.tt_move.get();
        match extensions::singularity(view, tt_value, singular_beta, value, m.is_quiet(), tt_move_history) {
            Singularity::Extend(plies) => Continue(plies),
            Singularity::MultiCut(value) => Break(value),
        }
    }

    /// Steps 16 to 18: the value of the move that has just been made, for the side that made it.
    fn search_move<N: NodeKind>(
        &mut self,
        view: &NodeView,
        m: &MoveView,
        extension: Depth,
        best: &Best,
    ) -> Value {
        let (ply, alpha) = (view.ply, best.window.alpha);
        let zero_window = Window::zero_above(alpha).negated();
        let mut depth = view.depth - 1 + extension;
        let mut value = -INFINITY;
        if reductions::may_reduce(view.depth, m.move_count, N::ROOT) && !self.is_baseline() {
            // Step 16: late-move reduction; a negative one searches a ply deeper
            let plies = reductions::late_move_reduction(view, m) / PLY;
            let reduced_depth = (depth - plies).clamp(1, depth + 1);
            self.worker.stack.at(ply).reduction = depth - reduced_depth;
            value = -self.negamax::<Cut>(reduced_depth, ply + 1, zero_window);
            self.worker.stack.at(ply).reduction = 0;
            if value > alpha && reduced_depth < depth {
                depth = reductions::research_depth(depth, value, best.value);
                if reduced_depth < depth {
                    value = -self.negamax::<N::ZeroWindowChild>(depth, ply + 1, zero_window);
                    if m.quiet && (value <= alpha || value >= view.beta) && !self.is_stopped() {
                        let Worker { histories, stack, .. } = &mut *self.worker;
                        histories.update_after_lmr_research(stack, ply, value >= view.beta, depth);
                    }
                }
            }
        } else if !N::PV || m.move_count > 1 {
            // Step 17: zero-window search
            value = -self.negamax::<N::ZeroWindowChild>(depth, ply + 1, zero_window);
        }
        // Step 18: full-window search
        if N::PV && (m.move_count == 1 || value > alpha) {
            let window = Window { alpha, beta: view.beta }.negated();
            value = -self.negamax::<N::Child>(depth, ply + 1, window);
        }
        value
    }
}
