//! A training position in 32 bytes, seen from the side to move.

use bytemuck::{Pod, Zeroable};
use caesura::board::{Board, PieceSets};
use caesura::nnue::features::Perspective;
use caesura::nnue::piece_features::PieceFeature;
use caesura::nnue::threat_states::ThreatStates;
use caesura::types::{Bitboard, Color, Piece, PieceType, Square};
use datagen::Position;

use crate::arch::output_bucket;

#[cfg(not(target_endian = "little"))]
compile_error!("the files are little-endian and are mapped onto structures as they are");

/// A training position. The side to move is "own", and its first rank is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PositionRecord {
    /// The occupied squares.
    pub occupied: u64,
    /// The pieces on them in the order of the squares, two a byte, the low half first: the kind, plus 8 if it is the
    /// other side's.
    pub pieces: [u8; 16],
    /// The score in centipawns.
    pub score: i16,
    /// The result of the game: 0 lost, 1 drawn, 2 won, or [`UNKNOWN_RESULT`].
    pub result: u8,
    /// The squares of the own king and of the opponent's.
    pub kings: [u8; 2],
    /// Unused: zeros.
    pub reserved: [u8; 3],
}

const _: () = assert!(size_of::<PositionRecord>() == 32);

/// The result of a game that was ended by its length.
pub const UNKNOWN_RESULT: u8 = 3;

/// The most pieces of a position.
pub const MAX_PIECES: usize = 32;

impl PositionRecord {
    /// The start position.
    pub fn start() -> PositionRecord {
        PositionRecord::of(&Board::start()).unwrap_or(PositionRecord::zeroed())
    }

    /// Packs a position; `None` if it has more than 32 pieces.
    pub fn pack(position: &Position<'_>) -> Option<PositionRecord> {
        let mut record = PositionRecord::of(position.board)?;
        record.score = position.score;
        record.result = (2.0 * position.result()) as u8;
        Some(record)
    }

    /// Packs a position of which no more is known than the board; `None` if it has more than 32 pieces.
    pub fn of(board: &Board) -> Option<PositionRecord> {
        let us = board.side_to_move();
        let flip = if us == Color::White { 0 } else { 56 };
        let turned = |bits: u64| if us == Color::White { bits } else { bits.swap_bytes() };
        let occupied = turned(board.occupied().0);
        if occupied.count_ones() as usize > MAX_PIECES {
            return None;
        }
        let mut record = PositionRecord::zeroed();
        record.occupied = occupied;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let code = kind.index() as u8 | if color == us { 0 } else { 8 };
                for square in board.pieces_of(color, kind) {
                    let before = (1u64 << (square.index() ^ flip)) - 1;
                    let place = (occupied & before).count_ones() as usize;
                    record.pieces[place / 2] |= code << (4 * (place % 2));
                }
            }
        }
        record.kings = [us, !us].map(|color| (board.king(color).index() ^ flip) as u8);
        Some(record)
    }

    /// True if the record can be trained on without further checks.
    pub fn is_valid(&self) -> bool {
        const BIT: u128 = 0x1111_1111_1111_1111_1111_1111_1111_1111;
        let pieces = u128::from_le_bytes(self.pieces);
        let impossible = (pieces >> 1) & (pieces >> 2) & BIT;
        self.occupied.count_ones() as usize <= MAX_PIECES
            && impossible == 0
            && self.result <= UNKNOWN_RESULT
            && self.kings.iter().all(|&king| king < 64)
    }

    /// The number of pieces.
    #[inline]
    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// The output bucket.
    #[inline]
    pub fn bucket(&self) -> usize {
        output_bucket(self.occupied.count_ones())
    }

    /// Calls `push` for each piece with its number, the input that it sets for the side to move, and the one that it sets
    /// for the opponent. With `states` 1 there are no threat states: all pieces are in the first.
    #[inline]
    pub fn features(&self, states: usize, mut push: impl FnMut(usize, usize, usize)) {
        // The side to move is White here; a valid record has its kings on the board.
        let king = |index: usize| Square::ALL[usize::from(self.kings[index]) % 64];
        let own = Perspective::new(Color::White, king(0));
        let other = Perspective::new(Color::Black, king(1));
        let threat_states = (states > 1).then(|| self.threat_states());
        for (index, (square, piece)) in self.pieces_on_squares().enumerate() {
            let state = threat_states.as_ref().map_or(0, |states| states.at(square));
            let feature = PieceFeature::new(piece, state, square);
            push(index, own.feature_index(feature), other.feature_index(feature));
        }
    }

    /// The pieces in the order of the squares, as if White were to move.
    #[inline]
    fn pieces_on_squares(&self) -> impl Iterator<Item = (Square, Piece)> {
        let mut pieces = u128::from_le_bytes(self.pieces);
        Bitboard(self.occupied).into_iter().take(MAX_PIECES).map(move |square| {
            let code = pieces as usize & 15;
            pieces >>= 4;
            // A valid record has no others; see `is_valid`.
            let kind = PieceType::ALL[(code & 7).min(5)];
            (square, Piece::new(if code < 8 { Color::White } else { Color::Black }, kind))
        })
    }

    /// The threat states of the pieces, as if White were to move.
    #[inline]
    fn threat_states(&self) -> ThreatStates {
        let mut sets = PieceSets::EMPTY;
        for (square, piece) in self.pieces_on_squares() {
            sets.toggle(piece, square.into());
        }
        ThreatStates::of(&sets)
    }
}
