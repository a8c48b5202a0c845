#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bytes;

pub mod commands;
pub mod entries;
pub mod epd;
pub mod fen;
pub mod games;
pub mod genfens;
pub mod moves;
pub mod network;
pub mod packets;
pub mod pgn;
pub mod tablebase;
pub mod uci;

pub mod checks;

pub use checks::{CHECKS, Check};
