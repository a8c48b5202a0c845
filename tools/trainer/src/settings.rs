//! The settings of a training: all that it depends on besides the data.

use serde::{Deserialize, Serialize};

use crate::adam::AdamSettings;
use crate::arch::Architecture;
use crate::loss::{ComparisonLoss, Loss};

/// How the learning rate goes down after the warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Decay {
    /// As half a wave of a cosine. (Ilya Loshchilov, Frank Hutter, "SGDR: Stochastic Gradient Descent with Warm
    /// Restarts", 2017, without restarts.)
    Cosine,
    /// In a straight line.
    Linear,
}

/// The learning rate by batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The greatest rate, reached after the warm-up.
    pub rate: f32,
    /// The rate at the end.
    pub final_rate: f32,
    /// Batches in which the rate grows in a straight line.
    pub warm_up: u64,
    /// How the rate falls after that.
    pub decay: Decay,
}

impl Schedule {
    /// The rate of a batch of `total`, from 0.
    pub fn at(&self, batch: u64, total: u64) -> f32 {
        let warm_up = self.warm_up.min(total / 2);
        if batch < warm_up {
            return self.rate * (batch + 1) as f32 / warm_up as f32;
        }
        let share = (batch - warm_up) as f64 / (total - warm_up).max(1) as f64;
        let left = match self.decay {
            Decay::Cosine => 0.5 * (1.0 + (std::f64::consts::PI * share).cos()),
            Decay::Linear => 1.0 - share,
        };
        self.final_rate + (self.rate - self.final_rate) * left as f32
    }
}

/// How comparisons are learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonSettings {
    /// The loss function.
    pub loss: ComparisonLoss,
    /// Comparisons beside the positions of a batch; a training begins again with the first behind the last.
    pub per_batch: usize,
}

/// All that the network depends on, besides the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSettings {
    /// The network.
    pub shape: Architecture,
    /// Epochs.
    pub epochs: u64,
    /// Positions of a batch.
    pub batch: usize,
    /// The learning rate.
    pub schedule: Schedule,
    /// The optimiser.
    pub adam: AdamSettings,
    /// The loss function.
    pub loss: Loss,
    /// How comparisons are learnt from, if there are any among the data.
    #[serde(default)]
    pub comparisons: Option<ComparisonSettings>,
    /// The SHA-256 of the network that the training begins with; `None`: random weights.
    #[serde(default)]
    pub start: Option<String>,
    /// The seed of the random weights and of the order of the positions.
    pub seed: u64,
    /// Threads: sums of numbers depend on how they are grouped.
    pub threads: usize,
}

impl TrainingSettings {
    /// The names of the settings that differ, with both values.
    pub fn differences(&self, other: &TrainingSettings) -> Vec<String> {
        let fields = |settings: &TrainingSettings| match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let other = fields(other);
        let differing = fields(self).into_iter().filter(|(name, value)| other.get(name) != Some(value));
        differing.map(|(name, value)| format!("{name}: {value}, not {}", other[&name])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        for decay in [Decay::Cosine, Decay::Linear] {
            let schedule = Schedule { rate: 1.0, final_rate: 0.1, warm_up: 10, decay };
            let rates: Vec<f32> = (0..=100).map(|batch| schedule.at(batch, 100)).collect();
            assert_eq!(rates[0], 0.1);
            assert_eq!(rates[9], 1.0);
            assert!(rates[..10].is_sorted() && rates[10..].is_sorted_by(|a, b| a >= b));
            assert!((rates[55] - 0.55).abs() < 1e-5 && (rates[100] - 0.1).abs() < 1e-5);
        }
    }

    #[test]
    fn a_checkpoint_from_before_the_feature_rate_has_that_of_the_others() {
        let adam: AdamSettings =
            serde_json::from_str(r#"{"beta1":0.9,"beta2":0.999,"epsilon":1e-8,"decay":0.01}"#).unwrap();
        assert_eq!(adam.feature_rate, 1.0);
    }

    #[test]
    fn short_trainings_have_a_rate_too() {
        let schedule = Schedule { rate: 1.0, final_rate: 0.1, warm_up: 1000, decay: Decay::Cosine };
        for total in 1..20 {
            for batch in 0..total {
                let rate = schedule.at(batch, total);
                assert!((0.05..=1.0).contains(&rate), "{batch} of {total}: {rate}");
            }
        }
    }
}
