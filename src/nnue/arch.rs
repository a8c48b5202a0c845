//! The architecture of the network, and how its numbers are quantised.

use std::ops::RangeInclusive;

use super::simd::LANES;
pub use super::simd::QA;

/// Hidden units of one perspective, which is the length of an accumulator.
pub const HIDDEN_SIZE: usize = 512;
/// Output buckets: output layers, of which the number of pieces chooses one; see [`output_bucket`].
pub const OUTPUT_BUCKETS: usize = 8;
/// Units of the first dense layer of an output bucket; see [`forward`](super::forward).
///
/// Sixteen lower the validation loss from 0.02049 to 0.02037, where a network without dense layers that learnt from the same
/// 23.6 million positions has 0.02132, and take twice as long.
pub const DENSE_1: usize = 8;
/// Units of the second dense layer.
pub const DENSE_2: usize = 32;
/// What an output bucket computes from the hidden units: the direct output, then the units of the first dense layer.
pub const OUTPUT_UNITS: usize = 1 + DENSE_1;
/// Quantisation of the output weights and of the weights of the dense layers: 1.0 as an integer.
///
/// With `QA` 255 and `QB` 64, which left the median output weight 6 and the median feature weight 9, rounding cost 1 % of
/// the validation loss.
pub const QB: i16 = 1 << QB_SHIFT;
/// The binary logarithm of [`QB`].
pub const QB_SHIFT: u32 = 9;
/// Bound of the absolute value of a weight from a hidden unit to an output unit, with which a sum stays within 32 bits a
/// lane at any [`HIDDEN_SIZE`] up to 1,024.
pub const MAX_OUTPUT_WEIGHT: i16 = 8191;
/// Bound of the absolute value of a weight behind the first dense layer, with which no sum leaves 32 bits.
pub const MAX_DENSE_WEIGHT: i32 = 32_767;
/// Bound of the absolute value of a bias of the second dense layer, with which no sum leaves 32 bits.
pub const MAX_DENSE_BIAS: i32 = 1 << 30;
/// Centipawns of a network output of 1.0. In the networks of the first generations that is a logit, at which the odds of the
/// expected result are e to one; the later ones were trained on another scale and their outputs multiplied, so that
/// their values mean to the search what those of the ones before did.
///
/// The margins of the search are tuned to that. With a network whose odds grew by e in 207 centipawns, a third more cost
/// 30 ± 26 Elo, and a quarter less 16 ± 26 (400 games each, 8,000 nodes a move).
pub const SCALE: i64 = 210;

/// Inputs of one threat state: own and enemy pieces, of six kinds, on 64 squares.
pub const PIECE_SQUARES: usize = 2 * 6 * 64;
/// Threat states of a piece; see [`ThreatStates`](super::threat_states::ThreatStates).
pub const THREAT_STATES: usize = 9;
/// Inputs of one perspective.
pub const INPUTS: usize = THREAT_STATES * PIECE_SQUARES;

/// [`I16x32`](super::simd::I16x32)s of an accumulator.
pub const CHUNKS: usize = HIDDEN_SIZE / LANES;

const _: () = assert!(HIDDEN_SIZE.is_multiple_of(LANES) && HIDDEN_SIZE > 0 && HIDDEN_SIZE <= 1024);

/// The output bucket of positions with this many pieces, kings included: one bucket for every four pieces.
#[inline]
pub const fn output_bucket(pieces: u32) -> usize {
    let bucket = pieces.saturating_sub(2) as usize / 4;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// The numbers of pieces, kings included, for which an output bucket is chosen.
pub fn output_bucket_pieces(bucket: usize) -> RangeInclusive<u32> {
    let first = 2 + 4 * bucket as u32;
    first..=if bucket + 1 < OUTPUT_BUCKETS { first + 3 } else { 32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_pieces_has_its_bucket() {
        for pieces in 2..=32 {
            let buckets = 0..OUTPUT_BUCKETS;
            let holders: Vec<usize> =
                buckets.filter(|&bucket| output_bucket_pieces(bucket).contains(&pieces)).collect();
            assert_eq!(holders, [output_bucket(pieces)]);
        }
    }
}
