//! Moves as text: the coordinates of UCI, and standard algebraic notation (SAN).
//!
//! Text is always read against the legal moves of a position, so what is read can be played.

use std::error::Error;
use std::fmt;

use arrayvec::ArrayString;

use super::Board;
use super::castling::stands_as_standard;
use crate::types::{CastlingSide, Color, File, Move, PieceType, Rank, Square};

/// The side to which a castling move goes.
fn castling_side(m: Move) -> CastlingSide {
    CastlingSide::of(m.from(), m.to())
}

/// The square to which UCI says a move goes. Where king or rook do not stand as in standard chess, the king's two squares would
/// not say enough.
fn written_target(m: Move, chess960: bool) -> Square {
    if chess960 || !stands_as_standard(m.from(), m.to()) { m.to() } else { target(m) }
}

/// The square that the moving piece comes to stand on: the king's, if it castles.
fn target(m: Move) -> Square {
    if !m.is_castle() {
        return m.to();
    }
    Square::new(castling_side(m).king_target(Color::White).file(), m.from().rank())
}

/// A move as UCI writes it: `e2e4`, `e7e8q`; castling as the king's two squares (`e1g1`), in Chess960, and where king or rook
/// do not stand as in standard chess, as the king taking its rook (`e1h1`).
pub fn to_uci(m: Move, chess960: bool) -> ArrayString<5> {
    let mut text = ArrayString::new();
    for square in [m.from(), written_target(m, chess960)] {
        text.push(square.file().letter());
        text.push((b'1' + square.rank() as u8) as char);
    }
    if let Some(piece) = m.promoted() {
        text.push(piece.letter());
    }
    text
}

/// The legal move that this text means, if there is one. A promotion may be written in either case, and castling either way,
/// whatever the variant; where a king's step and castling would be written alike, it is the king's step.
pub fn parse_uci(board: &Board, text: &str) -> Option<Move> {
    let from = Square::parse(text.get(..2)?)?;
    let to = Square::parse(text.get(2..4)?)?;
    let promoted = match text.get(4..)? {
        "" => None,
        "n" | "N" => Some(PieceType::Knight),
        "b" | "B" => Some(PieceType::Bishop),
        "r" | "R" => Some(PieceType::Rook),
        "q" | "Q" => Some(PieceType::Queen),
        _ => return None,
    };
    let moves = board.legal_moves();
    let fits = |m: &&Move| m.from() == from && m.promoted() == promoted;
    let exact = moves.iter().filter(fits).find(|m| m.to() == to);
    exact.or_else(|| moves.iter().filter(fits).find(|&&m| target(m) == to)).copied()
}

/// Why a text is no move in algebraic notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanError {
    /// The text does not have the form of a move.
    Malformed,
    /// No legal move fits the text.
    Illegal,
    /// Several legal moves fit it.
    Ambiguous,
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SanError::Malformed => "not a move in algebraic notation",
            SanError::Illegal => "no legal move fits",
            SanError::Ambiguous => "several legal moves fit",
        })
    }
}

impl Error for SanError {}

/// What the text of a move says, other than castling; what it leaves open is `None`.
struct Pattern {
    kind: Option<PieceType>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    capture: bool,
    promoted: Option<PieceType>,
}

/// A piece that a capital letter names.
fn capital(letter: char) -> Option<PieceType> {
    PieceType::from_letter(letter).filter(|_| letter.is_ascii_uppercase())
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        if !text.is_ascii() {
            return None;
        }
        let named = text.chars().next().and_then(capital);
        let rest = &text[usize::from(named.is_some())..];

        // A promotion stands behind the digit of the target: e8Q, e8=Q, e8(Q), e8/Q, e7e8q.
        let split = rest.rfind(|letter: char| letter.is_ascii_digit())? + 1;
        let (squares, promotion) = rest.split_at(split);
        let promotion = promotion.strip_suffix(')').unwrap_or(promotion);
        let promoted = match promotion.trim_start_matches(['=', '(', '/']) {
            "" if promotion.is_empty() => None,
            letter if letter.len() == 1 => {
                let piece = letter.chars().next().and_then(PieceType::from_letter)?;
                if matches!(piece, PieceType::Pawn | PieceType::King) {
                    return None;
                }
                Some(piece)
            }
            _ => return None,
        };

        let (origin, target) = squares.split_at_checked(squares.len().checked_sub(2)?)?;
        let to = Square::parse(target)?;
        let capture = origin.ends_with(['x', ':']);
        let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
        let mut letters = origin.chars().peekable();
        let file = letters.next_if(|letter| ('a'..='h').contains(letter)).and_then(File::from_letter);
        let rank = letters.next_if(|digit| ('1'..='8').contains(digit));
        let rank = rank.map(|digit| Rank::from_index(digit as usize - '1' as usize));
        if letters.next().is_some() {
            return None;
        }
        // Without a letter it is a pawn, unless both squares are given: then any piece.
        let kind = named.or((file.is_none() || rank.is_none()).then_some(PieceType::Pawn));
        Some(Pattern { kind, file, rank, to, capture, promoted })
    }

    fn fits(&self, board: &Board, m: Move) -> bool {
        !m.is_castle()
            && m.to() == self.to
            && (self.promoted.is_none() || m.promoted() == self.promoted)
            && (m.is_capture() || !self.capture)
            && self.file.is_none_or(|file| m.from().file() == file)
            && self.rank.is_none_or(|rank| m.from().rank() == rank)
            && self.kind.is_none_or(|kind| kind_of(board, m) == Some(kind))
    }
}

