//! Why a text is not a position.

use std::error::Error;
use std::fmt;

use crate::types::{Color, Square};
use crate::util::quote::quote;

/// The six fields of a FEN, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenField {
    /// Which pieces stand where, from the eighth rank down.
    Pieces,
    /// The side to move.
    SideToMove,
    /// The castling rights.
    Castling,
    /// The square behind a pawn that has just gone two squares.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the full move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Pieces => "pieces",
            FenField::SideToMove => "side to move",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::HalfmoveClock => "halfmove clock",
            FenField::FullmoveNumber => "fullmove number",
        })
    }
}

/// What is wrong with a field of a FEN. Ranks are numbered from 1. A text is a [`quote`]d excerpt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenProblem {
    /// The field is missing.
    Missing,
    /// There is another text behind the last field.
    Trailing(String),
    /// There is no row for this rank.
    RankMissing(usize),
    /// There are more than eight rows.
    TooManyRanks,
    /// A row has more than eight squares.
    RankTooLong(usize),
    /// A row has fewer than eight squares.
    RankTooShort {
        /// The rank.
        rank: usize,
        /// How many squares its row has.
        squares: usize,
    },
    /// A character is neither a piece nor a number of empty squares.
    NoPiece {
        /// The rank.
        rank: usize,
        /// The character.
        letter: char,
    },
    /// A side has no king.
    NoKing(Color),
    /// A side has several kings.
    TooManyKings(Color, u32),
    /// A side has a pawn on the first or eighth rank.
    PawnOnLastRank(Color),
    /// A side has more than eight pawns.
    TooManyPawns(Color, u32),
    /// A side has more pieces than its missing pawns could have become.
    TooManyPieces {
        /// The side.
        color: Color,
        /// Its pawns.
        pawns: u32,
        /// The least number of its pieces that were pawns.
        promoted: u32,
    },
    /// More pieces give check than a move can bring about.
    TooManyCheckers(u32),
    /// The text is neither `w` nor `b`.
    NoSide(String),
    /// The side to move could take the king.
    KingCapturable(Color),
    /// A character is no castling right.
    NoRight(char),
    /// A right is the second one on its side.
    SecondRight(char),
    /// The text is no square.
    NoSquare(String),
    /// The en passant square is on the wrong rank for the side to move.
    WrongRank(Square),
    /// The text is no number.
    NoNumber(String),
    /// The number is greater than any game can have.
    TooLarge {
        /// The number.
        number: String,
        /// The greatest that is read.
        max: u32,
    },
}

impl fmt::Display for FenProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |letter: &char| quote(letter.encode_utf8(&mut [0; 4]));
        match self {
            FenProblem::Missing => write!(f, "missing"),
            FenProblem::Trailing(text) => write!(f, "followed by {text}"),
            FenProblem::RankMissing(rank) => write!(f, "rank {rank} is missing"),
            FenProblem::TooManyRanks => write!(f, "more than 8 ranks"),
            FenProblem::RankTooLong(rank) => write!(f, "rank {rank} has more than 8 squares"),
            FenProblem::RankTooShort { rank, squares } => {
                write!(f, "rank {rank} has {squares} squares, not 8")
            }
            FenProblem::NoPiece { rank, letter } => write!(f, "{} on rank {rank} is no piece", shown(letter)),
            FenProblem::NoKing(color) => write!(f, "{color:?} has no king"),
            FenProblem::TooManyKings(color, kings) => write!(f, "{color:?} has {kings} kings"),
            FenProblem::PawnOnLastRank(color) => write!(f, "{color:?} has a pawn on the first or last rank"),
            FenProblem::TooManyPawns(color, pawns) => write!(f, "{color:?} has {pawns} pawns"),
            FenProblem::TooManyPieces { color, pawns, promoted } => {
                write!(f, "{color:?} has {pawns} pawns and at least {promoted} promoted pieces")
            }
            FenProblem::TooManyCheckers(checkers) => write!(f, "{checkers} pieces give check at once"),
            FenProblem::NoSide(text) => write!(f, "{text} is neither w nor b"),
            FenProblem::KingCapturable(side) => write!(f, "{side:?} could take the king"),
            FenProblem::NoRight(letter) => write!(f, "{} is no castling right", shown(letter)),
            FenProblem::SecondRight(letter) => {
                write!(f, "{} is a second right on one side", shown(letter))
            }
            FenProblem::NoSquare(text) => write!(f, "{text} is no square"),
            FenProblem::WrongRank(square) => write!(f, "{square} is on the wrong rank for the side to move"),
            FenProblem::NoNumber(text) => write!(f, "{text} is no number"),
            FenProblem::TooLarge { number, max } => write!(f, "{number} is more than {max}"),
        }
    }
}

/// Why a text is not a position: the field at fault, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    field: FenField,
    problem: FenProblem,
}

impl FenError {
    pub(super) fn new(field: FenField, problem: FenProblem) -> FenError {
        FenError { field, problem }
    }

    /// The field at fault.
    pub fn field(&self) -> FenField {
        self.field
    }

    /// What is wrong with it.
    pub fn problem(&self) -> &FenProblem {
        &self.problem
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FEN field {} ({}): {}", self.field as u8 + 1, self.field, self.problem)
    }
}

impl Error for FenError {}
