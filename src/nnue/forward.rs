//! The output layers: from two accumulators to a value.
//!
//! The hidden units of both sides, activated by a squared clipped ReLU, lead to the output on two ways: directly, and through
//! two small dense layers with clipped ReLUs. The direct way ("skip connection") says what each hidden unit is worth by
//! itself; the dense layers correct that by what units mean together. Every output bucket has layers of its own, or the direct
//! way alone: then the dense layers cost nothing. (Dense layers are as old as NNUE: Yu Nasu 2018; a skip connection beside
//! them is the practice of Stockfish.)

use std::hint::black_box;

use super::accumulator::Accumulator;
use super::arch::{CHUNKS, DENSE_1, OUTPUT_UNITS, QA, QB, QB_SHIFT, SCALE};
use super::format::DenseLayers;
use super::simd::{I16x32, Vector};
use super::weights::{HiddenVector, OutputWeights, Weights};
use crate::types::Value;

/// The value in centipawns for the side to move, by the output bucket `bucket`.
///
/// `accumulators` are the side to move's and the opponent's, in units of the quantisation scales and without the biases.
#[inline]
pub fn output<V: Vector>(accumulators: [&Accumulator; 2], weights: &Weights, bucket: usize) -> Value {
    let (units, layers) = (weights.output(bucket), weights.dense(bucket));
    let mut sum = i64::from(layers.bias);
    if weights.is_direct_alone(bucket) {
        sum += direct::<V>(accumulators, weights, &units[0]);
    } else {
        let [direct, first @ ..] = if V::SUMS >= OUTPUT_UNITS {
            sums::<V>(accumulators, weights, units)
        } else {
            sums_in_groups::<V, { OUTPUT_UNITS / 3 }>(accumulators, weights, units)
        };
        sum += direct + i64::from(behind_first_layer(first, layers));
    }
    // At most 2^33 (1,024 units of 1,024 times 8,191), the bias, and what a 32-bit sum holds; times 210 / 2^19.
    (sum * SCALE / (i64::from(QA) * i64::from(QB))) as Value
}

/// What the hidden units say, from 0 to [`QA`], by side, one chunk after the other.
#[inline]
fn activated<V: Vector>(
    accumulators: [&Accumulator; 2],
    weights: &Weights,
    mut visit: impl FnMut(usize, [V; 2]),
) {
    for chunk in 0..CHUNKS {
        let (scale, bias) = (V::load(&weights.scales()[chunk]), V::load(&weights.bias()[chunk]));
        visit(chunk, accumulators.map(|numbers| V::load(&numbers[chunk]).mul(scale).add(bias).screlu()));
    }
}

/// The sum of one output unit over the hidden units.
#[inline]
fn direct<V: Vector>(accumulators: [&Accumulator; 2], weights: &Weights, unit: &OutputWeights) -> i64 {
    let mut sums = [V::zero_sum(); 2];
    activated::<V>(accumulators, weights, |chunk, sides| {
        for side in 0..2 {
            sums[side] = sides[side].madd(V::load(&unit[side][chunk]), sums[side]);
        }
    });
    sums.map(V::horizontal_sum).into_iter().sum()
}

/// What all hidden units say.
#[inline]
fn activations<V: Vector>(accumulators: [&Accumulator; 2], weights: &Weights) -> [HiddenVector; 2] {
    let mut activations = [[I16x32::ZERO; CHUNKS]; 2];
    activated::<V>(accumulators, weights, |chunk, sides| {
        for side in 0..2 {
            sides[side].store(&mut activations[side][chunk]);
        }
    });
    activations
}

/// The sum of each output unit over the hidden units, all in registers.
#[inline]
fn sums<V: Vector>(
    accumulators: [&Accumulator; 2],
    weights: &Weights,
    units: &[OutputWeights; OUTPUT_UNITS],
) -> [i64; OUTPUT_UNITS] {
    let mut sums = [V::zero_sum(); OUTPUT_UNITS];
    activated::<V>(accumulators, weights, |chunk, sides| {
        for side in 0..2 {
            for (sum, unit) in sums.iter_mut().zip(units) {
                *sum = sides[side].madd(V::load(&unit[side][chunk]), *sum);
            }
        }
    });
    sums.map(V::horizontal_sum)
}

/// As [`sums`], for registers that hold no more than `GROUP` sums at a time.
#[inline]
fn sums_in_groups<V: Vector, const GROUP: usize>(
    accumulators: [&Accumulator; 2],
    weights: &Weights,
    units: &[OutputWeights; OUTPUT_UNITS],
) -> [i64; OUTPUT_UNITS] {
    const { assert!(OUTPUT_UNITS.is_multiple_of(GROUP)) };
    let activations = activations::<V>(accumulators, weights);
    let mut totals = [0; OUTPUT_UNITS];
    for (totals, units) in totals.as_chunks_mut::<GROUP>().0.iter_mut().zip(units.as_chunks::<GROUP>().0) {
        let mut sums = [V::zero_sum(); GROUP];
        for side in 0..2 {
            for chunk in 0..CHUNKS {
                let activations = V::load(&activations[side][chunk]);
                for (sum, unit) in sums.iter_mut().zip(units) {
                    *sum = activations.madd(V::load(&unit[side][chunk]), *sum);
                }
            }
        }
        *totals = sums.map(V::horizontal_sum);
    }
    totals
}

/// What the dense layers add to the output, from the sums of the first one without its biases.
#[inline]
fn behind_first_layer(sums: [i64; DENSE_1], layers: &DenseLayers) -> i32 {
    let first: [i32; DENSE_1] =
        std::array::from_fn(|unit| clipped(sums[unit] + i64::from(layers.bias_1[unit])) as i32);
    let mut second = layers.bias_2;
    // With a length that it does not know, the compiler does not turn the loops round, which would gather the weights.
    for (unit, weights) in first.iter().zip(&layers.weights_2).take(black_box(DENSE_1)) {
        for (sum, weight) in second.iter_mut().zip(weights) {
            *sum += unit * weight;
        }
    }
    let clipped = second.map(|sum| (sum >> QB_SHIFT).clamp(0, QA.into()));
    clipped.iter().zip(&layers.weights_3).map(|(unit, weight)| unit * weight).sum()
}

/// The clipped ReLU of a sum in units of 1/([`QA`] · [`QB`]), from 0 to [`QA`].
#[inline]
fn clipped(sum: i64) -> i64 {
    (sum >> QB_SHIFT).clamp(0, QA.into())
}
