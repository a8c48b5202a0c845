//! Comparisons of moves: what a game says of the moves that were not played.
//!
//! A deep search has chosen a move. A network that knew as much would see it in the static evaluations behind the moves, once
//! captures are resolved: that of the chosen one would be best. So each position of a game teaches not only its score, but also
//! an order of the positions that a search meets next and that no game visits. (Gerald Tesauro 2001, "Comparison training of chess
//! evaluation functions"; Kunihito Hoki and Tomoyuki Kaneko 2014, "Large-scale optimization for evaluation functions with
//! minimax search", for leaves of the two searches.)

mod extract;
mod file;
mod leaf;

pub use extract::{CompareOptions, compare};
pub use file::{Comparison, Comparisons, LEAVES};
pub use leaf::{Leaf, quiescence};
