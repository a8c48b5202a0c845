//! The shape of the network: (768 x threat states -> hidden) x 2 -> outputs, and how its numbers are quantised.

use super::simd::LANES;

/// Numbers in the hidden layer of one side.
pub const HIDDEN_SIZE: usize = 512;
/// Output layers; see [`output_bucket`].
pub const OUTPUT_BUCKETS: usize = 8;
/// One in the hidden layer, as an integer; the square of a hidden number is divided by it.
pub use super::simd::QA;
/// One among the output weights, as an integer.
///
/// With 255 and 64, which leave the median output weight 6 and the median feature weight 9, rounding cost 1 % of the
/// validation loss.
pub const QB: i16 = 512;
/// The greatest output weight: then no sum of the widest layer leaves 32 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 8191;
/// What an output of one is worth, in centipawns: trainings stretch scores such that in games of 200 nodes a move the odds
/// of the expected result grow by e in so many.
///
/// It is the scale that the margins of the search are fit for. With a network whose odds grew by e in 207 centipawns, a
/// third more cost 30 ± 26 Elo, and a quarter less 16 ± 26 (400 games each, 8,000 nodes a move).
pub const SCALE: i64 = 210;

/// Features of one threat state: own and enemy pieces of six kinds on 64 squares.
pub const PIECE_SQUARES: usize = 2 * 6 * 64;
/// Threat states of a piece; see [`Placement`](super::placement::Placement).
pub const THREAT_STATES: usize = 9;

/// Inputs of one side.
pub const INPUTS: usize = THREAT_STATES * PIECE_SQUARES;

/// [`crate::nnue::simd::Block`]s in the hidden layer of one side.
pub const CHUNKS: usize = HIDDEN_SIZE / LANES;

const _: () = assert!(HIDDEN_SIZE.is_multiple_of(LANES) && HIDDEN_SIZE > 0 && HIDDEN_SIZE <= 1024);

/// The output layer for so many pieces on the board, kings included.
#[inline]
pub const fn output_bucket(pieces: u32) -> usize {
    let bucket = pieces.saturating_sub(2) as usize / 4;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}
