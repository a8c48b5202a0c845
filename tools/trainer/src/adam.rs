//! The optimiser: AdamW.
//!
//! Source: Ilya Loshchilov, Frank Hutter, "Decoupled Weight Decay Regularization", 2019, after Diederik Kingma, Jimmy
//! Ba, "Adam: A Method for Stochastic Optimization", 2015.
//!
//! A network that learns on from its parent decays towards the parent: what that one learnt from games that are gone
//! holds until new ones contradict it, where a decay towards zero would wash it out. (Xuhong Li, Yves Grandvalet,
//! Franck Davoine, "Explicit Inductive Bias for Transfer Learning with Convolutional Networks", 2018.)
//!
//! The weights from the hidden units to the dense layers and those of the dense layers have a decay of their own,
//! [`DENSE_DECAY`], towards zero, and the latter a rate of their own, [`DENSE_RATE`]: they are few, and what they do they do
//! together.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wide::f32x16;

use crate::arch::{DENSE_BOUND, PIECE_SQUARES};
use crate::backprop::Backprop;
use crate::dense::DenseNet;
use crate::float_net::{FloatNet, SliceLayout};
use crate::rows::{SliceRow, VECTORS};

/// The learning rate of the dense layers behind the first one's units, in units of that of the other weights. What leads to
/// these units has the rate of the others: it is a sum over hidden units that are never negative, and with three times the
/// rate a step moved it by up to half the range of its activation, so that most units were [closed](crate::dead_units) for good.
pub const DENSE_RATE: f32 = 3.0;
/// The share of its value that a weight of the dense layers loses a step, in units of its learning rate.
pub const DENSE_DECAY: f32 = 0.01;

/// The numbers of the optimiser that do not change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdamSettings {
    /// Decay rate of the mean of the gradients.
    pub beta1: f32,
    /// Decay rate of the mean of their squares.
    pub beta2: f32,
    /// Added to the divisor, so that it is never zero.
    pub epsilon: f32,
    /// The share of its distance from where it began that a weight loses a step, in units of the learning rate.
    pub decay: f32,
    /// The learning rate of the features' weights and of the hidden units' biases, in units of that of the other weights. A
    /// network that learns on from another keeps what its features know if they hardly learn, and the few weights behind them
    /// adapt. With positions that searches evaluate alone, the error in positions of games stayed 0.1206 with a tenth of the rate
    /// and rose to 0.1234 with all of it; where games are among them, the rate makes no difference.
    #[serde(default = "one")]
    pub feature_rate: f32,
}

/// The `feature_rate` of settings that were written before there was one.
fn one() -> f32 {
    1.0
}

/// The state of the optimiser.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Means of the gradients.
    pub first: FloatNet,
    /// Means of their squares.
    pub second: FloatNet,
    /// The weights that decay leads to: those of the parent, or zeros; zeros in the dense layers.
    pub origin: FloatNet,
    /// Steps taken.
    pub steps: u64,
}

/// The factors of one step.
#[derive(Clone, Copy, Debug)]
struct AdamStep {
    settings: AdamSettings,
    rate: f32,
    /// Bias corrections of the two means, which begin at zero.
    first_correction: f32,
    second_correction: f32,
    /// 1 / positions in the batch.
    share: f32,
}

impl AdamStep {
    /// The step for the features' weights and the biases of the hidden units.
    fn for_features(&self) -> AdamStep {
        AdamStep { rate: self.rate * self.settings.feature_rate, ..*self }
    }

    /// The step for the weights that lead to the units of the first dense layer, and for the biases of these.
    fn for_first_layer(&self) -> AdamStep {
        AdamStep { settings: AdamSettings { decay: DENSE_DECAY, ..self.settings }, ..*self }
    }

    /// The step for the numbers of the dense layers behind these units.
    fn behind_first_layer(&self) -> AdamStep {
        AdamStep { rate: self.rate * DENSE_RATE, ..self.for_first_layer() }
    }

