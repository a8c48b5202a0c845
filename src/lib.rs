//! Caesura, a chess engine.

pub mod types;
pub mod util;

pub mod clock;
pub mod tt;
