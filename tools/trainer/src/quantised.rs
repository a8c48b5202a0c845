//! The network in whole numbers, as the engine computes it.

use bytemuck::Zeroable;
use caesura::nnue::arch::{MAX_DENSE_WEIGHT, MAX_OUTPUT_WEIGHT, QB_SHIFT};
use caesura::nnue::format::DenseLayers;
use rayon::prelude::*;

use crate::arch::{
    Architecture, ArchitectureError, FEATURE_BOUND, OUTPUT_BOUND, OUTPUT_BUCKETS, OUTPUT_UNITS, QA, QB, SCALE,
};
use crate::dense::DenseNet;
use crate::float_net::{FloatNet, SliceLayout};
use crate::loss::Loss;
use crate::record::PositionRecord;
use crate::rows::{LANES, SliceRow};
use crate::weight_scale::{MAX_QUANTISED, WeightStatistics};

/// A network in integers, as the engine computes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantisedNet {
    /// Its shape.
    pub shape: Architecture,
    /// A row for each input, in units of 1/[`QA`]. Those of a unit are multiples of one scale; see [`scales`](Self::scales).
    pub features: Vec<i16>,
    /// The features' biases.
    pub bias: Vec<i16>,
    /// For each output bucket and each of its units (the direct output first) a row, own half first.
    pub output: Vec<i16>,
    /// The dense layers of each output bucket, with the bias of its output.
    pub dense: [DenseLayers; OUTPUT_BUCKETS],
}

/// The nearest whole number. Halves go to the even one of their neighbours: away from zero, the mean of two networks of equal
/// steps would have every weight that differs by an odd number of them moved outward.
pub(crate) fn nearest(number: f32) -> i32 {
    number.round_ties_even() as i32
}

/// The quantisation scale of each unit of a slice.
fn scales(rows: &[SliceRow]) -> [i32; LANES] {
    std::array::from_fn(|lane| {
        let mut column = WeightStatistics::default();
        for row in rows {
            column.add((row.numbers()[lane].abs() * QA as f32).round() as u16);
        }
        i32::from(column.scale_to_round_to())
    })
}

/// Dense layers in whole numbers.
fn quantised_layers(net: &DenseNet) -> DenseLayers {
    let weight = |weight: f32| nearest(weight * QB as f32);
    let bias = |bias: f32| nearest(bias * (QA * QB) as f32);
    DenseLayers {
        bias: bias(net.bias),
        bias_1: net.bias_1.map(bias),
        weights_2: net.weights_2.map(|row| row.map(weight)),
        bias_2: net.bias_2.map(bias),
        weights_3: net.weights_3.map(weight),
    }
}

/// Dense layers in floating point.
fn float_layers(layers: &DenseLayers) -> DenseNet {
    let weight = |weight: i32| weight as f32 / QB as f32;
    let bias = |bias: i32| bias as f32 / (QA * QB) as f32;
    DenseNet {
        bias: bias(layers.bias),
        bias_1: layers.bias_1.map(bias),
        weights_2: layers.weights_2.map(|row| row.map(weight)),
        bias_2: layers.bias_2.map(bias),
        weights_3: layers.weights_3.map(weight),
    }
}

/// The activation of a unit of a dense layer.
fn dense_unit(sum: i64) -> i64 {
    (sum >> QB_SHIFT).clamp(0, i64::from(QA))
}

/// What the dense layers add to the output, from the sums of the first one over the hidden units.
fn behind_first_layer(sums: &[i64], layers: &DenseLayers) -> i64 {
    let mut second = layers.bias_2.map(i64::from);
    for ((sum, bias), weights) in sums.iter().zip(layers.bias_1).zip(&layers.weights_2) {
        let unit = dense_unit(sum + i64::from(bias));
        for (second, &weight) in second.iter_mut().zip(weights) {
            *second += unit * i64::from(weight);
        }
    }
    second.iter().zip(layers.weights_3).map(|(&sum, weight)| dense_unit(sum) * i64::from(weight)).sum()
}

/// The shares of weights that lie at their bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Saturation {
    /// The share of the feature weights that lie at their bound.
    pub features: f64,
    /// The share of the weights from hidden units to output units that lie at their bound.
    pub output: f64,
}

impl Saturation {
    /// Counts the weights of a network that lie at their bound.
    pub fn of(net: &FloatNet) -> Saturation {
        let layout = net.layout;
        let share = |rows: std::ops::Range<usize>, bound: f32| {
            let numbers =
                net.slices.iter().flat_map(|slice| &slice[rows.clone()]).flat_map(|row| row.numbers());
            let at_bound = numbers.filter(|number| number.abs() >= bound).count();
            at_bound as f64 / (rows.len() * net.slices.len() * LANES) as f64
        };
        Saturation {
            features: share(0..layout.inputs, FEATURE_BOUND),
            output: share(layout.output(0)..layout.factoriser(), OUTPUT_BOUND),
        }
    }
}

