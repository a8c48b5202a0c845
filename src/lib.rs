//! Caesura, a chess engine.

pub mod types;

pub mod attacks;
pub mod zobrist;
