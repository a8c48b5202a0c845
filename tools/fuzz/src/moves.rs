//! A position and moves in it.

use caesura::board::Board;
use caesura::types::Move;

use crate::bytes;
use crate::fen::{can_be_taken_back, has_names};

/// Moves that are played at most.
const MOVES: usize = 64;

/// The first line is a position; each two bytes behind it are a number that is looked at as a move and chooses one to play.
///
/// A number is a legal move if and only if it is among the legal moves. Each move that is played has names, can be taken
/// back, and leads to a position that can be read from its text, whatever game led to it.
pub fn check(data: &[u8]) {
    let (text, mut rest) = bytes::line(data);
    let Ok(mut board) = text.parse::<Board>() else { return };
    for _ in 0..MOVES {
        if rest.is_empty() {
            break;
        }
        let moves = board.legal_moves();
        assert_eq!(moves.len(), board.count_legal_moves() as usize, "{board}");
        let number = bytes::number(&mut rest);
        if let Some(m) = Move::from_bits(number) {
            assert_eq!(board.is_legal(m), moves.contains(&m), "{board} {m:?}");
        }
        if moves.is_empty() {
            break;
        }
        let m = moves[usize::from(number) % moves.len()];
        has_names(&board, m);
        can_be_taken_back(&board, m);
        let _ = (board.see_ge(m, 0), board.gain(m), board.key_after(m));
        board.make_move(m, &mut ());
        let _ = (board.is_draw(0), board.has_repeated(), board.upcoming_repetition(1));
    }
}
