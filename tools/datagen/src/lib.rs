#![doc = include_str!("../README.md")]

#[cfg(not(target_endian = "little"))]
compile_error!("the files are little-endian and are mapped onto structures as they are");

pub mod game;
pub mod position;

pub mod format;

pub mod reader;
pub mod writer;

pub mod chess960;
pub mod opening;
pub mod selfplay;
pub mod wdl;

pub mod args;
pub mod ordered;
pub mod progress;

pub mod check;
pub mod merge;
pub mod rescore;
pub mod run;
pub mod sample;
pub mod stats;

pub use game::{Ending, Game, OpeningKind, Ply, Position, Replay, ReplayError, Winner};
pub use reader::{Block, GameReader, ReadError, game_files};
pub use writer::GameWriter;
