//! Principal variation search: the recursion, and with it every decision that needs a search.

use arrayvec::ArrayVec;

use super::history::{NO_MOVE, row};
use super::node::{NodeKind, NodeView, NonPv, Root};
use super::null_move::{FailHigh, FailLow, Scheme};
use super::picker::{Knowledge, Picker, quiet_history, victim};
use super::pruning;
use super::reductions::{self, LateMove, PLY};
use super::report::ScoreBound;
use super::shared::Job;
use super::worker::Worker;
use crate::board::Threats;
use crate::params;
use crate::tt::{Bound, Hit};
use crate::types::{Depth, MAX_PLY, Move, Value, mate_in, mated_in};

/// A worker at work on a job, under a null-move scheme.
pub struct Search<'a, S> {
    /// The thread's own state.
    pub worker: &'a mut Worker,
    /// What all threads share.
    pub job: &'a Job,
    /// What a null move means.
    pub scheme: S,
}

/// The score of a draw.
pub(super) const DRAW: Value = 0;

/// What a node has settled before its moves are tried.
struct Plan {
    view: NodeView,
    hit: Option<Hit>,
    table_move: Option<Move>,
    threats: Threats,
    raw_eval: Option<Value>,
    /// The null move's fail-high reduced the node.
    reduced: bool,
}

/// What the moves of a node came to.
struct Outcome {
    best: Value,
    best_move: Option<Move>,
    /// Alpha after the best move.
    alpha: Value,
    tried: usize,
}

enum Step<T> {
    Go(T),
    Return(Value),
}

