//! The evaluation by a network that is updated as the pieces move (Yu Nasu 2018, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions for Computer Shogi"): one wide hidden layer for each side's view of
//! the board, and one output layer for each amount of pieces.
//!
//! [`arch`] fixes its shape, [`placement`] says which pieces stand where and in what danger, [`features`] which
//! inputs they are, [`weights`] reads and checks a file, [`steps`] finds in which
//! steps a unit's weights fit 8 bits. An [`accumulator`] is
//! the hidden layer of one side; those of a line of play are kept up to date, [`refresh`] makes them anew where a
//! king changed the view, and [`forward`] goes from them to a value.
//! [`chances`] says what a value means for the result.
//! [`network`] is what everybody else uses: the network that threads share, and each thread's evaluator;
//! [`mod@named`] finds one by its name: that of the program, in a file, or the one of [`material`] alone. All arithmetic is
//! over integers and goes through [`simd`], so that every processor finds the same values.

pub mod accumulator_stack;
pub mod arch;
pub mod features;
pub mod forward;
pub mod load;
pub mod material;
pub mod network;
pub mod piece_features;
pub mod quantisation;
pub mod refresh_table;
pub mod simd;
pub mod wdl;
pub mod weights;

pub use load::{embedded, load};
pub use network::{Evaluator, Network, NetworkError};
