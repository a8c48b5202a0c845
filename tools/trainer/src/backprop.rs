//! Forward and backward through the network, for the share of a batch that one thread has.
//!
//! A share is worked through in groups of positions, and a group slice by slice, so that the rows of a slice stay near the
//! processor while the whole group asks for them. All rows pass by once a group: with several threat states they take
//! megabytes, and the larger the group, the less that costs. On the way back, the lists of inputs are transposed once a
//! group: for each input the positions that set it. The gradient of an input's row is then a sum of rows read, without
//! a write for every term.

use wide::f32x16;

use crate::arch::{Architecture, OUTPUT_BUCKETS};
use crate::float_net::{FloatNet, SliceLayout};
use crate::loss::Loss;
use crate::record::{MAX_PIECES, PositionRecord};
use crate::rows::{SliceRow, VECTORS};

/// Positions of a group. With four king buckets and 512 hidden units, 2,048 of them are trained on 1.45 to 1.5 times as
/// fast as 256, and 1,024 of them 1.35 times (runs in turns, two cores with 512 KB of second-level cache each).
pub const GROUP: usize = 2048;
/// The number of positions that the transposed lists hold together for one input.
const BUNDLE: usize = 4;
/// The index of a sum that is zero, with which incomplete bundles are filled up.
const NO_SUM: u16 = 2 * GROUP as u16;

/// A position of the group.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Its place before the group was sorted.
    origin: usize,
    /// Inputs set on each side.
    count: usize,
    /// The output that counts.
    bucket: usize,
    target: f32,
    /// The derivative of the loss by the output.
    slope: f32,
    /// The inputs of the side to move and of the opponent.
    features: [[u16; MAX_PIECES]; 2],
}

const NO_SAMPLE: Sample =
    Sample { origin: 0, count: 0, bucket: 0, target: 0.0, slope: 0.0, features: [[0; MAX_PIECES]; 2] };

/// Sums whose gradients belong to the row of one input.
#[derive(Clone, Copy, Debug)]
struct Bundle {
    feature: u16,
    sums: [u16; BUNDLE],
}

/// The working memory of one thread.
#[derive(Debug)]
pub struct Backprop {
    layout: SliceLayout,
    group: usize,
    states: usize,
    /// The sum of the gradients of all positions since the last step.
    pub gradient: FloatNet,
    samples: Vec<Sample>,
    /// The hidden sums: by slice, then position, then side.
    sums: Vec<SliceRow>,
    /// The gradients of the hidden sums of one slice, and a row of zeros.
    deltas: Vec<SliceRow>,
    /// The terms of the output, not yet added up.
    terms: Vec<SliceRow>,
    bundles: Vec<Bundle>,
    /// How often an input is set in the group, then where its next place is.
    places: Vec<u32>,
}

impl Backprop {
    /// Working memory for networks of a shape.
    pub fn new(shape: &Architecture) -> Backprop {
        Backprop::with_groups(shape, GROUP)
    }

    /// Working memory for groups of `group` positions, at most [`GROUP`]. Floating-point sums depend on the size.
    pub fn with_groups(shape: &Architecture, group: usize) -> Backprop {
        let layout = SliceLayout::new(shape);
        Backprop {
            layout,
            group: group.clamp(1, GROUP),
            states: shape.states,
            gradient: FloatNet::zeros(layout),
            samples: vec![NO_SAMPLE; GROUP],
            sums: vec![SliceRow::ZERO; layout.slices * 2 * GROUP],
            deltas: vec![SliceRow::ZERO; 2 * GROUP + 1],
            terms: vec![SliceRow::ZERO; GROUP],
            bundles: Vec::new(),
            places: vec![0; layout.inputs],
        }
    }

    /// Adds the gradients of these positions to [`Backprop::gradient`] and returns the sum of their losses.
    pub fn train(&mut self, net: &FloatNet, loss: &Loss, records: &[PositionRecord]) -> f64 {
        let mut total = 0.0;
        for group in records.chunks(self.group) {
            self.load_group(loss, group);
            self.forward(net, group.len());
            for index in 0..group.len() {
                let output = self.output(net, index);
                let sample = &mut self.samples[index];
                let (lost, slope) = loss.at(output, sample.target);
                sample.slope = slope;
                self.gradient.output_bias[sample.bucket] += slope;
                total += f64::from(lost);
            }
            self.transpose(group.len());
            self.backward(net, group.len());
        }
        total
    }

    /// The sum of the losses of these positions.
    pub fn evaluate(&mut self, net: &FloatNet, loss: &Loss, records: &[PositionRecord]) -> f64 {
        let mut total = 0.0;
        for group in records.chunks(self.group) {
            self.load_group(loss, group);
            self.forward(net, group.len());
            for index in 0..group.len() {
                total += f64::from(loss.at(self.output(net, index), self.samples[index].target).0);
            }
        }
        total
    }

    /// The network's output for a position, in units of [`SCALE`](crate::arch::SCALE) centipawns for the side to move.
    pub fn outputs(&mut self, net: &FloatNet, loss: &Loss, records: &[PositionRecord]) -> Vec<f32> {
        let mut outputs = vec![0.0; records.len()];
        for (group, outputs) in records.chunks(self.group).zip(outputs.chunks_mut(self.group)) {
            self.load_group(loss, group);
            self.forward(net, group.len());
            for index in 0..group.len() {
                outputs[self.samples[index].origin] = self.output(net, index);
            }
        }
        outputs
    }

