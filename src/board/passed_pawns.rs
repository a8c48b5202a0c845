//! Passed pawns.

use crate::types::{Bitboard, Color, PieceType, Square};

use super::Position;

impl Position {
    /// True if a pawn of this side would be passed on a square: no enemy pawn stands before it on its own or a neighbouring
    /// file.
    pub fn is_passed(&self, side: Color, square: Square) -> bool {
        (self.pieces_of(!side, PieceType::Pawn) & before(square, side)).is_empty()
    }
}

/// The squares before a pawn on its own file and its neighbours.
fn before(square: Square, side: Color) -> Bitboard {
    let file = Bitboard::from_square(square);
    let mut rank = file | file.east() | file.west();
    let mut squares = Bitboard::EMPTY;
    while rank.any() {
        rank = rank.forward(side);
        squares |= rank;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::boards;

    #[test]
    fn the_squares_before_a_pawn_are_those_of_three_files() {
        let squares = |name: &str, side| before(Square::parse(name).expect(name), side);
        assert_eq!(squares("e5", Color::White).count(), 9);
        assert_eq!(squares("a2", Color::White).count(), 12);
        assert_eq!(squares("h2", Color::Black).count(), 2);
        assert!(squares("e5", Color::Black).has(Square::D1) && !squares("e5", Color::Black).has(Square::D5));
        assert!(squares("a7", Color::White).has(Square::B8) && squares("e8", Color::White).is_empty());
    }

    #[test]
    fn a_pawn_is_passed_if_no_enemy_pawn_can_stop_or_take_it() {
        for board in boards() {
            for side in Color::ALL {
                for square in Square::ALL {
                    let stops = |pawn: Square| {
                        let files = pawn.file().index().abs_diff(square.file().index());
                        files <= 1
                            && pawn.rank().relative(side).index() > square.rank().relative(side).index()
                    };
                    let pawns = board.pieces_of(!side, PieceType::Pawn);
                    assert_eq!(
                        board.is_passed(side, square),
                        !pawns.into_iter().any(stops),
                        "{square} {board}"
                    );
                }
            }
        }
    }
}
