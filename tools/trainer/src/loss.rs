//! The loss function and its target.

use serde::{Deserialize, Serialize};

use crate::record::{PositionRecord, UNKNOWN_RESULT};

/// The loss of a position: |sigmoid(output) - target| to a power, where the target blends the score and the result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// The share of the result in the target, where there is one; the rest is the score's.
    pub result: f32,
    /// Centipawns of a logit of 1 when scores become expectations.
    pub scale: f32,
    /// The power.
    pub power: f32,
}

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Loss {
    /// The target: an expected result from 0 to 1.
    #[inline]
    pub fn target(&self, record: &PositionRecord) -> f32 {
        let score = sigmoid(f32::from(record.score) / self.scale);
        if record.result == UNKNOWN_RESULT {
            return score;
        }
        (1.0 - self.result) * score + self.result * 0.5 * f32::from(record.result)
    }

    /// The loss at an output, and its derivative by the output.
    #[inline]
    pub fn at(&self, output: f32, target: f32) -> (f32, f32) {
        let expected = sigmoid(output);
        let error = expected - target;
        let slope = expected * (1.0 - expected);
        if self.power == 2.0 {
            return (error * error, 2.0 * error * slope);
        }
        let size = error.abs();
        let lower = size.powf(self.power - 1.0);
        (lower * size, self.power * lower * error.signum() * slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivative_is_that_of_the_loss() {
        for power in [2.0, 2.5] {
            let loss = Loss { result: 0.0, scale: 400.0, power };
            for step in -20..=20 {
                let (output, target) = (step as f32 / 5.0, 0.3);
                let (_, slope) = loss.at(output, target);
                let width = 1e-2;
                let measured =
                    (loss.at(output + width, target).0 - loss.at(output - width, target).0) / (2.0 * width);
                assert!((slope - measured).abs() < 1e-3, "{power} {output}: {slope} {measured}");
            }
        }
    }

    #[test]
    fn targets_blend_score_and_result() {
        let mut record: PositionRecord = bytemuck::Zeroable::zeroed();
        (record.score, record.result) = (400, 0);
        let target = |result| Loss { result, scale: 400.0, power: 2.0 }.target(&record);
        assert!((target(0.0) - 0.7311).abs() < 1e-4);
        assert_eq!(target(1.0), 0.0);
        assert!((target(0.25) - 0.75 * 0.7311).abs() < 1e-4);
        record.result = UNKNOWN_RESULT;
        let target = Loss { result: 0.25, scale: 400.0, power: 2.0 }.target(&record);
        assert!((target - 0.7311).abs() < 1e-4, "without a result the score is all");
    }
}
