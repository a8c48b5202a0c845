//! The log of a training: its loss curve and its epochs.

use serde::{Deserialize, Serialize};

/// A point of the loss curve: the mean training loss of some consecutive batches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossPoint {
    /// Batches done at its end.
    pub batch: u64,
    /// The mean loss.
    pub loss: f64,
    /// The learning rate at its end.
    pub rate: f32,
}

/// The log of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochLog {
    /// Batches done at its end.
    pub batch: u64,
    /// The mean loss of its batches.
    pub training: f64,
    /// The validation loss at its end.
    pub validation: Option<f64>,
    /// The mean loss of the comparisons for validation, if there are any.
    #[serde(default)]
    pub comparisons: Option<f64>,
    /// Its time in seconds, without validation.
    pub seconds: f64,
    /// Positions a second.
    pub speed: f64,
}

/// The log of a training so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingLog {
    /// The curve of the training loss.
    pub points: Vec<LossPoint>,
    /// The finished epochs.
    pub epochs: Vec<EpochLog>,
}
