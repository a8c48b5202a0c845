//! Quiescence search: captures until the position is quiet, so that the evaluation can be trusted.
//!
//! Quiet checks at its first ply, for the sake of perpetual checks that are seen late, came to −25 ± 24 Elo (400 games at
//! 8,000 nodes).

use std::ops::ControlFlow::{self, Break, Continue};

use super::move_picker::MovePicker;
use super::node::{All, NodeKind};
use super::null_move::Scheme;
use super::searcher::Searcher;
use super::tt_access::tt_pv;
use super::window::{Best, INFINITY, Raise, Window};
use crate::params;
use crate::types::{DRAW, MAX_EVAL, Move, Value, is_decisive, is_loss, mated_in};

impl<S: Scheme> Searcher<'_, S> {
    /// The value of a node with no depth left: quiescence, or the layer of null-move quiescence above it where that switch
    /// is on. `N` must be a kind that [`NodeKind::Quiescence`] names.
    #[inline]
    pub fn enter_quiescence<N: NodeKind>(&mut self, ply: usize, window: Window) -> Value {
        if S::SWITCHES {
            let settings = &self.job.request.options.null_move_settings;
            let plies = if settings.switches.null_quiescence { settings.quiescence_depth } else { 0 };
            self.null_move_quiescence::<N>(ply, window, plies)
        } else {
            self.qsearch::<N>(ply, window)
        }
    }

    /// This many plies of null-move quiescence above quiescence. In check, where nothing can be passed, none.
    fn null_move_quiescence<N: NodeKind>(&mut self, ply: usize, window: Window, plies: usize) -> Value {
        if plies == 0 || self.worker.board.in_check() {
            return self.qsearch::<N>(ply, window);
        }
        match self.null_move_quiescence_node::<N>(ply, window, plies) {
            Continue(value) | Break(value) => value,
        }
    }

    /// The value of the node when captures have been resolved, in centipawns for the side to move. In check evasions
    /// are tried, quiet ones only until one does not lose. Fail-soft; void when the search is over.
    pub fn qsearch<N: NodeKind>(&mut self, ply: usize, window: Window) -> Value {
        match self.quiescence_node::<N>(ply, window) {
            Continue(value) | Break(value) => value,
        }
    }

    fn quiescence_node<N: NodeKind>(&mut self, ply: usize, window: Window) -> ControlFlow<Value, Value> {
        let entered = self.enter_node::<N>(ply, window)?;
        let can_repeat = entered.alpha > window.alpha;
        let window = entered;
        let in_check = self.worker.board.in_check();
        let hit = self.prepare_and_probe_tt(ply);
        if !N::PV
            && let Some(value) = self.try_tt_cutoff(hit.as_ref(), ply, 0, window)
        {
            return Break(value);
        }
        let is_pv = tt_pv::<N>(hit.as_ref());
        let tt_move = self.legal_tt_move(hit.as_ref());
        self.prefetch_ahead(tt_move, false);

        // Stand pat: the side to move need not capture.
        let mut best = Best::none(window);
        best.value = mated_in(ply);
        let mut raw_eval = None;
        let mut futility = -INFINITY;
        if !in_check {
            self.observe_evaluation(hit.as_ref());
            let evaluation = self.worker.evaluate(ply, hit.as_ref());
            raw_eval = Some(evaluation.raw);
            // A mate or a tablebase win from the table is not an evaluation: its line would not be known here.
            let value = evaluation.with_tt_value(hit.as_ref());
            let value = if is_decisive(value) { evaluation.corrected } else { value };
            if value >= window.beta {
                self.store_static_eval(ply, hit.as_ref(), evaluation.raw);
                let share = if N::PV { 16 } else { params::quiescence_stand_pat_share() };
                return Break(nearer_to_beta(value, window.beta, share));
            }
            // The quiet move that repeats is not searched here.
            best = Best::at_least(if can_repeat { value.max(DRAW) } else { value }, window);
            futility = evaluation.corrected + params::quiescence_futility();
        }

        let searched = self.search_captures::<N>(ply, tt_move, futility, &mut best)?;
        if in_check && searched == 0 {
            return Break(mated_in(ply));
        }
        self.check_stop()?;
        if in_check && can_repeat {
            // Quiet evasions may have been left out, and the one that repeats with them.
            best.value = best.value.max(DRAW);
        }
        if best.value > window.beta {
            best.value = nearer_to_beta(best.value, window.beta, params::quiescence_capture_share());
        }
        self.store_quiescence(ply, &best, raw_eval, is_pv);
        Continue(best.value)
    }

    /// Searches the captures of a node, or its evasions in check, into `best`. Returns how many moves there were.
    /// `futility` is the evaluation that a capture adds its victim to, in centipawns.
    ///
    /// Once a move is known that does not lose, others are left out, since a quiescence that follows every exchange costs
    /// more than it corrects: quiet evasions, captures after the tenth but for checks, recaptures and promotions, captures
    /// whose victim does not lift the evaluation to alpha (delta pruning), and what loses material in the exchange. All are
    /// the practice of Stockfish. The limit on captures, with the order of quiet checks and reduction by correction, came
    /// to 25 ± 22 Elo (560 games at 10,000 nodes); the others were not measured by themselves.
    fn search_captures<N: NodeKind>(
        &mut self,
        ply: usize,
        tt_move: Option<Move>,
        futility: Value,
        best: &mut Best,
    ) -> ControlFlow<Value, usize> {
        let board = &self.worker.board;
        let in_check = board.in_check();
        let threats = self.worker.threats();
        let mut picker =
            if in_check { MovePicker::new(tt_move) } else { MovePicker::noisy(tt_move, -MAX_EVAL) };
        // A recapture on the square of the last move is searched however late it comes.
        let recapture_square = self.worker.stack.back(ply, 1).current_move.map(|m| m.to());
        let mut move_count = 0;
        while let Some(m) = picker.next(&self.picker_context(ply, &threats)) {
            move_count += 1;
            self.prefetch(m);
            let board = &self.worker.board;
            if !is_loss(best.value) {
                if in_check {
                    // One evasion is known that does not lose at once: quiet ones hardly find better.
                    if m.is_quiet() {
                        picker.skip_quiets();
                        continue;
                    }
                } else if move_count > params::quiescence_captures() as usize
                    && Some(m.to()) != recapture_square
                    && !m.is_promotion()
                    && !board.gives_check_with(m, picker.check_info(board))
                {
                    continue;
                } else {
                    let most = futility + board.gain(m);
                    if !is_decisive(most)
                        && most <= best.window.alpha
                        && !board.gives_check_with(m, picker.check_info(board))
                    {
                        best.value = best.value.max(most);
                        continue;
                    }
                }
                if !board.see_ge(m, 0) {
                    continue;
                }
            }
            if !self.count_node() {
                break;
            }
            self.make_move(ply, m);
            let value = -self.qsearch::<N>(ply + 1, best.window.negated());
            self.unmake_move(m);
            self.check_stop()?;
            if self.raise::<N>(ply, best, m, value) == Raise::FailHigh {
                break;
            }
        }
        Continue(move_count)
    }

    /// A node of null-move quiescence (Beal 1989, "Experiments with the null move"): whether the side may stand pat is not
    /// left to the evaluation, but shown by a null move and what the opponent then does. A side that does not pass has all
    /// moves to choose from. The table's move is tried before the null move, the others after it; each takes one of the
    /// `plies`, and quiescence follows the last.
    fn null_move_quiescence_node<N: NodeKind>(
        &mut self,
        ply: usize,
        window: Window,
        plies: usize,
    ) -> ControlFlow<Value, Value> {
        let entered = self.enter_node::<N>(ply, window)?;
        let can_repeat = entered.alpha > window.alpha;
        let window = entered.within_mate_distance(ply)?;
        if !self.count_node() {
            return Break(DRAW);
        }
        let hit = self.probe_tt(ply);
        let tt_move = self.legal_tt_move(hit.as_ref());
        if tt_move.is_none() && self.worker.board.count_legal_moves() == 0 {
            // Stalemate: passing is no way out.
            return Break(DRAW);
        }
        let threats = self.worker.threats();
        let mut picker = MovePicker::new(tt_move);
        let mut best = Best::none(window);
        let (mut move_count, mut null_move_tried) = (0, false);
        loop {
            if !null_move_tried && move_count == usize::from(tt_move.is_some()) {
                null_move_tried = true;
                self.stand_pat_by_null_move(ply, plies, &mut best)?;
                if N::PV && best.best_move.is_none() {
                    // What the move of the table led to is not the line any more.
                    self.worker.pv.clear(ply);
                }
            }
            let Some(m) = picker.next(&self.picker_context(ply, &threats)) else {
                break;
            };
            move_count += 1;
            if !self.count_node() {
                return Break(DRAW);
            }
            self.prefetch(m);
            self.make_move(ply, m);
            let value = -self.null_move_quiescence::<N>(ply + 1, best.window.negated(), plies - 1);
            self.unmake_move(m);
            self.check_stop()?;
            if self.raise::<N>(ply, &mut best, m, value) == Raise::FailHigh {
                break;
            }
        }
        if can_repeat {
            best.value = best.value.max(DRAW);
        }
        self.store_quiescence(ply, &best, None, tt_pv::<N>(hit.as_ref()));
        Continue(best.value)
    }

    /// Takes the value of passing into the best so far, or leaves the node where that reaches beta.
    fn stand_pat_by_null_move(&mut self, ply: usize, plies: usize, best: &mut Best) -> ControlFlow<Value> {
        let window = best.window.negated();
        let value = self
            .search_null_move(ply, |search| search.null_move_quiescence::<All>(ply + 1, window, plies - 1));
        self.check_stop()?;
        // A win that needs the opponent to pass is not proved, and a side need not pass where that loses.
        let value = if is_loss(value) { mated_in(ply) } else { value.min(MAX_EVAL) };
        if value >= best.window.beta {
            self.worker.null_counts.fail_highs += 1;
            self.worker.null_counts.cuts += 1;
            return Break(value);
        }
        best.raise_to(value);
        Continue(())
    }
}

