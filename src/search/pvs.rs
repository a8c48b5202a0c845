//! Principal variation search: the recursion over moves.

use arrayvec::ArrayVec;

use super::context::{DRAW, Search};
use super::node::{NodeKind, NodeView, NonPv};
use super::null_move::Scheme;
use super::picker::{Picker, QuietHistory, victim};
use super::plan::{Plan, Step};
use super::pruning;
use super::reductions::{self, LateMove, PLY};
use crate::board::Threats;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Bound, Depth, MATE_IN_MAX, Move, Value, mated_in};

/// What the moves of a node came to.
struct Outcome {
    best: Value,
    best_move: Option<Move>,
    /// Alpha after the best move.
    alpha: Value,
    tried: usize,
}

/// Worth less than anything.
const UNKNOWN: Value = -Value::MAX;

impl<S: Scheme> Search<'_, S> {
    /// What the node at `ply` is worth for the side to move, searched `depth` plies deep within the window.
    ///
    /// Fail-soft: a value outside the window is a bound. A void value comes back when the search is over.
    pub fn pvs<N: NodeKind>(
        &mut self,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return self.horizon::<N>(ply, alpha, beta);
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if N::PV {
            self.worker.lines.clear(ply);
            self.worker.seldepth = self.worker.seldepth.max(ply);
        }
        if !N::ROOT {
            match self.settled(ply, alpha, beta) {
                Step::Return(value) => return value,
                Step::Go(window) => (alpha, beta) = window,
            }
        }
        let mut plan = match self.plan::<N>(depth, ply, alpha, beta, cut_node) {
            Step::Return(value) => return value,
            Step::Go(plan) => plan,
        };
        let full_depth = depth;
        let mut outcome = match self.moves::<N>(&plan, ply) {
            Step::Return(value) => return value,
            Step::Go(outcome) => outcome,
        };
        if self.is_overturned(&plan, ply, outcome.best) {
            plan.view.depth = full_depth;
            plan.reduced = false;
            outcome = match self.moves::<N>(&plan, ply) {
                Step::Return(value) => return value,
                Step::Go(outcome) => outcome,
            };
        }
        self.conclude::<N>(&plan, ply, beta, &outcome)
    }

    /// Tries the moves.
    fn moves<N: NodeKind>(&mut self, plan: &Plan, ply: usize) -> Step<Outcome> {
        let view = &plan.view;
        let excluded = self.worker.stack.at(ply).excluded;
        let mut out = Outcome { best: UNKNOWN, best_move: None, alpha: view.alpha, tried: 0 };
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut captures: ArrayVec<Move, 32> = ArrayVec::new();
        let mut picker = Picker::new(plan.table_move);
        let plain = self.is_plain();
        self.worker.stack.at(ply).threats = plan.threats.all;
        if S::RIVALS {
            let good_moves = self.count_good_moves(ply, &plan.threats, plan.table_move);
            self.leave_aside(ply, good_moves);
        }

        while let Some(m) = picker.next(&self.knowledge(ply, &plan.threats)) {
            if Some(m) == excluded || N::ROOT && !self.is_root_move(m) {
                continue;
            }
            out.tried += 1;
            // For nothing if the move is pruned, but else the entry is there when it is looked for.
            self.prefetch(m);
            if N::ROOT && self.worker.id == 0 {
                self.report_current_move(view.depth, m, out.tried);
            }
            let quiet = m.is_quiet();
            let late = LateMove {
                number: out.tried,
                quiet,
                gives_check: self.worker.board.gives_check_by(m, picker.checks(&self.worker.board)),
                history: self.history(ply, &plan.threats, m, quiet),
                cutoffs: self.worker.stack.at(ply + 1).cutoffs,
            };
            if !N::ROOT && out.best > -MATE_IN_MAX && view.has_pieces {
                if !plain && out.tried > pruning::late_move_limit(view) {
                    picker.skip_quiets();
                }
                if let Some(most) = self.prune_move(view, m, &late, &picker) {
                    // What was left out may still be worth this much: the node's value must not claim less.
                    if pruning::is_ordinary(most) {
                        out.best = out.best.max(most);
                    }
                    continue;
                }
            }
            let extension = match self.extension::<N>(plan, ply, m, excluded) {
                Step::Return(value) => return Step::Return(value),
                Step::Go(extension) => extension,
            };
            if !self.count_node() {
                break;
            }
            let nodes_before = self.worker.nodes;
            let late = LateMove { cutoffs: self.worker.stack.at(ply + 1).cutoffs, ..late };
            self.worker.stack.at(ply).number = out.tried;
            self.advance(ply, m);
            let value = self.search_move::<N>(plan, ply, &late, extension, &out);
            self.retreat(m);
            if self.is_over() {
                return Step::Return(DRAW);
            }
            if N::ROOT {
                self.record_root_move(m, value, out.tried == 1, (out.alpha, view.beta), nodes_before);
            }
            if value > out.best {
                out.best = value;
                if value > out.alpha {
                    out.best_move = Some(m);
                    if N::PV {
                        self.worker.lines.raise(ply, m);
                    }
                    if value >= view.beta {
                        self.worker.stack.at(ply).cutoffs += 1;
                        break;
                    }
                    out.alpha = value;
                }
            }
            if Some(m) != out.best_move {
                // What does not fit is blamed another time.
                let _ = if quiet { quiets.try_push(m) } else { captures.try_push(m) };
            }
        }
        if self.is_over() {
            return Step::Return(DRAW);
        }
        if out.best >= view.beta
            && let Some(best) = out.best_move
        {
            let clear = Depth::from(out.best > view.beta + params::history_clear_margin());
            self.learn(ply, &plan.threats, best, &quiets, &captures, view.depth + clear);
        }
        Step::Go(out)
    }

    /// What the histories say of a move.
    pub(super) fn history(&self, ply: usize, threats: &Threats, m: Move, quiet: bool) -> i32 {
        let board = &self.worker.board;
        board.piece_on(m.from()).map_or(0, |piece| {
            if quiet {
                QuietHistory::new(&self.knowledge(ply, threats)).of(piece, m)
            } else {
                self.worker.histories.capture.get(piece, m.to(), victim(board, m))
            }
        })
    }

    /// May the move be left out? Then returns what it can be worth at most, or [`UNKNOWN`].
    fn prune_move(&self, view: &NodeView, m: Move, late: &LateMove, picker: &Picker) -> Option<Value> {
        let board = &self.worker.board;
        if self.is_plain() {
            return (late.quiet && !late.gives_check).then(|| pruning::futility(view, view.depth)).flatten();
        }
        if !late.quiet {
            if !late.gives_check
                && let Some(most) = pruning::noisy_futility(view, board.gain(m), late.history)
            {
                return Some(most);
            }
            let loses =
                picker.is_bad_noisy() && !board.see_at_least(m, pruning::noisy_exchange_limit(view.depth));
            return loses.then_some(UNKNOWN);
        }
        let reduction =
            reductions::base(view.depth, late.number, true) - late.history * PLY / params::pruning_history();
        let reduced_depth = (view.depth - reduction / PLY).max(0);
        if !late.gives_check
            && let Some(most) = pruning::futility(view, reduced_depth)
        {
            return Some(most);
        }
        let hopeless = pruning::poor_history(view.depth, reduced_depth, late.history)
            || !board.see_at_least(m, pruning::quiet_exchange_limit(reduced_depth));
        hopeless.then_some(UNKNOWN)
    }

    /// By how much the move is extended; or the node's value, when its table move has rivals that all cut.
    ///
    /// A table move is singular when every other move stays clearly below it in a shallow search: then all
    /// depends on it, and it is searched deeper: by a second ply where the rivals stay far below, and, if it is quiet,
    /// by a third where they stay farther still. If instead the rivals reach beta too, several moves cut, and the node
    /// can be left ("multi-cut", Bjoernsson and Marsland 2001).
    ///
    /// Checks are not extended. With a ply for each that loses nothing, 40 perpetual checks of drawn games were seen in 35,000
    /// nodes in the mean instead of 48,000, and it was worth 2 ± 22 Elo (460 games at 8,000 nodes).
    fn extension<N: NodeKind>(
        &mut self,
        plan: &Plan,
        ply: usize,
        m: Move,
        excluded: Option<Move>,
    ) -> Step<Depth> {
        let view = &plan.view;
        let candidate = plan.hit.as_ref().filter(|hit| {
            !N::ROOT
                && !self.is_plain()
                && excluded.is_none()
                && plan.table_move == Some(m)
                && view.depth >= params::singular_depth()
                && hit.depth >= view.depth - params::singular_entry_depth()
                && hit.bound.is_lower()
                && ply < 2 * self.worker.root_depth.max(1) as usize
        });
        let Some(table_value) =
            candidate.and_then(|hit| hit.value).filter(|&value| pruning::is_ordinary(value))
        else {
            return Step::Go(0);
        };
        let target = pruning::singular_beta(table_value, view.depth);
        self.worker.stack.at(ply).excluded = Some(m);
        let depth = ((view.depth - 1) * params::singular_share() / 16).max(1);
        let value = self.pvs::<NonPv>(depth, ply, target - 1, target, view.cut_node);
        self.worker.stack.at(ply).excluded = None;
        if self.is_over() {
            return Step::Return(DRAW);
        }
        if value < target {
            let double = !N::PV && value < target - params::double_extension_margin();
            let triple = double && m.is_quiet() && value < target - params::triple_extension_margin();
            Step::Go(1 + Depth::from(double) + Depth::from(triple))
        } else if target >= view.beta && pruning::is_ordinary(target) {
            Step::Return(target)
        } else if table_value >= view.beta {
            Step::Go(-params::negative_extension_table())
        } else if view.cut_node {
            Step::Go(-params::negative_extension_cut())
        } else {
            Step::Go(0)
        }
    }

    /// Searches the move that has just been made: a late one shallow first, the principal one with its window.
    fn search_move<N: NodeKind>(
        &mut self,
        plan: &Plan,
        ply: usize,
        late: &LateMove,
        extension: Depth,
        out: &Outcome,
    ) -> Value {
        let view = &plan.view;
        let mut depth = view.depth - 1 + extension;
        let mut value = UNKNOWN;
        let zero_window = (-out.alpha - 1, -out.alpha);
        if view.depth >= 2 && late.number > 1 + usize::from(N::ROOT) && !self.is_plain() {
            let relief = if plan.reduced { self.scheme.late_move_relief() } else { 0 };
            let amount = reductions::amount(view, late) - relief;
            let reduced = (depth - amount / PLY).clamp(1.min(depth), depth + 1);
            self.worker.stack.at(ply).reduction = depth - reduced;
            value = -self.pvs::<NonPv>(reduced, ply + 1, zero_window.0, zero_window.1, true);
            self.worker.stack.at(ply).reduction = 0;
            if value > out.alpha && reduced < depth {
                let deeper = params::deeper_margin() + params::deeper_depth() * depth / 16;
                depth += Depth::from(value > out.best + deeper);
                depth -= Depth::from(value < out.best + params::shallower_depth() * depth / 16);
                if reduced < depth {
                    value = -self.pvs::<NonPv>(depth, ply + 1, zero_window.0, zero_window.1, !view.cut_node);
                    if late.quiet && (value <= out.alpha || value >= view.beta) {
                        self.learn_from_second_look(ply, value >= view.beta, depth);
                    }
                }
            }
        } else if !N::PV || late.number > 1 {
            value = -self.pvs::<NonPv>(depth, ply + 1, zero_window.0, zero_window.1, !view.cut_node);
        }
        if N::PV && (late.number == 1 || value > out.alpha) {
            value = -self.pvs::<N::Child>(depth, ply + 1, -view.beta, -out.alpha, false);
        }
        value
    }

    /// What the node is worth, and what table and histories remember of it.
    fn conclude<N: NodeKind>(&mut self, plan: &Plan, ply: usize, beta: Value, out: &Outcome) -> Value {
        let view = &plan.view;
        let excluded = self.worker.stack.at(ply).excluded;
        if out.tried == 0 {
            return if excluded.is_some() {
                view.alpha
            } else if view.in_check {
                mated_in(ply)
            } else {
                DRAW
            };
        }
        if out.best == UNKNOWN {
            // Every move was left out: they all stay below alpha.
            return view.alpha;
        }
        if excluded.is_some() || N::ROOT && self.worker.first_root_move > 0 {
            // Not the value of the position: its best move was left out.
            return out.best;
        }
        let mut best = out.best;
        if !N::PV && best >= beta && pruning::is_ordinary(best) && pruning::is_ordinary(beta) {
            // How far a shallow search is above beta means little.
            let (weight, beta_weight) = (16 * view.depth, params::fail_high_beta());
            best = (best * weight + beta * beta_weight) / (weight + beta_weight);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if out.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if bound == Bound::Upper {
            self.reward_previous_move(ply, view.depth);
        }
        let key = self.worker.board.key();
        let entry = TableEntry {
            best_move: out.best_move,
            value: Some(best),
            static_eval: plan.raw_eval,
            depth: view.depth,
            bound,
            is_pv: view.was_pv,
        };
        self.job.table.store(key, ply, &entry);
        let settles = bound.improves_on(out.best, view.static_eval);
        if !view.in_check && settles && out.best_move.is_none_or(|m| m.is_quiet()) {
            let worker = &mut *self.worker;
            let difference = out.best - view.static_eval;
            let moves = worker.last_moves(ply);
            worker.correction.update(&worker.board, moves, view.depth, difference);
        }
        best
    }
}
