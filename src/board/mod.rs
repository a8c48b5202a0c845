//! The rules of chess: a position, its moves, and the way from one to the next.
//!
//! One verb a file. [`state`] is what a position consists of; [`make`] plays and takes back moves and tells an
//! [`Observer`] of it, so that an evaluation can keep up without the board knowing of it.
//! [`movegen`] makes legal moves set by set, [`legality`] judges a move that came from elsewhere (the
//! transposition table, say), [`checks`] foretells checks, [`threats`] says what a side attacks, [`see`] settles
//! exchanges on one square, [`draws`] knows repetition and the fifty-move rule, [`fen`] and [`notation`] read and write.
//!
//! Castling is written inside as the king taking its own rook, in every variant, so that standard chess,
//! Chess960 and double Chess960 are one set of rules.

pub mod checks;
pub mod draws;
pub mod fen;
pub mod legality;
pub mod make;
pub mod movegen;
pub mod notation;
pub mod observer;
#[cfg(test)]
pub mod samples;
pub mod see;
pub mod state;
pub mod threats;

pub use checks::Checks;
pub use movegen::{Kind, MoveList, Sink};
pub use observer::Observer;
pub use see::piece_value;
pub use state::{Board, Setup};
pub use threats::Threats;