    /// The change of numbers whose summed gradient is `gradient`, so far from where decay leads, decay included.
    #[inline(always)]
    fn change(&self, distance: f32x16, gradient: f32x16, first: &mut f32x16, second: &mut f32x16) -> f32x16 {
        let gradient = gradient * self.share;
        let AdamSettings { beta1, beta2, epsilon, decay, .. } = self.settings;
        *first = *first * beta1 + gradient * (1.0 - beta1);
        *second = *second * beta2 + gradient * gradient * (1.0 - beta2);
        let size = (*second * self.second_correction).sqrt() + epsilon;
        (*first * self.first_correction / size + distance * decay) * -self.rate
    }

    /// The change of one number; see [`AdamStep::change`].
    fn change_one(&self, distance: f32, gradient: f32, first: &mut f32, second: &mut f32) -> f32 {
        let [mut firsts, mut seconds] = [*first, *second].map(f32x16::splat);
        let change = self.change(f32x16::splat(distance), f32x16::splat(gradient), &mut firsts, &mut seconds);
        (*first, *second) = (firsts.to_array()[0], seconds.to_array()[0]);
        change.to_array()[0]
    }
}

impl Adam {
    /// An optimiser before its first step, whose weight decay leads to these weights, and to zero in the dense layers.
    pub fn new(origin: FloatNet) -> Adam {
        let origin = origin.without_dense_layers();
        let layout = origin.layout;
        Adam { first: FloatNet::zeros(layout), second: FloatNet::zeros(layout), origin, steps: 0 }
    }

    /// Takes the gradients out of the passes, which are left with zeros, and changes the network: each slice in one
    /// go over its memory. Runs on the threads of the pool it is called in; the result does not depend on them.
    pub fn step(
        &mut self,
        net: &mut FloatNet,
        passes: &mut [Backprop],
        settings: &AdamSettings,
        rate: f32,
        positions: usize,
    ) {
        self.steps += 1;
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(self.steps as f64))) as f32;
        let step = AdamStep {
            settings: *settings,
            rate,
            first_correction: correction(settings.beta1),
            second_correction: correction(settings.beta2),
            share: 1.0 / positions as f32,
        };
        let layout = net.layout;
        self.step_dense_layers(net, passes, &step);
        let mut gradients: Vec<Vec<&mut [SliceRow]>> = (0..layout.slices).map(|_| Vec::new()).collect();
        for pass in passes {
            for (slices, slice) in gradients.iter_mut().zip(&mut pass.gradient.slices) {
                slices.push(slice);
            }
        }
        let memory = self.first.slices.par_iter_mut().zip(&mut self.second.slices);
        net.slices.par_iter_mut().zip(memory).zip(&self.origin.slices).zip(gradients).for_each(
            |(((slice, (first, second)), origin), gradients)| {
                SliceUpdate { layout, step, slice, first, second, origin, gradients }.update();
            },
        );
    }

    /// Changes the dense layers of all output buckets, and the biases of the outputs.
    fn step_dense_layers(&mut self, net: &mut FloatNet, passes: &mut [Backprop], step: &AdamStep) {
        let (to_units, behind) = (step.for_first_layer(), step.behind_first_layer());
        for bucket in 0..net.dense.len() {
            let mut gradient = DenseNet::ZERO;
            for pass in passes.iter_mut() {
                let of_pass = std::mem::replace(&mut pass.gradient.dense[bucket], DenseNet::ZERO);
                for (sum, number) in gradient.numbers_mut().iter_mut().zip(of_pass.numbers()) {
                    *sum += number;
                }
            }
            let first = self.first.dense[bucket].numbers_mut().iter_mut();
            let memory = first.zip(self.second.dense[bucket].numbers_mut());
            let origin = self.origin.dense[bucket].numbers();
            let values = net.dense[bucket].numbers_mut().iter_mut().zip(origin).zip(gradient.numbers());
            for (place, (((value, origin), gradient), (first, second))) in values.zip(memory).enumerate() {
                let step = match place {
                    DenseNet::BIAS => step,
                    _ if DenseNet::BIASES_1.contains(&place) => &to_units,
                    _ => &behind,
                };
                let changed = *value + step.change_one(*value - origin, *gradient, first, second);
                *value = changed.clamp(-DENSE_BOUND, DENSE_BOUND);
            }
        }
    }
}

