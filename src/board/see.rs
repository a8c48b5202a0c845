//! Static exchange evaluation.

use crate::attacks;
use crate::params;
use crate::types::{Bitboard, Color, Move, PieceType, Value};

use super::Board;

/// What a kind of piece is worth in an exchange, in centipawns.
#[inline]
pub fn piece_value(kind: PieceType) -> Value {
    match kind {
        PieceType::Pawn => params::see_pawn(),
        PieceType::Knight => params::see_knight(),
        PieceType::Bishop => params::see_bishop(),
        PieceType::Rook => params::see_rook(),
        PieceType::Queen => params::see_queen(),
        PieceType::King => 0,
    }
}

impl Board {
    /// What a move wins at once: the piece it takes and the worth of a promotion, in centipawns.
    #[inline]
    pub fn gain(&self, m: Move) -> Value {
        let taken = if m.is_en_passant() {
            piece_value(PieceType::Pawn)
        } else if m.is_capture() {
            self.piece_on(m.to()).map_or(0, |piece| piece_value(piece.kind()))
        } else {
            0
        };
        taken + m.promoted().map_or(0, |kind| piece_value(kind) - piece_value(PieceType::Pawn))
    }

    /// True if the exchange that `m` starts on its target square wins at least `threshold` centipawns when
    /// both sides take with their cheapest piece and stop when it suits them. Pins count as long as the
    /// pinning piece stands.
    pub fn see_at_least(&self, m: Move, threshold: Value) -> bool {
        if m.is_castle() {
            return threshold <= 0;
        }
        let (from, to) = (m.from(), m.to());
        let mut balance = self.gain(m) - threshold;
        if balance < 0 {
            return false;
        }
        let Some(mover) = self.piece_on(from) else {
            return false;
        };
        balance -= piece_value(m.promoted().unwrap_or(mover.kind()));
        if balance >= 0 {
            return true;
        }

        let mut occupied = (self.occupied() ^ from) | to;
        if m.is_en_passant() {
            occupied ^= to.forward(!self.side);
        }
        let before = occupied;
        let queens = self.pieces(PieceType::Queen);
        let diagonal = self.pieces(PieceType::Bishop) | queens;
        let straight = self.pieces(PieceType::Rook) | queens;
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut pins = [None; 2];
        let mut side = !self.side;
        loop {
            let mut mine = attackers & self.color(side);
            if mine.is_empty() {
                break;
            }
            let (pinned, pinners) =
                *pins[side.index()].get_or_insert_with(|| self.exchange_pins(side, before));
            if (pinners & occupied).any() {
                // A pinned piece may still take along the line to its own king.
                mine = mine.without(pinned.without(attacks::line(self.king(side), to)));
            }
            let Some(kind) = PieceType::ALL.into_iter().find(|&kind| (mine & self.pieces(kind)).any()) else {
                break;
            };
            if kind == PieceType::King {
                // The king takes last, and only what nobody guards any more.
                if (attackers & self.color(!side)).is_empty() {
                    side = !side;
                }
                break;
            }
            side = !side;
            balance = -balance - 1 - piece_value(kind);
            if balance >= 0 {
                break;
            }
            let taker = mine & self.pieces(kind);
            occupied ^= Bitboard(taker.0 & taker.0.wrapping_neg());
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= attacks::rook(to, occupied) & straight;
            }
            attackers &= occupied;
        }
        // Whoever has to take and cannot, or does not want to, has lost the exchange.
        side != self.side
    }

    /// A colour's pieces that are pinned to its king, and the sliders that pin them.
    fn exchange_pins(&self, color: Color, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let king = self.king(color);
        let them = self.color(!color);
        let queens = self.pieces(PieceType::Queen);
        let snipers = (attacks::bishop(king, them) & (self.pieces(PieceType::Bishop) | queens)
            | attacks::rook(king, them) & (self.pieces(PieceType::Rook) | queens))
            & them;
        let (mut pinned, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.count() == 1 && (blockers & self.color(color)).any() {
                pinned |= blockers;
                pinners |= sniper;
            }
        }
        (pinned, pinners)
    }
}
