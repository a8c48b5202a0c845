//! Playing moves and taking them back.

use std::slice;

use crate::types::{Color, Move, Piece, PieceType, Square};
use crate::zobrist;

use super::castling::{CastlingSetup, CastlingTargets};
use super::{Board, Observer, Position};

/// Where a move that is not castling takes, if it takes.
#[inline]
fn capture_square(m: Move, us: Color) -> Square {
    if m.is_en_passant() { m.to().forward(!us) } else { m.to() }
}

impl Position {
    /// Plays a legal move of `mover` that takes `captured`. Without `KEYS` the keys are wrong after it.
    #[inline(always)]
    fn advance<const KEYS: bool>(
        &mut self,
        m: Move,
        mover: Piece,
        captured: Option<Piece>,
        setup: &CastlingSetup,
    ) {
        let us = mover.color();
        let (from, to) = (m.from(), m.to());
        // What changes the key of the position.
        let mut key = zobrist::side() ^ self.en_passant_key();
        let irreversible = mover.kind() == PieceType::Pawn || captured.is_some();
        if m.is_castle() {
            let CastlingTargets { king_to, rook_to } = CastlingTargets::of(us, from, to);
            key ^= self.move_piece::<KEYS>(mover, from, king_to);
            key ^= self.move_piece::<KEYS>(Piece::new(us, PieceType::Rook), to, rook_to);
        } else {
            if let Some(captured) = captured {
                key ^= self.toggle::<KEYS>(captured, capture_square(m, us));
            }
            if let Some(promoted) = m.promoted() {
                key ^= self.toggle::<KEYS>(mover, from);
                key ^= self.toggle::<KEYS>(Piece::new(us, promoted), to);
            } else {
                key ^= self.move_piece::<KEYS>(mover, from, to);
            }
        }
        self.captured = captured;
        self.rule50 = u16::from(!irreversible) * self.rule50.saturating_add(1);
        self.plies_from_null = self.plies_from_null.saturating_add(1);

        let lost = setup.rights_lost(from, to);
        if self.castling.any_of(lost) {
            key ^= zobrist::castling(self.castling);
            self.castling = self.castling.without(lost);
            key ^= zobrist::castling(self.castling);
        }
        self.side = !us;
        self.en_passant = None;
        if m.is_double_push() {
            self.set_en_passant(to.forward(!us));
            key ^= self.en_passant_key();
        }
        if KEYS {
            self.keys.toggle_position(key);
        }
    }
}

impl Board {
    /// The piece that a legal move takes.
    #[inline]
    fn victim(&self, m: Move) -> Option<Piece> {
        if m.is_capture() { self.mailbox[capture_square(m, self.side).index()] } else { None }
    }

    /// How many legal moves there are after a legal move.
    #[inline]
    pub fn count_legal_moves_after(&self, m: Move) -> u32 {
        let Some(mover) = self.mailbox[m.from().index()] else {
            debug_assert!(false, "no piece to move: {m:?}");
            return 0;
        };
        let mut next = self.position;
        next.advance::<false>(m, mover, self.victim(m), &self.castling_setup);
        let (checkers, pinned) = next.checkers_and_pinned();
        next.checkers = checkers;
        next.count_legal_moves(&self.castling_setup, Some(pinned))
    }

    /// Plays a legal move.
    #[inline]
    pub fn make_move<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let (from, to) = (m.from(), m.to());
        let Some(mover) = self.mailbox[from.index()] else {
            debug_assert!(false, "no piece to move: {m:?}");
            return;
        };
        let us = mover.color();
        observer.on_make_move();
        self.history.extend_from_slice(slice::from_ref(&self.position));
        self.ply += 1;
        let captured = self.victim(m);
        self.mailbox[from.index()] = None;
        if m.is_castle() {
            let CastlingTargets { king_to, rook_to } = CastlingTargets::of(us, from, to);
            self.mailbox[to.index()] = None;
            self.mailbox[king_to.index()] = Some(mover);
            self.mailbox[rook_to.index()] = Some(Piece::new(us, PieceType::Rook));
        } else {
            if m.is_en_passant() {
                self.mailbox[capture_square(m, us).index()] = None;
            }
            self.mailbox[to.index()] = Some(m.promoted().map_or(mover, |kind| Piece::new(us, kind)));
        }
        self.position.advance::<true>(m, mover, captured, &self.castling_setup);
        self.position.update_checkers();
    }

    /// Takes back the last move, which must be `m`.
    #[inline]
    pub fn unmake_move<O: Observer>(&mut self, m: Move, observer: &mut O) {
        // Read here, as bytes that have just been written by a wide move are slow to come.
        let (us, captured) = (!self.side, self.captured);
        let Some(position) = self.history.pop() else {
            debug_assert!(false, "no move to take back");
            return;
        };
        self.position = position;
        self.ply -= 1;
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            let CastlingTargets { king_to, rook_to } = CastlingTargets::of(us, from, to);
            self.mailbox[king_to.index()] = None;
            self.mailbox[rook_to.index()] = None;
            self.mailbox[from.index()] = Some(Piece::new(us, PieceType::King));
            self.mailbox[to.index()] = Some(Piece::new(us, PieceType::Rook));
        } else {
            let moved = self.mailbox[to.index()];
            let pawn = Some(Piece::new(us, PieceType::Pawn));
            self.mailbox[from.index()] = if m.is_promotion() { pawn } else { moved };
            self.mailbox[to.index()] = None;
            self.mailbox[capture_square(m, us).index()] = captured;
        }
        observer.on_unmake_move();
    }

    /// Makes a null move: the turn goes to the opponent. The side to move must not be in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.history.extend_from_slice(slice::from_ref(&self.position));
        self.ply += 1;
        let position = &mut self.position;
        position.keys.toggle_position(zobrist::side() ^ position.en_passant_key());
        position.en_passant = None;
        position.captured = None;
        position.rule50 = position.rule50.saturating_add(1);
        position.plies_from_null = 0;
        position.side = !position.side;
        position.update_checkers();
    }

    /// Takes back a null move.
    pub fn unmake_null_move(&mut self) {
        if let Some(position) = self.history.pop() {
            self.position = position;
            self.ply -= 1;
        }
    }

    /// The key of the position after `m`, but for castling and en passant: good enough to prefetch with.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let mut key = self.key() ^ zobrist::side();
        if let Some(piece) = self.mailbox[m.from().index()] {
            key ^= zobrist::piece(piece, m.from()) ^ zobrist::piece(piece, m.to());
        }
        if let Some(victim) = self.mailbox[m.to().index()] {
            key ^= zobrist::piece(victim, m.to());
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::boards;

    #[test]
    fn a_move_leads_to_the_position_that_its_fen_describes_and_back() {
        for mut board in boards() {
            let before = board.clone();
            for m in board.legal_moves() {
                let replies = board.count_legal_moves_after(m);
                board.make_move(m, &mut ());
                let read: Board = board.to_string().parse().expect("a FEN");
                assert_eq!(board.setup(), read.setup(), "{before} {m:?}");
                assert_eq!(board.keys(), read.keys(), "{before} {m:?}");
                assert_eq!(board.checkers(), read.checkers(), "{before} {m:?}");
                assert_eq!(replies, read.count_legal_moves(), "{before} {m:?}");
                board.unmake_move(m, &mut ());
                assert_eq!(board.setup(), before.setup(), "{m:?}");
                assert_eq!(board.keys(), before.keys(), "{before} {m:?}");
            }
        }
    }
}
