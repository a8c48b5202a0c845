//! Playing moves and taking them back.

use crate::types::{CastlingSide, Color, Move, Piece, PieceType, Square};
use crate::zobrist;

use super::state::StateInfo;
use super::{Board, Observer};

/// Where king and rook go when a move is castling.
pub(super) struct CastlingTargets {
    pub king_to: Square,
    pub rook_to: Square,
}

impl CastlingTargets {
    #[inline]
    pub(super) fn of(color: Color, king: Square, rook: Square) -> CastlingTargets {
        let side = if rook.index() > king.index() { CastlingSide::King } else { CastlingSide::Queen };
        CastlingTargets { king_to: side.king_target(color), rook_to: side.rook_target(color) }
    }
}

impl Board {
    /// Plays a legal move.
    #[inline]
    pub fn make_move<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let us = self.side;
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.mailbox[from.index()] else {
            debug_assert!(false, "no piece to move: {m:?}");
            return;
        };
        observer.on_make_move();
        // The new state is built apart and written once: bytes written one by one and read together right
        // after would have to wait for each other.
        let old = self.state;
        self.history.push(old);
        let StateInfo { mut keys, mut castling, .. } = old;
        keys.position ^= zobrist::side();
        if let Some(square) = old.en_passant {
            keys.position ^= zobrist::en_passant(square.file());
        }
        let mut en_passant = None;
        let mut captured = None;
        let mut irreversible = false;

        if m.is_castle() {
            let path = CastlingTargets::of(us, from, to);
            let rook = Piece::new(us, PieceType::Rook);
            self.remove_piece(piece, from);
            self.remove_piece(rook, to);
            self.put_piece(piece, path.king_to);
            self.put_piece(rook, path.rook_to);
            keys.toggle(piece, from);
            keys.toggle(rook, to);
            keys.toggle(piece, path.king_to);
            keys.toggle(rook, path.rook_to);
        } else {
            if m.is_capture() {
                let square = if m.is_en_passant() { to.forward(!us) } else { to };
                if let Some(victim) = self.mailbox[square.index()] {
                    self.remove_piece(victim, square);
                    keys.toggle(victim, square);
                    captured = Some(victim);
                }
                irreversible = true;
            }
            if let Some(promoted) = m.promoted() {
                let promoted = Piece::new(us, promoted);
                self.remove_piece(piece, from);
                self.put_piece(promoted, to);
                keys.toggle(piece, from);
                keys.toggle(promoted, to);
                irreversible = true;
            } else {
                self.move_piece(piece, from, to);
                keys.move_piece(piece, from, to);
                irreversible |= piece.kind() == PieceType::Pawn;
            }
        }

        let lost = self.castling_rights_masks[from.index()].with(self.castling_rights_masks[to.index()]);
        if castling.any_of(lost) {
            keys.position ^= zobrist::castling(castling);
            castling = castling.without(lost);
            keys.position ^= zobrist::castling(castling);
        }

        self.side = !us;
        self.ply += 1;
        let (checkers, pinned) = self.checkers_and_pinned();
        if m.is_double_push() {
            let square = to.forward(!us);
            if self.can_take_en_passant(square) {
                en_passant = Some(square);
                keys.position ^= zobrist::en_passant(square.file());
            }
        }
        let rule50 = if irreversible { 0 } else { old.rule50.saturating_add(1) };
        let since_null = old.plies_from_null.saturating_add(1);
        self.state = StateInfo {
            keys,
            checkers,
            pinned,
            castling,
            en_passant,
            captured,
            rule50,
            plies_from_null: since_null,
        };
    }

    /// Takes back the last move, which must be `m`.
    #[inline]
    pub fn unmake_move<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let captured = self.state.captured;
        let Some(state) = self.history.pop() else {
            debug_assert!(false, "no move to take back");
            return;
        };
        self.state = state;
        self.side = !self.side;
        self.ply -= 1;
        let us = self.side;
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            let path = CastlingTargets::of(us, from, to);
            let (king, rook) = (Piece::new(us, PieceType::King), Piece::new(us, PieceType::Rook));
            self.remove_piece(king, path.king_to);
            self.remove_piece(rook, path.rook_to);
            self.put_piece(king, from);
            self.put_piece(rook, to);
        } else if let Some(piece) = self.mailbox[to.index()] {
            if m.is_promotion() {
                self.remove_piece(piece, to);
                self.put_piece(Piece::new(us, PieceType::Pawn), from);
            } else {
                self.move_piece(piece, to, from);
            }
            if let Some(victim) = captured {
                self.put_piece(victim, if m.is_en_passant() { to.forward(!us) } else { to });
            }
        }
        observer.on_unmake_move();
    }

    /// Makes a null move: the turn goes to the opponent. The side to move must not be in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.history.push(self.state);
        self.state.keys.position ^= zobrist::side();
        if let Some(square) = self.state.en_passant.take() {
            self.state.keys.position ^= zobrist::en_passant(square.file());
        }
        self.state.captured = None;
        self.state.rule50 = self.state.rule50.saturating_add(1);
        self.state.plies_from_null = 0;
        self.side = !self.side;
        self.ply += 1;
        (self.state.checkers, self.state.pinned) = self.checkers_and_pinned();
    }

    /// Takes back a null move.
    pub fn unmake_null_move(&mut self) {
        if let Some(state) = self.history.pop() {
            self.state = state;
            self.side = !self.side;
            self.ply -= 1;
        }
    }

    /// The key of the position after `m`, but for castling and en passant: good enough to prefetch with.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let mut key = self.state.keys.position ^ zobrist::side();
        if let Some(piece) = self.mailbox[m.from().index()] {
            key ^= zobrist::piece(piece, m.from()) ^ zobrist::piece(piece, m.to());
        }
        if let Some(victim) = self.mailbox[m.to().index()] {
            key ^= zobrist::piece(victim, m.to());
        }
        key
    }
}
