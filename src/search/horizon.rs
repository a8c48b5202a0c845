//! The end of the depth: quiescence, or a layer of null-move quiescence before it.

use super::context::{DRAW, Search};
use super::node::{NodeKind, NonPv};
use super::null_move::Scheme;
use super::picker::Picker;
use super::plan::Step;
use crate::tt::TableEntry;
use crate::types::{Bound, MATE_IN_MAX, Value, mated_in};

impl<S: Scheme> Search<'_, S> {
    /// What a node with no depth left is worth.
    #[inline]
    pub(super) fn horizon<N: NodeKind>(&mut self, ply: usize, alpha: Value, beta: Value) -> Value {
        if S::SWITCHES
            && self.job.options.null_move_settings.switches.null_quiescence
            && !self.worker.board.in_check()
            && self.worker.stack.at(ply).excluded.is_none()
        {
            return self.null_quiescence::<N>(ply, alpha, beta);
        }
        self.quiesce::<N>(ply, alpha, beta)
    }

    /// A layer of null-move quiescence (Beal 1989, "Experiments with the null move"): whether the side may stand pat
    /// is not left to the evaluation, but shown by a null move and the opponent's captures. Whoever does not pass has
    /// all moves to choose from, each followed by quiescence.
    fn null_quiescence<N: NodeKind>(&mut self, ply: usize, alpha: Value, beta: Value) -> Value {
        if N::PV {
            self.worker.lines.clear(ply);
            self.worker.seldepth = self.worker.seldepth.max(ply);
        }
        let (mut alpha, beta) = match self.settled(ply, alpha, beta) {
            Step::Return(value) => return value,
            Step::Go(window) => window,
        };
        if !self.count_node() {
            return DRAW;
        }
        let frame = self.worker.stack.at(ply);
        frame.played = None;
        self.worker.null_counts.tried += 1;
        self.worker.board.make_null();
        let passed = -self.quiesce::<NonPv>(ply + 1, -beta, -alpha);
        self.worker.board.undo_null();
        if self.is_over() {
            return DRAW;
        }
        // A mate that needs the opponent to wait for it is not proved, and nobody need stay where he is mated.
        let mut best = passed.min(MATE_IN_MAX - 1);
        if best >= beta {
            self.worker.null_counts.fail_highs += 1;
            self.worker.null_counts.cuts += 1;
            return best;
        }
        let stands = best > -MATE_IN_MAX;
        if !stands {
            best = mated_in(ply);
        }
        alpha = alpha.max(best);
        let key = self.worker.board.key();
        let hit = self.job.table.probe(key, ply);
        let table_move =
            hit.as_ref().and_then(|hit| hit.best_move).filter(|&m| self.worker.board.is_legal(m));
        let threats = self.worker.board.threats(!self.worker.board.side_to_move());
        let mut picker = Picker::new(table_move);
        let (mut best_move, mut tried) = (None, 0);
        while let Some(m) = picker.next(&self.knowledge(ply, &threats)) {
            tried += 1;
            if !self.count_node() {
                return DRAW;
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
        if tried == 0 {
            return DRAW;
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let was_pv = N::PV || hit.as_ref().is_some_and(|hit| hit.is_pv);
        let entry =
            TableEntry { best_move, value: Some(best), static_eval: None, depth: 0, bound, is_pv: was_pv };
        self.job.table.store(key, ply, &entry);
        best
    }
}