impl QuantisedNet {
    /// Rounds a network. The engine keeps feature weights in 8 bits: those of a unit are rounded to multiples of its
    /// quantisation scale, as great as the greatest of them asks for.
    pub fn new(shape: &Architecture, net: &FloatNet) -> QuantisedNet {
        let layout = net.layout;
        const MAX: i32 = MAX_QUANTISED as i32;
        let scales: Vec<i32> = net.slices.iter().flat_map(|slice| scales(&slice[..layout.inputs])).collect();
        let feature = |input: usize| {
            let numbers = net.slices.iter().flat_map(move |slice| slice[input].numbers());
            numbers.zip(&scales).map(|(number, &scale)| {
                let count = nearest(number * QA as f32 / scale as f32);
                (count.clamp(-MAX, MAX) * scale) as i16
            })
        };
        let row = |row: usize, scale: i32| {
            let numbers = net.slices.iter().flat_map(move |slice| slice[row].numbers());
            numbers.map(move |number| nearest(number * scale as f32) as i16)
        };
        QuantisedNet {
            shape: shape.clone(),
            features: (0..layout.inputs).flat_map(feature).collect(),
            bias: row(layout.bias(), QA).collect(),
            output: (layout.output(0)..layout.factoriser()).flat_map(|output| row(output, QB)).collect(),
            dense: net.dense.each_ref().map(quantised_layers),
        }
    }

    /// The quantisation scales of the hidden units: for each the greatest of which its feature weights are multiples. A network
    /// of a former version of the format may have weights for which there is none; its file then has them rounded.
    pub fn scales(&self) -> Vec<u16> {
        let mut columns = vec![WeightStatistics::default(); self.shape.hidden];
        for row in self.features.chunks_exact(self.shape.hidden) {
            for (column, weight) in columns.iter_mut().zip(row) {
                column.add(weight.unsigned_abs());
            }
        }
        columns.iter().map(WeightStatistics::scale_to_round_to).collect()
    }

    /// The network in floating point. With several threat states, what they share is the mean of their rows.
    pub fn to_net(&self) -> FloatNet {
        let layout = SliceLayout::new(&self.shape);
        let hidden = self.shape.hidden;
        let mut net = FloatNet::zeros(layout);
        let row = |numbers: &[i16], slice: usize, scale: i32| {
            SliceRow::new(std::array::from_fn(|lane| f32::from(numbers[slice * LANES + lane]) / scale as f32))
        };
        for (index, slice) in net.slices.iter_mut().enumerate() {
            for (input, numbers) in self.features.chunks_exact(hidden).enumerate() {
                slice[input] = row(numbers, index, QA);
            }
            slice[layout.bias()] = row(&self.bias, index, QA);
            for (place, numbers) in self.output.chunks_exact(hidden).enumerate() {
                slice[layout.output(0) + place] = row(numbers, index, QB);
            }
            for shared in 0..layout.shared {
                let mut sum = SliceRow::ZERO;
                (shared..layout.inputs).step_by(layout.shared).for_each(|input| sum.add(&slice[input]));
                let share = layout.shared as f32 / layout.inputs as f32;
                slice[layout.factoriser() + shared] =
                    SliceRow::new(sum.numbers().map(|number| number * share));
            }
        }
        net.dense = self.dense.each_ref().map(float_layers);
        net
    }

    /// Whether nothing lies beside the direct output: all weights to and in the dense layers are zero.
    fn lacks_dense_layers(&self) -> bool {
        let direct = |dense: &DenseLayers| DenseLayers { bias: dense.bias, ..DenseLayers::zeroed() };
        let mut rows = self.output.chunks_exact(2 * self.shape.hidden).enumerate();
        rows.all(|(unit, rows)| unit % OUTPUT_UNITS == 0 || rows.iter().all(|&weight| weight == 0))
            && self.dense.iter().all(|dense| *dense == direct(dense))
    }

    /// The network in floating point and in another shape, with equal outputs: it may be wider, by random
    /// units whose weights to the output units are zero, and may have several threat states instead of one, whose weights
    /// are then equal. A network whose dense layers are all zero gets [random ones](DenseNet::random) that add nothing.
    ///
    /// # Errors
    /// If the shape is narrower, or has one threat state where the network has several.
    pub fn grown(&self, shape: &Architecture, seed: u64) -> Result<FloatNet, ArchitectureError> {
        let net = self.to_net();
        if shape.hidden < self.shape.hidden {
            return Err(ArchitectureError::Narrower { from: self.shape.hidden, to: shape.hidden });
        }
        if shape.states < self.shape.states {
            return Err(ArchitectureError::FewerThreatStates);
        }
        let (layout, before) = (SliceLayout::new(shape), net.layout);
        let mut grown = FloatNet::random(layout, seed);
        let random_layers = self.lacks_dense_layers();
        let outputs = layout.output(0)..layout.factoriser();
        let known_outputs = || outputs.clone().filter(|&row| !(random_layers && layout.is_dense(row)));
        for slice in &mut grown.slices {
            known_outputs().for_each(|row| slice[row] = SliceRow::ZERO);
        }
        for (slice, known) in grown.slices.iter_mut().zip(&net.slices) {
            for bucket in slice[..layout.inputs].chunks_exact_mut(before.inputs) {
                bucket.copy_from_slice(&known[..before.inputs]);
            }
            slice[layout.bias()] = known[before.bias()];
            known_outputs().for_each(|row| slice[row] = known[row - layout.output(0) + before.output(0)]);
            let shared =
                if before.shared > 0 { &known[before.factoriser()..] } else { &known[..layout.shared] };
            slice[layout.factoriser()..].copy_from_slice(shared);
        }
        for (grown, known) in grown.dense.iter_mut().zip(net.dense) {
            *grown = if random_layers { DenseNet { bias: known.bias, ..*grown } } else { known };
        }
        Ok(grown)
    }

