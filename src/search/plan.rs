//! Everything before the moves of a node: rules, table, evaluation, pruning of the whole node, the null move.

use super::context::{DRAW, Search};
use super::learn::bonus;
use super::node::{NodeKind, NodeView, NonPv};
use super::null_move::{FailLow, Scheme};
use super::passes::NullPath;
use super::picker::Picker;
use super::pruning;
use crate::board::{Board, Threats};
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Bound, Depth, MATE, MAX_PLY, Move, Value, mate_in, mated_in};

/// What a node has settled before its moves are tried.
pub(super) struct Plan {
    pub(super) view: NodeView,
    pub(super) hit: Option<TableEntry>,
    pub(super) table_move: Option<Move>,
    pub(super) threats: Threats,
    pub(super) raw_eval: Option<Value>,
    /// The null move's fail-high reduced the node.
    pub(super) reduced: bool,
}

/// What a node is worth before anything is searched, in centipawns.
struct Evals {
    /// What the network says, if it was asked.
    raw: Option<Value>,
    /// The corrected evaluation; meaningless in check.
    static_eval: Value,
    /// The best guess that includes the table; meaningless in check.
    eval: Value,
    /// By how much the evaluation was corrected, without its sign.
    correction: Value,
}

/// Go on, or return from the node.
pub(super) enum Step<T> {
    Go(T),
    Return(Value),
}

