//! What a side attacks.

use crate::attacks;
use crate::types::{Bitboard, Color, PieceType};

use super::{PieceSets, Position};

/// The squares that a side attacks, by the worth of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    /// By anything.
    pub all: Bitboard,
    /// By a pawn.
    pub by_pawn: Bitboard,
    /// By a pawn, knight or bishop.
    pub by_minor: Bitboard,
    /// By a pawn, knight, bishop or rook.
    pub by_rook: Bitboard,
}

impl Threats {
    /// No square is attacked.
    pub const NONE: Threats = Threats {
        all: Bitboard::EMPTY,
        by_pawn: Bitboard::EMPTY,
        by_minor: Bitboard::EMPTY,
        by_rook: Bitboard::EMPTY,
    };

    /// What `by` attacks with these pieces on a board where these squares are occupied.
    #[inline]
    pub fn of(by: Color, occupied: Bitboard, pieces: impl Fn(PieceType) -> Bitboard) -> Threats {
        let by_pawn = attacks::pawn_set(by, pieces(PieceType::Pawn));
        let mut by_minor = by_pawn;
        for square in pieces(PieceType::Knight) {
            by_minor |= attacks::knight(square);
        }
        for square in pieces(PieceType::Bishop) {
            by_minor |= attacks::bishop(square, occupied);
        }
        let mut by_rook = by_minor;
        for square in pieces(PieceType::Rook) {
            by_rook |= attacks::rook(square, occupied);
        }
        let mut all = by_rook;
        for square in pieces(PieceType::Queen) {
            all |= attacks::queen(square, occupied);
        }
        for square in pieces(PieceType::King) {
            all |= attacks::king(square);
        }
        Threats { all, by_pawn, by_minor, by_rook }
    }
}

impl PieceSets {
    /// What `by` attacks, its own pieces included as defended.
    #[inline]
    pub fn threats(&self, by: Color) -> Threats {
        Threats::of(by, self.occupied(), |kind| self.pieces_of(by, kind))
    }
}

impl Position {
    /// What `by` attacks, its own pieces included as defended.
    pub fn threats(&self, by: Color) -> Threats {
        self.piece_sets().threats(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::boards;
    use crate::types::Square;

    #[test]
    fn threats_are_the_squares_that_have_attackers() {
        for board in boards() {
            for by in Color::ALL {
                let threats = board.threats(by);
                for square in Square::ALL {
                    let attackers = board.attackers(square, board.occupied());
                    let some = |kinds: &[PieceType]| {
                        kinds.iter().any(|&kind| !(attackers & board.pieces_of(by, kind)).is_empty())
                    };
                    use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
                    assert_eq!(threats.by_pawn.has(square), some(&[Pawn]), "{square}: {board}");
                    assert_eq!(
                        threats.by_minor.has(square),
                        some(&[Pawn, Knight, Bishop]),
                        "{square}: {board}"
                    );
                    let by_rook = some(&[Pawn, Knight, Bishop, Rook]);
                    assert_eq!(threats.by_rook.has(square), by_rook, "{square}: {board}");
                    assert_eq!(threats.all.has(square), by_rook || some(&[Queen, King]), "{square}: {board}");
                }
            }
        }
    }
}
