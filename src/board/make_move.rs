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
    /// Moves the pieces of a legal move of `mover` that takes `captured`, and returns what this changes in the key of the
    /// whole position, which is left to [`Position::finish_move`]. Without `KEYS` the keys are wrong after it.
    // Special moves are rare: what few moves need would cost all of them registers.
    #[inline(always)]
    fn move_pieces<const KEYS: bool>(&mut self, m: Move, mover: Piece, captured: Option<Piece>) -> u64 {
        if !m.is_normal() {
            return self.move_special::<KEYS>(m, mover, captured);
        }
        let mut key = self.move_piece::<KEYS>(mover, m.from(), m.to());
        if let Some(captured) = captured {
            key ^= self.toggle::<KEYS>(captured, m.to());
        }
        key
    }

    /// Changes what a legal move changes besides the pieces and the checkers; `key` is what [`Position::move_pieces`]
    /// returned.
    #[inline(always)]
    fn finish_move<const KEYS: bool>(
        &mut self,
        m: Move,
        mover: Piece,
        captured: Option<Piece>,
        setup: &CastlingSetup,
        mut key: u64,
    ) {
        let us = mover.color();
        let (from, to) = (m.from(), m.to());
        key ^= zobrist::side() ^ self.en_passant_key();
        let irreversible = mover.kind() == PieceType::Pawn || captured.is_some();
        self.captured = captured;
        self.rule50 = u16::from(!irreversible) * self.rule50.saturating_add(1);
        self.plies_from_null = self.plies_from_null.saturating_add(1);

        let lost = setup.rights_lost(from, to);
        if self.castling.any_of(lost) {
            key ^= setup.key(self.castling);
            self.castling = self.castling.without(lost);
            key ^= setup.key(self.castling);
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

    /// [`Position::move_pieces`] of castling, a promotion or a capture en passant.
    #[inline(never)]
    fn move_special<const KEYS: bool>(&mut self, m: Move, mover: Piece, captured: Option<Piece>) -> u64 {
        let us = mover.color();
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            let CastlingTargets { king_to, rook_to } = CastlingTargets::of(us, from, to);
            return self.move_piece::<KEYS>(mover, from, king_to)
                ^ self.move_piece::<KEYS>(Piece::new(us, PieceType::Rook), to, rook_to);
        }
        let placed = m.promoted().map_or(mover, |kind| Piece::new(us, kind));
        let mut key = self.toggle::<KEYS>(mover, from) ^ self.toggle::<KEYS>(placed, to);
        if let Some(captured) = captured {
            key ^= self.toggle::<KEYS>(captured, capture_square(m, us));
        }
        key
    }
}

impl Board {
    /// The piece that a legal move takes.
    #[inline]
    fn victim(&self, m: Move) -> Option<Piece> {
        if m.is_normal() {
            self.mailbox[m.to().index()]
        } else if m.is_castle() {
            None
        } else {
            self.mailbox[capture_square(m, self.side).index()]
        }
    }

    /// How many legal moves there are after a legal move.
    #[inline]
    pub fn count_legal_moves_after(&self, m: Move) -> u32 {
        let Some(mover) = self.mailbox[m.from().index()] else {
            debug_assert!(false, "no piece to move: {m:?}");
            return 0;
        };
        let captured = self.victim(m);
        let mut next = self.position;
        let key = next.move_pieces::<false>(m, mover, captured);
        next.finish_move::<false>(m, mover, captured, &self.castling_setup, key);
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
        observer.on_make_move();
        self.history.extend_from_slice(slice::from_ref(&self.position));
        let captured = self.victim(m);
        self.mailbox[from.index()] = None;
        if m.is_normal() {
            self.mailbox[to.index()] = Some(mover);
        } else {
            self.place_special(m, mover);
        }
        let key = self.position.move_pieces::<true>(m, mover, captured);
        self.position.finish_move::<true>(m, mover, captured, &self.castling_setup, key);
        self.position.update_checkers();
    }

    /// Writes castling, a promotion or a capture en passant into the mailbox, but for the square that `m` leaves.
    #[inline(never)]
    fn place_special(&mut self, m: Move, mover: Piece) {
        let us = mover.color();
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            let CastlingTargets { king_to, rook_to } = CastlingTargets::of(us, from, to);
            self.mailbox[to.index()] = None;
            self.mailbox[king_to.index()] = Some(mover);
            self.mailbox[rook_to.index()] = Some(Piece::new(us, PieceType::Rook));
        } else {
            self.mailbox[capture_square(m, us).index()] = None;
            self.mailbox[to.index()] = Some(m.promoted().map_or(mover, |kind| Piece::new(us, kind)));
        }
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
        let (from, to) = (m.from(), m.to());
        if m.is_normal() {
            self.mailbox[from.index()] = self.mailbox[to.index()];
            self.mailbox[to.index()] = captured;
        } else {
            self.restore_special(m, us, captured);
        }
        observer.on_unmake_move();
    }

    /// Takes castling, a promotion or a capture en passant back from the mailbox.
    #[inline(never)]
    fn restore_special(&mut self, m: Move, us: Color, captured: Option<Piece>) {
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            let CastlingTargets { king_to, rook_to } = CastlingTargets::of(us, from, to);
            self.mailbox[king_to.index()] = None;
            self.mailbox[rook_to.index()] = None;
            self.mailbox[from.index()] = Some(Piece::new(us, PieceType::King));
            self.mailbox[to.index()] = Some(Piece::new(us, PieceType::Rook));
        } else {
            self.mailbox[from.index()] = Some(Piece::new(us, PieceType::Pawn));
            self.mailbox[to.index()] = None;
            self.mailbox[capture_square(m, us).index()] = captured;
        }
    }

    /// Makes a null move: the turn goes to the opponent. The side to move must not be in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.history.extend_from_slice(slice::from_ref(&self.position));
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
        }
    }

    /// The key of the position after a null move, but for en passant: good enough to prefetch with.
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        self.key() ^ zobrist::side()
    }

    /// The key of the position after `m`, but for castling, en passant and promotions: good enough to prefetch with.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let mut key = self.key_after_null();
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
