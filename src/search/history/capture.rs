//! Captures and promotions by piece, target and victim.

use std::collections::TryReserveError;

use super::history_entry::HistoryEntry;
use crate::board::Board;
use crate::types::{Move, Piece, PieceType, Square};
use crate::util::memory::boxed_array;

/// Capture history: how well captures did, indexed by the piece that captures, its target square, and the kind of the
/// captured piece ([`victim`]). What a capture is worth beyond its victim depends on who captures, and where: the order of
/// captures, their reduction and their pruning read it (the practice of Stockfish since 2017; not measured by itself here).
pub struct CaptureHistory(Box<[[[HistoryEntry<16384>; 6]; 64]; 12]>);

impl CaptureHistory {
    /// A table of zeros.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(CaptureHistory(boxed_array([[HistoryEntry::default(); 6]; 64])?))
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.0.iter_mut().flatten().for_each(|victims| victims.fill(HistoryEntry::default()));
    }

    /// The value of a capture.
    #[inline]
    pub fn get(&self, piece: Piece, to: Square, victim: PieceType) -> i32 {
        self.0[piece.index()][to.index()][victim.index()].get()
    }

    /// Adds a bonus, or a malus if it is negative, to a capture.
    #[inline]
    pub fn update(&mut self, piece: Piece, to: Square, victim: PieceType, bonus: i32) {
        self.0[piece.index()][to.index()][victim.index()].update(bonus);
    }
}

/// The kind of piece that a capture or a promotion takes; a promotion without a capture counts as taking a pawn.
#[inline]
pub fn victim(board: &Board, m: Move) -> PieceType {
    match board.piece_on(m.to()) {
        Some(piece) if !m.is_en_passant() => piece.kind(),
        _ => PieceType::Pawn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_uci;

    #[test]
    fn the_victim_is_what_stands_on_the_target_square_or_else_a_pawn() {
        let fen = "1r2k3/P7/8/3pP3/4q3/3P4/8/6K1 w - d6 0 1";
        let board: Board = fen.parse().expect("a position");
        for (text, expected) in [
            ("d3e4", PieceType::Queen),
            ("d3d4", PieceType::Pawn),
            ("e5d6", PieceType::Pawn),
            ("a7a8q", PieceType::Pawn),
            ("a7b8n", PieceType::Rook),
        ] {
            let m = parse_uci(&board, text).expect(text);
            assert_eq!(victim(&board, m), expected, "{text}");
        }
    }
}
