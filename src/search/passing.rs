//! The null move: what every scheme's answers make the search do.

use super::context::{DRAW, Search};
use super::history::NO_MOVE;
use super::node::{NodeView, NonPv};
use super::null_move::{FailHigh, Scheme};
use super::plan::Step;
use super::pruning;
use crate::board::{Board, Threats, piece_value};
use crate::types::{Bitboard, Color, Depth, MATE_IN_MAX, Move, PieceType, Square, Value};

/// What a null move changes in a node that is searched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// By so many plies the node is searched shallower.
    pub(super) reduction: Depth,
    /// By so many plies it is searched deeper.
    pub(super) extension: Depth,
    /// The piece there is in danger.
    pub(super) in_danger: Option<Square>,
}

impl<S: Scheme> Search<'_, S> {
    /// Completes the view of a node with what the scheme wants to know besides.
    #[inline]
    pub(super) fn look_around(&mut self, view: &mut NodeView, ply: usize, inherits: bool) {
        if S::PATH {
            let pass = self.worker.passes.at(ply);
            if inherits {
                pass.below = pass.entry;
            }
            view.path = pass.entry;
        }
        if S::SWITCHES && inherits {
            self.worker.passes.at(ply).refutation = None;
        }
        let board = &self.worker.board;
        let us = board.side_to_move();
        if S::MATERIAL {
            view.own_pieces = pieces(board, us);
            view.most_pieces = view.own_pieces.max(pieces(board, !us));
        }
        if S::THREATS {
            view.threat = threat(board);
        }
    }

    /// Tries to pass. Returns a cut, or what becomes of the node.
    pub(super) fn try_null_move(&mut self, view: &NodeView, ply: usize) -> Step<Passed> {
        if pruning::mate_decides(view) {
            return Step::Go(Passed::default());
        }
        if self.scheme.foresees_fail_high(view) {
            return self.fail_high(view, ply, view.beta);
        }
        if !self.scheme.allowed(view) || S::PATH && view.path.is_barred(ply) {
            return Step::Go(Passed::default());
        }
        if !self.count_node() {
            return Step::Return(DRAW);
        }
        let bound = self.scheme.bound(view);
        let depth = view.depth - self.scheme.reduction(view) - 1;
        let worker = &mut *self.worker;
        worker.null_counts.tried += 1;
        worker.null_counts.doubles += u64::from(view.after_null);
        let frame = worker.stack.at(ply);
        frame.played = None;
        frame.row = NO_MOVE;
        if S::PATH {
            worker.passes.descend(ply, true);
        }
        worker.board.make_null();
        let value = -self.pvs::<NonPv>(depth, ply + 1, -bound, 1 - bound, !view.cut_node);
        let refutation = if S::SWITCHES { self.refutation(ply) } else { None };
        self.worker.board.undo_null();
        if self.is_over() {
            return Step::Return(DRAW);
        }
        if value < bound {
            return Step::Go(if S::SWITCHES {
                self.fail_low(ply, value, refutation)
            } else {
                Passed::default()
            });
        }
        self.worker.null_counts.fail_highs += 1;
        self.fail_high(view, ply, value)
    }

    /// Does what the scheme says that a fail-high means.
    fn fail_high(&mut self, view: &NodeView, ply: usize, value: Value) -> Step<Passed> {
        match self.scheme.on_fail_high(view, value) {
            FailHigh::Cut => self.cut(view, value),
            FailHigh::Reduce(0) => Step::Go(Passed::default()),
            FailHigh::Reduce(reduction) => {
                self.worker.null_counts.reductions += 1;
                if S::PATH {
                    self.worker.passes.at(ply).below.below_reduction = true;
                }
                Step::Go(Passed { reduction, ..Passed::default() })
            }
            FailHigh::Verify { depth, barred } => {
                self.worker.null_counts.verifications += 1;
                let kept = self.worker.passes.at(ply).entry;
                let until = (ply + barred).max(usize::from(kept.barred_until));
                self.worker.passes.at(ply).entry.barred_until = until as u16;
                let verified = self.pvs::<NonPv>(depth.max(1), ply, view.beta - 1, view.beta, view.cut_node);
                let pass = self.worker.passes.at(ply);
                (pass.entry, pass.below) = (kept, kept);
                if self.is_over() {
                    Step::Return(DRAW)
                } else if verified >= view.beta {
                    self.cut(view, value)
                } else {
                    Step::Go(Passed::default())
                }
            }
        }
    }

    /// Leaves the node. A mate that needs the opponent to wait for it is not proved.
    fn cut(&mut self, view: &NodeView, value: Value) -> Step<Passed> {
        self.worker.null_counts.cuts += 1;
        Step::Return(if pruning::is_ordinary(value) { value.max(view.beta) } else { view.beta })
    }

    /// What the move that refutes a null move betrays, if anybody asks.
    fn fail_low(&mut self, ply: usize, value: Value, refutation: Option<Move>) -> Passed {
        let switches = self.job.options.null_move_settings.switches;
        let worker = &mut *self.worker;
        worker.passes.at(ply).refutation = refutation;
        let mated = switches.mate_threat && value <= -MATE_IN_MAX;
        let again = switches.botvinnik_markoff
            && refutation.is_some()
            && worker.passes.refutation_before(ply) == refutation;
        // Extensions of extensions must come to an end.
        let extends = (mated || again) && ply < 2 * worker.root_depth.max(1) as usize;
        let board = &worker.board;
        let us = board.side_to_move();
        let in_danger = refutation
            .filter(|_| switches.refutation_order)
            .map(Move::to)
            .filter(|&square| board.color(us).has(square) && square != board.king(us));
        Passed { reduction: 0, extension: Depth::from(extends), in_danger }
    }

    /// The move that refutes the null move that has been made, as the table knows it.
    fn refutation(&self, ply: usize) -> Option<Move> {
        if !self.job.options.null_move_settings.switches.wants_refutation() {
            return None;
        }
        let board = &self.worker.board;
        self.job.table.probe(board.key(), ply + 1)?.best_move.filter(|&m| board.is_legal(m))
    }

    /// Counts the moves of a node that are as good as its first may be: the table move, captures that win material,
    /// quiet moves that have done well.
    pub(super) fn count_good_moves(&self, ply: usize, threats: &Threats, table_move: Option<Move>) -> u8 {
        let board = &self.worker.board;
        let good = |&m: &Move| {
            Some(m) == table_move
                || if m.is_quiet() {
                    self.history(ply, threats, m, true) >= crate::params::variable_history()
                } else {
                    board.see_at_least(m, 1)
                }
        };
        board.legal_moves().iter().filter(|m| good(m)).count().min(u8::MAX.into()) as u8
    }

    /// Tells a child how many good moves were left aside for it.
    pub(super) fn leave_aside(&mut self, ply: usize, good_moves: u8) {
        let pass = self.worker.passes.at(ply);
        let rivals = &mut pass.below.rivals[ply % 2];
        *rivals = pass.entry.rivals[ply % 2].saturating_add(good_moves.saturating_sub(1));
    }
}

