//! A position to learn from in 32 bytes, seen by the side to move.

use bytemuck::{Pod, Zeroable};
use caesura::board::Board;
use caesura::nnue::threat_states::ThreatStates;
use caesura::types::{Bitboard, Color, Piece, PieceType, Square};
use datagen::Position;

use crate::arch::{View, output_bucket};

/// The side that is to move is "own", and its first rank is the first.
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
    /// The result of the game: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// The own king's square and the other one's.
    pub kings: [u8; 2],
    /// Zero.
    pub reserved: [u8; 3],
}

const _: () = assert!(size_of::<PositionRecord>() == 32);

/// The most pieces there are.
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

    /// True if it can be trained on without further thought.
    pub fn is_valid(&self) -> bool {
        const BIT: u128 = 0x1111_1111_1111_1111_1111_1111_1111_1111;
        let pieces = u128::from_le_bytes(self.pieces);
        let impossible = (pieces >> 1) & (pieces >> 2) & BIT;
        self.occupied.count_ones() as usize <= MAX_PIECES
            && impossible == 0
            && self.result <= 2
            && self.kings.iter().all(|&king| king < 64)
    }

    /// How many pieces there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// The output bucket.
    #[inline]
    pub fn bucket(&self) -> usize {
        output_bucket(self.occupied.count_ones())
    }

    /// The inputs that are set, of the own side and of the other, for a network that tells one threat state or all apart.
    #[inline]
    pub fn features(&self, states: usize, mut push: impl FnMut(usize, usize, usize)) {
        let own = View::new(usize::from(self.kings[0]));
        let other = View::new(usize::from(self.kings[1]) ^ 56);
        let threat_states = (states > 1).then(|| self.threat_states());
        for (index, (square, kind, is_own)) in self.men().enumerate() {
            let state = threat_states.as_ref().map_or(0, |states| states.at(square));
            let place = square.index();
            push(
                index,
                own.feature(state, is_own, kind.index(), place),
                other.feature(state, !is_own, kind.index(), place ^ 56),
            );
        }
    }

    /// The pieces in the order of the squares: where, what, and whether the side to move has it.
    #[inline]
    fn men(&self) -> impl Iterator<Item = (Square, PieceType, bool)> {
        let mut pieces = u128::from_le_bytes(self.pieces);
        Bitboard(self.occupied).into_iter().take(MAX_PIECES).map(move |square| {
            let code = pieces as usize & 15;
            pieces >>= 4;
            // A valid record has no others; see `is_valid`.
            let kind = PieceType::ALL[(code & 7).min(5)];
            (square, kind, code < 8)
        })
    }

    /// The threat states of the pieces, as if the own side were White.
    #[inline]
    fn threat_states(&self) -> ThreatStates {
        let mut pieces = [Bitboard::EMPTY; Piece::COUNT];
        for (square, kind, is_own) in self.men() {
            let color = if is_own { Color::White } else { Color::Black };
            pieces[Piece::new(color, kind).index()] |= Bitboard::from_square(square);
        }
        ThreatStates::of(Bitboard(self.occupied), &pieces)
    }
}
