//! A board: the position, its mailbox and history, and the setup that it comes from.

use std::ops::Deref;

use super::Position;
use super::castling::CastlingSetup;
use crate::types::{CastlingRights, CastlingSide, Color, Piece, PieceType, Square};
use crate::zobrist;

/// What a position is made of, before its keys are derived from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The pieces, by square index.
    pub pieces: [Option<Piece>; 64],
    /// Whose turn it is.
    pub side_to_move: Color,
    /// The rook's square of each castling right, by colour and [`CastlingSide`].
    pub castling: [[Option<Square>; 2]; 2],
    /// The square behind a pawn that has just gone two squares.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub rule50: u16,
    /// The number of the full move, from 1.
    pub fullmove: u32,
    /// How castling is written: as the king taking its rook.
    pub chess960: bool,
}

impl Setup {
    /// An empty board with this side to move, at the first move, without rights.
    pub const fn empty(side_to_move: Color) -> Setup {
        Setup {
            pieces: [None; 64],
            side_to_move,
            castling: [[None; 2]; 2],
            en_passant: None,
            rule50: 0,
            fullmove: 1,
            chess960: false,
        }
    }
}

/// A position and the way that led to it.
///
/// Always legal: both kings stand, and the side not to move is not in check. Positions come from
/// [`Board::from_setup`] (trusting) or from a FEN (checking), and change by [`Board::make_move`].
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) position: Position,
    pub(super) mailbox: [Option<Piece>; 64],
    pub(super) castling_setup: CastlingSetup,
    pub(super) chess960: bool,
    pub(super) first_ply: u32,
    /// The positions before this one.
    pub(super) history: Vec<Position>,
}

/// A board answers all that its position answers.
impl Deref for Board {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        &self.position
    }
}

impl Board {
    /// The board of a setup, which is trusted to be a legal position. An en passant square that no pawn can
    /// legally use is dropped: it does not change the position.
    pub fn from_setup(setup: &Setup) -> Board {
        let mut position = Position::empty(setup.side_to_move, setup.rule50);
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square.index()] {
                let key = position.toggle::<true>(piece, square);
                position.keys.toggle_position(key);
            }
        }
        let kings = Color::ALL.map(|color| position.king(color));
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if setup.castling[color.index()][side.index()].is_some() {
                    position.castling = position.castling.with(CastlingRights::one(color, side));
                }
            }
        }
        let castling_setup = CastlingSetup::new(kings, setup.castling);
        position.keys.toggle_position(castling_setup.key(position.castling));
        if position.side == Color::Black {
            position.keys.toggle_position(zobrist::side());
        }
        position.update_checkers();
        if let Some(square) = setup.en_passant {
            position.set_en_passant(square);
            position.keys.toggle_position(position.en_passant_key());
        }
        Board {
            position,
            mailbox: setup.pieces,
            castling_setup,
            chess960: setup.chess960,
            first_ply: 2 * setup.fullmove.clamp(1, u32::MAX / 4) - 2 + setup.side_to_move.index() as u32,
            history: Vec::new(),
        }
    }

    /// Takes the memory that this many further moves need, so that making them need not ask for it.
    pub fn reserve_plies(&mut self, plies: usize) {
        self.history.reserve(plies);
    }

    /// The start position of standard chess.
    pub fn start() -> Board {
        const BACK: [PieceType; 8] = [
            PieceType::Rook,
            PieceType::Knight,
            PieceType::Bishop,
            PieceType::Queen,
            PieceType::King,
            PieceType::Bishop,
            PieceType::Knight,
            PieceType::Rook,
        ];
        let mut pieces = [None; 64];
        for (file, kind) in BACK.into_iter().enumerate() {
            pieces[file] = Some(Piece::new(Color::White, kind));
            pieces[8 + file] = Some(Piece::WhitePawn);
            pieces[48 + file] = Some(Piece::BlackPawn);
            pieces[56 + file] = Some(Piece::new(Color::Black, kind));
        }
        Board::from_setup(&Setup {
            pieces,
            side_to_move: Color::White,
            castling: [[Some(Square::H1), Some(Square::A1)], [Some(Square::H8), Some(Square::A8)]],
            en_passant: None,
            rule50: 0,
            fullmove: 1,
            chess960: false,
        })
    }

    /// The setup of this position.
    pub fn setup(&self) -> Setup {
        Setup {
            pieces: self.mailbox,
            side_to_move: self.side_to_move(),
            castling: Color::ALL.map(|color| CastlingSide::ALL.map(|side| self.castling_rook(color, side))),
            en_passant: self.en_passant(),
            rule50: self.rule50(),
            fullmove: self.fullmove(),
            chess960: self.chess960,
        }
    }

    /// The pieces by square.
    #[inline]
    pub fn mailbox(&self) -> &[Option<Piece>; 64] {
        &self.mailbox
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// The square of the rook with which a side may still castle.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        if self.castling().has(color, side) {
            self.castling_setup.castling(color, side).map(|castling| castling.rook)
        } else {
            None
        }
    }

    /// The number of the full move, from 1.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        self.ply() / 2 + 1
    }

    /// Plies since the start of the game, as the move number has it.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.first_ply + self.history.len() as u32
    }

    /// True if castling is written as the king taking its rook.
    #[inline]
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Writes castling as the king taking its rook, or as the king's two squares.
    pub fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_takes_memory_for_its_game_only_where_it_is_reserved() {
        let start = Board::start();
        assert_eq!(start.history.capacity(), 0, "files of positions make many boards");
        let mut board = start.clone();
        board.reserve_plies(100);
        let memory = board.history.as_ptr();
        for _ in 0..100 {
            board.make_move(board.legal_moves()[0], &mut ());
        }
        assert_eq!(board.history.as_ptr(), memory);
    }
}
