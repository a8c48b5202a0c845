//! The input formula: which input of the network a piece sets, seen from one side's perspective.
//!
//! Each side sees the board from its own first rank, mirrored so that its king stands on the files a to d. An input is
//! `768 * threat state + 384 * (enemy piece?) + 64 * kind + square`. The engine and the trainer both compute it here.

use super::arch::{PIECE_SQUARES, THREAT_STATES};
use super::piece_features::PieceFeature;
use crate::types::{Color, Square};

/// How one side sees the board while its king stays on its half of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    color: Color,
    /// Flips the rank for Black (56) and the file if the king is on the files e to h (7), by exclusive or with a square.
    square_xor: u8,
}

impl Perspective {
    /// The perspectives of each side: with the king on the files a to d, and mirrored.
    pub const MIRRORS: usize = 2;

    /// The perspective of a side whose king is on this square.
    #[inline]
    pub const fn new(color: Color, king: Square) -> Perspective {
        let flip = 56 * color.index() as u8;
        let mirror = if king.index() & 7 >= 4 { 7 } else { 0 };
        Perspective { color, square_xor: flip ^ mirror }
    }

    /// The side that sees the board so.
    #[inline]
    pub const fn color(self) -> Color {
        self.color
    }

    /// 1 if the files are mirrored, otherwise 0.
    #[inline]
    pub const fn mirror_index(self) -> usize {
        (self.square_xor & 1) as usize
    }

    /// The input that a piece sets, below [`INPUTS`](super::arch::INPUTS).
    #[inline]
    pub const fn feature_index(self, piece: PieceFeature) -> usize {
        let enemy = piece.color() ^ self.color.index();
        piece.threat_state() * PIECE_SQUARES
            + enemy * (PIECE_SQUARES / 2)
            + (piece.kind_and_square() ^ self.square_xor as usize)
    }

    /// The [row](row_of_input) of the input that a piece sets.
    #[inline]
    pub(super) const fn row(self, piece: PieceFeature) -> usize {
        piece.bits() ^ (self.color.index() << 6 | self.square_xor as usize)
    }
}

/// How many rows a table of weights has in which each input has its [row](row_of_input).
pub const FEATURE_ROWS: usize = THREAT_STATES << 10;

/// The row of an input below [`INPUTS`](super::arch::INPUTS) in such a table.
///
/// A row's number is packed like a [`PieceFeature`], with 1 for an enemy in the place of the colour. Some numbers stand for
/// no input, but one exclusive or leads from a piece to its row.
pub const fn row_of_input(input: usize) -> usize {
    let (threat_state, rest) = (input / PIECE_SQUARES, input % PIECE_SQUARES);
    let (enemy, kind_and_square) = (rest / (PIECE_SQUARES / 2), rest % (PIECE_SQUARES / 2));
    threat_state << 10 | (kind_and_square >> 6) << 7 | enemy << 6 | kind_and_square & 63
}

#[cfg(test)]
mod tests {
    use super::super::arch::{INPUTS, THREAT_STATES};
    use super::*;
    use crate::types::{Piece, PieceType};

    fn index(color: Color, king: Square, piece: Piece, threat_state: usize, square: Square) -> usize {
        Perspective::new(color, king).feature_index(PieceFeature::new(piece, threat_state, square))
    }

    /// The formula once more, by rank and file and without any trick of bits.
    fn slow_index(color: Color, king: Square, piece: Piece, threat_state: usize, square: Square) -> usize {
        let rank_and_file = |square: Square| (square.index() / 8, square.index() % 8);
        let (mut rank, mut file) = rank_and_file(square);
        if color == Color::Black {
            rank = 7 - rank;
        }
        if rank_and_file(king).1 > 3 {
            file = 7 - file;
        }
        let kind = match piece.kind() {
            PieceType::Pawn => 0,
            PieceType::Knight => 1,
            PieceType::Bishop => 2,
            PieceType::Rook => 3,
            PieceType::Queen => 4,
            PieceType::King => 5,
        };
        let side = if piece.color() == color { 0 } else { 1 };
        ((threat_state * 2 + side) * 6 + kind) * 64 + rank * 8 + file
    }

    #[test]
    fn the_formula_equals_a_slow_one_and_no_two_pieces_share_an_input() {
        for color in Color::ALL {
            for king in Square::ALL {
                let mut seen = [false; INPUTS];
                for piece in Piece::ALL {
                    for state in 0..THREAT_STATES {
                        for square in Square::ALL {
                            let feature = index(color, king, piece, state, square);
                            assert_eq!(feature, slow_index(color, king, piece, state, square));
                            let row =
                                Perspective::new(color, king).row(PieceFeature::new(piece, state, square));
                            assert!(row < FEATURE_ROWS && row == row_of_input(feature));
                            assert!(!std::mem::replace(&mut seen[feature], true));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn known_features() {
        let white = |king, piece, state, square| index(Color::White, king, piece, state, square);
        assert_eq!(white(Square::A1, Piece::WhitePawn, 0, Square::A2), 8);
        assert_eq!(white(Square::H1, Piece::WhitePawn, 0, Square::A2), 15);
        assert_eq!(white(Square::D8, Piece::BlackKing, 8, Square::H8), 8 * 768 + 384 + 320 + 63);
        let black = |king, piece, state, square| index(Color::Black, king, piece, state, square);
        assert_eq!(black(Square::B8, Piece::BlackPawn, 0, Square::A7), 8);
        assert_eq!(black(Square::E1, Piece::WhiteQueen, 3, Square::D1), 3 * 768 + 384 + 256 + (63 ^ 3));
    }

    #[test]
    fn a_perspective_has_its_own_king_on_the_files_a_to_d() {
        for color in Color::ALL {
            for king in Square::ALL {
                let perspective = Perspective::new(color, king);
                assert_eq!(perspective.mirror_index(), usize::from(king.index() % 8 > 3));
                let own = Piece::new(color, PieceType::King);
                assert!(perspective.feature_index(PieceFeature::new(own, 0, king)) % 8 < 4);
            }
        }
    }

    #[test]
    fn mirrored_positions_set_the_same_inputs() {
        for king in Square::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let other = Piece::new(!piece.color(), piece.kind());
                    let seen = index(Color::White, king, piece, 4, square);
                    assert_eq!(seen, index(Color::Black, king.flip_rank(), other, 4, square.flip_rank()));
                    assert_eq!(seen, index(Color::White, king.flip_file(), piece, 4, square.flip_file()));
                }
            }
        }
    }
}
