//! Positions as text, and the rules in whatever position a text gives.

use caesura::board::notation::{parse_san, parse_uci, to_san, to_uci};
use caesura::board::{Board, fen};
use caesura::types::Move;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// A text that is a position prints as one and comes back; so does the board, after each of its moves, too. Each legal move
/// has a name in both notations that leads to it alone, and can be taken back. The library `shakmaty` counts as many moves.
pub fn check(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    let any_material = fen::parse_any_material(text);
    let Ok(setup) = fen::parse(text) else { return };
    assert_eq!(any_material.as_ref(), Ok(&setup), "the stricter reader agrees");
    assert_eq!(fen::parse(&setup.to_string()).as_ref(), Ok(&setup), "what is written is read");
    assert_eq!(setup.with_colors_flipped().with_colors_flipped(), setup);
    let board = Board::from_setup(&setup);
    comes_back(&board);
    let moves = board.legal_moves();
    assert_eq!(moves.len() as u32, board.count_legal_moves());
    assert_eq!(moves.len() as u32, board.with_colors_flipped().count_legal_moves());
    for &m in &moves {
        has_names(&board, m);
        can_be_taken_back(&board, m);
    }
    if let Some(expected) = moves_of_shakmaty(&board) {
        assert_eq!(moves.len(), expected, "{board}");
    }
}

/// A board written as a FEN and read again has the same key and writes the same FEN.
fn comes_back(board: &Board) {
    let text = board.to_string();
    let read: Board = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.to_string(), text);
    assert_eq!(read.key(), board.key(), "{text}");
}

/// A legal move has a name in both notations, and each is read as this move.
pub(crate) fn has_names(board: &Board, m: Move) {
    assert!(board.is_legal(m), "{m:?} in {board}");
    let san = to_san(board, m);
    assert_eq!(parse_san(board, &san), Ok(m), "{san} in {board}");
    let uci = to_uci(m, board.is_chess960());
    assert_eq!(parse_uci(board, &uci), Some(m), "{uci} in {board}");
}

/// A move gives check if the board says so, leads to a position that can be read, and can be taken back.
pub(crate) fn can_be_taken_back(board: &Board, m: Move) {
    let mut after = board.clone();
    after.make_move(m, &mut ());
    assert_eq!(after.in_check(), board.gives_check(m), "{m:?} in {board}");
    comes_back(&after);
    after.unmake_move(m, &mut ());
    assert_eq!((after.to_string(), after.keys()), (board.to_string(), board.keys()), "{m:?}");
}

/// How many moves another implementation finds; `None` if it takes the position for impossible.
fn moves_of_shakmaty(board: &Board) -> Option<usize> {
    let fen: Fen = board.to_string().parse().ok()?;
    fen.into_position::<Chess>(CastlingMode::Chess960).ok().map(|position| position.legal_moves().len())
}
