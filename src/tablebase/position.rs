//! A board as the library that reads the tables sees it.

use std::num::NonZeroU32;

use shakmaty::{ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};

use crate::board::Board;
use crate::types::{CastlingRights, Color, PieceType};

/// The position of a board; `None` with castling rights, for tables have no such positions, or if the library takes it for
/// an impossible one.
pub fn position(board: &Board) -> Option<Chess> {
    if board.castling() != CastlingRights::NONE {
        return None;
    }
    let role = |kind| shakmaty::Bitboard(board.pieces(kind).0);
    let by_role = ByRole {
        pawn: role(PieceType::Pawn),
        knight: role(PieceType::Knight),
        bishop: role(PieceType::Bishop),
        rook: role(PieceType::Rook),
        queen: role(PieceType::Queen),
        king: role(PieceType::King),
    };
    let [white, black] = Color::ALL.map(|color| shakmaty::Bitboard(board.by_color(color).0));
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(by_role, ByColor { white, black }).ok()?,
        turn: shakmaty::Color::from_white(board.side_to_move() == Color::White),
        ep_square: board.en_passant().and_then(|square| shakmaty::Square::try_from(square.index()).ok()),
        halfmoves: u32::from(board.rule50()),
        fullmoves: NonZeroU32::new(board.fullmove()).unwrap_or(NonZeroU32::MIN),
        ..Setup::empty()
    };
    // No game leads to two checks along one line, but a FEN may.
    Chess::from_setup(setup, CastlingMode::Chess960).or_else(PositionError::ignore_impossible_check).ok()
}
