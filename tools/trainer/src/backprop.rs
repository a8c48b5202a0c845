//! Forward and backward through the network, for the share of a batch that one thread has.
//!
//! A share is worked through in groups of positions, and a group slice by slice, so that the rows of a slice stay near the
//! processor while the whole group asks for them. All rows pass by once a group: with several threat states they take
//! megabytes, and the larger the group, the less that costs. On the way back, the lists of inputs are transposed once a
//! group: for each input the positions that set it. The gradient of an input's row is then a sum of rows read, without
//! a write for every term.

use wide::f32x16;

use crate::arch::{Architecture, OUTPUT_BUCKETS, OUTPUT_UNITS};
use crate::comparisons::{Comparison, LEAVES};
use crate::dense::DenseOutput;
use crate::float_net::{FloatNet, SliceLayout};
use crate::loss::{ComparisonLoss, Loss};
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
    /// The derivatives of the loss by the sums of the output units.
    slopes: [f32; OUTPUT_UNITS],
    /// The inputs of the side to move and of the opponent.
    features: [[u16; MAX_PIECES]; 2],
}

const NO_SAMPLE: Sample = Sample {
    origin: 0,
    count: 0,
    bucket: 0,
    target: 0.0,
    slopes: [0.0; OUTPUT_UNITS],
    features: [[0; MAX_PIECES]; 2],
};

/// The sums of the output units of a position, not yet added up.
type Terms = [f32x16; OUTPUT_UNITS];

