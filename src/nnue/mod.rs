//! The evaluation by an NNUE: a network that is updated incrementally as the pieces move.
//!
//! The idea is Yu Nasu's ("Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018).
//! The architecture is `(6912 -> 512) x 2 -> (1 + 8 -> 32 -> 1) x 8`: each side has an accumulator of 512 hidden units, seen
//! from its own perspective and activated by a squared clipped ReLU. They lead to the output directly and, where that helps,
//! through two dense layers of clipped ReLUs; one of eight output buckets, each with layers of its own, is chosen by the number
//! of pieces. All arithmetic is over integers, so that every processor finds the same values.
//!
//! - [`arch`]: the architecture and the quantisation.
//! - [`threat_states`], [`piece_features`], [`features`]: from a board to the active inputs of a perspective.
//! - [`format`](mod@format), [`weights`]: the network's file, and its weights in memory.
//! - [`accumulator`], [`accumulator_stack`], [`refresh_table`]: the first layer, kept up to date along a line of play.
//! - [`forward`]: from two accumulators to a value in centipawns.
//! - [`simd`]: the vector operations, one file for each instruction set.
//! - [`network`], [`evaluator`]: the network that threads share, and the state that each thread owns.
//! - [`mod@load`], [`material`]: networks by name; one that knows material alone.
//! - [`wdl`]: what a score means for the result of the game.

pub mod accumulator;
pub mod accumulator_stack;
pub mod arch;
pub mod evaluator;
pub mod features;
pub mod format;
pub mod forward;
pub mod load;
pub mod material;
pub mod network;
pub mod piece_features;
pub mod refresh_table;
pub mod simd;
pub mod threat_states;
pub mod wdl;
pub mod weights;

pub use evaluator::Evaluator;
pub use load::{embedded, load};
pub use network::{Network, NetworkError};
