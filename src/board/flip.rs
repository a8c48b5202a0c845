//! Positions with White and Black exchanged, by which symmetry is tested and shown.

use super::state::{Board, Setup};
use crate::types::Piece;

impl Setup {
    /// The position with White and Black exchanged: the ranks are reversed, each piece changes its colour, and so do the
    /// turn and the rights to castle. It is worth the same to the side to move.
    pub fn with_colors_flipped(&self) -> Setup {
        let mut pieces = [None; 64];
        for (square, piece) in self.pieces.iter().enumerate() {
            // A1 and A8 differ by the bits of the rank.
            pieces[square ^ 56] = piece.map(|piece: Piece| Piece::new(piece.color().flip(), piece.kind()));
        }
        let [white, black] =
            self.castling.map(|rooks| rooks.map(|rook| rook.map(|square| square.flip_rank())));
        Setup {
            pieces,
            side_to_move: self.side_to_move.flip(),
            castling: [black, white],
            en_passant: self.en_passant.map(|square| square.flip_rank()),
            ..self.clone()
        }
    }
}

impl Board {
    /// The position with White and Black exchanged, without the game that led to it.
    pub fn with_colors_flipped(&self) -> Board {
        Board::from_setup(&self.setup().with_colors_flipped())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::boards;

    #[test]
    fn flipping_twice_gives_the_same_position() {
        for board in boards() {
            let flipped = board.with_colors_flipped();
            assert_eq!(flipped.with_colors_flipped().setup(), board.setup());
            assert_eq!(flipped.legal_moves().len(), board.legal_moves().len());
            assert_eq!(flipped.side_to_move(), board.side_to_move().flip());
        }
    }

    #[test]
    fn castling_rooks_and_en_passant_change_sides() {
        for (fen, flipped) in [
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1"),
            ("1r2k1r1/8/8/8/8/8/8/R3K2R w KQb - 3 9", "r3k2r/8/8/8/8/8/8/1R2K1R1 b Bha - 3 9"),
        ] {
            let board: Board = fen.parse().expect(fen);
            assert_eq!(board.with_colors_flipped().to_string(), flipped);
        }
    }
}
