//! Positions as text: Forsyth-Edwards notation with the castling fields of X-FEN (`KQkq` means the outermost
//! rook) and of Shredder-FEN (`HAha`, the files of the rooks).
//!
//! What is refused: text that is not a FEN, and positions that no game can reach by the plain rules of counting
//! and placing. A position that only a proof from earlier play could rule out is accepted and can be played.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{Board, Setup};
use crate::types::{Bitboard, CastlingSide, Color, File, Piece, PieceType, Rank, Square};

/// The largest halfmove clock that is read; the 75-move rule ends every game long before.
const MAX_RULE50: u32 = 1_000;
/// The largest move number that is read; the longest possible game has fewer than 9,000 moves.
const MAX_FULLMOVE: u32 = 100_000;

/// The six fields of a FEN, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenField {
    /// Which pieces stand where, from the eighth rank down.
    Pieces,
    /// Whose turn it is.
    SideToMove,
    /// Who may still castle.
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

/// Why a text is no position: the field at fault, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    field: FenField,
    problem: String,
}

impl FenError {
    /// The field at fault.
    pub fn field(&self) -> FenField {
        self.field
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FEN field {} ({}): {}", self.field as u8 + 1, self.field, self.problem)
    }
}

impl Error for FenError {}

type Result<T> = std::result::Result<T, FenError>;

fn fail<T>(field: FenField, problem: impl Into<String>) -> Result<T> {
    Err(FenError { field, problem: problem.into() })
}

/// Input as it can stand in a one-line message: short, and without control characters.
fn quote(text: &str) -> String {
    let start: String = text.chars().take(24).flat_map(char::escape_debug).collect();
    if text.chars().nth(24).is_some() { format!("'{start}...'") } else { format!("'{start}'") }
}

/// Reads a FEN of four, five or six fields; the counters default to 0 and 1. White space may be wider than needed.
///
/// [`Setup::chess960`] is set when the castling field names files, or when a king or rook that may castle does not
/// stand where standard chess has it; a caller who knows better (the UCI option) may change it.
///
/// # Errors
/// [`FenError`], naming the field, when the text is malformed or the position impossible.
pub fn parse(text: &str) -> Result<Setup> {
    let mut fields = text.split_ascii_whitespace();
    let mut next = |field| match fields.next() {
        Some(text) => Ok(text),
        None => fail(field, "missing"),
    };
    let pieces = read_pieces(next(FenField::Pieces)?)?;
    check_material(&pieces)?;
    let side_to_move = match next(FenField::SideToMove)? {
        "w" => Color::White,
        "b" => Color::Black,
        other => return fail(FenField::SideToMove, format!("{} is neither w nor b", quote(other))),
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
        return fail(FenField::FullmoveNumber, format!("followed by {}", quote(extra)));
    }
    let setup = Setup { pieces, side_to_move, castling, en_passant, rule50, fullmove, chess960 };
    check_kings(&Board::from_setup(&setup))?;
    Ok(setup)
}

fn read_pieces(text: &str) -> Result<[Option<Piece>; 64]> {
    let problem = |problem: String| fail(FenField::Pieces, problem);
    let mut pieces = [None; 64];
    let mut ranks = text.split('/');
    for rank in Rank::ALL.into_iter().rev() {
        let number = rank.index() + 1;
        let Some(row) = ranks.next() else {
            return problem(format!("rank {number} is missing"));
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
                return problem(format!("{} on rank {number} is no piece", quote(&letter.to_string())));
            }
            if file > 8 {
                return problem(format!("rank {number} has more than 8 squares"));
            }
        }
        if file < 8 {
            return problem(format!("rank {number} has {file} squares, not 8"));
        }
    }
    match ranks.next() {
        Some(_) => problem("more than 8 ranks".into()),
        None => Ok(pieces),
    }
}

/// The squares that hold this piece.
fn squares_of(pieces: &[Option<Piece>; 64], piece: Piece) -> Bitboard {
    Square::ALL.into_iter().filter(|square| pieces[square.index()] == Some(piece)).collect()
}

