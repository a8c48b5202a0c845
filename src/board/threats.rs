//! What a side attacks.

use crate::attacks;
use crate::types::{Bitboard, Color, PieceType};

use super::Board;

/// The squares that a side attacks, by the worth of the attacker.
#[derive(Clone, Copy, Debug, Default)]
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

impl Board {
    /// What `by` attacks, its own pieces included as defended.
    pub fn threats(&self, by: Color) -> Threats {
        let occupied = self.occupied();
        let by_pawn = attacks::pawn_set(by, self.colored(by, PieceType::Pawn));
        let mut by_minor = by_pawn;
        for square in self.colored(by, PieceType::Knight) {
            by_minor |= attacks::knight(square);
        }
        for square in self.colored(by, PieceType::Bishop) {
            by_minor |= attacks::bishop(square, occupied);
        }
        let mut by_rook = by_minor;
        for square in self.colored(by, PieceType::Rook) {
            by_rook |= attacks::rook(square, occupied);
        }
        let mut all = by_rook | attacks::king(self.king(by));
        for square in self.colored(by, PieceType::Queen) {
            all |= attacks::queen(square, occupied);
        }
        Threats { all, by_pawn, by_minor, by_rook }
    }
}
