//! Quiescence: captures until nothing hangs.
//!
//! Quiet checks at its first ply, for the sake of perpetual checks that are seen late, came to −25 ± 24 Elo (400 games at
//! 8,000 nodes).

use super::context::{DRAW, Search};
use super::node::NodeKind;
use super::null_move::Scheme;
use super::picker::Picker;
use super::plan::table_cutoff;
use super::pruning;
use crate::board::Threats;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Bound, MATE_IN_MAX, MAX_PLY, Value, mated_in};

impl<S: Scheme> Search<'_, S> {
    /// What the node is worth once captures have settled; all evasions are tried in check.
    pub(super) fn quiesce<N: NodeKind>(&mut self, ply: usize, alpha: Value, beta: Value) -> Value {
        if N::PV {
            self.worker.lines.clear(ply);
            self.worker.seldepth = self.worker.seldepth.max(ply);
        }
        if self.is_over() {
            return DRAW;
        }
        let mut alpha = alpha;
        if alpha < DRAW && self.worker.board.upcoming_repetition(ply) {
            alpha = DRAW;
            if alpha >= beta {
                return alpha;
            }
        }
        if self.worker.board.is_draw(ply) {
            return DRAW;
        }
        let in_check = self.worker.board.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check {
                DRAW
            } else {
                let raw = self.worker.raw_eval();
                self.worker.corrected(ply, raw)
            };
        }

        let key = self.worker.board.key();
        let hit = self.job.table.probe(key, ply);
        if !N::PV
            && let Some(value) =
                hit.as_ref().and_then(|hit| table_cutoff(hit, &self.worker.board, ply, 0, (alpha, beta)))
        {
            return value;
        }
        let was_pv = N::PV || hit.as_ref().is_some_and(|hit| hit.is_pv);
        let table_move =
            hit.as_ref().and_then(|hit| hit.best_move).filter(|&m| self.worker.board.is_legal(m));

        let mut best = mated_in(ply);
        let mut raw_eval = None;
        let mut futility = -Value::MAX;
        if !in_check {
            let raw = match hit.as_ref().and_then(|hit| hit.static_eval) {
                Some(raw) => raw,
                None => self.worker.raw_eval(),
            };
            raw_eval = Some(raw);
            let static_eval = self.worker.corrected(ply, raw);
            // A mate from the table is no evaluation: its line would not be known here.
            best = match hit.as_ref().and_then(|hit| hit.value.map(|value| (value, hit.bound))) {
                Some((value, bound))
                    if pruning::is_ordinary(value) && bound.improves_on(value, static_eval) =>
                {
                    value
                }
                _ => static_eval,
            };
            if best >= beta {
                if !N::PV && pruning::is_ordinary(best) && pruning::is_ordinary(beta) {
                    best = beta + (best - beta) * params::quiescence_stand_pat_share() / 16;
                }
                if hit.is_none() {
                    self.job.table.store(key, ply, &TableEntry::of_static_eval(raw));
                }
                return best;
            }
            alpha = alpha.max(best);
            futility = static_eval + params::quiescence_futility();
        }

        let board = &self.worker.board;
        let threats = if in_check { board.threats(!board.side_to_move()) } else { Threats::default() };
        let mut picker =
            if in_check { Picker::new(table_move) } else { Picker::noisy(table_move, 1 - MATE_IN_MAX) };
        // Where the opponent has just moved: what stands there may be taken back however late it comes.
        let target = self.worker.stack.back(ply, 1).played.map(|m| m.to());
        let mut best_move = None;
        let mut tried = 0;
        while let Some(m) = picker.next(&self.knowledge(ply, &threats)) {
            tried += 1;
            let board = &self.worker.board;
            if best > -MATE_IN_MAX {
                if in_check {
                    // One evasion is known that does not lose at once: quiet ones hardly find better.
                    if m.is_quiet() {
                        picker.skip_quiets();
                        continue;
                    }
                } else if tried > params::quiescence_captures() as usize
                    && Some(m.to()) != target
                    && !m.is_promotion()
                    && !board.gives_check(m)
                {
                    continue;
                } else if pruning::is_ordinary(futility)
                    && futility + board.gain(m) <= alpha
                    && !board.gives_check(m)
                {
                    best = best.max(futility + board.gain(m));
                    continue;
                }
                if !board.see_at_least(m, 0) {
                    continue;
                }
            }
            if !self.count_node() {
                break;
            }
            self.prefetch(m);
            self.advance(ply, m);
            let value = -self.quiesce::<N::Child>(ply + 1, -beta, -alpha);
            self.retreat(m);
            if self.is_over() {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.worker.lines.raise(ply, m);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && tried == 0 {
            return mated_in(ply);
        }
        if self.is_over() {
            return DRAW;
        }
        if best > beta && pruning::is_ordinary(best) && pruning::is_ordinary(beta) {
            best = beta + (best - beta) * params::quiescence_capture_share() / 16;
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let entry = TableEntry {
            best_move,
            value: Some(best),
            static_eval: raw_eval,
            depth: 0,
            bound,
            is_pv: was_pv,
        };
        self.job.table.store(key, ply, &entry);
        best
    }
}
