//! From the hidden layers to a value.

use super::arch::{CHUNKS, QA, QB, SCALE};
use super::simd::Vector;
use super::weights::{Accumulator, Weights};
use crate::types::Value;

/// The value in centipawns for the side to move: its own hidden layer first, then the other one, both in steps and without
/// their biases.
#[inline]
pub fn forward<V: Vector>(layers: [&Accumulator; 2], weights: &Weights, bucket: usize) -> Value {
    let [ours, theirs] = weights.output(bucket);
    let (mut our_sum, mut their_sum) = (V::zero_sum(), V::zero_sum());
    for index in 0..CHUNKS {
        let (step, bias) = (V::load(&weights.scales()[index]), V::load(&weights.bias()[index]));
        let [our_layer, their_layer] = layers.map(|layer| V::load(&layer[index]).mul(step).add(bias));
        our_sum = V::screlu_madd(our_sum, our_layer, V::load(&ours[index]));
        their_sum = V::screlu_madd(their_sum, their_layer, V::load(&theirs[index]));
    }
    let sum =
        V::horizontal_sum(our_sum) + V::horizontal_sum(their_sum) + i64::from(weights.output_bias(bucket));
    // At most 2^33 (1,024 units of 1,024 times 8,191) and the bias, times 210 / 2^19.
    (sum * SCALE / (i64::from(QA) * i64::from(QB))) as Value
}
