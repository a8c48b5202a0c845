//! The 960 start positions, numbered as by Reinhard Scharnagl (2004, "Fischer-Random-Schach"), and the 960 x 960 start
//! positions of double Chess960, where the sides have different ones.

use caesura::board::{Board, Setup};
use caesura::types::{Color, File, Piece, PieceType, Rank, Square};

/// The number of start positions.
pub const START_POSITIONS: usize = 960;

/// The number of the start position of standard chess.
pub const STANDARD_CHESS: usize = 518;

/// The pieces of the back rank from the a-file to the h-file.
///
/// # Panics
/// If `number` is not below [`START_POSITIONS`].
pub fn back_rank(number: usize) -> [PieceType; 8] {
    assert!(number < START_POSITIONS, "there is no start position {number}");
    let mut files = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    files[2 * light + 1] = Some(PieceType::Bishop);
    files[2 * dark] = Some(PieceType::Bishop);
    put_on_free_file(&mut files, queen, PieceType::Queen);
    const PAIRS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = PAIRS[knights];
    // The second one first, so that it does not change the count of free files for the first.
    put_on_free_file(&mut files, second, PieceType::Knight);
    put_on_free_file(&mut files, first, PieceType::Knight);
    for kind in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        put_on_free_file(&mut files, 0, kind);
    }
    files.map(|kind| kind.unwrap_or(PieceType::Rook))
}

/// Puts a piece on the free file with this index, counted from 0.
fn put_on_free_file(files: &mut [Option<PieceType>; 8], index: usize, kind: PieceType) {
    if let Some(file) = files.iter_mut().filter(|file| file.is_none()).nth(index) {
        *file = Some(kind);
    }
}

/// The start position in which White and Black have the back ranks of these numbers.
///
/// # Panics
/// If a number is not below [`START_POSITIONS`].
pub fn start_position(white: usize, black: usize) -> Board {
    let mut pieces = [None; 64];
    let mut castling = [[None; 2]; 2];
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        let mut rooks = Vec::with_capacity(2);
        for (file, kind) in File::ALL.into_iter().zip(back_rank(number)) {
            let square = Square::new(file, Rank::First.relative(color));
            pieces[square.index()] = Some(Piece::new(color, kind));
            pieces[Square::new(file, Rank::Second.relative(color)).index()] =
                Some(Piece::new(color, PieceType::Pawn));
            if kind == PieceType::Rook {
                rooks.push(square);
            }
        }
        castling[color.index()] = [rooks.last().copied(), rooks.first().copied()];
    }
    Board::from_setup(&Setup {
        pieces,
        side_to_move: Color::White,
        castling,
        en_passant: None,
        rule50: 0,
        fullmove: 1,
        chess960: true,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::position::PackedPosition;

    #[test]
    fn all_arrays_differ_and_keep_the_rules() {
        let mut seen = HashSet::new();
        for number in 0..START_POSITIONS {
            let row = back_rank(number);
            let of = |kind| -> Vec<usize> { (0..8).filter(|&file| row[file] == kind).collect() };
            let (bishops, rooks, king) = (of(PieceType::Bishop), of(PieceType::Rook), of(PieceType::King));
            assert_eq!((bishops.len(), rooks.len(), king.len()), (2, 2, 1), "{number}");
            assert_eq!((of(PieceType::Knight).len(), of(PieceType::Queen).len()), (2, 1), "{number}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{number}");
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{number}");
            assert!(seen.insert(row.map(PieceType::letter)), "{number} occurs twice");
        }
        let standard: String =
            back_rank(STANDARD_CHESS).iter().map(|kind| kind.letter().to_ascii_lowercase()).collect();
        assert_eq!(standard, "rnbqkbnr");
    }

    #[test]
    fn all_starts_can_be_packed_and_played() {
        for number in 0..START_POSITIONS {
            let board = start_position(number, START_POSITIONS - 1 - number);
            let setup = board.setup();
            assert!(!board.legal_moves().is_empty());
            assert!(!board.in_check());
            assert_eq!(PackedPosition::pack(&setup).unwrap().unpack(), Ok(setup), "{number}");
        }
    }
}
