//! Positions packed into 36 bytes.

use bytemuck::{Pod, Zeroable};
use caesura::board::{Setup, fen};
use caesura::types::{Bitboard, CastlingSide, Color, Piece, PieceType, Rank, Square};

/// The value of a square field without a square.
const NO_SQUARE: u8 = 64;
/// Flag: Black is to move.
const BLACK_TO_MOVE: u8 = 1;
/// Flag: castling moves are written as in Chess960.
const CHESS960: u8 = 2;

/// The encoding of a position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PackedPosition {
    /// The occupied squares, a1 = bit 0, as a little-endian 64-bit number.
    pub occupied: [u8; 8],
    /// [`Piece::index`] of the pieces on these squares, in the order of the squares: two a byte, the low half
    /// first.
    pub pieces: [u8; 16],
    /// The rook of each castling right: White's king side, White's queen side, Black's two; 64 for none.
    pub castling: [u8; 4],
    /// The en passant square, or 64.
    pub en_passant: u8,
    /// Bit 0: Black is to move. Bit 1: Chess960.
    pub flags: u8,
    /// Plies since the last capture or pawn move.
    pub rule50: u16,
    /// The number of the full move, from 1.
    pub fullmove: u16,
    /// Zero.
    pub reserved: u16,
}

/// Why a position cannot be packed or unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub &'static str);

impl PackedPosition {
    /// Packs a position.
    ///
    /// # Errors
    /// If it has more than 32 pieces.
    pub fn pack(setup: &Setup) -> Result<PackedPosition, PositionError> {
        let mut packed = PackedPosition::zeroed();
        let mut occupied = 0u64;
        let mut count = 0;
        for square in Square::ALL {
            let Some(piece) = setup.pieces[square.index()] else { continue };
            if count == 32 {
                return Err(PositionError("more than 32 pieces"));
            }
            occupied |= 1 << square.index();
            packed.pieces[count / 2] |= (piece.index() as u8) << (4 * (count % 2));
            count += 1;
        }
        packed.occupied = occupied.to_le_bytes();
        let byte = |square: Option<Square>| square.map_or(NO_SQUARE, |square| square.index() as u8);
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                packed.castling[2 * color.index() + side.index()] =
                    byte(setup.castling[color.index()][side.index()]);
            }
        }
        packed.en_passant = byte(setup.en_passant);
        packed.flags = if setup.side_to_move == Color::Black { BLACK_TO_MOVE } else { 0 }
            | if setup.chess960 { CHESS960 } else { 0 };
        packed.rule50 = setup.rule50;
        packed.fullmove = u16::try_from(setup.fullmove).unwrap_or(u16::MAX);
        Ok(packed)
    }

    /// Unpacks a position and checks everything that [`caesura::board::Board::from_setup`] relies on.
    ///
    /// # Errors
    /// If the bytes do not encode a legal position.
    pub fn unpack(&self) -> Result<Setup, PositionError> {
        let square = |byte: u8| match byte {
            NO_SQUARE => Ok(None),
            0..64 => Ok(Some(Square::from_index(usize::from(byte)))),
            _ => Err(PositionError("a square is off the board")),
        };
        let occupied = Bitboard(u64::from_le_bytes(self.occupied));
        if occupied.count() > 32 {
            return Err(PositionError("more than 32 pieces"));
        }
        let mut pieces = [None; 64];
        for (rank, at) in occupied.into_iter().enumerate() {
            let index = usize::from(self.pieces[rank / 2] >> (4 * (rank % 2)) & 15);
            let Some(&piece) = Piece::ALL.get(index) else {
                return Err(PositionError("a piece that does not exist"));
            };
            pieces[at.index()] = Some(piece);
        }
        let mut castling = [[None; 2]; 2];
        for (right, &byte) in self.castling.iter().enumerate() {
            castling[right / 2][right % 2] = square(byte)?;
        }
        let setup = Setup {
            pieces,
            side_to_move: if self.flags & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black },
            castling,
            en_passant: square(self.en_passant)?,
            rule50: self.rule50,
            fullmove: u32::from(self.fullmove.max(1)),
            chess960: self.flags & CHESS960 != 0,
        };
        validate(&setup)?;
        Ok(setup)
    }
}

/// Checks what `Board::from_setup` relies on.
pub(crate) fn validate(setup: &Setup) -> Result<(), PositionError> {
    let find = |piece: Piece| -> Vec<Square> {
        Square::ALL.into_iter().filter(|square| setup.pieces[square.index()] == Some(piece)).collect()
    };
    let mut kings = [Square::A1; 2];
    for color in Color::ALL {
        let [king] = find(Piece::new(color, PieceType::King))[..] else {
            return Err(PositionError("a side without exactly one king"));
        };
        kings[color.index()] = king;
    }
    for color in Color::ALL {
        let (king, back) = (kings[color.index()], Rank::First.relative(color));
        for side in CastlingSide::ALL {
            let Some(rook) = setup.castling[color.index()][side.index()] else { continue };
            let placed = setup.pieces[rook.index()] == Some(Piece::new(color, PieceType::Rook))
                && rook.rank() == back
                && king.rank() == back
                && CastlingSide::of(king, rook) == side;
            if !placed {
                return Err(PositionError("a castling right without its king and rook"));
            }
        }
    }
    if let Some(square) = setup.en_passant {
        let us = setup.side_to_move;
        let passed = square.rank() == Rank::Sixth.relative(us)
            && setup.pieces[square.index()].is_none()
            && setup.pieces[square.forward(!us).index()] == Some(Piece::new(!us, PieceType::Pawn));
        if !passed {
            return Err(PositionError("an en passant square that no pawn has passed"));
        }
    }
    fen::check(setup).map_err(|_| PositionError("pieces or checks that cannot occur in a game"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use caesura::board::Board;

    #[test]
    fn the_start_position_comes_back() {
        let setup = Board::start().setup();
        assert_eq!(PackedPosition::pack(&setup).unwrap().unpack(), Ok(setup));
    }

    #[test]
    fn every_way_along_a_game_comes_back() {
        let mut board = Board::start();
        for step in 0..300usize {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make_move(moves[step * 7919 % moves.len()], &mut ());
            let setup = board.setup();
            let packed = PackedPosition::pack(&setup).unwrap();
            assert_eq!(packed.unpack(), Ok(setup), "step {step}");
        }
    }

    #[test]
    fn more_pieces_than_a_game_can_have_are_refused() {
        // The position has more moves than a move list holds.
        let setup = fen::parse_any_material("knQQQQQQ/pp5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQK w - - 0 1").unwrap();
        assert!(PackedPosition::pack(&setup).unwrap().unpack().is_err());
    }

    #[test]
    fn any_wrong_byte_is_refused_or_harmless() {
        let packed = PackedPosition::pack(&Board::start().setup()).unwrap();
        let mut refused = 0;
        for at in 0..size_of::<PackedPosition>() {
            for value in 0..=255 {
                let mut damaged = packed;
                bytemuck::bytes_of_mut(&mut damaged)[at] = value;
                match damaged.unpack() {
                    Ok(setup) => {
                        let board = Board::from_setup(&setup);
                        assert!(board.legal_moves().iter().all(|&m| board.is_legal(m)));
                        assert_eq!(PackedPosition::pack(&setup).unwrap().unpack(), Ok(setup));
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }
}