/// How many pieces a side has besides pawns and king.
fn pieces(board: &Board, side: Color) -> u8 {
    (board.color(side) & !board.pieces(PieceType::Pawn)).count().saturating_sub(1) as u8
}

/// The most that the opponent threatens to win at once, in centipawns: a piece that nobody defends, or the difference
/// to a cheaper attacker. Pins and longer exchanges are not seen.
fn threat(board: &Board) -> Value {
    let us = board.side_to_move();
    let enemy = board.threats(!us);
    let defended = board.threats(us).all;
    let hanging = |kind| (board.colored(us, kind) & enemy.all & !defended).any();
    let attacked = |kind, by: Bitboard| (board.colored(us, kind) & by).any();
    let worth = |kind| {
        let cheaper = [
            (PieceType::Pawn, enemy.by_pawn),
            (PieceType::Knight, enemy.by_minor),
            (PieceType::Rook, enemy.by_rook),
        ];
        let exchange = cheaper
            .into_iter()
            .filter(|&(attacker, by)| piece_value(attacker) < piece_value(kind) && attacked(kind, by))
            .map(|(attacker, _)| piece_value(kind) - piece_value(attacker))
            .max();
        if hanging(kind) { piece_value(kind) } else { exchange.unwrap_or(0) }
    };
    let kinds = [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    kinds.into_iter().map(worth).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threats_are_what_the_opponent_could_win_at_once() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
            // A defended pawn, attacked by a knight.
            ("4k3/8/5n2/8/4P3/3P4/8/4K3 w - - 0 1", 0),
            // The same pawn with nobody to defend it.
            ("4k3/8/5n2/8/4P3/8/8/4K3 w - - 0 1", piece_value(PieceType::Pawn)),
            // A pawn forks a defended knight and a defended rook: the dearer one counts.
            (
                "7k/8/8/3p4/2N1R3/1P1P4/8/4K3 w - - 0 1",
                piece_value(PieceType::Rook) - piece_value(PieceType::Pawn),
            ),
            // Not the threats of the side to move.
            ("7k/8/8/3p4/2N1R3/1P1P4/8/4K3 b - - 0 1", 0),
            // A knight attacks a defended bishop.
            (
                "4k3/8/5n2/8/4B3/3P4/8/4K3 w - - 0 1",
                (piece_value(PieceType::Bishop) - piece_value(PieceType::Knight)).max(0),
            ),
        ] {
            assert_eq!(threat(&fen.parse().expect(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn pawns_and_kings_are_no_pieces() {
        let board: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPP4/RN2K3 w - - 0 1".parse().expect("a position");
        assert_eq!((pieces(&board, Color::White), pieces(&board, Color::Black)), (2, 7));
    }
}
