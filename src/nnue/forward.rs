//! From the hidden layers to a value.

use super::arch::{BLOCKS, QA, QB, SCALE};
use super::simd::Vector;
use super::weights::{Row, Weights};
use crate::types::Value;

/// The value in centipawns for the side to move: its own hidden layer first, then the other one.
#[inline]
pub fn value<V: Vector>(layers: [&Row; 2], weights: &Weights, bucket: usize) -> Value {
    let [ours, theirs] = weights.output(bucket);
    let (mut our_sum, mut their_sum) = (V::zero(), V::zero());
    for index in 0..BLOCKS {
        our_sum = V::accumulate::<QA>(our_sum, V::load(&layers[0][index]), V::load(&ours[index]));
        their_sum = V::accumulate::<QA>(their_sum, V::load(&layers[1][index]), V::load(&theirs[index]));
    }
    let (qa, qb) = (i64::from(QA), i64::from(QB));
    let sum = (V::total(our_sum) + V::total(their_sum)) / qa + i64::from(weights.output_bias(bucket));
    let value = sum * SCALE / (qa * qb);
    // At most 2^31 times 300 / 16320, and little more.
    value as Value
}
