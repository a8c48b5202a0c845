//! Moves in two bytes.

use std::fmt;
use std::num::NonZeroU16;

use super::{PieceType, Square};

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum MoveKind {
    /// A plain move to an empty square.
    Quiet = 0,
    /// A pawn's first move over two squares.
    DoublePush = 1,
    /// Castling, written as the king taking its own rook.
    Castle = 2,
    /// Promotion on an empty square.
    PromoteKnight = 4,
    /// See [`MoveKind::PromoteKnight`].
    PromoteBishop = 5,
    /// See [`MoveKind::PromoteKnight`].
    PromoteRook = 6,
    /// See [`MoveKind::PromoteKnight`].
    PromoteQueen = 7,
    /// A plain capture.
    Capture = 8,
    /// A pawn takes a pawn that has just gone past it.
    EnPassant = 9,
    /// Promotion with a capture.
    CapturePromoteKnight = 12,
    /// See [`MoveKind::CapturePromoteKnight`].
    CapturePromoteBishop = 13,
    /// See [`MoveKind::CapturePromoteKnight`].
    CapturePromoteRook = 14,
    /// See [`MoveKind::CapturePromoteKnight`].
    CapturePromoteQueen = 15,
}

/// A move: from (6 bits), to (6 bits), kind (4 bits). No move goes from a square to itself, so that
/// zero is free and `Option<Move>` takes two bytes.
///
/// Castling is stored as the king taking its own rook in every variant; how it is written is the
/// notation's business. Equality is identity of all three parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const CAPTURE: u16 = 8 << 12;
const PROMOTION: u16 = 4 << 12;
/// One bit a kind.
const NORMAL: u16 =
    1 << MoveKind::Quiet as u16 | 1 << MoveKind::DoublePush as u16 | 1 << MoveKind::Capture as u16;

impl Move {
    /// A move from its parts.
    ///
    /// # Panics
    /// In builds with debug assertions, if `from` and `to` are the same square. In others the move is nonsense then, which
    /// [`Move::from_bits`] would refuse, and only a quiet one from a1 to a1, which would be no bits at all, is a panic.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        debug_assert!(from as u8 != to as u8);
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | (kind as u16) << 12) {
            Some(bits) => Move(bits),
            None => panic!("a move must go somewhere"),
        }
    }

    /// A promotion to `piece`, which must be a knight, bishop, rook or queen (anything else is a queen).
    #[inline]
    pub const fn promotion(from: Square, to: Square, piece: PieceType, capture: bool) -> Move {
        let kind = match (piece, capture) {
            (PieceType::Knight, false) => MoveKind::PromoteKnight,
            (PieceType::Bishop, false) => MoveKind::PromoteBishop,
            (PieceType::Rook, false) => MoveKind::PromoteRook,
            (_, false) => MoveKind::PromoteQueen,
            (PieceType::Knight, true) => MoveKind::CapturePromoteKnight,
            (PieceType::Bishop, true) => MoveKind::CapturePromoteBishop,
            (PieceType::Rook, true) => MoveKind::CapturePromoteRook,
            (_, true) => MoveKind::CapturePromoteQueen,
        };
        Move::new(from, to, kind)
    }

    /// The sixteen bits, never zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move that these bits mean, if they can mean one: `None` for zero, for a move that stays
    /// where it is, and for the unused kinds 3, 10 and 11. The move need not be legal anywhere.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits & 63 == bits >> 6 & 63 || matches!(bits >> 12, 3 | 10 | 11) {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index((self.bits() & 63) as usize)
    }

    /// The square the piece goes to; for castling the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.bits() >> 6 & 63) as usize)
    }

    /// What else it does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 12 {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::Castle,
            4 => MoveKind::PromoteKnight,
            5 => MoveKind::PromoteBishop,
            6 => MoveKind::PromoteRook,
            7 => MoveKind::PromoteQueen,
            8 => MoveKind::Capture,
            9 => MoveKind::EnPassant,
            12 => MoveKind::CapturePromoteKnight,
            13 => MoveKind::CapturePromoteBishop,
            14 => MoveKind::CapturePromoteRook,
            15 => MoveKind::CapturePromoteQueen,
            _ => unreachable!(),
        }
    }

    /// True if it takes an enemy piece, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() & CAPTURE != 0
    }

    /// True if a pawn promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.bits() & PROMOTION != 0
    }

    /// True if one piece goes from one square to the other and takes what stands there, if anything: neither castling, nor
    /// a promotion, nor en passant.
    #[inline]
    pub const fn is_normal(self) -> bool {
        NORMAL >> (self.bits() >> 12) & 1 != 0
    }

    /// True if it is castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.bits() >> 12 == MoveKind::Castle as u16
    }

    /// True if a pawn goes two squares.
    #[inline]
    pub const fn is_double_push(self) -> bool {
        self.bits() >> 12 == MoveKind::DoublePush as u16
    }

    /// True if it takes en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.bits() >> 12 == MoveKind::EnPassant as u16
    }

    /// What the pawn becomes, if it promotes.
    #[inline]
    pub const fn promoted(self) -> Option<PieceType> {
        if !self.is_promotion() {
            return None;
        }
        Some(match self.bits() >> 12 & 3 {
            0 => PieceType::Knight,
            1 => PieceType::Bishop,
            2 => PieceType::Rook,
            _ => PieceType::Queen,
        })
    }

    /// True if the search treats it as quiet: neither a capture nor a promotion to a queen.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_capture() && self.bits() >> 12 != MoveKind::PromoteQueen as u16
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.kind())
    }
}

const _: () = assert!(size_of::<Option<Move>>() == 2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_bits_is_refused_or_kept() {
        for bits in 0..=u16::MAX {
            match Move::from_bits(bits) {
                Some(m) => {
                    assert_eq!(m.bits(), bits);
                    assert_eq!(Move::new(m.from(), m.to(), m.kind()), m);
                    assert_eq!(m.is_promotion(), m.promoted().is_some());
                    assert_eq!(m.is_normal(), !m.is_castle() && !m.is_promotion() && !m.is_en_passant());
                }
                None => assert!(bits & 63 == bits >> 6 & 63 || matches!(bits >> 12, 3 | 10 | 11)),
            }
        }
    }

    #[test]
    fn promotions_keep_their_piece() {
        for piece in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
            for capture in [false, true] {
                let m = Move::promotion(Square::A7, Square::B8, piece, capture);
                assert_eq!((m.promoted(), m.is_capture()), (Some(piece), capture));
            }
        }
    }
}
