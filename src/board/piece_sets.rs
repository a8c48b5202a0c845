//! Where pieces stand, as sets of squares.

use crate::types::{Bitboard, Color, Piece, PieceType};

/// Behind the sets of the kinds stand those of the colours.
const COLOR_SETS: usize = PieceType::COUNT;
const SETS: usize = COLOR_SETS + 2;

/// The squares of each kind of piece, then of each colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceSets([Bitboard; SETS]);

impl PieceSets {
    /// No pieces.
    pub const EMPTY: PieceSets = PieceSets([Bitboard::EMPTY; SETS]);

    /// Lets a piece come to the squares where it does not stand, and leave those where it does.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        // The number of a piece is twice that of its kind; written so that it is in range without a comparison.
        self.0[piece.index() / 2 % SETS] ^= squares;
        self.0[COLOR_SETS + piece.color().index()] ^= squares;
    }

    /// All pieces of a kind.
    #[inline]
    pub fn pieces(&self, kind: PieceType) -> Bitboard {
        self.0[kind.index()]
    }

    /// All pieces of a colour.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.0[COLOR_SETS + color.index()]
    }

    /// The pieces of a colour and a kind.
    #[inline]
    pub fn pieces_of(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_color(color) & self.pieces(kind)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.0[COLOR_SETS] | self.0[COLOR_SETS + 1]
    }

    /// The squares on which other pieces stand, or none here or there.
    #[inline]
    pub fn difference(&self, other: &PieceSets) -> Bitboard {
        self.0.iter().zip(&other.0).fold(Bitboard::EMPTY, |squares, (&set, &other)| squares | set ^ other)
    }
}
