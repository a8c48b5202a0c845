//! A line of a file of positions: EPD, or what may follow `position fen`.

use std::error::Error;
use std::fmt;

use crate::board::Board;
use crate::suite::epd;
use crate::util::quote::quote;

use super::position_command::{self, PositionError};
use super::words;

/// Why a line is no position.
#[derive(Debug)]
pub enum PositionLineError {
    /// The FEN is none, or a move is not legal.
    Position(PositionError),
    /// This is the opcode of no operation of EPD.
    Operation(String),
}

impl fmt::Display for PositionLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionLineError::Position(error) => write!(f, "{error}"),
            PositionLineError::Operation(opcode) => {
                write!(f, "{} begins no operation of EPD", quote(opcode))
            }
        }
    }
}

impl Error for PositionLineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PositionLineError::Position(error) => Some(error),
            PositionLineError::Operation(_) => None,
        }
    }
}

/// The position of a line. A line with a semicolon is EPD, of whose operations only the counters matter; any other line is
/// a FEN, and perhaps `moves` with the moves that are played from there.
///
/// # Errors
/// If the FEN is bad, a move is not legal, or something else stands behind the position.
pub fn board_of_line(line: &str) -> Result<Board, PositionLineError> {
    let board = |fen: &str, moves: &[&str]| {
        position_command::board_after(Some(fen), moves, false).map_err(PositionLineError::Position)
    };
    if !line.contains(';') {
        let (fen, moves) = words::fen_and_moves(line.split_ascii_whitespace());
        return board(&fen, &moves);
    }
    let record = epd::parse(line);
    match record.operations.into_iter().find(|(opcode, _)| !is_opcode(opcode)) {
        Some((opcode, _)) => Err(PositionLineError::Operation(opcode)),
        None => board(&record.fen, &[]),
    }
}

/// True of words that may name an operation of EPD: they begin with a letter. Moves are none.
fn is_opcode(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && word != "moves"
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/K1k5 w - -";

    fn fen(rest: &str) -> String {
        let board = board_of_line(&format!("{KINGS}{rest}"));
        board.unwrap_or_else(|error| panic!("{rest}: {error}")).to_string()
    }

    #[test]
    fn moves_are_played_and_operations_are_not() {
        for rest in
            ["", " 0 1", " bm Ka2;", " fmvn 1; id \"a; b\";", " 0 1 ;D1 2 ;D2 9", ";D1 2", " 0 1 bm Ka2; x"]
        {
            assert_eq!(fen(rest), format!("{KINGS} 0 1"), "{rest}");
        }
        assert_eq!(fen(" hmvc 3; fmvn 7;"), format!("{KINGS} 3 7"));
        assert_eq!(fen(" moves a1a2"), "8/8/8/8/8/8/K7/2k5 b - - 1 1");
        assert_eq!(fen(" 7 9 moves a1a2 c1d1 "), "8/8/8/8/8/8/K7/3k4 w - - 9 10");
        assert_eq!(fen(" moves"), format!("{KINGS} 0 1"));
    }

    #[test]
    fn what_is_neither_move_nor_operation_is_refused() {
        for rest in [" -3 x1 garbage", " 0 1 garbage", " bm Ka2", " moves a1a3", " moves a1a2 garbage"] {
            let refused = board_of_line(&format!("{KINGS}{rest}"));
            assert!(matches!(refused, Err(PositionLineError::Position(_))), "{rest}");
        }
        for (rest, opcode) in
            [(" -3 x1;", "-3"), (" 0 1 2;", "2"), (" moves a1a2;", "moves"), (" bm Ka2; ?", "?")]
        {
            let error = board_of_line(&format!("{KINGS}{rest}")).expect_err(rest);
            assert_eq!(error.to_string(), format!("'{opcode}' begins no operation of EPD"));
        }
    }
}
