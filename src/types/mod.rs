//! The words of chess: colours, pieces, squares, sets of squares, castling rights, moves and scores.
//!
//! Nothing here knows a board. Absence is an `Option`, never a 65th square or a 13th piece: every type
//! leaves a niche, so that `Option<Square>`, `Option<Piece>` and `Option<Move>` are as small as the thing itself.

mod bitboard;
mod bound;
mod castling;
mod color;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::Bitboard;
pub use bound::Bound;
pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use moves::{Move, MoveKind};
pub use piece::{Piece, PieceType};
pub use score::{
    DRAW, Depth, MATE, MATE_IN_MAX, MAX_EVAL, MAX_PLY, MAX_SEARCH_DEPTH, Score, TB_WIN, TB_WIN_IN_MAX, Value,
    is_decisive, is_loss, is_mate, is_win, mate_in, mated_in,
};
pub use square::{File, Rank, Square};