impl<S: Scheme> Search<'_, S> {
    /// What the rules, the horizon and the mates already found say of a node.
    pub(super) fn settled(&mut self, ply: usize, alpha: Value, beta: Value) -> Step<(Value, Value)> {
        if self.is_over() {
            return Step::Return(DRAW);
        }
        let worker = &mut *self.worker;
        let mut alpha = alpha;
        if alpha < DRAW && worker.board.upcoming_repetition(ply) {
            alpha = DRAW;
            if alpha >= beta {
                return Step::Return(alpha);
            }
        }
        if worker.board.is_draw(ply) {
            return Step::Return(DRAW);
        }
        if ply >= MAX_PLY - 1 {
            return Step::Return(if worker.board.in_check() {
                DRAW
            } else {
                let raw = worker.raw_eval();
                worker.corrected(ply, raw)
            });
        }
        // Mate-distance pruning: no line from here beats a mate that is already nearer to the root.
        let alpha = alpha.max(mated_in(ply));
        let beta = beta.min(mate_in(ply + 1));
        if alpha >= beta { Step::Return(alpha) } else { Step::Go((alpha, beta)) }
    }

    /// Everything before the moves: table, evaluation, pruning of the whole node, the null move.
    pub(super) fn plan<N: NodeKind>(
        &mut self,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
        cut_node: bool,
    ) -> Step<Plan> {
        let excluded = self.worker.stack.at(ply).excluded;
        self.worker.stack.at(ply + 2).cutoffs = 0;
        let in_check = self.worker.board.in_check();
        let key = self.worker.board.key();
        let hit = if excluded.is_some() { None } else { self.job.table.probe(key, ply) };
        let table_move = if N::ROOT {
            Some(self.worker.root[self.worker.first_root_move].m)
        } else {
            hit.as_ref().and_then(|hit| hit.best_move).filter(|&m| self.worker.board.is_legal(m))
        };
        if !N::PV
            && let Some(hit) = &hit
            && let Some(value) = table_cutoff(hit, &self.worker.board, ply, depth, (alpha, beta))
            && (cut_node == (value >= beta) || depth > params::table_trust_depth())
        {
            if value >= beta
                && let Some(m) = table_move.filter(|m| m.is_quiet())
            {
                let threats = self.worker.board.threats(!self.worker.board.side_to_move());
                self.reward_quiet(ply, m, &threats, bonus(depth) * params::table_cutoff_bonus() / 16);
            }
            if value >= beta && !self.is_plain() {
                self.blame_previous_move(ply, depth);
            }
            return Step::Return(value);
        }

        let Evals { raw: raw_eval, static_eval, eval, correction } =
            self.node_evals(ply, in_check, excluded, hit.as_ref());
        self.worker.stack.at(ply).static_eval = if in_check { None } else { Some(static_eval) };
        let stack = &self.worker.stack;
        let improving = !in_check
            && stack
                .back(ply, 2)
                .static_eval
                .or(stack.back(ply, 4).static_eval)
                .is_some_and(|before| static_eval > before);
        let mut depth = depth;
        let swing = if in_check || N::ROOT {
            None
        } else {
            stack.back(ply, 1).static_eval.map(|before| static_eval + before)
        };
        if !N::ROOT && excluded.is_none() {
            depth += hindsight(depth, stack.back(ply, 1).reduction, swing);
        }
        if excluded.is_none()
            && let Some(swing) = swing
        {
            self.learn_from_swing(ply, swing);
        }
        let stack = &self.worker.stack;
        let board = &self.worker.board;
        let mut view = NodeView {
            depth,
            ply,
            alpha,
            beta,
            static_eval,
            eval,
            correction,
            pv: N::PV,
            in_check,
            improving,
            opponent_worsening: swing.is_some_and(|swing| swing > 0),
            cut_node,
            after_null: !N::ROOT && stack.back(ply, 1).played.is_none(),
            has_pieces: board.has_pieces(board.side_to_move()),
            was_pv: N::PV || hit.as_ref().is_some_and(|hit| hit.is_pv),
            has_table_move: table_move.is_some(),
            table_capture: table_move.is_some_and(|m| m.is_capture()),
            path: NullPath::default(),
            own_pieces: 0,
            most_pieces: 0,
            threat: 0,
        };
        self.look_around(&mut view, ply, excluded.is_none());
        let mut reduced = false;
        let mut in_danger = None;
        if !N::ROOT && excluded.is_none() {
            if let Some(value) = self.prune_node(&view, ply) {
                return Step::Return(value);
            }
            let passed = match self.try_null_move(&view, ply) {
                Step::Return(value) => return Step::Return(value),
                Step::Go(passed) => passed,
            };
            if passed.reduction > 0 {
                view.depth -= passed.reduction;
                reduced = true;
                if let Some(value) = self.settle_reduced::<N>(&view, ply, hit.as_ref()) {
                    return Step::Return(value);
                }
            }
            if S::SWITCHES {
                view.depth += passed.extension;
                in_danger = passed.in_danger;
            }
            // Internal iterative reduction: without a table move, or with one from a much shallower search, the
            // node is either unimportant or will be searched again soon, with a better one (Schroeder 2021).
            let shallow =
                hit.as_ref().is_none_or(|hit| hit.depth + params::internal_reduction_entry() <= view.depth);
            if (N::PV || cut_node)
                && !self.is_plain()
                && (table_move.is_none() || shallow)
                && view.depth >= params::internal_reduction_depth()
            {
                view.depth -= 1;
            }
            if let Some(value) = self.try_probcut::<N>(&view, ply, table_move, hit.as_ref(), raw_eval) {
                return Step::Return(value);
            }
        }
        if self.is_over() {
            return Step::Return(DRAW);
        }
        let mut threats = self.worker.board.threats(!self.worker.board.side_to_move());
        if S::SWITCHES
            && let Some(square) = in_danger
        {
            // As if a pawn attacked it: the piece's moves away come earlier.
            threats.by_pawn |= square;
            threats.by_minor |= square;
            threats.by_rook |= square;
        }
        Step::Go(Plan { view, hit, table_move, threats, raw_eval, reduced })
    }

    /// What a node is worth whose depth has just been reduced, if no move need be searched for that.
    fn settle_reduced<N: NodeKind>(
        &mut self,
        view: &NodeView,
        ply: usize,
        hit: Option<&TableEntry>,
    ) -> Option<Value> {
        let window = (view.alpha, view.beta);
        let value = if view.depth <= 0 {
            Some(self.horizon::<N>(ply, window.0, window.1))
        } else if N::PV {
            None
        } else {
            hit.and_then(|hit| table_cutoff(hit, &self.worker.board, ply, view.depth, window))
                .filter(|&value| self.scheme.table_settles_reduced(view, value))
        };
        if value.is_some_and(|value| value < view.beta) {
            self.worker.null_counts.overturned += 1;
        }
        value
    }

    /// What became of the null move once the moves of its reduced node have been searched: must it be searched again?
    pub(super) fn is_overturned(&mut self, plan: &Plan, ply: usize, best: Value) -> bool {
        if !plan.reduced || best >= plan.view.beta {
            return false;
        }
        self.worker.null_counts.overturned += 1;
        if self.scheme.on_reduced_fail_low(&plan.view) == FailLow::Accept {
            return false;
        }
        self.worker.null_counts.verifications += 1;
        if S::PATH {
            let pass = self.worker.passes.at(ply);
            pass.below = pass.entry;
        }
        true
    }

    /// True if the search is to leave out what came after its models.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        S::SWITCHES && self.job.options.null_move_settings.switches.plain
    }

    /// What the node's evaluations are, the table asked.
    fn node_evals(
        &mut self,
        ply: usize,
        in_check: bool,
        excluded: Option<Move>,
        hit: Option<&TableEntry>,
    ) -> Evals {
        let known = |value| Evals { raw: None, static_eval: value, eval: value, correction: 0 };
        if in_check {
            return known(DRAW);
        }
        if excluded.is_some() {
            return known(self.worker.stack.at(ply).static_eval.unwrap_or(DRAW));
        }
        let raw = hit.and_then(|hit| hit.static_eval).unwrap_or_else(|| self.worker.raw_eval());
        if hit.is_none() {
            // Whoever comes here again, or searches here at the same time, need not evaluate.
            let key = self.worker.board.key();
            self.job.table.store(key, ply, &TableEntry::of_static_eval(raw));
        }
        let (static_eval, correction) = self.worker.corrected_by(ply, raw);
        let eval = match hit.and_then(|hit| hit.value.map(|value| (value, hit.bound))) {
            Some((value, bound)) if bound.improves_on(value, static_eval) => value,
            _ => static_eval,
        };
        Evals { raw: Some(raw), static_eval, eval, correction }
    }

    /// The prunings that need no move: razoring and reverse futility.
    pub(super) fn prune_node(&mut self, view: &NodeView, ply: usize) -> Option<Value> {
        if self.is_plain() {
            return None;
        }
        if pruning::razoring(view) {
            let value = self.quiesce::<NonPv>(ply, view.alpha, view.beta);
            if value <= view.alpha {
                return Some(value);
            }
        }
        // Not all of the lead: the margin is a guess, and a wild bound would spoil the table above.
        pruning::reverse_futility(view)
            .then(|| view.beta + (view.eval - view.beta) * params::reverse_futility_share() / 16)
    }

    /// ProbCut: a capture that stays far above beta in a shallow search very probably stays above it in a deep
    /// one (Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm").
    pub(super) fn try_probcut<N: NodeKind>(
        &mut self,
        view: &NodeView,
        ply: usize,
        table_move: Option<Move>,
        hit: Option<&TableEntry>,
        raw_eval: Option<Value>,
    ) -> Option<Value> {
        let target = pruning::probcut_beta(view);
        let refuted = hit.is_some_and(|hit| {
            hit.depth > view.depth - params::probcut_reduction()
                && hit.value.is_some_and(|value| value < target)
        });
        if N::PV
            || view.in_check
            || view.depth < params::probcut_depth()
            || !pruning::is_ordinary(view.beta)
            || refuted
            || self.is_plain()
        {
            return None;
        }
        let threats = self.worker.board.threats(!self.worker.board.side_to_move());
        let mut picker = Picker::noisy(table_move, target - view.static_eval);
        let depth = view.depth - params::probcut_reduction();
        while let Some(m) = picker.next(&self.knowledge(ply, &threats)) {
            if Some(m) == table_move && !self.worker.board.see_at_least(m, target - view.static_eval) {
                continue;
            }
            if !self.count_node() {
                return None;
            }
            self.prefetch(m);
            self.advance(ply, m);
            let mut value = -self.quiesce::<NonPv>(ply + 1, -target, 1 - target);
            if value >= target && depth > 0 {
                value = -self.pvs::<NonPv>(depth, ply + 1, -target, 1 - target, !view.cut_node);
            }
            self.retreat(m);
            if self.is_over() {
                return Some(DRAW);
            }
            if value >= target {
                let key = self.worker.board.key();
                let entry = TableEntry {
                    best_move: Some(m),
                    value: Some(value),
                    static_eval: raw_eval,
                    depth: depth + 1,
                    bound: Bound::Lower,
                    is_pv: hit.is_some_and(|hit| hit.is_pv),
                };
                self.job.table.store(key, ply, &entry);
                return Some(if pruning::is_ordinary(value) { value - (target - view.beta) } else { value });
            }
        }
        // No capture did it, but some move must have: the table has found still more in nearly the same depth (the
        // practice of Stockfish since 2020).
        let sure = view.beta + params::probcut_table_margin();
        hit.filter(|hit| hit.bound == Bound::Lower && hit.depth >= view.depth - params::probcut_table_entry())
            .and_then(|hit| hit.value)
            .is_some_and(|value| value >= sure && pruning::is_ordinary(value))
            .then_some(sure)
    }
}

