//! Positions as text: Forsyth-Edwards notation with the castling fields of X-FEN (`KQkq` means the outermost
//! rook) and of Shredder-FEN (`HAha`, the files of the rooks).
//!
//! What is refused: text that is not a FEN, and positions that no game can reach by the plain rules of counting
//! and placing. A position that only a proof from earlier play could rule out is accepted and can be played. Many programs
//! leave castling rights standing whose king or rook has gone, and en passant squares without a pawn: those are left out,
//! as in Stockfish.

use std::fmt;
use std::str::FromStr;

use super::castling::stands_as_standard;
pub use super::fen_error::{FenError, FenField, FenProblem};
use super::{Board, Setup};
use crate::types::{Bitboard, CastlingSide, Color, File, Piece, PieceType, Rank, Square};
use crate::util::quote::quote;

/// The largest halfmove clock that is read; the 75-move rule ends every game long before.
const MAX_RULE50: u32 = 1_000;
/// The largest move number that is read; the longest possible game has fewer than 9,000 moves.
const MAX_FULLMOVE: u32 = 100_000;

type Result<T> = std::result::Result<T, FenError>;

fn fail<T>(field: FenField, problem: FenProblem) -> Result<T> {
    Err(FenError::new(field, problem))
}

/// Reads a FEN of four, five or six fields; the counters default to 0 and 1. White space may be wider than needed.
///
/// [`Setup::chess960`] is set when the castling field names files, or when a king or rook that may castle does not
/// stand where standard chess has it; a caller who knows better (the UCI option) may change it.
///
/// # Errors
/// [`FenError`], naming the field, when the text is malformed or the position impossible.
pub fn parse(text: &str) -> Result<Setup> {
    read(text, check_material)
}

/// Reads a FEN as [`parse`] does, whatever the number of the pieces, as long as each side has one king and no pawn
/// stands where pawns cannot be. Such a position may have more moves than a [`MoveList`](super::MoveList) holds:
/// it is for counting, not for playing.
///
/// # Errors
/// [`FenError`], as [`parse`].
pub fn parse_any_material(text: &str) -> Result<Setup> {
    read(text, check_squares)
}

fn read(text: &str, check: fn(&[Option<Piece>; 64]) -> Result<()>) -> Result<Setup> {
    let mut fields = text.split_ascii_whitespace();
    let mut next = |field| match fields.next() {
        Some(text) => Ok(text),
        None => fail(field, FenProblem::Missing),
    };
    let pieces = read_pieces(next(FenField::Pieces)?)?;
    check(&pieces)?;
    let side_to_move = match next(FenField::SideToMove)? {
        "w" => Color::White,
        "b" => Color::Black,
        other => return fail(FenField::SideToMove, FenProblem::NoSide(quote(other))),
    };
    let (castling, chess960) = read_castling(next(FenField::Castling)?, &pieces)?;
    let en_passant = read_en_passant(next(FenField::EnPassant)?, &pieces, side_to_move)?;
    let rule50 = match fields.next() {
        Some(text) => read_number(text, FenField::HalfmoveClock, MAX_RULE50)? as u16,
        None => 0,
    };
    let fullmove = match fields.next() {
        // Some programs count from zero.
        Some(text) => read_number(text, FenField::FullmoveNumber, MAX_FULLMOVE)?.max(1),
        None => 1,
    };
    if let Some(extra) = fields.next() {
        return fail(FenField::FullmoveNumber, FenProblem::Trailing(quote(extra)));
    }
    let setup = Setup { pieces, side_to_move, castling, en_passant, rule50, fullmove, chess960 };
    check_kings(&Board::from_setup(&setup))?;
    Ok(setup)
}

/// Tests a position that came from elsewhere than a FEN as [`parse`] would: one king each, pawns where pawns can be, no
/// more pieces than pawns could have become, and kings that stand legally. Castling rights and the en passant square are
/// taken as they are.
///
/// # Errors
/// [`FenError`], naming the field of a FEN that would be wrong.
pub fn check(setup: &Setup) -> Result<()> {
    check_material(&setup.pieces)?;
    check_kings(&Board::from_setup(setup))
}