/// One king each, no pawn where pawns cannot be, and no more pieces than pawns could have become.
fn check_material(pieces: &[Option<Piece>; 64]) -> Result<()> {
    let problem = |problem: String| fail(FenField::Pieces, problem);
    for color in Color::ALL {
        let of = |kind| squares_of(pieces, Piece::new(color, kind));
        match of(PieceType::King).count() {
            0 => return problem(format!("{color:?} has no king")),
            1 => {}
            kings => return problem(format!("{color:?} has {kings} kings")),
        }
        let pawns = of(PieceType::Pawn);
        if (pawns & (Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth))).any() {
            return problem(format!("{color:?} has a pawn on the first or last rank"));
        }
        if pawns.count() > 8 {
            return problem(format!("{color:?} has {} pawns", pawns.count()));
        }
        let bishops = of(PieceType::Bishop);
        let promoted = of(PieceType::Knight).count().saturating_sub(2)
            + (bishops & Bitboard::LIGHT).count().saturating_sub(1)
            + (bishops & Bitboard::DARK).count().saturating_sub(1)
            + of(PieceType::Rook).count().saturating_sub(2)
            + of(PieceType::Queen).count().saturating_sub(1);
        if promoted + pawns.count() > 8 {
            return problem(format!(
                "{color:?} has {} pawns and at least {promoted} promoted pieces",
                pawns.count()
            ));
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
        let problem =
            |problem: &str| fail(FenField::Castling, format!("{} {problem}", quote(&letter.to_string())));
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back = Bitboard::from_rank(Rank::First.relative(color));
        let Some(king) = (squares_of(pieces, Piece::new(color, PieceType::King)) & back).first() else {
            return problem("needs a king on its first rank");
        };
        let candidates = squares_of(pieces, Piece::new(color, PieceType::Rook)) & back;
        let rook = match letter.to_ascii_lowercase() {
            'k' => candidates.last().filter(|&rook| rook > king),
            'q' => candidates.first().filter(|&rook| rook < king),
            file => {
                let Some(file) = File::from_letter(file) else {
                    return problem("is no castling right");
                };
                chess960 = true;
                Some(Square::new(file, king.rank())).filter(|&square| candidates.has(square))
            }
        };
        let Some(rook) = rook else {
            return problem("has no rook to castle with");
        };
        let side = if rook > king { CastlingSide::King } else { CastlingSide::Queen };
        if rooks[color.index()][side.index()].replace(rook).is_some() {
            return problem("is a second right on the same side");
        }
        chess960 |= king.file() != File::E || !matches!(rook.file(), File::A | File::H);
    }
    Ok((rooks, chess960))
}

fn read_en_passant(text: &str, pieces: &[Option<Piece>; 64], side: Color) -> Result<Option<Square>> {
    if text == "-" {
        return Ok(None);
    }
    let problem = |problem: &str| fail(FenField::EnPassant, format!("{} {problem}", quote(text)));
    let Some(target) = Square::parse(text) else {
        return problem("is no square");
    };
    if target.rank() != Rank::Sixth.relative(side) {
        return problem("is on the wrong rank for the side to move");
    }
    let (start, end) = (target.forward(side), target.forward(!side));
    if pieces[end.index()] != Some(Piece::new(!side, PieceType::Pawn)) {
        return problem("has no pawn that went past it");
    }
    if pieces[target.index()].is_some() || pieces[start.index()].is_some() {
        return problem("is not where the pawn could have come through");
    }
    Ok(Some(target))
}

fn read_number(text: &str, field: FenField, most: u32) -> Result<u32> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return fail(field, format!("{} is no number", quote(text)));
    }
    match text.parse() {
        Ok(number) if number <= most => Ok(number),
        _ => fail(field, format!("{} is more than {most}", quote(text))),
    }
}

