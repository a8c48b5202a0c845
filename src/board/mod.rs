//! The rules of chess: a position, its moves, and the way from one to the next.
//!
//! One verb a file. [`state`] is what a position consists of; [`make_move`] makes and unmakes moves and reports
//! each to an [`Observer`], so that an evaluation can keep up without the board knowing of it.
//! [`movegen`] makes legal moves set by set, [`legality`] judges a move that came from elsewhere (the
//! transposition table, say), [`check_info`] foretells checks, [`threats`] says what a side attacks, [`see`] settles
//! exchanges on one square, [`draws`] knows repetition and the fifty-move rule, [`fen`] and [`notation`] read and write.
//!
//! Castling is written inside as the king taking its own rook, in every variant, so that standard chess,
//! Chess960 and double Chess960 are one set of rules.

pub mod check_info;
pub mod draws;
pub mod fen;
pub mod legality;
pub mod make_move;
pub mod movegen;
pub mod notation;
pub mod observer;
pub mod see;
pub mod state;
#[cfg(test)]
pub mod test_positions;
pub mod threats;

pub use check_info::CheckInfo;
pub use movegen::{GenType, MoveList, MoveSink};
pub use observer::Observer;
pub use see::piece_value;
pub use state::{Board, Setup};
pub use threats::Threats;