    /// The value of a position for the side to move, in centipawns, as the engine computes it.
    pub fn value(&self, record: &PositionRecord) -> i32 {
        let hidden = self.shape.hidden;
        let mut sums = [self.bias.clone(), self.bias.clone()];
        record.features(self.shape.states, |_, own, other| {
            for (sums, feature) in sums.iter_mut().zip([own, other]) {
                for (sum, weight) in sums.iter_mut().zip(&self.features[feature * hidden..]) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
        });
        let active = |&sum: &i16| {
            let clamped = i64::from(sum).clamp(0, i64::from(QA));
            clamped * clamped / i64::from(QA)
        };
        let activations: Vec<i64> = sums.iter().flatten().map(active).collect();
        let bucket = record.bucket();
        let mut units = [0; OUTPUT_UNITS];
        let rows = self.output.chunks_exact(2 * hidden).skip(OUTPUT_UNITS * bucket);
        for (unit, weights) in units.iter_mut().zip(rows) {
            *unit = activations.iter().zip(weights).map(|(active, &weight)| active * i64::from(weight)).sum();
        }
        let layers = &self.dense[bucket];
        let total = units[0] + i64::from(layers.bias) + behind_first_layer(&units[1..], layers);
        (total * i64::from(SCALE) / i64::from(QA * QB)) as i32
    }

    /// The network whose values are `factor` times as great, but for rounding: where one that has learnt from other scores
    /// says more or less than the last, the margins of the search keep their meaning. `None` if the engine would refuse a
    /// weight, or it would not fit.
    pub fn scaled(&self, factor: f64) -> Option<QuantisedNet> {
        let times = |number: i32, bound: i32| {
            let number = (f64::from(number) * factor).round_ties_even();
            (number.abs() <= f64::from(bound)).then_some(number as i32)
        };
        let mut scaled = self.clone();
        for rows in scaled.output.chunks_exact_mut(2 * self.shape.hidden).step_by(OUTPUT_UNITS) {
            for weight in rows {
                *weight = times((*weight).into(), MAX_OUTPUT_WEIGHT.into())? as i16;
            }
        }
        for dense in &mut scaled.dense {
            dense.bias = times(dense.bias, i32::MAX)?;
            for weight in &mut dense.weights_3 {
                *weight = times(*weight, MAX_DENSE_WEIGHT)?;
            }
        }
        Some(scaled)
    }

    /// The network whose weights are the mean of those of others, rounded anew: trainings that begin with the same network
    /// and end at different places each learn something by heart that the others do not, and their mean less of it
    /// (Wortsman et al. 2022, "Model soups"). `None` if there are none, or if their shapes differ.
    pub fn average(nets: &[QuantisedNet]) -> Option<QuantisedNet> {
        let shape = &nets.first()?.shape;
        if nets.iter().any(|net| net.shape != *shape) {
            return None;
        }
        let share = 1.0 / nets.len() as f32;
        let mut mean = FloatNet::zeros(SliceLayout::new(shape));
        for net in nets.iter().map(QuantisedNet::to_net) {
            for (row, other) in mean.slices.iter_mut().flatten().zip(net.slices.iter().flatten()) {
                row.add(&SliceRow::new(other.numbers().map(|number| number * share)));
            }
            for (dense, other) in mean.dense.iter_mut().zip(&net.dense) {
                for (number, other) in dense.numbers_mut().iter_mut().zip(other.numbers()) {
                    *number += other * share;
                }
            }
        }
        Some(QuantisedNet::new(shape, &mean))
    }

    /// The mean loss on these positions, on the threads of the pool it is called in; none if there are none.
    pub fn loss(&self, loss: &Loss, records: &[PositionRecord]) -> Option<f64> {
        let of = |record: &PositionRecord| {
            let output = self.value(record) as f32 / SCALE as f32;
            f64::from(loss.at(output, loss.target(record)).0)
        };
        let shares: Vec<f64> = records.par_chunks(4096).map(|share| share.iter().map(of).sum()).collect();
        (!records.is_empty()).then(|| shares.iter().sum::<f64>() / records.len() as f64)
    }
}
