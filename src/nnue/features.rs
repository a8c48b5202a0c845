//! Which input of the network a piece is.
//!
//! Each side sees the board from its own first rank, mirrored so that its king stands on files a to d. A piece
//! is then one of 768 features, own or enemy, kind and square; its threat state picks the set.

use super::arch::FEATURES;
use super::placement::Man;
use crate::types::{Color, Square};

/// How a side sees the board while its king stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    perspective: Color,
    /// What turns a square's index into the one that the side sees.
    turn: u8,
}

impl View {
    /// How many views a side can have.
    pub const COUNT: usize = 2;

    /// The view of a side with its king on this square.
    #[inline]
    pub const fn new(perspective: Color, king: Square) -> View {
        let flip = 56 * perspective.index() as u8;
        let mirror = if king.index() & 7 >= 4 { 7 } else { 0 };
        View { perspective, turn: flip ^ mirror }
    }

    /// Whose view it is.
    #[inline]
    pub const fn perspective(self) -> Color {
        self.perspective
    }

    /// The place of this view among all that its side can have.
    #[inline]
    pub const fn slot(self) -> usize {
        (self.turn & 1) as usize
    }

    /// The feature of a man.
    #[inline]
    pub const fn index(self, man: Man) -> usize {
        let enemy = man.color() ^ self.perspective.index();
        man.state() * FEATURES + enemy * (FEATURES / 2) + (man.place() ^ self.turn as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::super::arch::{INPUTS, STATES};
    use super::*;
    use crate::types::{Piece, PieceType};

    fn index(perspective: Color, king: Square, piece: Piece, state: usize, square: Square) -> usize {
        View::new(perspective, king).index(Man::new(piece, state, square))
    }

    #[test]
    fn known_features() {
        let white = |king, piece, state, square| index(Color::White, king, piece, state, square);
        assert_eq!(white(Square::A1, Piece::WhitePawn, 0, Square::A2), 8);
        assert_eq!(white(Square::H1, Piece::WhitePawn, 0, Square::A2), 15);
        assert_eq!(white(Square::E1, Piece::WhitePawn, 1, Square::A2), FEATURES + 15);
        assert_eq!(white(Square::D2, Piece::WhitePawn, 2, Square::A2), 2 * FEATURES + 8);
        assert_eq!(white(Square::D8, Piece::BlackKing, 8, Square::H8), 8 * FEATURES + 384 + 320 + 63);
        let black = |king, piece, state, square| index(Color::Black, king, piece, state, square);
        assert_eq!(black(Square::B8, Piece::BlackPawn, 0, Square::A7), 8);
        assert_eq!(black(Square::E1, Piece::WhiteQueen, 3, Square::D1), 3 * FEATURES + 384 + 256 + (63 ^ 3));
    }

    #[test]
    fn a_view_tells_all_men_apart_and_keeps_its_king_on_the_left() {
        for perspective in Color::ALL {
            for king in Square::ALL {
                let view = View::new(perspective, king);
                assert!(view.slot() < View::COUNT);
                let own = Piece::new(perspective, PieceType::King);
                assert!(view.index(Man::new(own, 0, king)) % 8 < 4);
                let mut seen = [false; INPUTS];
                for piece in Piece::ALL {
                    for state in 0..STATES {
                        for square in Square::ALL {
                            let feature = index(perspective, king, piece, state, square);
                            assert!(!std::mem::replace(&mut seen[feature], true));
                            assert_eq!(feature % FEATURES < FEATURES / 2, piece.color() == perspective);
                            assert_eq!(feature / FEATURES, state);
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
