//! Which input of the network a piece is.
//!
//! Each side sees the board from its own first rank, mirrored so that its king stands on files a to d. A piece
//! is then one of 768 features, own or enemy, kind and square; a bucket of the king's square picks the set.

use super::arch::{BUCKETS, FEATURES, KING_BUCKET};
use crate::types::{Color, Piece, Square};

/// How a side sees the board while its king stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    perspective: Color,
    /// What turns a square's index into the one that the side sees.
    turn: u8,
    bucket: u8,
}

impl View {
    /// How many views a side can have.
    pub const COUNT: usize = 2 * BUCKETS;

    /// The view of a side with its king on this square.
    #[inline]
    pub const fn new(perspective: Color, king: Square) -> View {
        let flip = 56 * perspective.index() as u8;
        let mirror = if king.index() & 7 >= 4 { 7 } else { 0 };
        let turn = flip ^ mirror;
        View { perspective, turn, bucket: KING_BUCKET[king.index() ^ turn as usize] }
    }

    /// Whose view it is.
    #[inline]
    pub const fn perspective(self) -> Color {
        self.perspective
    }

    /// The place of this view among all that its side can have.
    #[inline]
    pub const fn slot(self) -> usize {
        2 * self.bucket as usize + (self.turn & 1) as usize
    }

    /// The feature of a piece.
    #[inline]
    pub const fn index(self, piece: Piece, square: Square) -> usize {
        let enemy = (piece.index() ^ self.perspective.index()) & 1;
        self.bucket as usize * FEATURES
            + enemy * (FEATURES / 2)
            + piece.kind().index() * 64
            + (square.index() ^ self.turn as usize)
    }
}

/// The feature that a piece on a square is for a side whose own king stands on `king`: less than
/// [`INPUTS`](super::arch::INPUTS).
#[inline]
pub const fn index(perspective: Color, king: Square, piece: Piece, square: Square) -> usize {
    View::new(perspective, king).index(piece, square)
}

#[cfg(test)]
mod tests {
    use super::super::arch::INPUTS;
    use super::*;
    use crate::types::PieceType;

    #[test]
    fn known_features() {
        let white = |king, piece, square| index(Color::White, king, piece, square);
        assert_eq!(white(Square::A1, Piece::WhitePawn, Square::A2), 8);
        assert_eq!(white(Square::H1, Piece::WhitePawn, Square::A2), 15);
        assert_eq!(white(Square::E1, Piece::WhitePawn, Square::A2), FEATURES + 15);
        assert_eq!(white(Square::D2, Piece::WhitePawn, Square::A2), 2 * FEATURES + 8);
        assert_eq!(white(Square::D8, Piece::BlackKing, Square::H8), 3 * FEATURES + 384 + 320 + 63);
        let black = |king, piece, square| index(Color::Black, king, piece, square);
        assert_eq!(black(Square::B8, Piece::BlackPawn, Square::A7), 8);
        assert_eq!(black(Square::E1, Piece::WhiteQueen, Square::D1), 3 * FEATURES + 384 + 256 + (63 ^ 3));
    }

    #[test]
    fn a_view_tells_all_pieces_apart_and_keeps_its_king_on_the_left() {
        for perspective in Color::ALL {
            for king in Square::ALL {
                let view = View::new(perspective, king);
                assert!(view.slot() < View::COUNT);
                let own = Piece::new(perspective, PieceType::King);
                assert!(view.index(own, king) % 8 < 4);
                let mut seen = [false; INPUTS];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        let feature = index(perspective, king, piece, square);
                        assert!(!std::mem::replace(&mut seen[feature], true));
                        assert_eq!(feature % FEATURES < FEATURES / 2, piece.color() == perspective);
                    }
                }
            }
        }
    }

    #[test]
    fn both_sides_see_mirrored_positions_alike() {
        for king in Square::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let other = Piece::new(!piece.color(), piece.kind());
                    let seen = index(Color::White, king, piece, square);
                    assert_eq!(seen, index(Color::Black, king.flip_rank(), other, square.flip_rank()));
                    assert_eq!(seen, index(Color::White, king.flip_file(), piece, square.flip_file()));
                }
            }
        }
    }
}
