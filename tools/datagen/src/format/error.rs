//! What can be wrong with the content of a game file.

use crate::position::PositionError;

/// Why a game cannot be decoded or encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The payload ends before the game does.
    #[error("the game extends beyond the end of its block")]
    Short,
    /// The first position is not legal.
    #[error("the start position cannot be used")]
    Start(#[from] PositionError),
    /// A field has a value without a meaning.
    #[error("{0}")]
    Field(&'static str),
    /// The game has more plies than the format can express, or than its block is said to hold.
    #[error("a game of {0} plies is too long for the format")]
    Long(usize),
    /// The block has as many games or positions as it may have.
    #[error("the block is full")]
    Full,
}

/// How a file is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The header of the file does not match its checksum.
    #[error("the header of the file does not match its checksum")]
    FileHeader,
    /// The header of a block is damaged.
    #[error(transparent)]
    BlockHeader(#[from] BlockHeaderError),
    /// The payload of a block does not match its checksum.
    #[error("the content of the block does not match its checksum")]
    Payload,
    /// A game of a block cannot be decoded although the checksum of the block is right.
    #[error("game {number} of the block")]
    Game {
        /// The number of the game in its block, from 0.
        number: usize,
        /// What is wrong with the game.
        source: GameError,
    },
    /// The header of a block gives other numbers of games and positions than its payload holds.
    #[error("the block does not hold as many games and positions as its header says")]
    Counts,
}

/// Why the header of a block is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockHeaderError {
    /// The magic bytes are missing.
    #[error("no block begins here")]
    Magic,
    /// The header does not match its checksum.
    #[error("the header of the block does not match its checksum")]
    Checksum,
    /// The payload is longer, or has more games or positions, than the format allows.
    #[error("the block is longer than the format allows")]
    Length,
}
