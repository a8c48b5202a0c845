//! What is given from outside, and what is said when it is no good.

use std::fmt;
use std::fs;
use std::path::Path;

use crate::board::Board;

/// What went wrong, in words for people.
#[derive(Debug)]
pub(super) struct Failure(pub String);

impl<E: fmt::Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

/// The position of a FEN that may be spread over several arguments; of none, the start.
pub(super) fn board(fen: &[String], chess960: bool) -> Result<Board, Failure> {
    let fen = fen.join(" ");
    let mut board = match fen.trim() {
        "" | "startpos" => Board::start(),
        fen => fen.parse().map_err(|error| Failure(format!("bad FEN: {error}")))?,
    };
    board.set_chess960(chess960 || !board.castles_as_standard());
    Ok(board)
}

/// The text of a file; bytes that are not UTF-8 are marked.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
