//! From the hidden layers to a value.

use super::arch::{QA, QB, SCALE};
use super::simd::Vector;
use super::weights::{Row, Weights};
use crate::types::Value;

/// The value in centipawns for the side to move: its own hidden layer first, then the other one.
#[inline]
pub fn value<V: Vector>(layers: [&Row; 2], weights: &Weights, bucket: usize) -> Value {
    let output = weights.output(bucket);
    let [ours, theirs] = [0, 1].map(|side| {
        let mut sum = V::zero();
        for (layer, weights) in layers[side].iter().zip(output[side]) {
            sum = V::accumulate::<QA>(sum, V::load(layer), V::load(weights));
        }
        V::total(sum)
    });
    let (qa, qb) = (i64::from(QA), i64::from(QB));
    let sum = (ours + theirs) / qa + i64::from(weights.output_bias(bucket));
    let value = sum * SCALE / (qa * qb);
    // At most 2^31 times 400 / 16320, and little more.
    value as Value
}
