//! From where a piece would give check.

use crate::attacks;
use crate::types::{Bitboard, Move, MoveKind, PieceType, Square};

use super::Board;

/// What the moves of a node need to know of the enemy king, so that each asks two squares instead of looking along
/// lines.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    king: Square,
    /// From where a piece of each kind would attack the king.
    check_squares: [Bitboard; PieceType::COUNT],
    /// The pieces of the side to move behind which a slider of theirs waits.
    discovered_check_candidates: Bitboard,
}

impl CheckInfo {
    /// From where a piece of this kind would give check.
    #[inline]
    pub fn check_squares(&self, kind: PieceType) -> Bitboard {
        self.check_squares[kind.index()]
    }

    /// False if a move can give check only by the piece that moves, from where it goes.
    #[inline]
    pub fn may_be_discovered(&self, m: Move) -> bool {
        !m.is_normal() | self.discovered_check_candidates.has(m.from())
    }
}

impl Board {
    /// From where the side to move would give check.
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let ours = self.by_color(us);
        // A single piece of ours between such a slider and the king uncovers a check when it steps away.
        let mut discovered_check_candidates = Bitboard::EMPTY;
        for slider in self.sliders_towards(king) & ours {
            let between = attacks::between(king, slider) & occupied;
            if !between.more_than_one() {
                discovered_check_candidates |= between & ours;
            }
        }
        let from = [
            attacks::pawn(!us, king),
            attacks::knight(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ];
        CheckInfo { king, check_squares: from, discovered_check_candidates }
    }

    /// [`Board::gives_check`] of a legal move, by what [`Board::check_info`] found in the same position.
    #[inline]
    pub fn gives_check_with(&self, m: Move, info: &CheckInfo) -> bool {
        match (m.kind(), self.piece_on(m.from())) {
            (MoveKind::Quiet | MoveKind::DoublePush | MoveKind::Capture, Some(piece)) => {
                info.check_squares[piece.kind().index()].has(m.to())
                    || info.discovered_check_candidates.has(m.from())
                        && !attacks::line(info.king, m.from()).has(m.to())
            }
            _ => self.gives_check(m),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(board: &mut Board, depth: u32, seen: &mut u32) {
        let info = board.check_info();
        for m in board.legal_moves() {
            let foretold = board.gives_check_with(m, &info);
            assert_eq!(foretold, board.gives_check(m), "{board} {m:?}");
            board.make_move(m, &mut ());
            // En passant may uncover a check by what it removes, which the test leaves out.
            assert!(foretold == board.in_check() || m.is_en_passant(), "{board} {m:?}");
            *seen += u32::from(foretold);
            if depth > 1 {
                walk(board, depth - 1, seen);
            }
            board.unmake_move(m, &mut ());
        }
    }

    #[test]
    fn checks_are_foretold() {
        let mut seen = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "7k/8/3B4/4N3/R2PK2r/8/1B4b1/8 w - - 0 1",
            "qbbnrkrn/pppppppp/8/8/8/8/PPPPPPPP/QBBNRKRN w GEge - 0 1",
            "3k4/8/1P6/B2N4/3K4/8/3R4/8 w - - 0 1",
        ] {
            let mut board: Board = fen.parse().expect(fen);
            walk(&mut board, 3, &mut seen);
        }
        assert!(seen > 5_000, "{seen}");
    }
}