fn kind_of(board: &Board, m: Move) -> Option<PieceType> {
    board.piece_on(m.from()).map(|piece| piece.kind())
}

/// The side to which a text castles, written with letters or zeros.
fn parse_castling(text: &str) -> Option<CastlingSide> {
    match text {
        "O-O" | "0-0" | "o-o" | "OO" | "00" => Some(CastlingSide::King),
        "O-O-O" | "0-0-0" | "o-o-o" | "OOO" | "000" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// Reads a move in algebraic notation. Check marks and comments (`+`, `#`, `!?`, `e.p.`) may be there or not, and
/// so may the capture mark, the equals sign and more of the origin than is needed: `Ng1-f3`, `e8Q`, `0-0`, `exd6`,
/// and `g1f3` are understood.
///
/// # Errors
/// [`SanError`] unless exactly one legal move fits.
pub fn parse_san(board: &Board, text: &str) -> Result<Move, SanError> {
    let marks = ['+', '#', '!', '?'];
    let text = text.trim().trim_end_matches(marks);
    let text = text.strip_suffix("e.p.").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    let text = text.trim_end().trim_end_matches(marks);
    let moves = board.legal_moves();
    if let Some(side) = parse_castling(text) {
        let castle = moves.iter().find(|&&m| m.is_castle() && castling_side(m) == side);
        return castle.copied().ok_or(SanError::Illegal);
    }
    let pattern = Pattern::parse(text).ok_or(SanError::Malformed)?;
    let mut fitting = moves.iter().copied().filter(|&m| pattern.fits(board, m));
    match (fitting.next(), fitting.next()) {
        (Some(m), None) => Ok(m),
        (Some(_), Some(_)) => Err(SanError::Ambiguous),
        // Castling in coordinates.
        (None, _) => parse_uci(board, text).ok_or(SanError::Illegal),
    }
}

/// Writes a legal move in algebraic notation, with as little of its origin as makes it unique, and with a mark for
/// check (`+`) or mate (`#`).
pub fn to_san(board: &Board, m: Move) -> String {
    let mut text = match (m.is_castle(), castling_side(m)) {
        (true, CastlingSide::King) => String::from("O-O"),
        (true, CastlingSide::Queen) => String::from("O-O-O"),
        (false, _) => {
            let mut text = origin(board, m);
            if m.is_capture() {
                text.push('x');
            }
            text.push_str(&m.to().to_string());
            if let Some(piece) = m.promoted() {
                text.push('=');
                text.push(piece.letter().to_ascii_uppercase());
            }
            text
        }
    };
    let mut after = board.clone();
    after.make_move(m, &mut ());
    if after.in_check() {
        text.push(if after.legal_moves().is_empty() { '#' } else { '+' });
    }
    text
}

/// The piece's letter and as much of its square as the move needs.
fn origin(board: &Board, m: Move) -> String {
    let (from, mut text) = (m.from(), String::new());
    let kind = kind_of(board, m);
    let (file, rank) = match kind {
        Some(PieceType::Pawn) | None => (m.is_capture(), false),
        Some(piece) => {
            text.push(piece.letter().to_ascii_uppercase());
            let moves = board.legal_moves();
            let candidates = || {
                let candidates =
                    moves.iter().filter(|candidate| !candidate.is_castle() && candidate.to() == m.to());
                candidates.filter(|candidate| candidate.from() != from && kind_of(board, **candidate) == kind)
            };
            let same_file = candidates().any(|candidate| candidate.from().file() == from.file());
            let same_rank = candidates().any(|candidate| candidate.from().rank() == from.rank());
            (candidates().next().is_some() && (!same_file || same_rank), same_file)
        }
    };
    if file {
        text.push(from.file().letter());
    }
    if rank {
        text.push((b'1' + from.rank() as u8) as char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn castling_is_written_as_the_variant_has_it_and_read_both_ways() {
        let standard = board(KIWIPETE);
        let short = parse_uci(&standard, "e1g1").unwrap();
        assert_eq!((short.from(), short.to(), short.is_castle()), (Square::E1, Square::H1, true));
        assert_eq!(parse_uci(&standard, "e1h1"), Some(short));
        assert_eq!((&*to_uci(short, false), &*to_uci(short, true)), ("e1g1", "e1h1"));
        let long = parse_uci(&standard, "e1c1").unwrap();
        assert_eq!((&*to_uci(long, false), &*to_uci(long, true)), ("e1c1", "e1a1"));

        // Each castling by itself: the rook on b1 leaves nothing else than its own square.
        let mixed = board("4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1");
        let written = |text| to_uci(parse_uci(&mixed, text).unwrap(), false).to_string();
        assert_eq!((written("e1g1"), written("e1b1")), ("e1g1".into(), "e1b1".into()));

        // The king on f1 may step to g1, or castle.
        let beside = board("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
        assert!(!parse_uci(&beside, "f1g1").unwrap().is_castle());
        assert!(parse_uci(&beside, "f1h1").unwrap().is_castle());
        assert!(parse_uci(&beside, "f1c1").unwrap().is_castle());
        let swap = board("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
        assert!(parse_uci(&swap, "f1g1").unwrap().is_castle());
    }

    #[test]
    fn other_text_is_no_move() {
        let start = board(START);
        for text in
            ["", "e2", "e2e5", "e2e4q", "e2e4 ", "0000", "E2E4", "e7e5", "e2é4", "éé", "e9e4", "(none)"]
        {
            assert_eq!(parse_uci(&start, text), None, "{text}");
        }
        let promotion = board("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        for text in ["e7e8", "e7e8k", "e7e8p", "E7E8q", "e7e8qq", "e7e8qQ"] {
            assert_eq!(parse_uci(&promotion, text), None, "{text}");
        }
        for text in ["e7e8n", "e7e8B", "e7e8r", "e7e8Q"] {
            let read = parse_uci(&promotion, text).map(|m| to_uci(m, false).to_string());
            assert_eq!(read, Some(text.to_lowercase()));
        }
    }

    #[test]
    fn algebraic_notation_is_read_generously() {
        for (fen, texts, uci) in [
            (START, &["e4", "e2e4", "e2-e4", "Pe4", "e4!?", " e4+ "][..], "e2e4"),
            (START, &["Nf3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "g1f3", "Nf3!!", "Nf3#"], "g1f3"),
            (KIWIPETE, &["O-O", "0-0", "o-o", "O-O+", "OO", "e1g1", "e1h1"], "e1g1"),
            (KIWIPETE, &["O-O-O", "0-0-0", "O-O-O!", "e1c1", "e1a1"], "e1c1"),
            (KIWIPETE, &["dxe6", "de6", "d5xe6", "d5e6", "d5:e6", "dxe6?"], "d5e6"),
            (KIWIPETE, &["Qxf6", "Qf6", "Qf3xf6", "Qf3:f6"], "f3f6"),
            (
                "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1",
                &["e8=Q", "e8Q", "e8q", "e8(Q)", "e8/Q", "e7e8q", "e7-e8=Q+"],
                "e7e8q",
            ),
            ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", &["e8=B", "e8b", "e8=B+", "e7e8b"], "e7e8b"),
            ("8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1", &["exd3", "exd3e.p.", "exd3 e.p.", "ed3", "exd3ep"], "e4d3"),
            // One of the two knights is pinned.
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", &["Ne2", "Nge2", "N1e2"], "g1e2"),
        ] {
            let board = board(fen);
            for text in texts {
                let m = parse_san(&board, text).unwrap_or_else(|error| panic!("{fen} {text}: {error}"));
                assert_eq!(&*to_uci(m, false), uci, "{fen} {text}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        use SanError::*;
        let two_knights = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1";
        let promotion = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
        for (fen, text, error) in [
            (START, "", Malformed),
            (START, "e", Malformed),
            (START, "4", Malformed),
            (START, "Zf3", Malformed),
            (START, "e9", Malformed),
            (START, "i4", Malformed),
            (START, "Nf3f4f5", Malformed),
            (START, "N\u{e9}f3", Malformed),
            (START, "e4=", Malformed),
            (START, "e4=K", Malformed),
            (START, "e5", Illegal),
            (START, "Nxf3", Illegal),
            (START, "Nbf3", Illegal),
            (START, "O-O", Illegal),
            (START, "e4=Q", Illegal),
            (two_knights, "Ne2", Ambiguous),
            (promotion, "e8", Ambiguous),
            (promotion, "e8=P", Malformed),
        ] {
            assert_eq!(parse_san(&board(fen), text), Err(error), "{fen} {text}");
        }
    }

    #[test]
    fn origins_are_as_short_as_they_can_be() {
        for (fen, uci, san) in [
            ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
            ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
            ("6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
            ("7k/5KR1/8/8/8/8/8/8 w - - 0 1", "g7g1", "Rg1"),
            ("7k/5K2/8/8/8/8/8/6R1 w - - 0 1", "g1h1", "Rh1#"),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "O-O+"),
            ("1n2k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7b8q", "cxb8=Q+"),
        ] {
            let board = board(fen);
            assert_eq!(to_san(&board, parse_uci(&board, uci).unwrap()), san, "{fen}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_a_legal_move_or_none(text in ".{0,8}|[KQRBNPa-h1-8xO0=+#:-]{0,9}") {
            for fen in [START, KIWIPETE, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"] {
                let board = board(fen);
                let read = parse_san(&board, &text).ok().into_iter().chain(parse_uci(&board, &text));
                for m in read {
                    prop_assert!(board.legal_moves().contains(&m));
                }
            }
        }
    }
}