#[inline(always)]
fn difference(of: &SliceRow, from: &SliceRow) -> SliceRow {
    let mut row = *of;
    for (number, from) in row.0.iter_mut().zip(from.0) {
        *number -= from;
    }
    row
}

/// A slice that is being updated, with its part of the optimiser and the gradients of all threads.
struct SliceUpdate<'a> {
    layout: SliceLayout,
    step: AdamStep,
    slice: &'a mut [SliceRow],
    first: &'a mut [SliceRow],
    second: &'a mut [SliceRow],
    origin: &'a [SliceRow],
    gradients: Vec<&'a mut [SliceRow]>,
}

impl SliceUpdate<'_> {
    fn update(mut self) {
        let plain = if self.layout.shared > 0 { self.layout.inputs } else { 0 };
        for row in plain..self.layout.factoriser() {
            let gradient = self.take(row);
            let distance = difference(&self.slice[row], &self.origin[row]);
            let change = self.change(row, distance, &gradient);
            self.slice[row].add(&change);
            self.bound(row);
        }
        if self.layout.shared > 0 {
            for row in 0..PIECE_SQUARES {
                self.update_factorised(row);
            }
        }
    }

    /// A piece on a square in all threat states, and what they share. The rows hold the sums of both parts; each part
    /// is changed for itself, and the bound is the sum's.
    fn update_factorised(&mut self, row: usize) {
        let shared_row = self.layout.factoriser() + row;
        let shared = difference(&self.slice[shared_row], &self.origin[shared_row]);
        let rows = (row..self.layout.inputs).step_by(PIECE_SQUARES);
        let mut sum = SliceRow::ZERO;
        let mut changes = Vec::with_capacity(rows.len());
        for own in rows.clone() {
            let gradient = self.take(own);
            sum.add(&gradient);
            let part = difference(&difference(&self.slice[own], &self.origin[own]), &shared);
            changes.push(self.change(own, part, &gradient));
        }
        let shared_change = self.change(shared_row, shared, &sum);
        self.slice[shared_row].add(&shared_change);
        for (own, change) in rows.zip(changes) {
            self.slice[own].add(&change);
            self.slice[own].add(&shared_change);
            self.bound(own);
        }
    }

    #[inline(always)]
    fn bound(&mut self, row: usize) {
        let bound = f32x16::splat(self.layout.bound(row));
        for value in &mut self.slice[row].0 {
            *value = value.fast_max(-bound).fast_min(bound);
        }
    }

    /// The gradient of a row, which is then zero.
    #[inline(always)]
    fn take(&mut self, row: usize) -> SliceRow {
        let mut sum = SliceRow::ZERO;
        for gradient in &mut self.gradients {
            sum.add(&gradient[row]);
            gradient[row] = SliceRow::ZERO;
        }
        sum
    }

    #[inline(always)]
    fn change(&mut self, row: usize, distance: SliceRow, gradient: &SliceRow) -> SliceRow {
        let step = if self.layout.is_dense(row) {
            self.step.for_first_layer()
        } else if self.layout.is_output(row) {
            self.step
        } else {
            self.step.for_features()
        };
        let (first, second) = (&mut self.first[row], &mut self.second[row]);
        let mut change = SliceRow::ZERO;
        for lane in 0..VECTORS {
            change.0[lane] =
                step.change(distance.0[lane], gradient.0[lane], &mut first.0[lane], &mut second.0[lane]);
        }
        change
    }
}