fn read_pieces(text: &str) -> Result<[Option<Piece>; 64]> {
    let problem = |problem| fail(FenField::Pieces, problem);
    let mut pieces = [None; 64];
    let mut ranks = text.split('/');
    for rank in Rank::ALL.into_iter().rev() {
        let number = rank.index() + 1;
        let Some(row) = ranks.next() else {
            return problem(FenProblem::RankMissing(number));
        };
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if file < 8 {
                    pieces[Square::new(File::from_index(file), rank).index()] = Some(piece);
                }
                file += 1;
            } else {
                return problem(FenProblem::NoPiece { rank: number, letter });
            }
            if file > 8 {
                return problem(FenProblem::RankTooLong(number));
            }
        }
        if file < 8 {
            return problem(FenProblem::RankTooShort { rank: number, squares: file });
        }
    }
    match ranks.next() {
        Some(_) => problem(FenProblem::TooManyRanks),
        None => Ok(pieces),
    }
}

/// The squares that hold this piece.
fn squares_of(pieces: &[Option<Piece>; 64], piece: Piece) -> Bitboard {
    Square::ALL.into_iter().filter(|square| pieces[square.index()] == Some(piece)).collect()
}

/// One king each, and no pawn where pawns cannot be.
fn check_squares(pieces: &[Option<Piece>; 64]) -> Result<()> {
    let problem = |problem| fail(FenField::Pieces, problem);
    for color in Color::ALL {
        let of = |kind| squares_of(pieces, Piece::new(color, kind));
        match of(PieceType::King).count() {
            0 => return problem(FenProblem::NoKing(color)),
            1 => {}
            kings => return problem(FenProblem::TooManyKings(color, kings)),
        }
        let pawns = of(PieceType::Pawn);
        if (pawns & (Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth))).any() {
            return problem(FenProblem::PawnOnLastRank(color));
        }
    }
    Ok(())
}

/// [`check_squares`], and no more pieces than pawns could have become.
fn check_material(pieces: &[Option<Piece>; 64]) -> Result<()> {
    check_squares(pieces)?;
    let problem = |problem| fail(FenField::Pieces, problem);
    for color in Color::ALL {
        let of = |kind| squares_of(pieces, Piece::new(color, kind));
        let pawns = of(PieceType::Pawn);
        if pawns.count() > 8 {
            return problem(FenProblem::TooManyPawns(color, pawns.count()));
        }
        // Bishops are counted whatever their squares: some shuffled starts have both on one colour.
        let promoted = [PieceType::Knight, PieceType::Bishop, PieceType::Rook]
            .map(|kind| of(kind).count().saturating_sub(2))
            .into_iter()
            .sum::<u32>()
            + of(PieceType::Queen).count().saturating_sub(1);
        if promoted + pawns.count() > 8 {
            return problem(FenProblem::TooManyPieces { color, pawns: pawns.count(), promoted });
        }
    }
    Ok(())
}

type CastlingRooks = [[Option<Square>; 2]; 2];

/// The rooks that may castle, and whether this is written or placed as only Chess960 does.
fn read_castling(text: &str, pieces: &[Option<Piece>; 64]) -> Result<(CastlingRooks, bool)> {
    let mut rooks = CastlingRooks::default();
    let mut chess960 = false;
    if text == "-" {
        return Ok((rooks, chess960));
    }
    for letter in text.chars() {
        let problem = |problem| fail(FenField::Castling, problem);
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        // The file that the letter names, if it does not name a side.
        let file = match letter.to_ascii_lowercase() {
            'k' | 'q' => None,
            other => match File::from_letter(other) {
                None => return problem(FenProblem::NoRight(letter)),
                file => file,
            },
        };
        let back = Bitboard::from_rank(Rank::First.relative(color));
        let Some(king) = (squares_of(pieces, Piece::new(color, PieceType::King)) & back).first() else {
            continue;
        };
        let candidates = squares_of(pieces, Piece::new(color, PieceType::Rook)) & back;
        let rook = match file {
            Some(file) => Some(Square::new(file, king.rank())).filter(|&square| candidates.has(square)),
            None if letter.eq_ignore_ascii_case(&'k') => candidates.last().filter(|&rook| rook > king),
            None => candidates.first().filter(|&rook| rook < king),
        };
        let Some(rook) = rook else { continue };
        let side = CastlingSide::of(king, rook);
        if rooks[color.index()][side.index()].replace(rook).is_some() {
            return problem(FenProblem::SecondRight(letter));
        }
        chess960 |= file.is_some() || !stands_as_standard(king, rook);
    }
    Ok((rooks, chess960))
}

