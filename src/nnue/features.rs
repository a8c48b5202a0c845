//! Which input of the network a piece is.
//!
//! Each side sees the board from its own first rank, mirrored so that its king stands on files a to d. A piece
//! is then one of 768 features, own or enemy, kind and square; its threat state picks the set.

use super::arch::PIECE_SQUARES;
use super::piece_features::PieceFeature;
use crate::types::{Color, Square};

/// How a side sees the board while its king stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    color: Color,
    /// What turns a square's index into the one that the side sees.
    square_xor: u8,
}

impl Perspective {
    /// How many views a side can have.
    pub const MIRRORS: usize = 2;

    /// The view of a side with its king on this square.
    #[inline]
    pub const fn new(color: Color, king: Square) -> Perspective {
        let flip = 56 * color.index() as u8;
        let mirror = if king.index() & 7 >= 4 { 7 } else { 0 };
        Perspective { color, square_xor: flip ^ mirror }
    }

    /// Whose view it is.
    #[inline]
    pub const fn color(self) -> Color {
        self.color
    }

    /// The place of this view among all that its side can have.
    #[inline]
    pub const fn mirror_index(self) -> usize {
        (self.square_xor & 1) as usize
    }

    /// The feature of a man.
    #[inline]
    pub const fn feature_index(self, man: PieceFeature) -> usize {
        let enemy = man.color() ^ self.color.index();
        man.threat_state() * PIECE_SQUARES
            + enemy * (PIECE_SQUARES / 2)
            + (man.piece_square() ^ self.square_xor as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::super::arch::{INPUTS, THREAT_STATES};
    use super::*;
    use crate::types::{Piece, PieceType};

    fn index(perspective: Color, king: Square, piece: Piece, state: usize, square: Square) -> usize {
        Perspective::new(perspective, king).feature_index(PieceFeature::new(piece, state, square))
    }

    #[test]
    fn known_features() {
        let white = |king, piece, state, square| index(Color::White, king, piece, state, square);
        assert_eq!(white(Square::A1, Piece::WhitePawn, 0, Square::A2), 8);
        assert_eq!(white(Square::H1, Piece::WhitePawn, 0, Square::A2), 15);
        assert_eq!(white(Square::E1, Piece::WhitePawn, 1, Square::A2), PIECE_SQUARES + 15);
        assert_eq!(white(Square::D2, Piece::WhitePawn, 2, Square::A2), 2 * PIECE_SQUARES + 8);
        assert_eq!(white(Square::D8, Piece::BlackKing, 8, Square::H8), 8 * PIECE_SQUARES + 384 + 320 + 63);
        let black = |king, piece, state, square| index(Color::Black, king, piece, state, square);
        assert_eq!(black(Square::B8, Piece::BlackPawn, 0, Square::A7), 8);
        assert_eq!(
            black(Square::E1, Piece::WhiteQueen, 3, Square::D1),
            3 * PIECE_SQUARES + 384 + 256 + (63 ^ 3)
        );
    }

    #[test]
    fn a_view_tells_all_men_apart_and_keeps_its_king_on_the_left() {
        for perspective in Color::ALL {
            for king in Square::ALL {
                let view = Perspective::new(perspective, king);
                assert!(view.mirror_index() < Perspective::MIRRORS);
                let own = Piece::new(perspective, PieceType::King);
                assert!(view.feature_index(PieceFeature::new(own, 0, king)) % 8 < 4);
                let mut seen = [false; INPUTS];
                for piece in Piece::ALL {
                    for state in 0..THREAT_STATES {
                        for square in Square::ALL {
                            let feature = index(perspective, king, piece, state, square);
                            assert!(!std::mem::replace(&mut seen[feature], true));
                            assert_eq!(
                                feature % PIECE_SQUARES < PIECE_SQUARES / 2,
                                piece.color() == perspective
                            );
                            assert_eq!(feature / PIECE_SQUARES, state);
                        }
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
                    let seen = index(Color::White, king, piece, 4, square);
                    assert_eq!(seen, index(Color::Black, king.flip_rank(), other, 4, square.flip_rank()));
                    assert_eq!(seen, index(Color::White, king.flip_file(), piece, 4, square.flip_file()));
                }
            }
        }
    }
}
