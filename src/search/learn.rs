//! What the histories learn from a node.

use super::context::Search;
use super::history::{NO_MOVE, Row, row};
use super::null_move::Scheme;
use super::picker::victim;
use super::stack::Frame;
use crate::board::Threats;
use crate::params;
use crate::types::{Depth, Move, Value};

impl<S: Scheme> Search<'_, S> {
    /// Histories learn from a move that failed high: it is rewarded, what was tried before it is blamed.
    pub(super) fn learn(
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
            self.reward_capture(best, bonus * params::capture_bonus() / 16);
        }
        for &m in captures {
            self.reward_capture(m, -malus * params::capture_malus() / 16);
        }
    }

    pub(super) fn reward_capture(&mut self, m: Move, bonus: i32) {
        let worker = &mut *self.worker;
        if let Some(piece) = worker.board.piece_on(m.from()) {
            let victim = victim(&worker.board, m);
            worker.histories.capture.update(piece, m.to(), victim, bonus);
        }
    }

    /// Adds a bonus (or a blame) to everything that the histories hold of a quiet move.
    pub(super) fn reward_quiet(&mut self, ply: usize, m: Move, threats: &Threats, bonus: i32) {
        let worker = &mut *self.worker;
        let Some(piece) = worker.board.piece_on(m.from()) else {
            return;
        };
        let next = row(piece, m.to());
        let histories = &mut worker.histories;
        let (alone, with_pawns) = (params::learn_butterfly(), params::learn_pawn());
        histories.butterfly.update(worker.board.side_to_move(), threats.all, m, bonus * alone / 16);
        histories.pawn.update(worker.board.keys().pawn, next, bonus * with_pawns / 16);
        self.reward_continuations(ply, next, bonus);
    }

    /// Adds a bonus (or a blame) to a quiet move at `ply`, by its row, as an answer to and a continuation of earlier ones.
    /// All distances share one table; the order of moves asks for the two nearest only, and so hears of the others too.
    fn reward_continuations(&mut self, ply: usize, next: Row, bonus: i32) {
        let worker = &mut *self.worker;
        let shares =
            [params::learn_reply(), params::learn_follow_up(), params::learn_third(), params::learn_plan()];
        for (share, back) in shares.into_iter().zip(1..) {
            worker.histories.continuation.update(worker.stack.back(ply, back).row, next, bonus * share / 16);
        }
    }

    /// The move that led here, with its frame, if it was neither a capture nor a promotion nor a null move.
    fn previous_quiet(&self, ply: usize) -> Option<(Move, Frame)> {
        if ply == 0 || self.worker.board.captured().is_some() {
            return None;
        }
        let frame = *self.worker.stack.back(ply, 1);
        frame.played.filter(|m| !m.is_promotion()).map(|m| (m, frame))
    }

    /// The quiet move that led here is judged by what it did to the static evaluation, long before the search knows.
    /// With hindsight and the futility of captures: 50 ± 24 Elo (520 games at 10,000 nodes).
    #[inline]
    pub(super) fn learn_from_swing(&mut self, ply: usize, swing: Value) {
        let worker = &mut *self.worker;
        let frame = *worker.stack.back(ply, 1);
        let Some(m) = frame.played.filter(|m| m.is_quiet()) else {
            return;
        };
        let bonus = (-(swing - params::swing_offset()) * params::swing_bonus() / 16)
            .clamp(-params::swing_limit(), params::swing_limit());
        worker.histories.butterfly.update(!worker.board.side_to_move(), frame.threats, m, bonus);
    }

    /// A late quiet move that the shallow search believed in has been searched again: the continuation histories learn
    /// at once whether it was right, the other moves of the node still to come (the practice of Stockfish since 2019).
    pub(super) fn learn_from_second_look(&mut self, ply: usize, good: bool, depth: Depth) {
        let bonus = if good { bonus(depth) } else { -malus(depth) } * params::second_look_bonus() / 16;
        // A move has just been searched here: the remainder only keeps the index in bounds.
        let next = self.worker.stack.at(ply).row % NO_MOVE;
        self.reward_continuations(ply, next, bonus);
    }

    /// The table cuts this node: a quiet move that was tried early and led here was bad.
    pub(super) fn blame_previous_move(&mut self, ply: usize, depth: Depth) {
        let Some((_, frame)) = self.previous_quiet(ply) else {
            return;
        };
        if (1..=params::early_moves() as usize).contains(&frame.number) {
            let worker = &mut *self.worker;
            let blame = -malus(depth) * params::early_blame() / 16;
            for back in [2, 3] {
                let earlier = worker.stack.back(ply, back).row;
                worker.histories.continuation.update(earlier, frame.row % NO_MOVE, blame);
            }
        }
    }

    /// All moves failed low: the quiet move that led here was good.
    pub(super) fn reward_previous_move(&mut self, ply: usize, depth: Depth) {
        let Some((m, frame)) = self.previous_quiet(ply) else {
            return;
        };
        let worker = &mut *self.worker;
        let (as_reply, alone) = (params::refuting_continuation(), params::refuting_bonus());
        let (earlier, bonus) = (worker.stack.back(ply, 2).row, bonus(depth));
        worker.histories.continuation.update(earlier, frame.row % NO_MOVE, bonus * as_reply / 16);
        let side = !worker.board.side_to_move();
        worker.histories.butterfly.update(side, frame.threats, m, bonus * alone / 16);
    }
}

pub(super) fn bonus(depth: Depth) -> i32 {
    (params::history_bonus() * depth - params::history_bonus_offset()).min(params::history_bonus_limit())
}

fn malus(depth: Depth) -> i32 {
    (params::history_malus() * depth - params::history_malus_offset()).min(params::history_malus_limit())
}
