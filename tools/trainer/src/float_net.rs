//! The network in floating point, cut into slices of [`LANES`] hidden units.
//!
//! All that belongs to a slice lies together: its rows of every input, its bias, its weights to the output units. One pass
//! over many positions, slice after slice, then works in the cache.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::arch::{
    Architecture, BIAS_BOUND, DENSE_BUCKETS, FEATURE_BOUND, OUTPUT_BOUND, OUTPUT_BUCKETS, OUTPUT_UNITS,
    PIECE_SQUARES,
};
use crate::dense::DenseNet;
use crate::rows::{LANES, SliceRow};

/// The deviation of random weights from hidden units to the first dense layer.
const DENSE_DEVIATION: f32 = 0.1;

/// A number that is nearly normal with deviation 1: the sum of twelve between 0 and 1, less its mean.
pub(crate) fn normal(random: &mut ChaCha8Rng) -> f32 {
    let sum: f32 = (0..12).map(|_| (random.next_u32() >> 8) as f32 / (1 << 24) as f32).sum();
    sum - 6.0
}

/// Where the rows of a slice are.
///
/// First a row for each input, then the bias, for each output bucket and each of its units (the direct output first) two
/// rows (own half first), and, with several threat states, the factoriser: a row for each piece and square that is part of
/// the rows of all states. The rows of the inputs hold the whole weights, the shared part included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceLayout {
    /// Slices of the network.
    pub slices: usize,
    /// Rows of inputs.
    pub inputs: usize,
    /// Rows of the factoriser: 768 or none.
    pub shared: usize,
}

impl SliceLayout {
    /// The layout for an architecture.
    pub fn new(shape: &Architecture) -> SliceLayout {
        let shared = if shape.states > 1 { PIECE_SQUARES } else { 0 };
        SliceLayout { slices: shape.hidden / LANES, inputs: shape.inputs(), shared }
    }

    /// The row of the bias.
    pub const fn bias(&self) -> usize {
        self.inputs
    }

    /// The first of the 2 · [`OUTPUT_UNITS`] rows of an output bucket: the own half of its direct output.
    pub const fn output(&self, bucket: usize) -> usize {
        self.inputs + 1 + 2 * OUTPUT_UNITS * bucket
    }

    /// Whether a row leads from hidden units to the first dense layer of an output bucket.
    pub const fn is_dense(&self, row: usize) -> bool {
        self.is_output(row) && (row - self.output(0)) % (2 * OUTPUT_UNITS) >= 2
    }

    /// Whether a row leads from hidden units to an output unit.
    pub const fn is_output(&self, row: usize) -> bool {
        row >= self.output(0) && row < self.factoriser()
    }

    /// The first row of the factoriser.
    pub const fn factoriser(&self) -> usize {
        self.output(OUTPUT_BUCKETS)
    }

    /// All rows of a slice.
    pub const fn rows(&self) -> usize {
        self.factoriser() + self.shared
    }

    /// How far from zero the numbers of a row may be.
    pub const fn bound(&self, row: usize) -> f32 {
        if row == self.bias() {
            BIAS_BOUND
        } else if self.is_output(row) {
            OUTPUT_BOUND
        } else {
            FEATURE_BOUND
        }
    }
}

/// The numbers of a network, or one number for each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNet {
    /// Where things are.
    pub layout: SliceLayout,
    /// The slices, each [`SliceLayout::rows`] long.
    pub slices: Vec<Vec<SliceRow>>,
    /// The dense layers of each output bucket, with the bias of its output.
    pub dense: [DenseNet; OUTPUT_BUCKETS],
}

impl FloatNet {
    /// All zeros.
    pub fn zeros(layout: SliceLayout) -> FloatNet {
        let slices = vec![vec![SliceRow::ZERO; layout.rows()]; layout.slices];
        FloatNet { layout, slices, dense: [DenseNet::ZERO; OUTPUT_BUCKETS] }
    }

    /// Random weights of such sizes that sums are of the size of one, and biases of zero, with [dense
    /// layers](DenseNet::random) that add nothing to the direct output. The output buckets from [`DENSE_BUCKETS`] on have
    /// zeros there, and no gradient ever changes them.
    pub fn random(layout: SliceLayout, seed: u64) -> FloatNet {
        let mut net = FloatNet::zeros(layout);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = |deviation: f32| normal(&mut random) * deviation;
        let feature = (2.0 / PIECE_SQUARES as f32).sqrt();
        let output = (1.0 / (layout.slices * LANES) as f32).sqrt();
        for slice in &mut net.slices {
            // The factoriser begins as what all states have in common, so that they begin alike.
            for row in 0..PIECE_SQUARES {
                let first = SliceRow::new([0.0; LANES].map(|_| draw(feature)));
                for state in 0..layout.inputs / PIECE_SQUARES {
                    slice[state * PIECE_SQUARES + row] = first;
                }
                if layout.shared > 0 {
                    slice[layout.factoriser() + row] = first;
                }
            }
            for row in (0..layout.rows()).filter(|&row| layout.is_output(row)) {
                let deviation = if layout.is_dense(row) { DENSE_DEVIATION } else { output };
                slice[row] = SliceRow::new([0.0; LANES].map(|_| draw(deviation)));
            }
        }
        for slice in &mut net.slices {
            for bucket in DENSE_BUCKETS..OUTPUT_BUCKETS {
                slice[layout.output(bucket) + 2..layout.output(bucket + 1)].fill(SliceRow::ZERO);
            }
        }
        net.dense[..DENSE_BUCKETS].fill_with(|| DenseNet::random(&mut draw));
        net
    }

    /// The network without its dense layers, of which the bias of the output alone stays.
    pub fn without_dense_layers(mut self) -> FloatNet {
        for slice in &mut self.slices {
            for row in (0..self.layout.rows()).filter(|&row| self.layout.is_dense(row)) {
                slice[row] = SliceRow::ZERO;
            }
        }
        for dense in &mut self.dense {
            *dense = DenseNet { bias: dense.bias, ..DenseNet::ZERO };
        }
        self
    }
}