/// A value above beta, nearer to it: it keeps `share` 16ths of its lead, for what lies far above beta after so little
/// search is not to be relied on (the practice of Stockfish since 2023; tuned here, not measured alone). A decisive value
/// is not changed.
#[inline]
fn nearer_to_beta(value: Value, beta: Value, share: i32) -> Value {
    if is_decisive(value) || is_decisive(beta) { value } else { beta + (value - beta) * share / 16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::piece_value;
    use crate::search::tests::{SCRIPT, at_node, plain};
    use crate::tt::TableEntry;
    use crate::types::{PieceType, mate_in};

    #[test]
    fn a_capture_that_futility_leaves_out_proves_no_win() {
        // Pieces worth about 32 pawns, so that the evaluation is not scaled, and a pawn that takes a queen.
        const EN_PRISE: &str = "6k1/5ppp/4b3/3q4/4P3/8/8/QRRN2K1 w - - 0 1";
        at_node(EN_PRISE, SCRIPT, plain(), |search| {
            // With the queen beyond every evaluation, and below every mate.
            let static_eval = MAX_EVAL + 200 - piece_value(PieceType::Queen) - params::quiescence_futility();
            let key = search.worker.board.key();
            search.job.table.store(key, 1, &TableEntry::of_static_eval(static_eval));
            let value = search.qsearch::<All>(1, Window::zero_below(mate_in(10)));
            assert!((static_eval - 50..=MAX_EVAL).contains(&value), "{value}");
        });
    }

    #[test]
    fn a_value_keeps_its_share_of_the_lead_over_beta() {
        for (share, expected) in [(0, 50), (8, 130), (12, 170), (16, 210)] {
            assert_eq!(nearer_to_beta(210, 50, share), expected, "{share}");
        }
        assert_eq!(nearer_to_beta(mate_in(3), 50, 8), mate_in(3));
        assert_eq!(nearer_to_beta(210, -mate_in(3), 8), 210);
    }
}
