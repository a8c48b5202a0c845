//! Static exchange evaluation.

use crate::attacks;
use crate::params;
use crate::types::{Bitboard, Color, Move, PieceType, Square, Value};

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
    /// both sides take with their cheapest piece and stop when it suits them. All pins of a side
    /// count as long as one of the pinning pieces stands, as they are when the piece that begins has left its square.
    pub fn see_ge(&self, m: Move, threshold: Value) -> bool {
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
            let mut mine = attackers & self.by_color(side);
            if mine.is_empty() {
                break;
            }
            let (pinned, pinners) =
                *pins[side.index()].get_or_insert_with(|| self.pinned_and_pinners(side, before, to));
            if (pinners & occupied).any() {
                // A pinned piece may still take along the line to its own king.
                mine = mine.without(pinned.without(attacks::line(self.king(side), to)));
            }
            let Some(kind) = PieceType::ALL.into_iter().find(|&kind| (mine & self.pieces(kind)).any()) else {
                break;
            };
            if kind == PieceType::King {
                // The king takes last, and only what is no longer defended.
                if (attackers & self.by_color(!side)).is_empty() {
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
        // The side that would have to take, and cannot or does not want to, has lost the exchange.
        side != self.side
    }

    /// True if the exchange that a move begins gains at least `threshold` centipawns, as [`Board::see_ge`] finds it, but
    /// faster where `attacked`, the squares that the opponent attacks, is known: a move between two squares that it does
    /// not attack keeps what it gains, and most quiet moves are such.
    #[inline]
    pub fn see_ge_with(&self, m: Move, threshold: Value, attacked: Bitboard) -> bool {
        // En passant may open a line to the target square, and so may a piece that leaves an attacked square.
        let is_safe = !attacked.has(m.from()) && !attacked.has(m.to()) && !m.is_en_passant();
        if is_safe { self.gain(m) >= threshold } else { self.see_ge(m, threshold) }
    }

    /// A colour's pieces that are pinned to its king, and the sliders that pin them, in an exchange on `to`: what stands
    /// there pins nothing, because it is taken.
    fn pinned_and_pinners(&self, color: Color, occupied: Bitboard, to: Square) -> (Bitboard, Bitboard) {
        let king = self.king(color);
        let snipers = self.sliders_towards(king) & self.by_color(!color) & occupied.without(to.into());
        let (mut pinned, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.count() == 1 && (blockers & self.by_color(color)).any() && !blockers.has(to) {
                pinned |= blockers;
                pinners |= sniper;
            }
        }
        (pinned, pinners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_uci;
    use crate::board::test_positions::boards;
    use crate::util::random::SplitMix;

    fn check(board: &Board, m: Move, value: Value) {
        assert!(board.see_ge(m, value), "{board}: {m:?} wins less than {value}");
        assert!(!board.see_ge(m, value + 1), "{board}: {m:?} wins more than {value}");
        assert!(board.see_ge(m, -5000) && !board.see_ge(m, 5000), "{board}: {m:?}");
    }

    #[test]
    fn known_exchanges() {
        let [p, n, r, q] =
            [PieceType::Pawn, PieceType::Knight, PieceType::Rook, PieceType::Queen].map(piece_value);
        // What follows holds for values in this order.
        assert!(0 < p && p < n && n < r && r < q);
        for (fen, m, value) in [
            // Nothing takes back.
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", p),
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", p),
            // Something does, and the rest does not pay.
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", p - n),
            ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("4k3/8/2p5/3r4/4P3/8/8/4K3 w - - 0 1", "e4d5", r - p),
            ("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", p - q),
            // Pieces behind pieces join in.
            ("3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", p - r),
            ("6k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", p),
            ("6k1/3q4/2p5/3p4/4P3/5B2/8/6K1 w - - 0 1", "e4d5", 0),
            // A quiet move onto a guarded square.
            ("4k3/8/2p5/8/8/8/3R4/4K3 w - - 0 1", "d2d5", -r),
            ("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "d2d5", 0),
            // The king takes only what is not defended.
            ("8/8/8/3pk3/8/8/3R4/3K4 w - - 0 1", "d2d5", p - r),
            ("8/8/8/3pk3/8/8/3R4/3RK3 w - - 0 1", "d2d5", p),
            // En passant, and what stood behind the pawn that goes.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", p),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", p),
            // Promotions.
            ("8/P7/8/8/8/8/7k/2K5 w - - 0 1", "a7a8q", q - p),
            ("8/P7/8/8/8/8/7k/2K5 w - - 0 1", "a7a8n", n - p),
            ("1r6/P7/8/8/8/8/7k/2K5 w - - 0 1", "a7a8q", -p),
            ("1r6/P7/8/8/8/8/7k/2K5 w - - 0 1", "a7b8q", r + q - p),
            // A pinned piece does not take back; without its pinner it does.
            ("4k3/8/4n3/8/3p4/5N2/8/3KR3 w - - 0 1", "f3d4", p),
            ("4k3/8/4n3/8/3p4/5N2/8/3K4 w - - 0 1", "f3d4", p - n),
            // The piece that begins pins nothing from the square that it left, though another one still pins.
            ("4k3/3p4/8/4n3/B1p5/8/4Q3/6K1 w - - 0 1", "e2c4", p - q),
            // Nor does a piece that is taken, or pin from the square where it is.
            ("7k/8/8/q3r3/3P4/2B1N3/8/4K3 w - - 0 1", "d4e5", r),
            // Castling stands outside.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ] {
            let board: Board = fen.parse().expect(fen);
            check(&board, parse_uci(&board, m).expect(m), value);
        }
    }

    #[test]
    fn known_attacks_change_no_exchange() {
        let mut safe = 0;
        for board in boards() {
            let attacked = board.threats(!board.side_to_move()).all;
            for &m in &board.legal_moves() {
                for threshold in [-2000, -900, -300, -100, -1, 0, 1, 100, 300, 900, 2000] {
                    let exchange = board.see_ge(m, threshold);
                    assert_eq!(
                        board.see_ge_with(m, threshold, attacked),
                        exchange,
                        "{board}: {m:?} {threshold}"
                    );
                }
                safe += usize::from(!attacked.has(m.from()) && !attacked.has(m.to()));
            }
        }
        assert!(safe > 200, "{safe}");
    }

    /// What the side to move wins on `to`, where a piece worth `prize` stands, if it takes with its cheapest
    /// piece or not at all.
    fn exchange(board: &Board, to: Square, occupied: Bitboard, side: Color, prize: Value) -> Value {
        let attackers = board.attackers(to, occupied) & occupied;
        let mine = attackers & board.by_color(side);
        let Some(kind) = PieceType::ALL.into_iter().find(|&kind| (mine & board.pieces(kind)).any()) else {
            return 0;
        };
        if kind == PieceType::King && (attackers & board.by_color(!side)).any() {
            return 0;
        }
        let Some(from) = (mine & board.pieces(kind)).first() else { return 0 };
        let rest = exchange(board, to, occupied ^ from, !side, piece_value(kind));
        (prize - rest).max(0)
    }

    /// True if a slider could pin something, were there a single piece between it and a king.
    fn pins_are_possible(board: &Board) -> bool {
        Color::ALL.into_iter().any(|color| {
            let king = board.king(color);
            let queens = board.pieces(PieceType::Queen);
            let diagonal =
                attacks::bishop(king, Bitboard::EMPTY) & (board.pieces(PieceType::Bishop) | queens);
            let straight = attacks::rook(king, Bitboard::EMPTY) & (board.pieces(PieceType::Rook) | queens);
            ((diagonal | straight) & board.by_color(!color)).any()
        })
    }

    #[test]
    fn exchanges_agree_with_minimax() {
        let mut random = SplitMix(1);
        let (mut compared, mut taken_back) = (0, 0);
        for _ in 0..120 {
            let mut board = Board::start();
            for _ in 0..100 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &m in moves.iter().filter(|m| !m.is_castle()) {
                    if pins_are_possible(&board) {
                        break;
                    }
                    let mut occupied = (board.occupied() ^ m.from()) | m.to();
                    if m.is_en_passant() {
                        occupied ^= m.to().forward(!board.side_to_move());
                    }
                    let mover = board.piece_on(m.from()).expect("a piece moves").kind();
                    let prize = piece_value(m.promoted().unwrap_or(mover));
                    let lost = exchange(&board, m.to(), occupied, !board.side_to_move(), prize);
                    check(&board, m, board.gain(m) - lost);
                    compared += 1;
                    taken_back += usize::from(lost > 0);
                }
                board.make_move(moves[random.below(moves.len())], &mut ());
            }
        }
        assert!(compared > 20_000 && taken_back > 1_000, "{compared} {taken_back}");
    }
}
