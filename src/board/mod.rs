//! The rules of chess: a position, its moves, and the way from one to the next.
//!
//! [`Position`] is what decides which moves are legal, [`Keys`] are its keys, and [`Board`] is a position with its mailbox
//! and the positions that led to it. (A reader of Stockfish: `Board` is its `Position`, and our `Position` about its
//! `StateInfo` with the bitboards.) [`make_move`] makes and unmakes moves and calls an [`Observer`] for each, so
//! that an evaluation follows without the board depending on it. [`movegen`] generates legal moves set by set, for a list or
//! a count ([`MoveSink`]), [`legality`] tests a move that comes from elsewhere (the transposition table, for example),
//! [`check_info`] finds which moves give check, [`threats`] the squares that a side attacks, [`attack_squares`] those from
//! where it would attack, [`see`] evaluates exchanges on one square, [`draws`] detects repetition and the fifty-move rule,
//! [`fen`] and [`notation`] read and write text, [`flip`] exchanges the colours.
//!
//! Castling is written inside as the king taking its own rook, in every variant, so that standard chess,
//! Chess960 and double Chess960 are one set of rules.

pub mod attack_squares;
mod castling;
pub mod check_info;
pub mod draws;
pub mod fen;
mod fen_error;
pub mod flip;
mod keys;
pub mod legality;
pub mod make_move;
mod move_sink;
pub mod movegen;
pub mod notation;
pub mod observer;
mod passed_pawns;
mod piece_sets;
mod position;
pub mod see;
pub mod state;
#[cfg(test)]
pub mod test_positions;
pub mod threats;

pub use attack_squares::AttackSquares;
pub use check_info::CheckInfo;
pub use keys::Keys;
pub use move_sink::{GenType, MoveSink};
pub use movegen::MoveList;
pub use observer::Observer;
pub use piece_sets::PieceSets;
pub use position::Position;
pub use see::piece_value;
pub use state::{Board, Setup};
pub use threats::Threats;
