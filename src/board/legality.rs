//! Judging a move that was not generated for this position.

use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, PieceType, Rank};

use super::Board;

impl Board {
    /// True if the move is legal here, kind and all. Any move will do: it may come from a table shared with
    /// other threads, or from another position.
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.side;
        let (from, to, kind) = (m.from(), m.to(), m.kind());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        let king = self.king(us);
        if kind == MoveKind::Castle {
            return piece.kind() == PieceType::King
                && !self.in_check()
                && CastlingSide::ALL
                    .into_iter()
                    .any(|side| self.castling_rook(us, side) == Some(to) && self.can_castle(us, side));
        }
        if kind == MoveKind::EnPassant {
            return piece.kind() == PieceType::Pawn
                && self.en_passant() == Some(to)
                && attacks::pawn(us, from).has(to)
                && self.en_passant_is_safe(from, to);
        }
        // A capture takes an enemy, anything else goes to an empty square.
        let wanted = if m.is_capture() { self.by_color(!us) } else { !self.occupied() };
        if !wanted.has(to) {
            return false;
        }
        let occupied = self.occupied();
        match piece.kind() {
            PieceType::Pawn => {
                let last = to.rank() == Rank::Eighth.relative(us);
                if last != m.is_promotion() {
                    return false;
                }
                let ahead = from.forward(us);
                let reaches = if m.is_capture() {
                    attacks::pawn(us, from).has(to)
                } else if kind == MoveKind::DoublePush {
                    from.rank() == Rank::Second.relative(us)
                        && ahead.forward(us) == to
                        && !occupied.has(ahead)
                } else {
                    ahead == to
                };
                if !reaches {
                    return false;
                }
            }
            _ if kind != MoveKind::Quiet && kind != MoveKind::Capture => return false,
            PieceType::King => {
                return attacks::king(from).has(to) && !self.is_attacked(to, !us, occupied ^ from);
            }
            PieceType::Knight if !attacks::knight(from).has(to) => return false,
            PieceType::Bishop if !attacks::bishop(from, occupied).has(to) => return false,
            PieceType::Rook if !attacks::rook(from, occupied).has(to) => return false,
            PieceType::Queen if !attacks::queen(from, occupied).has(to) => return false,
            _ => {}
        }
        let stops_check = match self.checkers().first() {
            None => true,
            Some(_) if self.checkers().more_than_one() => false,
            Some(checker) => (attacks::between(king, checker) | checker).has(to),
        };
        let line = attacks::line(king, from);
        stops_check && (line.is_empty() || line.has(to) || !self.pinned().has(from))
    }

    /// True if a legal move gives check; a cheap test that sees direct checks, discovered ones, promotions
    /// and castling, but not the check that en passant uncovers by removing its victim.
    pub fn gives_check(&self, m: Move) -> bool {
        let us = self.side;
        let enemy = self.king(!us);
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        if m.is_castle() {
            let path = super::castling::CastlingTargets::of(us, from, to);
            let occupied = self.occupied() ^ from ^ to;
            return attacks::rook(path.rook_to, occupied | path.king_to).has(enemy);
        }
        let occupied = self.occupied() ^ from | to;
        let direct = match m.promoted().unwrap_or(piece.kind()) {
            PieceType::Pawn => attacks::pawn(us, to),
            PieceType::Knight => attacks::knight(to),
            PieceType::Bishop => attacks::bishop(to, occupied),
            PieceType::Rook => attacks::rook(to, occupied),
            PieceType::Queen => attacks::queen(to, occupied),
            PieceType::King => Bitboard::EMPTY,
        };
        if direct.has(enemy) {
            return true;
        }
        let line = attacks::line(enemy, from);
        if line.is_empty() || line.has(to) {
            return false;
        }
        let hidden = self.by_color(us) & line;
        let queens = self.pieces(PieceType::Queen);
        let diagonal = (self.pieces(PieceType::Bishop) | queens) & hidden;
        let straight = (self.pieces(PieceType::Rook) | queens) & hidden;
        // Most moves uncover nothing: there is no slider behind them.
        diagonal.any() && (attacks::bishop(enemy, occupied) & diagonal).any()
            || straight.any() && (attacks::rook(enemy, occupied) & straight).any()
    }
}