    /// Loads a group, sorted by the number of pieces: loops then have the same length several times in a row.
    fn load_group(&mut self, loss: &Loss, records: &[PositionRecord]) {
        let mut starts = [0usize; MAX_PIECES + 2];
        for record in records {
            starts[record.count() + 1] += 1;
        }
        for count in 0..=MAX_PIECES {
            starts[count + 1] += starts[count];
        }
        for (origin, record) in records.iter().enumerate() {
            let place = &mut starts[record.count()];
            let sample = &mut self.samples[*place];
            *place += 1;
            sample.origin = origin;
            sample.count = record.count();
            sample.bucket = record.bucket();
            sample.target = loss.target(record);
            record.features(self.states, |index, own, other| {
                sample.features[0][index] = own as u16;
                sample.features[1][index] = other as u16;
            });
        }
    }

    fn forward(&mut self, net: &FloatNet, count: usize) {
        let (zero, one) = (f32x16::splat(0.0), f32x16::splat(1.0));
        self.terms[..count].fill(SliceRow::ZERO);
        for (slice, sums) in net.slices.iter().zip(self.sums.chunks_mut(2 * GROUP)) {
            let bias = slice[self.layout.bias()];
            let weights = &slice[..self.layout.inputs];
            let (pairs, _) = sums.as_chunks_mut::<2>();
            for ((sample, pair), terms) in self.samples[..count].iter().zip(pairs).zip(&mut self.terms) {
                let first = self.layout.output(sample.bucket);
                let output = &slice[first..first + 2];
                for side in 0..2 {
                    let mut sum = bias;
                    for &feature in &sample.features[side][..sample.count] {
                        sum.add(&weights[usize::from(feature)]);
                    }
                    for lane in 0..VECTORS {
                        let active = sum.0[lane].fast_max(zero).fast_min(one);
                        terms.0[lane] = (active * active).mul_add(output[side].0[lane], terms.0[lane]);
                    }
                    pair[side] = sum;
                }
            }
        }
    }

    fn output(&self, net: &FloatNet, index: usize) -> f32 {
        self.terms[index].sum() + net.output_bias[self.samples[index].bucket]
    }

    /// Transposes the lists of inputs: for each input the sums it is part of, in bundles.
    fn transpose(&mut self, count: usize) {
        let places = &mut self.places;
        places.fill(0);
        let samples = &self.samples[..count];
        let sides =
            || samples.iter().flat_map(|sample| sample.features.iter().map(|side| &side[..sample.count]));
        for side in sides() {
            for &feature in side {
                places[usize::from(feature)] += 1;
            }
        }
        self.bundles.clear();
        for (feature, place) in places.iter_mut().enumerate() {
            let entries = *place as usize;
            *place = (BUNDLE * self.bundles.len()) as u32;
            let bundle = Bundle { feature: feature as u16, sums: [NO_SUM; BUNDLE] };
            self.bundles.resize(self.bundles.len() + entries.div_ceil(BUNDLE), bundle);
        }
        for (sum, side) in sides().enumerate() {
            for &feature in side {
                let place = &mut places[usize::from(feature)];
                self.bundles[*place as usize / BUNDLE].sums[*place as usize % BUNDLE] = sum as u16;
                *place += 1;
            }
        }
    }

    fn backward(&mut self, net: &FloatNet, count: usize) {
        let layout = self.layout;
        let (zero, one) = (f32x16::splat(0.0), f32x16::splat(1.0));
        for index in (0..layout.slices).rev() {
            let slice = &net.slices[index];
            let gradient = &mut self.gradient.slices[index];
            let sums = &self.sums[2 * GROUP * index..2 * GROUP * (index + 1)];
            let mut bias = gradient[layout.bias()];
            // Sorted by pieces, positions of one output bucket stand together.
            let mut from = 0;
            for bucket in 0..OUTPUT_BUCKETS {
                let length =
                    self.samples[from..count].iter().take_while(|sample| sample.bucket == bucket).count();
                let first = layout.output(bucket);
                for side in 0..2 {
                    let output = slice[first + side];
                    let mut change = SliceRow::ZERO;
                    for place in from..from + length {
                        let slope = f32x16::splat(self.samples[place].slope);
                        let sum = &sums[2 * place + side];
                        let delta = &mut self.deltas[2 * place + side];
                        for lane in 0..VECTORS {
                            let x = sum.0[lane];
                            let active = x.fast_max(zero).fast_min(one);
                            let pull = slope * active;
                            change.0[lane] = pull.mul_add(active, change.0[lane]);
                            let open = pull & x.simd_lt(one);
                            delta.0[lane] = open * (output.0[lane] + output.0[lane]);
                            bias.0[lane] += delta.0[lane];
                        }
                    }
                    gradient[first + side].add(&change);
                }
                from += length;
            }
            gradient[layout.bias()] = bias;
            self.scatter(index);
        }
    }

    fn scatter(&mut self, index: usize) {
        let gradient = &mut self.gradient.slices[index][..self.layout.inputs];
        let deltas: &[SliceRow; 2 * GROUP + 1] = self.deltas[..].try_into().expect("as long as it was made");
        for bundle in &self.bundles {
            let mut sum = SliceRow::ZERO;
            for &place in &bundle.sums {
                sum.add(&deltas[usize::from(place)]);
            }
            gradient[usize::from(bundle.feature)].add(&sum);
        }
    }
}