/// Correction of a depth in hindsight: a reduced move after which the opponent does not feel worse deserved more, and
/// one after which we stand clearly better than before deserves no more. `swing` is what the move did to its side's
/// static evaluation, negated, in centipawns (the practice of Stockfish since 2024).
pub(super) fn hindsight(depth: Depth, reduction: Depth, swing: Option<Value>) -> Depth {
    match swing {
        Some(swing) if reduction >= params::hindsight_reduction() && swing <= 0 => 1,
        Some(swing) if reduction >= 1 && depth >= 2 && swing > params::hindsight_margin() => -1,
        _ => 0,
    }
}

/// The table's value, if it settles the node. Near the fifty-move draw it does not: the table knows nothing of
/// the moves that led here, and a mate may come too late.
pub(super) fn table_cutoff(
    hit: &TableEntry,
    board: &Board,
    ply: usize,
    depth: Depth,
    (alpha, beta): (Value, Value),
) -> Option<Value> {
    let value = hit.value.filter(|_| hit.depth >= depth)?;
    let left = 100 - i32::from(board.rule50());
    let too_late = !pruning::is_ordinary(value) && MATE - value.abs() - ply as Value > left;
    if left <= 10 || too_late {
        return None;
    }
    hit.bound.settles(value, alpha, beta).then_some(value)
}
