//! What null-move schemes read of a node besides its evaluation, computed only for those that read it.

use super::move_picker::PickerContext;
use super::node::NodeView;
use super::null_move::Scheme;
use super::worker::Worker;
use crate::attacks;
use crate::board::{Board, piece_value};
use crate::params;
use crate::types::{Bitboard, Color, Move, PieceType, Value};

/// Completes the view of the worker's current node with what the scheme reads. In a singular search (`inherits` is false)
/// the node has passed on what it inherits already.
#[inline]
pub fn fill<S: Scheme>(scheme: &S, worker: &mut Worker, view: &mut NodeView, inherits: bool) {
    if S::READS_PATH {
        let entry = worker.null_moves.at(view.ply);
        if inherits {
            entry.for_children = entry.state;
        }
        view.null_moves = entry.state;
    }
    if S::SWITCHES && inherits {
        let entry = worker.null_moves.at(view.ply);
        (entry.refutation, entry.extended) = (None, false);
    }
    let board = &worker.board;
    let us = board.side_to_move();
    if S::READS_MATERIAL && scheme.reads_material() {
        view.own_pieces = pieces(board, us);
        view.most_pieces = view.own_pieces.max(pieces(board, !us));
    }
    if S::READS_THREAT && scheme.reads_threat() {
        view.threat = threat(board);
    }
}

/// The moves of a node that are as good as its first may be: the table move, captures that win material, quiet moves with
/// a good history.
pub fn good_moves(context: &PickerContext<'_>, tt_move: Option<Move>) -> u8 {
    let board = context.board;
    let good = |&&m: &&Move| {
        Some(m) == tt_move
            || if m.is_quiet() {
                context.history(m) >= params::variable_history()
            } else {
                board.see_ge(m, 1)
            }
    };
    board.legal_moves().iter().filter(good).count().min(u8::MAX.into()) as u8
}

/// The pieces of a side besides pawns and king.
fn pieces(board: &Board, side: Color) -> u8 {
    (board.by_color(side) & !board.pieces(PieceType::Pawn)).count().saturating_sub(1) as u8
}

/// The most that the opponent threatens to win at once, in centipawns: an undefended piece, or the difference to a cheaper
/// attacker. Pins and longer exchanges are not seen.
fn threat(board: &Board) -> Value {
    let us = board.side_to_move();
    let enemy = board.threats(!us);
    let defended = board.threats(us).all;
    let hanging = |kind| (board.pieces_of(us, kind) & enemy.all & !defended).any();
    let attacked = |kind, by: Bitboard| (board.pieces_of(us, kind) & by).any();
    let knights = board.pieces_of(!us, PieceType::Knight).into_iter();
    let by_knight = knights.fold(Bitboard::EMPTY, |attacked, square| attacked | attacks::knight(square));
    let worth = |kind| {
        let cheaper = [
            (PieceType::Pawn, enemy.by_pawn),
            (PieceType::Knight, by_knight),
            (PieceType::Bishop, enemy.by_minor),
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
            // The same pawn, undefended.
            ("4k3/8/5n2/8/4P3/8/8/4K3 w - - 0 1", piece_value(PieceType::Pawn)),
            // A pawn forks a defended knight and a defended rook: the dearer one counts.
            (
                "7k/8/8/3p4/2N1R3/1P1P4/8/4K3 w - - 0 1",
                piece_value(PieceType::Rook) - piece_value(PieceType::Pawn),
            ),
            // The threats of the side to move do not count.
            ("7k/8/8/3p4/2N1R3/1P1P4/8/4K3 b - - 0 1", 0),
            // A knight attacks a defended bishop.
            (
                "4k3/8/5n2/8/4B3/3P4/8/4K3 w - - 0 1",
                (piece_value(PieceType::Bishop) - piece_value(PieceType::Knight)).max(0),
            ),
            // A bishop attacks a defended bishop, which it cannot win.
            ("4k3/8/6b1/8/4B3/3P4/8/4K3 w - - 0 1", 0),
            // A bishop attacks a defended rook.
            (
                "7k/8/6b1/8/4R3/3P4/8/4K3 w - - 0 1",
                piece_value(PieceType::Rook) - piece_value(PieceType::Bishop),
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
