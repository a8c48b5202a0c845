//! Caesura, a chess engine.

pub mod params;
pub mod types;

pub mod attacks;
pub mod topology;
pub mod zobrist;

pub mod board;

pub mod perft;
