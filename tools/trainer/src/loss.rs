//! The loss function and its target.

use serde::{Deserialize, Serialize};

use crate::comparisons::LEAVES;
use crate::record::{PositionRecord, UNKNOWN_RESULT};

/// The loss of a position: |sigmoid(output) - target| to a power, where the target blends the score and the result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// The share of the result in the target with at least [`MANY_PIECES`], where there is a result; the rest is the score's.
    pub result: f32,
    /// The share of the result in the target with at most [`FEW_PIECES`]. Between the two numbers of pieces it changes evenly.
    pub endings_result: f32,
    /// Centipawns of a logit of 1 when scores become expectations.
    pub scale: f32,
    /// The power.
    pub power: f32,
}

/// The number of pieces, kings included, up to which a result has its share of endings.
pub const FEW_PIECES: usize = 12;
/// The number of pieces from which on a result has its share of all that is no ending.
pub const MANY_PIECES: usize = 24;

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
        let share = self.result_share(record.count());
        (1.0 - share) * score + share * 0.5 * f32::from(record.result)
    }

    /// The share of the result in the target of a position with this many pieces.
    #[inline]
    fn result_share(&self, pieces: usize) -> f32 {
        let many = (pieces.clamp(FEW_PIECES, MANY_PIECES) - FEW_PIECES) as f32;
        let many = many / (MANY_PIECES - FEW_PIECES) as f32;
        self.endings_result + many * (self.result - self.endings_result)
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

/// The loss of a [comparison](crate::comparisons): the surprise that the first move was chosen by one who chooses each move
/// with a probability that grows by the factor e with every `temperature` of its value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonLoss {
    /// What a comparison weighs beside a position.
    pub weight: f32,
    /// The difference of outputs that makes a move e times as likely.
    pub temperature: f32,
}

impl ComparisonLoss {
    /// The loss for the outputs of the leaves, each for the side that chose, and its derivatives by them, both without the weight.
    pub fn at(&self, outputs: &[f32; LEAVES]) -> (f32, [f32; LEAVES]) {
        let most = outputs.iter().copied().fold(f32::MIN, f32::max);
        let odds = outputs.map(|output| ((output - most) / self.temperature).exp());
        let sum: f32 = odds.iter().sum();
        let mut slopes = odds.map(|odds| odds / sum / self.temperature);
        slopes[0] -= 1.0 / self.temperature;
        (sum.ln() - (outputs[0] - most) / self.temperature, slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivatives_of_a_comparison_are_those_of_its_loss() {
        let loss = ComparisonLoss { weight: 1.0, temperature: 0.4 };
        let outputs = [0.3, 0.5, -2.0, 0.1, 0.3, 40.0, 0.0, -0.4].map(|output: f32| output.min(1.0));
        let (_, slopes) = loss.at(&outputs);
        assert!(slopes.iter().sum::<f32>().abs() < 1e-5, "only differences count");
        for leaf in 0..LEAVES {
            let moved = |by: f32| {
                let mut outputs = outputs;
                outputs[leaf] += by;
                loss.at(&outputs).0
            };
            let measured = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!((slopes[leaf] - measured).abs() < 2e-3, "{leaf}: {} {measured}", slopes[leaf]);
        }
        let (even, _) = loss.at(&[0.7; LEAVES]);
        assert!((even - (LEAVES as f32).ln()).abs() < 1e-5);
        let (sure, _) = loss.at(&[1000.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(sure, 0.0);
    }

    #[test]
    fn the_derivative_is_that_of_the_loss() {
        for power in [2.0, 2.5] {
            let loss = Loss { result: 0.0, endings_result: 0.0, scale: 400.0, power };
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
        let target =
            |result| Loss { result, endings_result: result, scale: 400.0, power: 2.0 }.target(&record);
        assert!((target(0.0) - 0.7311).abs() < 1e-4);
        assert_eq!(target(1.0), 0.0);
        assert!((target(0.25) - 0.75 * 0.7311).abs() < 1e-4);
        record.result = UNKNOWN_RESULT;
        let target = Loss { result: 0.25, endings_result: 0.25, scale: 400.0, power: 2.0 }.target(&record);
        assert!((target - 0.7311).abs() < 1e-4, "without a result the score is all");
    }

    #[test]
    fn a_result_counts_for_more_with_few_pieces() {
        let loss = Loss { result: 0.25, endings_result: 0.5, scale: 400.0, power: 2.0 };
        for (pieces, share) in [(2, 0.5), (12, 0.5), (18, 0.375), (24, 0.25), (32, 0.25)] {
            assert_eq!(loss.result_share(pieces), share, "{pieces}");
        }
        let mut record: PositionRecord = bytemuck::Zeroable::zeroed();
        record.occupied = (1 << 18) - 1;
        assert_eq!(loss.target(&record), 0.625 * 0.5, "18 pieces, a score of 0 and lost");
    }
}
