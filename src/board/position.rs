//! What decides which moves are legal, and what the end of a game depends on: a small value, which is kept for each
//! position of a game.

use super::{Keys, PieceSets};
use crate::attacks;
use crate::types::{Bitboard, CastlingRights, Color, Piece, PieceType, Square};
use crate::zobrist;

/// Where the pieces stand, whose turn it is, and which rights there are.
///
/// Two cache lines, so that it is saved and restored by a few wide moves.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Position {
    sets: PieceSets,
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    pub(super) side: Color,
    pub(super) castling: CastlingRights,
    pub(super) en_passant: Option<Square>,
    pub(super) captured: Option<Piece>,
    pub(super) rule50: u16,
    /// Plies since the last null move or the start of the game: repetitions do not reach further back.
    pub(super) plies_from_null: u16,
}

const _: () = assert!(size_of::<Position>() == 128);

impl Position {
    /// No pieces and no rights.
    pub(super) const fn empty(side: Color, rule50: u16) -> Position {
        Position {
            sets: PieceSets::EMPTY,
            keys: Keys::EMPTY,
            checkers: Bitboard::EMPTY,
            side,
            castling: CastlingRights::NONE,
            en_passant: None,
            captured: None,
            rule50,
            plies_from_null: 0,
        }
    }

    /// A piece comes to a square or leaves it. The keys of the parts follow if there are to be `KEYS`; that of the whole
    /// position is left to the caller, who gets what changes it.
    #[inline]
    #[must_use]
    pub(super) fn toggle<const KEYS: bool>(&mut self, piece: Piece, square: Square) -> u64 {
        self.displace::<KEYS>(piece, square.into(), zobrist::piece(piece, square))
    }

    /// Moves a piece from one square to another, which in Chess960 may be the same, and returns what that changes in the
    /// position's key.
    #[inline]
    #[must_use]
    pub(super) fn move_piece<const KEYS: bool>(&mut self, piece: Piece, from: Square, to: Square) -> u64 {
        let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        self.displace::<KEYS>(piece, Bitboard::from(from) ^ to, key)
    }

    #[inline]
    fn displace<const KEYS: bool>(&mut self, piece: Piece, squares: Bitboard, key: u64) -> u64 {
        self.sets.toggle(piece, squares);
        if KEYS {
            self.keys.toggle(piece, key);
        }
        key
    }

    /// Finds what checks the side to move.
    #[inline]
    pub(super) fn update_checkers(&mut self) {
        self.checkers = self.checkers_and_pinned().0;
    }

    /// The enemy pieces that give check, and what [`Position::pinned`] returns.
    // Few sliders share a line with the king: what stands between is read faster than all that the king sees.
    #[inline]
    pub(super) fn checkers_and_pinned(&self) -> (Bitboard, Bitboard) {
        let king = self.king(self.side);
        let (them, occupied) = (self.by_color(!self.side), self.occupied());
        let mut checkers = (attacks::pawn(self.side, king) & self.pieces(PieceType::Pawn)
            | attacks::knight(king) & self.pieces(PieceType::Knight))
            & them;
        let mut pinned = Bitboard::EMPTY;
        for slider in self.sliders_towards(king) & them {
            let blockers = attacks::between(king, slider) & occupied;
            checkers |= if blockers.is_empty() { slider.into() } else { Bitboard::EMPTY };
            pinned |= if blockers.more_than_one() { Bitboard::EMPTY } else { blockers };
        }
        (checkers, pinned & self.by_color(self.side))
    }

    /// The sliders that would attack a square on a board without other pieces.
    #[inline]
    pub(super) fn sliders_towards(&self, square: Square) -> Bitboard {
        let queens = self.pieces(PieceType::Queen);
        attacks::diagonals(square) & (self.pieces(PieceType::Bishop) | queens)
            | attacks::straights(square) & (self.pieces(PieceType::Rook) | queens)
    }

