//! From where a piece would attack.

use crate::attacks;
use crate::types::{Bitboard, PieceType, Square};

use super::Board;

/// The squares from which a piece of the side to move would attack a more valuable one of the opponent, by the kind of the
/// piece that attacks. Kings are no targets here.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttackSquares {
    /// For a pawn: knights, bishops, rooks and queens are targets.
    pub pawn: Bitboard,
    /// For a knight: rooks and queens are targets.
    pub knight: Bitboard,
    /// For a bishop: rooks and queens are targets.
    pub bishop: Bitboard,
    /// For a rook: queens are targets.
    pub rook: Bitboard,
}

impl AttackSquares {
    /// True if a piece of this kind attacks a more valuable one from `square`.
    #[inline]
    pub fn has(&self, kind: PieceType, square: Square) -> bool {
        match kind {
            PieceType::Pawn => self.pawn.has(square),
            PieceType::Knight => self.knight.has(square),
            PieceType::Bishop => self.bishop.has(square),
            PieceType::Rook => self.rook.has(square),
            PieceType::Queen | PieceType::King => false,
        }
    }
}

impl Board {
    /// From where the side to move would attack a more valuable piece of the opponent.
    pub fn attack_squares(&self) -> AttackSquares {
        let (them, occupied) = (!self.side_to_move(), self.occupied());
        let queens = self.pieces_of(them, PieceType::Queen);
        let mut squares = AttackSquares {
            // From where a pawn attacks a piece, a pawn of the other side on the piece's square would attack.
            pawn: attacks::pawn_set(them, self.non_pawn_pieces() & self.by_color(them)),
            ..AttackSquares::default()
        };
        for square in self.pieces_of(them, PieceType::Rook) | queens {
            squares.knight |= attacks::knight(square);
            squares.bishop |= attacks::bishop(square, occupied);
        }
        for square in queens {
            squares.rook |= attacks::rook(square, occupied);
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::boards;

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
                        squares.has(kind, square),
                        attacks(kind, targets),
                        "{kind:?} {square} {board}"
                    );
                }
                assert!(!squares.has(Queen, square) && !squares.has(King, square));
            }
        }
    }
}