fn read_en_passant(text: &str, pieces: &[Option<Piece>; 64], side: Color) -> Result<Option<Square>> {
    if text == "-" {
        return Ok(None);
    }
    let problem = |problem| fail(FenField::EnPassant, problem);
    let Some(target) = Square::parse(text) else {
        return problem(FenProblem::NoSquare(quote(text)));
    };
    if target.rank() != Rank::Sixth.relative(side) {
        return problem(FenProblem::WrongRank(target));
    }
    let (start, end) = (target.forward(side), target.forward(!side));
    let has_passed = pieces[end.index()] == Some(Piece::new(!side, PieceType::Pawn))
        && pieces[target.index()].is_none()
        && pieces[start.index()].is_none();
    Ok(has_passed.then_some(target))
}

fn read_number(text: &str, field: FenField, max: u32) -> Result<u32> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return fail(field, FenProblem::NoNumber(quote(text)));
    }
    match text.parse() {
        Ok(number) if number <= max => Ok(number),
        _ => fail(field, FenProblem::TooLarge { number: quote(text), max }),
    }
}

/// The king that cannot move next stands safe, and the other one is in a check that moves can give.
fn check_kings(board: &Board) -> Result<()> {
    let side = board.side_to_move();
    if board.is_attacked(board.king(!side), side, board.occupied()) {
        return fail(FenField::SideToMove, FenProblem::KingCapturable(side));
    }
    match board.checkers().count() {
        0..=2 => Ok(()),
        checkers => fail(FenField::Pieces, FenProblem::TooManyCheckers(checkers)),
    }
}

impl FromStr for Setup {
    type Err = FenError;

    /// See [`parse`].
    fn from_str(text: &str) -> Result<Setup> {
        parse(text)
    }
}

impl FromStr for Board {
    type Err = FenError;

    /// See [`parse`].
    fn from_str(text: &str) -> Result<Board> {
        parse(text).map(|setup| Board::from_setup(&setup))
    }
}

impl fmt::Display for Setup {
    /// As a FEN of six fields. Castling is `KQkq` (file letters for rooks that are not the outermost), and file
    /// letters throughout in Chess960. Counters beyond what [`parse`] reads are written as the greatest that it does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.pieces[Square::new(file, rank).index()] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        f.write_str(match self.side_to_move {
            Color::White => " w ",
            Color::Black => " b ",
        })?;
        let mut any = false;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling[color.index()][side.index()] {
                    let letter = castling_letter(self, color, side, rook);
                    write!(
                        f,
                        "{}",
                        if color == Color::White { letter.to_ascii_uppercase() } else { letter }
                    )?;
                    any = true;
                }
            }
        }
        if !any {
            f.write_str("-")?;
        }
        match self.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", MAX_RULE50.min(self.rule50.into()), self.fullmove.min(MAX_FULLMOVE))
    }
}

/// How a right is written, in lower case.
fn castling_letter(setup: &Setup, color: Color, side: CastlingSide, rook: Square) -> char {
    let back = Bitboard::from_rank(rook.rank());
    let rooks = squares_of(&setup.pieces, Piece::new(color, PieceType::Rook)) & back;
    let (outermost, letter) = match side {
        CastlingSide::King => (rooks.last(), 'k'),
        CastlingSide::Queen => (rooks.first(), 'q'),
    };
    if setup.chess960 || outermost != Some(rook) { rook.file().letter() } else { letter }
}

impl fmt::Display for Board {
    /// As a FEN; an en passant square is written only when a pawn can legally take there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}
