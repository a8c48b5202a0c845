//! The dense layers of an output bucket in floating point: what lies behind the sums over the hidden units.
//!
//! The first of an output bucket's [`OUTPUT_UNITS`] sums is the direct output. The others go through two layers of clipped
//! ReLUs (from 0 to 1, with a derivative of zero outside), whose output is added to it.

use bytemuck::{Pod, Zeroable};
use wide::f32x16;

use crate::arch::{DENSE_1, DENSE_2, OUTPUT_UNITS};

/// The numbers of an output bucket's dense layers, or one number for each of them.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct DenseNet {
    /// The bias of the output.
    pub bias: f32,
    /// The biases of the first dense layer.
    pub bias_1: [f32; DENSE_1],
    /// The weights from each unit of the first dense layer to those of the second.
    pub weights_2: [[f32; DENSE_2]; DENSE_1],
    /// The biases of the second dense layer.
    pub bias_2: [f32; DENSE_2],
    /// The weights from the second dense layer to the output.
    pub weights_3: [f32; DENSE_2],
}

/// A number for each unit of the second dense layer.
type SecondVector = [f32x16; DENSE_2 / 16];

/// What [`DenseNet::forward`] computes of a position.
#[derive(Clone, Copy, Debug)]
pub struct DenseOutput {
    /// The network's output.
    pub output: f32,
    /// The units of the first dense layer before their activation.
    first: [f32; DENSE_1],
    /// The units of the second dense layer before their activation.
    second: SecondVector,
}

impl DenseOutput {
    /// The units of both dense layers behind their activation.
    pub fn activations(&self) -> ([f32; DENSE_1], [f32; DENSE_2]) {
        (self.first.map(|x| x.clamp(0.0, 1.0)), bytemuck::cast(clipped(&self.second)))
    }
}

/// Whether the derivative of the clipped ReLU is one there, not zero.
fn is_open(x: f32) -> bool {
    x > 0.0 && x < 1.0
}

fn clipped(x: &SecondVector) -> SecondVector {
    x.map(|x| x.fast_max(f32x16::splat(0.0)).fast_min(f32x16::splat(1.0)))
}

fn vector(numbers: &[f32; DENSE_2]) -> SecondVector {
    bytemuck::cast(*numbers)
}

/// The sum of the products.
fn dot(a: &SecondVector, b: &SecondVector) -> f32 {
    let mut sum = f32x16::splat(0.0);
    for (a, b) in a.iter().zip(b) {
        sum = a.mul_add(*b, sum);
    }
    sum.reduce_add()
}

/// Adds `factor` times `numbers` to `sums`.
fn add_product(sums: &mut [f32; DENSE_2], numbers: &SecondVector, factor: f32) {
    let factor = f32x16::splat(factor);
    let mut vectors = vector(sums);
    for (sum, number) in vectors.iter_mut().zip(numbers) {
        *sum = number.mul_add(factor, *sum);
    }
    *sums = bytemuck::cast(vectors);
}

impl DenseNet {
    /// The place of the output's bias among the [numbers](DenseNet::numbers).
    pub const BIAS: usize = 0;

    /// The places of the first layer's biases among the [numbers](DenseNet::numbers).
    pub const BIASES_1: std::ops::Range<usize> = 1..1 + DENSE_1;

    /// All zeros.
    pub const ZERO: DenseNet = DenseNet {
        bias: 0.0,
        bias_1: [0.0; DENSE_1],
        weights_2: [[0.0; DENSE_2]; DENSE_1],
        bias_2: [0.0; DENSE_2],
        weights_3: [0.0; DENSE_2],
    };

    /// Layers that add nothing to the direct output but can learn to: the weights behind the second one are zeros, all
    /// other weights are drawn (`draw` is given their deviation), and most units begin within the range of their
    /// activation.
    pub fn random(mut draw: impl FnMut(f32) -> f32) -> DenseNet {
        DenseNet {
            bias_1: [0.3; DENSE_1],
            weights_2: [[0.0; DENSE_2]; DENSE_1].map(|row| row.map(|_| draw(0.35))),
            bias_2: [0.1; DENSE_2],
            ..DenseNet::ZERO
        }
    }

    /// All numbers.
    pub fn numbers(&self) -> &[f32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    /// All numbers, to be changed.
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }

    /// The network's output from the sums of the output units over the hidden units.
    pub fn forward(&self, sums: &[f32; OUTPUT_UNITS]) -> DenseOutput {
        let [direct, first @ ..] = *sums;
        let first: [f32; DENSE_1] = std::array::from_fn(|unit| first[unit] + self.bias_1[unit]);
        let mut second = vector(&self.bias_2);
        for (unit, weights) in first.iter().zip(&self.weights_2) {
            let unit = f32x16::splat(unit.clamp(0.0, 1.0));
            for (second, weight) in second.iter_mut().zip(vector(weights)) {
                *second = weight.mul_add(unit, *second);
            }
        }
        let output = direct + self.bias + dot(&clipped(&second), &vector(&self.weights_3));
        DenseOutput { output, first, second }
    }

    /// Adds to `gradient` what a position contributes, where the loss has the derivative `slope` by the output, and returns
    /// the derivatives of the loss by the sums of the output units.
    pub fn backward(
        &self,
        forward: &DenseOutput,
        slope: f32,
        gradient: &mut DenseNet,
    ) -> [f32; OUTPUT_UNITS] {
        gradient.bias += slope;
        add_product(&mut gradient.weights_3, &clipped(&forward.second), slope);
        let (zero, one) = (f32x16::splat(0.0), f32x16::splat(1.0));
        let mut pull = vector(&self.weights_3);
        for (pull, x) in pull.iter_mut().zip(forward.second) {
            *pull = (*pull * slope) & x.simd_gt(zero) & x.simd_lt(one);
        }
        add_product(&mut gradient.bias_2, &pull, 1.0);
        let mut slopes = [slope; OUTPUT_UNITS];
        for (unit, (&x, slope)) in forward.first.iter().zip(&mut slopes[1..]).enumerate() {
            add_product(&mut gradient.weights_2[unit], &pull, x.clamp(0.0, 1.0));
            *slope = if is_open(x) { dot(&pull, &vector(&self.weights_2[unit])) } else { 0.0 };
            gradient.bias_1[unit] += *slope;
        }
        slopes
    }
}