/// The king that cannot move next stands safe, and the other one is in a check that moves can give.
fn check_kings(board: &Board) -> Result<()> {
    let side = board.side_to_move();
    if board.is_attacked(board.king(!side), side, board.occupied()) {
        return fail(FenField::SideToMove, format!("{side:?} could take the king"));
    }
    match board.checkers().count() {
        0..=2 => Ok(()),
        checkers => fail(FenField::Pieces, format!("{checkers} pieces give check at once")),
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
    /// letters throughout in Chess960.
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
        write!(f, " {} {}", self.rule50, self.fullmove)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn what_was_read_is_written() {
        for fen in [
            START,
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
            "8/8/8/8/8/4k3/8/4K3 w - - 1000 100000",
            // Chess960, double Chess960, and an inner rook.
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "rkr5/8/8/8/8/8/8/5RKR w HFca - 0 1",
            "1k6/8/8/8/8/8/8/RR2K1RR w GB - 0 1",
        ] {
            assert_eq!(parse(fen).map(|setup| setup.to_string()).as_deref(), Ok(fen));
        }
    }

    #[test]
    fn rights_have_several_spellings() {
        for (written, same) in [
            ("rk2r3/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1", "rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1"),
            ("rk2r3/8/8/8/8/8/8/R3K1R1 w qkQK - 0 1", "rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1"),
            ("4k3/8/8/8/8/8/8/1R2KRR1 w KB - 0 1", "4k3/8/8/8/8/8/8/1R2KRR1 w GB - 0 1"),
        ] {
            assert_eq!(parse(written), parse(same), "{written}");
            assert_eq!(parse(written).unwrap().to_string(), same);
        }
        let standard = parse(START).unwrap();
        let mut letters = parse(&START.replace("KQkq", "HAha")).unwrap();
        assert!(letters.chess960 && !standard.chess960);
        letters.chess960 = false;
        assert_eq!(letters, standard);
        // An inner rook has no letter but its file's, also when castling is written the standard way.
        let mut inner = parse("4k3/8/8/8/8/8/8/4K1RR w G - 0 1").unwrap();
        inner.chess960 = false;
        assert_eq!(inner.to_string(), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    }

    #[test]
    fn counters_may_be_missing_and_space_wide() {
        let start = parse(START).unwrap();
        let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        assert_eq!(parse(&format!("{pieces} w KQkq -")), Ok(start.clone()));
        assert_eq!(parse(&format!("{pieces} w KQkq - 0")), Ok(start.clone()));
        assert_eq!(parse(&format!(" \t{pieces}   w\tKQkq - 0 0 \r\n")), Ok(start));
    }

    #[test]
    fn errors_name_their_field() {
        use FenField::*;
        for (fen, field) in [
            ("", Pieces),
            ("startpos", Pieces),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", Pieces),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1", Pieces),
            ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
            ("rnbqkbnr/pppppppp/8/8/8/44p/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
            ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
            ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
            ("rnbqkbnr/pppppppp/80/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
            ("rnbqkbnr/pppppppé/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
            ("8/8/8/8/8/8/8/8 w - - 0 1", Pieces),
            ("8/8/8/4k3/8/8/8/8 w - - 0 1", Pieces),
            ("8/8/8/4k3/8/8/8/K6K w - - 0 1", Pieces),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Pieces),
            ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", Pieces),
            ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", Pieces),
            ("4k3/pppppppp/8/8/8/8/8/3QKQ2 w - - 0 1", SideToMove),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR w KQkq - 0 1", Pieces),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNNR w KQkq - 0 1", Pieces),
            ("rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", SideToMove),
            ("rnb1kb1r/pppppppp/8/3b4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
            ("QQQQQQQQ/QQ6/8/8/k7/8/8/4K3 b - - 0 1", Pieces),
            ("4k3/8/8/1n1n1n2/2n1n3/4K3/8/8 w - - 0 1", Pieces),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", SideToMove),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", SideToMove),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1", SideToMove),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", SideToMove),
            ("8/8/8/8/8/4k3/4K3/8 w - - 0 1", SideToMove),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Castling),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkx - 0 1", Castling),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq- - 0 1", Castling),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK - 0 1", Castling),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KH - 0 1", Castling),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w E - 0 1", Castling),
            ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", Castling),
            ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", Castling),
            ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", Castling),
            ("4k3/8/8/8/8/8/8/4KRR1 w FG - 0 1", Castling),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", EnPassant),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", EnPassant),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", EnPassant),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", EnPassant),
            ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR b KQkq e6 0 1", EnPassant),
            ("rnbqkb1r/pppp1ppp/4n3/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", EnPassant),
            ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq E6 0 1", EnPassant),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", HalfmoveClock),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", HalfmoveClock),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - +1 1", HalfmoveClock),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1001 1", HalfmoveClock),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1.5", FullmoveNumber),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4294967297", FullmoveNumber),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves", FullmoveNumber),
        ] {
            let error = parse(fen).expect_err(fen);
            assert_eq!(error.field(), field, "{fen}: {error}");
            assert!(error.to_string().contains(&field.to_string()), "{error}");
        }
    }

    #[test]
    fn giant_and_foreign_text_is_refused_briefly() {
        for text in ["8/".repeat(100_000), "k".repeat(1 << 20), "\u{1F451}/\u{0}\u{1b}[31m".repeat(1000)] {
            let error = parse(&text).expect_err("no position").to_string();
            assert!(error.len() < 200 && !error.contains(char::is_control), "{error}");
        }
        let number = "9".repeat(1 << 16);
        assert!(parse(&START.replace("0 1", &format!("{number} 1"))).is_err());
    }

    fn survives(text: &str) {
        if let Ok(setup) = parse(text) {
            let written = setup.to_string();
            assert_eq!(parse(&written), Ok(setup.clone()), "{text}");
            // The board drops an en passant square that nobody can use, and nothing else.
            let board = Board::from_setup(&setup);
            assert_eq!(board.to_string().parse::<Board>().map(|b| b.setup()), Ok(board.setup()), "{text}");
            assert!(board.legal_moves().len() <= 218, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            survives(&text);
        }

        #[test]
        fn any_text_of_the_right_letters_is_read_or_refused(
            text in "[1-8kKqQrRbBnNpP/]{1,80} [wb] [KQkqA-Ha-h-]{1,5} (-|[a-h][36]) [0-9]{1,4} [0-9]{1,4}",
        ) {
            survives(&text);
        }

        #[test]
        fn any_pieces_are_read_or_refused(
            places in prop::collection::vec((0..64usize, 0..Piece::COUNT), 0..20),
            kings in (0..64usize, 0..64usize),
            rest in "[wb] (-|[KQkq]{1,2}|[A-H]{1,2}|[a-h]{1,2}) (-|[a-h][36])",
        ) {
            let mut setup = parse(START).unwrap();
            setup.pieces = [None; 64];
            for (square, piece) in places {
                setup.pieces[square] = Some(Piece::ALL[piece]).filter(|piece| piece.kind() != PieceType::King);
            }
            setup.pieces[kings.0] = Some(Piece::WhiteKing);
            setup.pieces[kings.1] = Some(Piece::BlackKing);
            let fen = setup.to_string();
            survives(&format!("{} {rest}", fen.split(' ').next().unwrap()));
        }

        #[test]
        fn mutated_positions_are_read_or_refused(
            which in 0..4usize,
            edits in prop::collection::vec((0..100usize, prop::char::range(' ', '~'), 0..3u8), 1..4),
        ) {
            let fens = [
                START,
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            ];
            let mut letters: Vec<char> = fens[which].chars().collect();
            for (at, letter, edit) in edits {
                let at = at % letters.len();
                match edit {
                    0 => letters[at] = letter,
                    1 => letters.insert(at, letter),
                    _ => { letters.remove(at); }
                }
            }
            survives(&letters.into_iter().collect::<String>());
        }
    }
}
