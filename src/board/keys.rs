//! Zobrist keys of a position and of parts of it.

use crate::types::{Color, Piece, PieceType};

const NON_PAWN: usize = 0;
const PAWN: usize = 2;
const MINOR: usize = 3;
const MAJOR: usize = 4;
const PARTS: usize = 5;

/// Zobrist keys of the whole position and of parts of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    position: u64,
    parts: [u64; PARTS],
}

/// For each piece, all ones in the keys of the parts to which it belongs.
static KEYS_OF: [[u64; PARTS]; Piece::COUNT] = {
    let mut masks = [[0; PARTS]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::ALL[index];
        let keys = &mut masks[index];
        match piece.kind() {
            PieceType::Pawn => keys[PAWN] = !0,
            PieceType::Knight | PieceType::Bishop => keys[MINOR] = !0,
            PieceType::Rook | PieceType::Queen => keys[MAJOR] = !0,
            PieceType::King => (keys[MINOR], keys[MAJOR]) = (!0, !0),
        }
        if !matches!(piece.kind(), PieceType::Pawn) {
            keys[NON_PAWN + piece.color().index()] = !0;
        }
        index += 1;
    }
    masks
};

impl Keys {
    /// The keys of an empty board.
    pub(super) const EMPTY: Keys = Keys { position: 0, parts: [0; PARTS] };

    /// Everything that decides which moves are possible: pieces, side to move, castling, en passant.
    #[inline]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Pawns of both colours.
    #[inline]
    pub fn pawn(&self) -> u64 {
        self.parts[PAWN]
    }

    /// A colour's pieces other than pawns (the king included).
    #[inline]
    pub fn non_pawn(&self, color: Color) -> u64 {
        self.parts[NON_PAWN + color.index()]
    }

    /// Knights and bishops of both colours, and the kings.
    #[inline]
    pub fn minor(&self) -> u64 {
        self.parts[MINOR]
    }

    /// Rooks and queens of both colours, and the kings.
    #[inline]
    pub fn major(&self) -> u64 {
        self.parts[MAJOR]
    }

    /// A piece comes to squares or leaves them, whose key is `key`: changes the keys of the parts to which it belongs.
    // Masks, as the kind of a piece is nothing that a branch could foresee.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, key: u64) {
        for (sum, mask) in self.parts.iter_mut().zip(&KEYS_OF[piece.index()]) {
            *sum ^= key & mask;
        }
    }

    /// Something changes that only the position as a whole depends on: the side to move, castling, en passant.
    #[inline]
    pub(super) fn toggle_position(&mut self, key: u64) {
        self.position ^= key;
    }
}
