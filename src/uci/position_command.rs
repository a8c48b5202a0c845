//! The `position` command: the board that it sets up.

use std::error::Error;
use std::fmt;

use crate::board::fen::FenError;
use crate::board::{Board, notation};
use crate::util::quote::quote;

/// Why the position of a `position` command cannot be set up.
#[derive(Debug)]
pub enum PositionError {
    /// The FEN is none.
    Fen(FenError),
    /// A move that is not legal: its number, from 1, and its text.
    Move(usize, String),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Fen(error) => write!(f, "bad FEN: {error}"),
            PositionError::Move(number, text) => write!(f, "move {number} {} is not legal", quote(text)),
        }
    }
}

impl Error for PositionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PositionError::Fen(error) => Some(error),
            PositionError::Move(..) => None,
        }
    }
}

/// The board of a `position` command, after all its moves. Without a FEN it begins with the start position.
///
/// # Errors
/// If the FEN is bad or a move is not legal.
pub fn board_after(fen: Option<&str>, moves: &[&str], chess960: bool) -> Result<Board, PositionError> {
    let mut board = match fen {
        Some(fen) => fen.parse::<Board>().map_err(PositionError::Fen)?,
        None => Board::start(),
    };
    board.set_chess960(chess960);
    for (played, text) in moves.iter().enumerate() {
        let m = notation::parse_uci(&board, text)
            .ok_or_else(|| PositionError::Move(played + 1, (*text).to_string()))?;
        board.make_move(m, &mut ());
    }
    board.forget_irreversible();
    Ok(board)
}
