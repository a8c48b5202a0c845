//! Castling rights.

use super::{Color, File, Rank, Square};

/// The side to which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file: the king lands on g, the rook on f.
    King,
    /// Towards the a-file: the king lands on c, the rook on d.
    Queen,
}

impl CastlingSide {
    /// Both sides, in index order.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The side to which a king castles with this rook of its rank.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook.index() > king.index() { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// 0 for the king's side, 1 for the queen's.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Where the king lands.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        };
        Square::new(file, Rank::First.relative(color))
    }

    /// Where the rook lands.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        };
        Square::new(file, Rank::First.relative(color))
    }
}

/// A set of castling rights, one for each colour and side. The board knows which rooks they are for.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No castling right.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four castling rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// All sets, each at its index.
    pub const SETS: [CastlingRights; 16] = {
        let mut sets = [CastlingRights::NONE; 16];
        let mut index = 0;
        while index < sets.len() {
            sets[index] = CastlingRights(index as u8);
            index += 1;
        }
        sets
    };

    /// One right alone.
    #[inline]
    pub const fn one(color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(1 << (2 * color.index() + side.index()))
    }

    /// Both rights of a colour.
    #[inline]
    pub const fn both(color: Color) -> CastlingRights {
        CastlingRights(3 << (2 * color.index()))
    }

    /// 0 to 15, one bit a right.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// True if any of `rights` is held.
    #[inline]
    pub const fn any_of(self, rights: CastlingRights) -> bool {
        self.0 & rights.0 != 0
    }

    /// True if this right is held.
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.any_of(CastlingRights::one(color, side))
    }

    /// The union of two sets.
    #[inline]
    pub const fn with(self, rights: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | rights.0)
    }

    /// This set less `rights`.
    #[inline]
    pub const fn without(self, rights: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !rights.0)
    }
}
