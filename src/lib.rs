//! Caesura, a chess engine.

pub mod types;
