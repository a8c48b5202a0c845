//! Units of the dense layers that say the same of every position, or nothing, are made to learn again.
//!
//! A clipped rectifier has no gradient where it is closed, so that a unit which is closed everywhere stays so for good. The
//! sums of the first dense layer are over hidden units that are never negative: a few steps in one direction carry such
//! a sum out of the range of its activation for all positions at once, the more surely the more pieces there are. A unit whose
//! weight to the output is near zero passes next to no gradient back, either. What these units add is folded into what follows
//! them, and their weights are drawn anew, such that over some positions their sums lie around the middle of the range: the
//! network's values stay as they are. Those of the second layer come in pairs with equal weights before them and opposite ones
//! behind: together they say nothing. Both learn at once, and so, as soon as they differ, does what leads to the first layer.
//!
//! Sources: Lu Lu, Yeonjong Shin, Yanhui Su, George Em Karniadakis, "Dying ReLU and Initialization", 2020; Dmytro Mishkin, Jiri
//! Matas, "All You Need Is a Good Init", 2016, for the weights that are fitted to positions.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::arch::{DENSE_1, DENSE_2, DENSE_BOUND, DENSE_BUCKETS, OUTPUT_BOUND, OUTPUT_UNITS};
use crate::backprop::Backprop;
use crate::dense::DenseNet;
use crate::float_net::{FloatNet, normal};
use crate::loss::Loss;
use crate::record::PositionRecord;
use crate::rows::{LANES, SliceRow};

/// The positions of an output bucket without which its units are left as they are.
const FEWEST: usize = 256;
/// An activation whose values lie within this is one number.
const CONSTANT: f32 = 0.01;
/// A unit of the second layer that adds less than this to the output is nothing, in logits.
const NOTHING: f32 = 0.005;
/// The weight behind a new unit of the second layer, or its negative.
const BEHIND: f32 = 0.25;
/// The seed of all draws: units that two trainings from one network draw are the same, so that their weights can be averaged.
const SEED: u64 = 0x6465_6164;
/// The mean of a new unit's sums.
const MEAN: f32 = 0.5;
/// Their deviation.
const DEVIATION: f32 = 0.25;

/// Mean, deviation and range of some numbers.
struct Spread {
    mean: f32,
    deviation: f32,
    range: f32,
}

impl Spread {
    fn of(numbers: impl Iterator<Item = f32> + Clone) -> Spread {
        let count = numbers.clone().count().max(1) as f64;
        let mean = numbers.clone().map(f64::from).sum::<f64>() / count;
        let square = numbers.clone().map(|x| (f64::from(x) - mean).powi(2)).sum::<f64>() / count;
        let (low, high) = numbers.fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)));
        Spread { mean: mean as f32, deviation: square.sqrt() as f32, range: high - low }
    }

    /// The factor and the addend with which the numbers get [`DEVIATION`] and [`MEAN`], if they differ at all.
    fn fit(&self) -> Option<(f32, f32)> {
        let factor = DEVIATION / self.deviation;
        (self.deviation > 1e-6).then_some((factor, MEAN - self.mean * factor))
    }
}

/// The units of a bucket's two dense layers that are drawn anew.
struct Dead {
    first: [bool; DENSE_1],
    second: [bool; DENSE_2],
}

impl Dead {
    fn count(&self) -> usize {
        self.first.iter().chain(&self.second).filter(|&&dead| dead).count()
    }
}

/// What the units of a bucket say of its positions, each clipped to its range.
struct Activations {
    first: Vec<[f32; DENSE_1]>,
    second: Vec<[f32; DENSE_2]>,
}

impl Activations {
    fn of(net: &DenseNet, sums: &[[f32; OUTPUT_UNITS]]) -> Activations {
        let (first, second) = sums.iter().map(|sums| net.forward(sums).activations()).unzip();
        Activations { first, second }
    }

    fn first(&self, unit: usize) -> Spread {
        Spread::of(self.first.iter().map(|units| units[unit]))
    }

    fn second(&self, unit: usize) -> Spread {
        Spread::of(self.second.iter().map(|units| units[unit]))
    }
}

/// The dense units of all output buckets that are the same at each of these positions, or add nothing to the output, get new
/// weights, with next to no change of the network's values at them. Returns how many there were in each bucket; those of a bucket with few positions are left alone.
pub fn revive(
    net: &mut FloatNet,
    pass: &mut Backprop,
    loss: &Loss,
    records: &[PositionRecord],
) -> [usize; DENSE_BUCKETS] {
    let by_bucket = |sums: Vec<[f32; OUTPUT_UNITS]>, bucket: usize| -> Vec<[f32; OUTPUT_UNITS]> {
        let both = records.iter().zip(sums);
        both.filter(|(record, _)| record.bucket() == bucket).map(|(_, sums)| sums).collect()
    };
    let sums = pass.sums(net, loss, records);
    let dead: [Option<Dead>; DENSE_BUCKETS] = std::array::from_fn(|bucket| {
        let sums = by_bucket(sums.clone(), bucket);
        let mut random = ChaCha8Rng::seed_from_u64(SEED + bucket as u64);
        (sums.len() >= FEWEST).then(|| redraw(net, bucket, &sums, &mut random))
    });
    let sums = pass.sums(net, loss, records);
    for (bucket, dead) in dead.iter().enumerate() {
        if let Some(dead) = dead {
            fit(net, bucket, &by_bucket(sums.clone(), bucket), dead);
        }
    }
    dead.map(|dead| dead.map_or(0, |dead| dead.count()))
}