const NO_TERMS: Terms = [f32x16::new([0.0; 16]); OUTPUT_UNITS];

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
    terms: Vec<Terms>,
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
            terms: vec![NO_TERMS; GROUP],
            bundles: Vec::new(),
            places: vec![0; layout.inputs],
        }
    }

    /// Adds the gradients of these positions to [`Backprop::gradient`] and returns the sum of their losses.
    pub fn train(&mut self, net: &FloatNet, loss: &Loss, records: &[PositionRecord]) -> f64 {
        let mut total = 0.0;
        for group in records.chunks(self.group) {
            self.load_group(|record| loss.target(record), group);
            self.forward(net, group.len());
            for index in 0..group.len() {
                let forward = self.output(net, index);
                let sample = &mut self.samples[index];
                let (lost, slope) = loss.at(forward.output, sample.target);
                let gradient = &mut self.gradient.dense[sample.bucket];
                sample.slopes = net.dense[sample.bucket].backward(&forward, slope, gradient);
                total += f64::from(lost);
            }
            self.transpose(group.len());
            self.backward(net, group.len());
        }
        total
    }

    /// Adds the weighted gradients of these comparisons to [`Backprop::gradient`] and returns the sum of their losses, without
    /// the weight.
    pub fn compare(&mut self, net: &FloatNet, loss: &ComparisonLoss, comparisons: &[Comparison]) -> f64 {
        self.each_comparison(net, loss, comparisons, |pass, slopes| {
            for index in 0..slopes.len() {
                let forward = pass.output(net, index);
                let sample = &mut pass.samples[index];
                let gradient = &mut pass.gradient.dense[sample.bucket];
                let slope = loss.weight * slopes[sample.origin];
                sample.slopes = net.dense[sample.bucket].backward(&forward, slope, gradient);
            }
            pass.transpose(slopes.len());
            pass.backward(net, slopes.len());
        })
    }

    /// The sum of the losses of these comparisons, without the weight.
    pub fn evaluate_comparisons(
        &mut self,
        net: &FloatNet,
        loss: &ComparisonLoss,
        comparisons: &[Comparison],
    ) -> f64 {
        self.each_comparison(net, loss, comparisons, |_, _| {})
    }

    /// Goes forward through comparisons, group by group; `backward` gets the derivatives of their losses by the outputs of the
    /// leaves. Returns the sum of the losses.
    fn each_comparison(
        &mut self,
        net: &FloatNet,
        loss: &ComparisonLoss,
        comparisons: &[Comparison],
        mut backward: impl FnMut(&mut Backprop, &[f32]),
    ) -> f64 {
        let mut total = 0.0;
        for group in comparisons.chunks((self.group / LEAVES).max(1)) {
            let records: Vec<PositionRecord> =
                group.iter().flat_map(|comparison| comparison.leaves).collect();
            self.load_group(|_| 0.0, &records);
            self.forward(net, records.len());
            let mut slopes = vec![0.0; records.len()];
            for index in 0..records.len() {
                slopes[self.samples[index].origin] = self.output(net, index).output;
            }
            for (comparison, values) in group.iter().zip(slopes.as_chunks_mut::<LEAVES>().0) {
                let signs: [f32; LEAVES] = std::array::from_fn(|leaf| comparison.sign(leaf));
                let own: [f32; LEAVES] = std::array::from_fn(|leaf| signs[leaf] * values[leaf]);
                let (lost, by_own) = loss.at(&own);
                total += f64::from(lost);
                *values = std::array::from_fn(|leaf| signs[leaf] * by_own[leaf]);
            }
            backward(self, &slopes);
        }
        total
    }

    /// The sum of the losses of these positions.
    pub fn evaluate(&mut self, net: &FloatNet, loss: &Loss, records: &[PositionRecord]) -> f64 {
        let mut total = 0.0;
        for group in records.chunks(self.group) {
            self.load_group(|record| loss.target(record), group);
            self.forward(net, group.len());
            for index in 0..group.len() {
                total += f64::from(loss.at(self.output(net, index).output, self.samples[index].target).0);
            }
        }
        total
    }

    /// The sums of the output units over the hidden units, for each position.
    pub fn sums(
        &mut self,
        net: &FloatNet,
        loss: &Loss,
        records: &[PositionRecord],
    ) -> Vec<[f32; OUTPUT_UNITS]> {
        let mut sums = vec![[0.0; OUTPUT_UNITS]; records.len()];
        for (group, sums) in records.chunks(self.group).zip(sums.chunks_mut(self.group)) {
            self.load_group(|record| loss.target(record), group);
            self.forward(net, group.len());
            for index in 0..group.len() {
                sums[self.samples[index].origin] = self.terms[index].map(f32x16::reduce_add);
            }
        }
        sums
    }

    /// The network's output for a position, in units of [`SCALE`](crate::arch::SCALE) centipawns for the side to move.
    pub fn outputs(&mut self, net: &FloatNet, loss: &Loss, records: &[PositionRecord]) -> Vec<f32> {
        let mut outputs = vec![0.0; records.len()];
        for (group, outputs) in records.chunks(self.group).zip(outputs.chunks_mut(self.group)) {
            self.load_group(|record| loss.target(record), group);
            self.forward(net, group.len());
            for index in 0..group.len() {
                outputs[self.samples[index].origin] = self.output(net, index).output;
            }
        }
        outputs
    }

    /// Loads a group, sorted by the number of pieces: loops then have the same length several times in a row.
    fn load_group(&mut self, target: impl Fn(&PositionRecord) -> f32, records: &[PositionRecord]) {
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
            sample.target = target(record);
            record.features(self.states, |index, own, other| {
                sample.features[0][index] = own as u16;
                sample.features[1][index] = other as u16;
            });
        }
    }

    fn forward(&mut self, net: &FloatNet, count: usize) {
        self.terms[..count].fill(NO_TERMS);
        for (slice, sums) in net.slices.iter().zip(self.sums.chunks_mut(2 * GROUP)) {
            let bias = slice[self.layout.bias()];
            let weights = &slice[..self.layout.inputs];
            let (pairs, _) = sums.as_chunks_mut::<2>();
            for ((sample, pair), terms) in self.samples[..count].iter().zip(pairs).zip(&mut self.terms) {
                let mut active = [[f32x16::splat(0.0); VECTORS]; 2];
                for side in 0..2 {
                    let mut sum = bias;
                    for &feature in &sample.features[side][..sample.count] {
                        sum.add(&weights[usize::from(feature)]);
                    }
                    active[side] = sum.0.map(|x| clipped(x) * clipped(x));
                    pair[side] = sum;
                }
                for (term, rows) in terms.iter_mut().zip(output_rows(slice, &self.layout, sample.bucket)) {
                    for (active, row) in active.iter().zip(rows) {
                        for (active, weights) in active.iter().zip(row.0) {
                            *term = active.mul_add(weights, *term);
                        }
                    }
                }
            }
        }
    }

    fn output(&self, net: &FloatNet, index: usize) -> DenseOutput {
        net.dense[self.samples[index].bucket].forward(&self.terms[index].map(f32x16::reduce_add))
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
        for index in (0..layout.slices).rev() {
            let slice = &net.slices[index];
            let gradient = &mut self.gradient.slices[index];
            let sums = self.sums[2 * GROUP * index..2 * GROUP * (index + 1)].as_chunks::<2>().0;
            let deltas = self.deltas.as_chunks_mut::<2>().0;
            // Sorted by pieces, positions of one output bucket stand together.
            let mut from = 0;
            for bucket in 0..OUTPUT_BUCKETS {
                let samples = &self.samples[from..count];
                let length = samples.iter().take_while(|sample| sample.bucket == bucket).count();
                let (samples, range) = (&samples[..length], from..from + length);
                let output = output_rows(slice, &layout, bucket);
                for side in 0..2 {
                    for lane in 0..VECTORS {
                        let part = Part { side, lane, weights: output.map(|rows| rows[side].0[lane]) };
                        let (changes, bias) =
                            part.backward(samples, &sums[range.clone()], &mut deltas[range.clone()]);
                        gradient[layout.bias()].0[lane] += bias;
                        for (unit, change) in changes.into_iter().enumerate() {
                            gradient[layout.output(bucket) + 2 * unit + side].0[lane] += change;
                        }
                    }
                }
                from += length;
            }
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

/// The rows of a slice that lead to the output units of a bucket, by unit and side.
fn output_rows<'a>(
    slice: &'a [SliceRow],
    layout: &SliceLayout,
    bucket: usize,
) -> &'a [[SliceRow; 2]; OUTPUT_UNITS] {
    let rows = &slice[layout.output(bucket)..layout.output(bucket + 1)];
    rows.as_chunks().0.try_into().expect("as many as the layout has")
}