    /// Lets the side to move take a pawn en passant on a square, if it legally can: else the square does not change the
    /// position.
    #[inline]
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let pawns = attacks::pawn(!self.side, square) & self.pieces_of(self.side, PieceType::Pawn);
        self.en_passant = (pawns.any() && self.can_take_en_passant(pawns, square)).then_some(square);
    }

    /// Where the pieces stand.
    #[inline]
    pub fn piece_sets(&self) -> &PieceSets {
        &self.sets
    }

    /// All pieces of a kind.
    #[inline]
    pub fn pieces(&self, kind: PieceType) -> Bitboard {
        self.sets.pieces(kind)
    }

    /// All pieces of a colour.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.sets.by_color(color)
    }

    /// The pieces of a colour and a kind.
    #[inline]
    pub fn pieces_of(&self, color: Color, kind: PieceType) -> Bitboard {
        self.sets.pieces_of(color, kind)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sets.occupied()
    }

    /// The square of a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // A board has both kings, so the set is never empty.
        Square::from_index(self.pieces_of(color, PieceType::King).0.trailing_zeros() as usize)
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// True if the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Who may still castle.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square on which a pawn can be taken en passant now.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// True if a side has something besides its pawns and king.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        (self.non_pawn_pieces() & self.by_color(color)).any()
    }

    /// What both sides have besides pawns and kings, by the usual values of 3, 5 and 9 pawns: 62 at the start.
    #[inline]
    pub fn piece_material(&self) -> i32 {
        let count = |kind| self.pieces(kind).count() as i32;
        3 * (count(PieceType::Knight) + count(PieceType::Bishop))
            + 5 * count(PieceType::Rook)
            + 9 * count(PieceType::Queen)
    }

    /// What both sides have besides their kings, in pawns: 78 at the start.
    pub fn material(&self) -> i32 {
        self.piece_material() + self.pieces(PieceType::Pawn).count() as i32
    }

    /// The pieces of both sides besides pawns and kings.
    #[inline]
    pub fn non_pawn_pieces(&self) -> Bitboard {
        self.occupied() & !(self.pieces(PieceType::Pawn) | self.pieces(PieceType::King))
    }

    /// Pieces of both colours that attack a square when `occupied` is occupied.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.pieces(PieceType::Bishop) | self.pieces(PieceType::Queen);
        let straight = self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen);
        attacks::pawn(Color::White, square) & self.pieces_of(Color::Black, PieceType::Pawn)
            | attacks::pawn(Color::Black, square) & self.pieces_of(Color::White, PieceType::Pawn)
            | attacks::knight(square) & self.pieces(PieceType::Knight)
            | attacks::king(square) & self.pieces(PieceType::King)
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & straight
    }

    /// The pieces of `by` but the king that attack a square when `occupied` is occupied.
    #[inline]
    fn attackers_of(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.pieces(PieceType::Queen);
        (attacks::pawn(!by, square) & self.pieces(PieceType::Pawn)
            | attacks::knight(square) & self.pieces(PieceType::Knight)
            | attacks::bishop(square, occupied) & (self.pieces(PieceType::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.pieces(PieceType::Rook) | queens))
            & self.by_color(by)
    }

    /// True if `by` attacks a square when `occupied` is occupied.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        self.attackers_of(by, square, occupied).any() || attacks::king(square).has(self.king(by))
    }

    /// The pieces of the side to move that stand alone between their king and an enemy slider.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.checkers_and_pinned().1
    }

    /// True if one of `pawns`, which attack `square`, can legally take there the pawn that has just passed it.
    // Apart, as most pawns pass none.
    #[inline(never)]
    fn can_take_en_passant(&self, pawns: Bitboard, square: Square) -> bool {
        pawns.into_iter().any(|from| self.en_passant_is_safe(from, square))
    }

    /// True if taking en passant from `from` on `square` leaves the own king out of check.
    pub(super) fn en_passant_is_safe(&self, from: Square, square: Square) -> bool {
        let us = self.side;
        let victim = Bitboard::from(square.forward(!us));
        let occupied = (self.occupied() ^ from).without(victim) | square;
        self.attackers_of(!us, self.king(us), occupied).without(victim).is_empty()
    }

    /// The part of the key that en passant has.
    #[inline]
    pub(super) fn en_passant_key(&self) -> u64 {
        self.en_passant.map_or(0, |square| zobrist::en_passant(square.file()))
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn rule50(&self) -> u16 {
        self.rule50
    }

    /// All keys.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The key of the whole position.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.position()
    }

    /// The piece that the last move took.
    #[inline]
    pub fn captured(&self) -> Option<Piece> {
        self.captured
    }
}