/// Folds what the constant units of a bucket add into what follows them, and draws their weights.
fn redraw(net: &mut FloatNet, bucket: usize, sums: &[[f32; OUTPUT_UNITS]], random: &mut ChaCha8Rng) -> Dead {
    let dense = &mut net.dense[bucket];
    let activations = Activations::of(dense, sums);
    let dead = Dead {
        first: std::array::from_fn(|unit| activations.first(unit).range < CONSTANT),
        second: std::array::from_fn(|unit| {
            let range = activations.second(unit).range;
            range < CONSTANT || range * dense.weights_3[unit].abs() < NOTHING
        }),
    };
    for unit in (0..DENSE_2).filter(|&unit| dead.second[unit]) {
        dense.bias += dense.weights_3[unit] * activations.second(unit).mean;
        (dense.weights_3[unit], dense.bias_2[unit]) = (0.0, 0.0);
    }
    for unit in (0..DENSE_1).filter(|&unit| dead.first[unit]) {
        let mean = activations.first(unit).mean;
        for (bias, weight) in dense.bias_2.iter_mut().zip(&mut dense.weights_2[unit]) {
            *bias += mean * std::mem::take(weight);
        }
        dense.bias_1[unit] = 0.0;
    }
    let second: Vec<usize> = (0..DENSE_2).filter(|&unit| dead.second[unit]).collect();
    for pair in second.chunks(2) {
        for weights in &mut dense.weights_2 {
            let weight = normal(random);
            pair.iter().for_each(|&unit| weights[unit] = weight);
        }
        // One that is left over begins at nothing.
        if let &[one, other] = pair {
            (dense.weights_3[one], dense.weights_3[other]) = (BEHIND, -BEHIND);
        }
    }
    for unit in (0..DENSE_1).filter(|&unit| dead.first[unit]) {
        draw_rows(net, bucket, unit, random);
    }
    dead
}

/// Draws the weights from the hidden units to a unit of the first dense layer, with a mean of zero: what all hidden units have
/// in common says little.
fn draw_rows(net: &mut FloatNet, bucket: usize, unit: usize, random: &mut ChaCha8Rng) {
    let count = 2 * LANES * net.slices.len();
    let mut numbers: Vec<f32> = (0..count).map(|_| normal(random)).collect();
    let mean = numbers.iter().sum::<f32>() / count as f32;
    numbers.iter_mut().for_each(|number| *number = (*number - mean) / (count as f32).sqrt());
    let (rows, _) = numbers.as_chunks::<LANES>();
    let first = net.layout.output(bucket) + 2 * (1 + unit);
    for (slice, rows) in net.slices.iter_mut().zip(rows.chunks_exact(2)) {
        for (row, numbers) in slice[first..first + 2].iter_mut().zip(rows) {
            *row = SliceRow::new(*numbers);
        }
    }
}

/// Gives the sums of new units the mean and the deviation that they begin with.
fn fit(net: &mut FloatNet, bucket: usize, sums: &[[f32; OUTPUT_UNITS]], dead: &Dead) {
    let mut sums = sums.to_vec();
    for unit in (0..DENSE_1).filter(|&unit| dead.first[unit]) {
        let Some((factor, bias)) = Spread::of(sums.iter().map(|sums| sums[1 + unit])).fit() else { continue };
        let first = net.layout.output(bucket) + 2 * (1 + unit);
        for row in net.slices.iter_mut().flat_map(|slice| &mut slice[first..first + 2]) {
            for number in row.numbers_mut() {
                *number = (*number * factor).clamp(-OUTPUT_BOUND, OUTPUT_BOUND);
            }
        }
        sums.iter_mut().for_each(|sums| sums[1 + unit] *= factor);
        net.dense[bucket].bias_1[unit] = bias.clamp(-DENSE_BOUND, DENSE_BOUND);
    }
    let dense = &mut net.dense[bucket];
    let first = Activations::of(dense, &sums).first;
    for unit in (0..DENSE_2).filter(|&unit| dead.second[unit]) {
        let weights = dense.weights_2.map(|weights| weights[unit]);
        let sum =
            |units: &[f32; DENSE_1]| units.iter().zip(weights).map(|(unit, weight)| unit * weight).sum();
        let Some((factor, bias)) = Spread::of(first.iter().map(sum)).fit() else { continue };
        for weights in &mut dense.weights_2 {
            weights[unit] = (weights[unit] * factor).clamp(-DENSE_BOUND, DENSE_BOUND);
        }
        dense.bias_2[unit] = bias.clamp(-DENSE_BOUND, DENSE_BOUND);
    }
}