/// The first step of the activation of hidden units, which is then squared.
#[inline(always)]
fn clipped(x: f32x16) -> f32x16 {
    x.fast_max(f32x16::splat(0.0)).fast_min(f32x16::splat(1.0))
}

/// A vector of a slice on one side, with its weights to the output units of one bucket: what the registers hold on the way
/// back through many positions.
struct Part {
    side: usize,
    lane: usize,
    weights: Terms,
}

impl Part {
    /// Finds the derivatives by the hidden sums, and returns the sums of the gradients of the weights and of the bias.
    #[inline(always)]
    fn backward(
        &self,
        samples: &[Sample],
        sums: &[[SliceRow; 2]],
        deltas: &mut [[SliceRow; 2]],
    ) -> (Terms, f32x16) {
        let (mut changes, mut bias) = (NO_TERMS, f32x16::splat(0.0));
        for ((sample, sums), deltas) in samples.iter().zip(sums).zip(deltas) {
            let x = sums[self.side].0[self.lane];
            let active = clipped(x);
            let square = active * active;
            let mut pull = f32x16::splat(0.0);
            for ((change, weights), slope) in changes.iter_mut().zip(&self.weights).zip(sample.slopes) {
                let slope = f32x16::splat(slope);
                *change = square.mul_add(slope, *change);
                pull = weights.mul_add(slope, pull);
            }
            // Where the sum is below zero, `active` is zero.
            let delta = ((active + active) * pull) & x.simd_lt(f32x16::splat(1.0));
            bias += delta;
            deltas[self.side].0[self.lane] = delta;
        }
        (changes, bias)
    }
}
