#![doc = include_str!("../README.md")]

pub mod game;
pub mod position;

pub mod format;

pub mod game_groups;
pub mod reader;
pub mod writer;

pub mod check;

pub mod adjudication;
pub mod chess960;
pub mod evaluated;
pub mod opening;
pub mod pgn;
pub mod play_out;
pub mod selfplay;
pub mod wdl;

pub mod import;
pub mod merge;
pub mod rescore;
pub mod run;
pub mod sample;
pub mod stats;

pub use game::{Ending, Game, OpeningKind, Ply, Position, Replay, ReplayError, Winner};
pub use reader::{Block, GameReader, ReadError, game_files};
pub use writer::GameWriter;

// The unit tests share helpers with the integration tests, which see the crate from outside.
#[cfg(test)]
extern crate self as datagen;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
