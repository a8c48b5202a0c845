//! A position to learn from in 32 bytes, seen by the side to move.

use bytemuck::{Pod, Zeroable};
use caesura::attacks;
use caesura::board::{Board, Threats};
use caesura::nnue::placement::threat_state;
use caesura::types::{Bitboard, Color, PieceType, Square};
use datagen::Position;

use crate::arch::{View, output_bucket};

/// The side that is to move is "own", and its first rank is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Record {
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

const _: () = assert!(size_of::<Record>() == 32);

/// The most pieces there are.
pub const MAX_PIECES: usize = 32;

impl Record {
    /// The start position.
    pub fn start() -> Record {
        Record::of(&Board::start()).unwrap_or(Record::zeroed())
    }

    /// Packs a position; `None` if it has more than 32 pieces.
    pub fn pack(position: &Position<'_>) -> Option<Record> {
        let mut record = Record::of(position.board)?;
        record.score = position.score;
        record.result = (2.0 * position.result()) as u8;
        Some(record)
    }

    /// Packs a position of which no more is known than the board; `None` if it has more than 32 pieces.
    pub fn of(board: &Board) -> Option<Record> {
        let us = board.side_to_move();
        let flip = if us == Color::White { 0 } else { 56 };
        let turned = |bits: u64| if us == Color::White { bits } else { bits.swap_bytes() };
        let occupied = turned(board.occupied().0);
        if occupied.count_ones() as usize > MAX_PIECES {
            return None;
        }
        let mut record = Record::zeroed();
        record.occupied = occupied;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let code = kind.index() as u8 | if color == us { 0 } else { 8 };
                for square in board.colored(color, kind) {
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
        let threats = if states > 1 { self.threats() } else { [Threats::default(); 2] };
        for (index, (square, kind, is_own)) in self.men().enumerate() {
            let [ours, theirs] = if is_own { [0, 1] } else { [1, 0] }.map(|side| &threats[side]);
            let state = threat_state(kind, square, ours, theirs);
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

    /// What the own side attacks, and what the other.
    #[inline]
    fn threats(&self) -> [Threats; 2] {
        let occupied = Bitboard(self.occupied);
        let mut threats = [Threats::default(); 2];
        for (square, kind, is_own) in self.men() {
            let (side, color) = if is_own { (0, Color::White) } else { (1, Color::Black) };
            let of = &mut threats[side];
            match kind {
                PieceType::Pawn => of.by_pawn |= attacks::pawn(color, square),
                PieceType::Knight => of.by_minor |= attacks::knight(square),
                PieceType::Bishop => of.by_minor |= attacks::bishop(square, occupied),
                PieceType::Rook => of.by_rook |= attacks::rook(square, occupied),
                PieceType::Queen => of.all |= attacks::queen(square, occupied),
                PieceType::King => of.all |= attacks::king(square),
            }
        }
        threats.map(|mut of| {
            of.by_minor |= of.by_pawn;
            of.by_rook |= of.by_minor;
            of.all |= of.by_rook;
            of
        })
    }
}
