//! What is written down of a training.

use serde::{Deserialize, Serialize};

/// The mean training loss of some batches in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossPoint {
    /// Batches done at its end.
    pub batch: u64,
    /// The mean loss.
    pub loss: f64,
    /// The learning rate at its end.
    pub rate: f32,
}

/// An epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochLog {
    /// Batches done at its end.
    pub batch: u64,
    /// The mean loss of its batches.
    pub training: f64,
    /// The loss of the positions kept apart, at its end.
    pub validation: Option<f64>,
    /// How long it took, validation left out.
    pub seconds: f64,
    /// Positions a second.
    pub speed: f64,
}

/// A training so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingLog {
    /// The curve of the training loss.
    pub points: Vec<LossPoint>,
    /// The epochs done.
    pub epochs: Vec<EpochLog>,
}