impl<S: Scheme> Search<'_, S> {
    /// True when the search must end; then every value on the way up is void.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        // The first iteration is always completed, so that there is a searched move to play.
        self.worker.exhausted || self.job.is_stopped() && self.worker.completed > 0
    }

    /// Counts a node; false if none may be searched any more.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        let worker = &mut *self.worker;
        if worker.claimed == 0 {
            worker.claimed = self.job.claim_nodes(lot(self.job));
            if worker.claimed == 0 {
                worker.exhausted = true;
                self.job.stop_workers();
                return false;
            }
        }
        worker.claimed -= 1;
        worker.nodes += 1;
        self.job.nodes.get(worker.id).set(worker.nodes);
        true
    }

    /// Plays a move on the board.
    #[inline]
    pub(super) fn advance(&mut self, ply: usize, m: Move) {
        let worker = &mut *self.worker;
        let frame = worker.stack.at(ply);
        frame.played = Some(m);
        frame.row = worker.board.piece_on(m.from()).map_or(NO_MOVE, |piece| row(piece, m.to()));
        self.job.table.prefetch(worker.board.key_after(m));
        worker.board.make(m, &mut worker.evaluator);
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn retreat(&mut self, m: Move) {
        let worker = &mut *self.worker;
        worker.board.undo(m, &mut worker.evaluator);
    }

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
            return self.quiesce::<N>(ply, alpha, beta);
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
        if plan.reduced
            && outcome.best < beta
            && self.scheme.on_reduced_fail_low(&plan.view) == FailLow::Research
        {
            plan.view.depth = full_depth;
            plan.reduced = false;
            outcome = match self.moves::<N>(&plan, ply) {
                Step::Return(value) => return value,
                Step::Go(outcome) => outcome,
            };
        }
        self.conclude::<N>(&plan, ply, beta, &outcome)
    }

    /// What the rules, the horizon and the mates already found say of a node.
    fn settled(&mut self, ply: usize, alpha: Value, beta: Value) -> Step<(Value, Value)> {
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
                worker.corrected(raw)
            });
        }
        // Mate-distance pruning: no line from here beats a mate that is already nearer to the root.
        let alpha = alpha.max(mated_in(ply));
        let beta = beta.min(mate_in(ply + 1));
        if alpha >= beta { Step::Return(alpha) } else { Step::Go((alpha, beta)) }
    }

    /// Everything before the moves: table, evaluation, pruning of the whole node, the null move.
    fn plan<N: NodeKind>(
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
            hit.as_ref().and_then(|hit| hit.best).filter(|&m| self.worker.board.is_legal(m))
        };
        if !N::PV
            && let Some(hit) = &hit
            && let Some(value) = table_cutoff(hit, depth, alpha, beta)
            && self.worker.board.rule50() < 90
        {
            if value >= beta
                && let Some(m) = table_move.filter(|m| m.is_quiet())
            {
                let threats = self.worker.board.threats(!self.worker.board.side_to_move());
                self.reward_quiet(ply, m, &threats, bonus(depth));
            }
            return Step::Return(value);
        }

        let (raw_eval, static_eval, eval) = self.node_evals(ply, in_check, excluded, hit.as_ref());
        self.worker.stack.at(ply).static_eval = if in_check { None } else { Some(static_eval) };
        let stack = &self.worker.stack;
        let improving = !in_check
            && stack
                .back(ply, 2)
                .static_eval
                .or(stack.back(ply, 4).static_eval)
                .is_some_and(|before| static_eval > before);
        let board = &self.worker.board;
        let mut view = NodeView {
            depth,
            ply,
            alpha,
            beta,
            static_eval,
            eval,
            pv: N::PV,
            in_check,
            improving,
            cut_node,
            after_null: !N::ROOT && stack.back(ply, 1).played.is_none(),
            has_pieces: board.has_pieces(board.side_to_move()),
            table_capture: table_move.is_some_and(|m| m.is_capture()),
        };
        let mut reduced = false;
        if !N::ROOT && excluded.is_none() {
            if let Some(value) = self.prune_node(&view, ply) {
                return Step::Return(value);
            }
            match self.try_null_move(&view, ply) {
                Step::Return(value) => return Step::Return(value),
                Step::Go(0) => {}
                Step::Go(reduction) => {
                    view.depth -= reduction;
                    reduced = true;
                    if view.depth <= 0 {
                        return Step::Return(self.quiesce::<N>(ply, alpha, beta));
                    }
                    if !N::PV
                        && let Some(value) =
                            hit.as_ref().and_then(|hit| table_cutoff(hit, view.depth, alpha, beta))
                        && value >= beta
                    {
                        return Step::Return(value);
                    }
                }
            }
            // Internal iterative reduction: without a table move the node is either unimportant or will be
            // searched again soon, with one (Schroeder 2021).
            if (N::PV || cut_node) && table_move.is_none() && view.depth >= params::internal_reduction_depth()
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
        let threats = self.worker.board.threats(!self.worker.board.side_to_move());
        Step::Go(Plan { view, hit, table_move, threats, raw_eval, reduced })
    }

    /// The raw evaluation, the corrected one, and the best guess that includes the table.
    fn node_evals(
        &mut self,
        ply: usize,
        in_check: bool,
        excluded: Option<Move>,
        hit: Option<&Hit>,
    ) -> (Option<Value>, Value, Value) {
        if in_check {
            return (None, DRAW, DRAW);
        }
        if excluded.is_some() {
            let known = self.worker.stack.at(ply).static_eval.unwrap_or(DRAW);
            return (None, known, known);
        }
        let raw = hit.and_then(|hit| hit.static_eval).unwrap_or_else(|| self.worker.raw_eval());
        let static_eval = self.worker.corrected(raw);
        let eval = match hit.and_then(|hit| hit.value.map(|value| (value, hit.bound))) {
            Some((value, bound)) if bounds(bound, value, static_eval) => value,
            _ => static_eval,
        };
        (Some(raw), static_eval, eval)
    }

    /// The prunings that need no move: razoring and reverse futility.
    fn prune_node(&mut self, view: &NodeView, ply: usize) -> Option<Value> {
        if pruning::razoring(view) {
            let value = self.quiesce::<NonPv>(ply, view.alpha, view.beta);
            if value <= view.alpha {
                return Some(value);
            }
        }
        // Half-way to beta: the margin is a guess, and a wild bound would spoil the table above.
        pruning::reverse_futility(view).then(|| view.beta + (view.eval - view.beta) / 3)
    }

    /// Tries to pass. Returns a cut, or by how many plies the node is to be reduced.
    fn try_null_move(&mut self, view: &NodeView, ply: usize) -> Step<Depth> {
        if !self.scheme.allowed(view) || !pruning::is_ordinary(view.beta) {
            return Step::Go(0);
        }
        if !self.count_node() {
            return Step::Return(DRAW);
        }
        let depth = view.depth - self.scheme.reduction(view) - 1;
        let frame = self.worker.stack.at(ply);
        frame.played = None;
        frame.row = NO_MOVE;
        self.worker.board.make_null();
        let value = -self.pvs::<NonPv>(depth, ply + 1, -view.beta, 1 - view.beta, !view.cut_node);
        self.worker.board.undo_null();
        if self.is_over() {
            return Step::Return(DRAW);
        }
        if value < view.beta {
            return Step::Go(0);
        }
        match self.scheme.on_fail_high(view, value) {
            // A mate that needs the opponent to wait for it is not proved.
            FailHigh::Cut => Step::Return(if pruning::is_ordinary(value) { value } else { view.beta }),
            FailHigh::Reduce(plies) => Step::Go(plies),
            FailHigh::Ignore => Step::Go(0),
        }
    }

    /// ProbCut: a capture that stays far above beta in a shallow search very probably stays above it in a deep
    /// one (Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm").
    fn try_probcut<N: NodeKind>(
        &mut self,
        view: &NodeView,
        ply: usize,
        table_move: Option<Move>,
        hit: Option<&Hit>,
        raw_eval: Option<Value>,
    ) -> Option<Value> {
        let target = pruning::probcut_beta(view);
        let refuted = hit
            .is_some_and(|hit| hit.depth >= view.depth - 3 && hit.value.is_some_and(|value| value < target));
        if N::PV
            || view.in_check
            || view.depth < params::probcut_depth()
            || !pruning::is_ordinary(view.beta)
            || refuted
        {
            return None;
        }
        let threats = self.worker.board.threats(!self.worker.board.side_to_move());
        let mut picker = Picker::noisy(table_move, target - view.static_eval);
        let depth = view.depth - 4;
        while let Some(m) = picker.next(&self.knowledge(ply, &threats)) {
            if Some(m) == table_move && !self.worker.board.see_at_least(m, target - view.static_eval) {
                continue;
            }
            if !self.count_node() {
                return None;
            }
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
                self.job.table.store(
                    key,
                    ply,
                    Some(m),
                    Some(value),
                    raw_eval,
                    depth + 1,
                    Bound::Lower,
                    false,
                );
                return Some(if pruning::is_ordinary(value) { value - (target - view.beta) } else { value });
            }
        }
        None
    }

    fn knowledge<'b>(&'b self, ply: usize, threats: &'b Threats) -> Knowledge<'b> {
        Knowledge {
            board: &self.worker.board,
            histories: &self.worker.histories,
            stack: &self.worker.stack,
            ply,
            threats,
        }
    }

    /// Tries the moves.
    fn moves<N: NodeKind>(&mut self, plan: &Plan, ply: usize) -> Step<Outcome> {
        let view = &plan.view;
        let excluded = self.worker.stack.at(ply).excluded;
        let was_pv = N::PV || plan.hit.as_ref().is_some_and(|hit| hit.was_pv);
        let mut out = Outcome { best: -Value::MAX, best_move: None, alpha: view.alpha, tried: 0 };
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut captures: ArrayVec<Move, 32> = ArrayVec::new();
        let mut picker = Picker::new(plan.table_move);

        while let Some(m) = picker.next(&self.knowledge(ply, &plan.threats)) {
            if Some(m) == excluded || N::ROOT && !self.is_root_move(m) {
                continue;
            }
            out.tried += 1;
            if N::ROOT && self.worker.id == 0 {
                self.report_current_move(view.depth, m, out.tried);
            }
            let quiet = m.is_quiet();
            let gives_check = self.worker.board.gives_check(m);
            let history = self.history(ply, &plan.threats, m, quiet);

            if !N::ROOT && out.best > -crate::types::MATE_IN_MAX && view.has_pieces {
                if out.tried > pruning::late_move_limit(view) {
                    picker.skip_quiets();
                }
                if self.prune_move(view, m, quiet, gives_check, history, out.tried, &picker) {
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
            let late = LateMove {
                number: out.tried,
                quiet,
                gives_check,
                history,
                cutoffs: self.worker.stack.at(ply + 1).cutoffs,
                was_pv,
            };
            self.advance(ply, m);
            let value = self.search_move::<N>(view, ply, &late, extension, &out);
            self.retreat(m);
            if self.is_over() {
                return Step::Return(DRAW);
            }
            if N::ROOT {
                self.record_root_move(m, value, &out, view.beta, nodes_before);
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
    fn history(&self, ply: usize, threats: &Threats, m: Move, quiet: bool) -> i32 {
        if quiet {
            return quiet_history(&self.knowledge(ply, threats), m);
        }
        let board = &self.worker.board;
        board
            .piece_on(m.from())
            .map_or(0, |piece| self.worker.histories.capture.get(piece, m.to(), victim(board, m)))
    }

    /// May the move be left out?
    #[allow(clippy::too_many_arguments)]
    fn prune_move(
        &self,
        view: &NodeView,
        m: Move,
        quiet: bool,
        gives_check: bool,
        history: i32,
        number: usize,
        picker: &Picker,
    ) -> bool {
        let board = &self.worker.board;
        if !quiet {
            return picker.is_bad_noisy()
                && !board.see_at_least(m, pruning::noisy_exchange_limit(view.depth));
        }
        let reduction = reductions::base(view.depth, number, true) - history * PLY / 16384;
        let reduced_depth = (view.depth - reduction / PLY).max(0);
        !gives_check && pruning::futility(view, reduced_depth)
            || pruning::poor_history(view.depth, reduced_depth, history)
            || !board.see_at_least(m, pruning::quiet_exchange_limit(reduced_depth))
    }

    /// By how much the move is extended; or the node's value, when its table move has rivals that all cut.
    ///
    /// A table move is singular when every other move stays clearly below it in a shallow search: then all
    /// depends on it, and it is searched deeper. If instead the rivals reach beta too, several moves cut, and
    /// the node can be left ("multi-cut", Bjoernsson and Marsland 2001).
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
                && excluded.is_none()
                && plan.table_move == Some(m)
                && view.depth >= params::singular_depth()
                && hit.depth >= view.depth - params::singular_entry_depth()
                && matches!(hit.bound, Bound::Lower | Bound::Exact)
                && ply < 2 * self.worker.root_depth.max(1) as usize
        });
        let Some(table_value) =
            candidate.and_then(|hit| hit.value).filter(|&value| pruning::is_ordinary(value))
        else {
            return Step::Go(0);
        };
        let target = pruning::singular_beta(table_value, view.depth);
        self.worker.stack.at(ply).excluded = Some(m);
        let value = self.pvs::<NonPv>((view.depth - 1) / 2, ply, target - 1, target, view.cut_node);
        self.worker.stack.at(ply).excluded = None;
        if self.is_over() {
            return Step::Return(DRAW);
        }
        if value < target {
            let double = !N::PV && value < target - params::double_extension_margin();
            Step::Go(if double { 2 } else { 1 })
        } else if target >= view.beta && pruning::is_ordinary(target) {
            Step::Return(target)
        } else if table_value >= view.beta {
            Step::Go(-2)
        } else if view.cut_node {
            Step::Go(-1)
        } else {
            Step::Go(0)
        }
    }

    /// Searches the move that has just been made: a late one shallow first, the principal one with its window.
    fn search_move<N: NodeKind>(
        &mut self,
        view: &NodeView,
        ply: usize,
        late: &LateMove,
        extension: Depth,
        out: &Outcome,
    ) -> Value {
        let mut depth = view.depth - 1 + extension;
        let mut value = -Value::MAX;
        let zero_window = (-out.alpha - 1, -out.alpha);
        if view.depth >= 2 && late.number > 1 + usize::from(N::ROOT) {
            let amount = reductions::amount(view, late);
            let reduced = (depth - amount / PLY).clamp(1.min(depth), depth + 1);
            self.worker.stack.at(ply).reduction = amount;
            value = -self.pvs::<NonPv>(reduced, ply + 1, zero_window.0, zero_window.1, true);
            self.worker.stack.at(ply).reduction = 0;
            if value > out.alpha && reduced < depth {
                depth += Depth::from(value > out.best + params::deeper_margin() + 2 * depth);
                depth -= Depth::from(value < out.best + depth);
                if reduced < depth {
                    value = -self.pvs::<NonPv>(depth, ply + 1, zero_window.0, zero_window.1, !view.cut_node);
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
        if out.best == -Value::MAX {
            // Every move was left out: they all stay below alpha.
            return view.alpha;
        }
        if excluded.is_some() {
            return out.best;
        }
        let bound = if out.best >= beta {
            Bound::Lower
        } else if out.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if bound == Bound::Upper {
            self.reward_previous_move(ply, view.depth);
        }
        if !(N::ROOT && self.worker.first_root_move > 0) {
            let key = self.worker.board.key();
            let was_pv = N::PV || plan.hit.as_ref().is_some_and(|hit| hit.was_pv);
            self.job.table.store(
                key,
                ply,
                out.best_move,
                Some(out.best),
                plan.raw_eval,
                view.depth,
                bound,
                was_pv,
            );
        }
        let settles = match bound {
            Bound::Lower => out.best > view.static_eval,
            Bound::Upper => out.best < view.static_eval,
            _ => true,
        };
        if !view.in_check && settles && out.best_move.is_none_or(|m| m.is_quiet()) {
            let worker = &mut *self.worker;
            let difference = out.best - view.static_eval;
            worker.histories.correction.update(&worker.board, view.depth, difference);
        }
        out.best
    }

    /// Histories learn from a move that failed high: it is rewarded, what was tried before it is blamed.
    fn learn(
        &mut self,
        ply: usize,
        threats: &Threats,
        best: Move,
        quiets: &[Move],
        captures: &[Move],
        depth: Depth,
    ) {
        let (bonus, malus) = (bonus(depth), malus(depth));
        if best.is_quiet() {
            self.reward_quiet(ply, best, threats, bonus);
            for &m in quiets {
                self.reward_quiet(ply, m, threats, -malus);
            }
        } else {
            self.reward_capture(best, bonus);
        }
        for &m in captures {
            self.reward_capture(m, -malus);
        }
    }

    fn reward_capture(&mut self, m: Move, bonus: i32) {
        let worker = &mut *self.worker;
        if let Some(piece) = worker.board.piece_on(m.from()) {
            let victim = victim(&worker.board, m);
            worker.histories.capture.update(piece, m.to(), victim, bonus);
        }
    }

    /// Adds a bonus (or a blame) to everything that the histories hold of a quiet move.
    fn reward_quiet(&mut self, ply: usize, m: Move, threats: &Threats, bonus: i32) {
        let worker = &mut *self.worker;
        let Some(piece) = worker.board.piece_on(m.from()) else {
            return;
        };
        let next = row(piece, m.to());
        let histories = &mut worker.histories;
        histories.butterfly.update(worker.board.side_to_move(), threats.all, m, bonus);
        histories.pawn.update(worker.board.keys().pawn, next, bonus);
        for back in [1, 2, 4] {
            histories.continuation.update(worker.stack.back(ply, back).row, next, bonus);
        }
    }

    /// All moves failed low: the quiet move that led here was good.
    fn reward_previous_move(&mut self, ply: usize, depth: Depth) {
        let worker = &mut *self.worker;
        if ply == 0 || worker.board.captured().is_some() {
            return;
        }
        let frame = *worker.stack.back(ply, 1);
        if frame.played.is_some_and(|m| !m.is_promotion()) {
            worker.histories.continuation.update(
                worker.stack.back(ply, 2).row,
                frame.row % NO_MOVE,
                bonus(depth) / 2,
            );
        }
    }

    fn is_root_move(&self, m: Move) -> bool {
        self.worker.root[self.worker.first_root_move..].iter().any(|root| root.m == m)
    }

    /// Notes what a root move came to, and publishes a new best move at once.
    fn record_root_move(&mut self, m: Move, value: Value, out: &Outcome, beta: Value, nodes_before: u64) {
        let worker = &mut *self.worker;
        let nodes = worker.nodes - nodes_before;
        let seldepth = worker.seldepth;
        let line = worker.lines.get(1);
        let Some(root) = worker.root[worker.first_root_move..].iter_mut().find(|root| root.m == m) else {
            return;
        };
        root.nodes += nodes;
        if out.tried == 1 || value > out.alpha {
            root.score = Some(value);
            root.bound = if value >= beta {
                ScoreBound::Lower
            } else if value <= out.alpha {
                ScoreBound::Upper
            } else {
                ScoreBound::Exact
            };
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(m);
            root.pv.extend_from_slice(line);
            if value > out.alpha && out.tried > 1 {
                self.publish_new_best(m);
            }
        } else {
            root.score = None;
        }
    }
}

/// How many nodes a worker claims at a time.
fn lot(job: &Job) -> u64 {
    match job.limits.nodes {
        // As good as endless, and still enough for every other worker.
        None => 1 << 32,
        Some(limit) if job.findings.len() == 1 => limit,
        Some(limit) => (limit / (8 * job.findings.len() as u64)).clamp(1, 1024),
    }
}

/// True if a table value of this kind bounds an evaluation better than the evaluation itself.
fn bounds(bound: Bound, value: Value, eval: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value > eval,
        Bound::Upper => value < eval,
        Bound::None => false,
    }
}

/// The table's value, if it settles the node.
pub(super) fn table_cutoff(hit: &Hit, depth: Depth, alpha: Value, beta: Value) -> Option<Value> {
    let value = hit.value.filter(|_| hit.depth >= depth)?;
    let settles = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
        Bound::None => false,
    };
    settles.then_some(value)
}

fn bonus(depth: Depth) -> i32 {
    (params::history_bonus() * depth - params::history_bonus_offset()).min(params::history_bonus_limit())
}

fn malus(depth: Depth) -> i32 {
    (params::history_malus() * depth - params::history_malus_offset()).min(params::history_malus_limit())
}

impl<S: Scheme> Search<'_, S> {
    /// Searches the root within a window.
    pub fn search_root(&mut self, depth: Depth, alpha: Value, beta: Value) -> Value {
        self.pvs::<Root>(depth, 0, alpha, beta, false)
    }
}
