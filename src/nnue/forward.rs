//! The output layer: from two accumulators to a value.

use super::accumulator::Accumulator;
use super::arch::{CHUNKS, QA, QB, SCALE};
use super::simd::Vector;
use super::weights::Weights;
use crate::types::Value;

/// The value in centipawns for the side to move, by the output bucket `bucket`.
///
/// `accumulators` are the side to move's and the opponent's, in units of the quantisation scales and without the biases.
#[inline]
pub fn output<V: Vector>(accumulators: [&Accumulator; 2], weights: &Weights, bucket: usize) -> Value {
    let [our_weights, their_weights] = weights.output(bucket);
    let (mut our_sum, mut their_sum) = (V::zero_sum(), V::zero_sum());
    for chunk in 0..CHUNKS {
        let (scale, bias) = (V::load(&weights.scales()[chunk]), V::load(&weights.bias()[chunk]));
        let unit_inputs = |numbers: &Accumulator| V::load(&numbers[chunk]).mul(scale).add(bias);
        let (ours, theirs) = (unit_inputs(accumulators[0]), unit_inputs(accumulators[1]));
        our_sum = V::screlu_madd(our_sum, ours, V::load(&our_weights[chunk]));
        their_sum = V::screlu_madd(their_sum, theirs, V::load(&their_weights[chunk]));
    }
    let sum =
        V::horizontal_sum(our_sum) + V::horizontal_sum(their_sum) + i64::from(weights.output_bias(bucket));
    // At most 2^33 (1,024 units of 1,024 times 8,191) and the bias, times 210 / 2^19.
    (sum * SCALE / (i64::from(QA) * i64::from(QB))) as Value
}
