//! From where a piece would attack.

use crate::attacks;
use crate::types::{Bitboard, PieceType};

use super::Board;

/// The squares from which a piece of the side to move would attack a more valuable one of the opponent, by the kind of the
/// piece that attacks. Kings are no targets here.
///
/// The targets of pawns are all other pieces, those of knights and bishops are rooks and queens, and those of rooks are
/// queens.
#[derive(Clone, Copy, Debug)]
pub struct AttackSquares([Bitboard; PieceType::COUNT]);

impl AttackSquares {
    /// From where a piece of this kind attacks a more valuable one.
    #[inline]
    pub fn of(&self, kind: PieceType) -> Bitboard {
        self.0[kind.index()]
    }
}

impl Board {
    /// From where the side to move would attack a more valuable piece of the opponent.
    pub fn attack_squares(&self) -> AttackSquares {
        let (them, occupied) = (!self.side_to_move(), self.occupied());
        let queens = self.pieces_of(them, PieceType::Queen);
        // From where a pawn attacks a piece, a pawn of the other side on the piece's square would attack.
        let pawn = attacks::pawn_set(them, self.non_pawn_pieces() & self.by_color(them));
        let [mut knight, mut bishop, mut rook] = [Bitboard::EMPTY; 3];
        for square in self.pieces_of(them, PieceType::Rook) | queens {
            knight |= attacks::knight(square);
            bishop |= attacks::bishop(square, occupied);
        }
        for square in queens {
            rook |= attacks::rook(square, occupied);
        }
        AttackSquares([pawn, knight, bishop, rook, Bitboard::EMPTY, Bitboard::EMPTY])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::boards;
    use crate::types::Square;

    #[test]
    fn attack_squares_are_those_from_which_a_greater_piece_is_attacked() {
        use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
        for board in boards() {
            let (us, them) = (board.side_to_move(), !board.side_to_move());
            let squares = board.attack_squares();
            for square in Square::ALL {
                let attacks = |kind, targets: &[PieceType]| {
                    let attacked = match kind {
                        Pawn => attacks::pawn(us, square),
                        Knight => attacks::knight(square),
                        Bishop => attacks::bishop(square, board.occupied()),
                        _ => attacks::rook(square, board.occupied()),
                    };
                    targets.iter().any(|&target| !(attacked & board.pieces_of(them, target)).is_empty())
                };
                for (kind, targets) in [
                    (Pawn, &[Knight, Bishop, Rook, Queen][..]),
                    (Knight, &[Rook, Queen]),
                    (Bishop, &[Rook, Queen]),
                    (Rook, &[Queen]),
                ] {
                    assert_eq!(
                        squares.of(kind).has(square),
                        attacks(kind, targets),
                        "{kind:?} {square} {board}"
                    );
                }
                assert!((squares.of(Queen) | squares.of(King)).is_empty());
            }
        }
    }
}
