//! Games in about a third of the space: the coded payload of a block, version 2 of the format.
//!
//! A payload is one arithmetic code (`range_coder`) of all that its games consist of (`block`), each part with
//! probabilities that begin anew in each block, so that blocks can be read in any order: start positions as differences
//! from an array (`start_model`), scores as changes (`score_model`), and moves as ranks among the legal moves
//! (`move_model`) in an order that follows from the rules of chess and a fixed table (`move_features`, `move_weights`).
//!
//! **Everything here is the format.** A change of any number, table or order makes files unreadable, and needs a version of
//! its own; a test with the files in `tests/files` notices it.

mod adaptive;
mod block;
mod move_features;
mod move_model;
mod move_weights;
mod range_coder;
mod score_model;
mod start_model;

pub use block::{BlockEncoder, MAX_GAMES, MAX_POSITIONS, decode};
