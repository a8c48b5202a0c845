//! Win, draw and loss by score: counts, and models fitted to them.

/// The width of a bin in centipawns.
const BIN_WIDTH: u16 = 10;
/// The number of bins; greater scores are not counted, because they are won anyway.
const BINS: usize = 120;

/// Counts of results by score, from the point of view of the side that is ahead.
#[derive(Clone, Debug)]
pub struct WdlCounts {
    /// Losses, draws and wins of each bin.
    counts: [[u64; 3]; BINS],
}

/// A WDL model: the probability of a win is a logistic function of the score, that of a loss its mirror image, and that
/// of a draw the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlCurve {
    /// The score at which half of the games are won, in centipawns.
    pub midpoint: f64,
    /// The number of centipawns in which the odds of winning grow by the factor e.
    pub spread: f64,
}

impl WdlCurve {
    /// The probabilities of a loss, a draw and a win at a score.
    fn probabilities(self, score: f64) -> [f64; 3] {
        let logistic = |score: f64| 1.0 / (1.0 + ((self.midpoint - score) / self.spread).exp());
        let (win, loss) = (logistic(score), logistic(-score));
        [loss, 1.0 - win - loss, win]
    }
}

impl Default for WdlCounts {
    fn default() -> WdlCounts {
        WdlCounts { counts: [[0; 3]; BINS] }
    }
}

impl WdlCounts {
    /// Counts a position by the score for the side to move and its result: 0 for a loss, 1 for a draw, 2 for a win.
    pub fn add(&mut self, score: i16, result: usize) {
        let bin = usize::from(score.unsigned_abs() / BIN_WIDTH);
        if let Some(counts) = self.counts.get_mut(bin) {
            counts[if score < 0 { 2 - result } else { result }] += 1;
        }
    }

    /// The mean log-likelihood of the results under a model.
    fn log_likelihood(&self, curve: WdlCurve) -> f64 {
        let bin = |(bin, counts): (usize, &[u64; 3])| -> f64 {
            let probabilities = curve.probabilities((bin as f64 + 0.5) * f64::from(BIN_WIDTH));
            counts
                .iter()
                .zip(probabilities)
                .map(|(&count, probability)| count as f64 * probability.max(1e-9).ln())
                .sum()
        };
        self.counts.iter().enumerate().map(bin).sum::<f64>() / self.positions().max(1) as f64
    }

    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The mean log-likelihood of the results if the expected result is the logistic function of the score over this scale,
    /// with a draw as half a win and half a loss.
    fn expected_score_log_likelihood(&self, scale: f64) -> f64 {
        let bin = |(bin, &[loss, draw, win]): (usize, &[u64; 3])| -> f64 {
            let logit = (bin as f64 + 0.5) * f64::from(BIN_WIDTH) / scale;
            let half = draw as f64 / 2.0;
            -(win as f64 + half) * (-logit).exp().ln_1p() - (loss as f64 + half) * logit.exp().ln_1p()
        };
        self.counts.iter().enumerate().map(bin).sum::<f64>() / self.positions().max(1) as f64
    }

    /// The maximum-likelihood scale: the number of centipawns in which the odds of the expected result grow by the factor
    /// e. Precise to a tenth of a centipawn, from 10 to 5,000; `None` if greater scores do not bring better results.
    pub fn fit_scale(&self) -> Option<f64> {
        // The likelihood has one maximum in the inverse of the scale.
        let (mut low, mut high) = (1.0 / 5000.0, 1.0 / 10.0);
        while 1.0 / low - 1.0 / high > 0.1 {
            let (third, other) = ((2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0);
            if self.expected_score_log_likelihood(1.0 / third)
                < self.expected_score_log_likelihood(1.0 / other)
            {
                low = third;
            } else {
                high = other;
            }
        }
        let scale = 2.0 / (low + high);
        (scale > 11.0 && scale < 4990.0).then_some(scale)
    }

    /// The maximum-likelihood model, precise to a tenth of a centipawn; `None` without wins or without draws.
    pub fn fit_curve(&self) -> Option<WdlCurve> {
        let seen = |result: usize| self.counts.iter().any(|counts| counts[result] > 0);
        if !(seen(1) && seen(2)) {
            return None;
        }
        // Hill climbing with shrinking steps: there is one maximum.
        let mut best = WdlCurve { midpoint: 150.0, spread: 100.0 };
        let mut value = self.log_likelihood(best);
        let mut step = 64.0;
        while step >= 0.1 {
            let former = best;
            for (even_chance, spread) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let next = WdlCurve {
                    midpoint: (best.midpoint + even_chance).clamp(0.0, 5000.0),
                    spread: (best.spread + spread).clamp(1.0, 5000.0),
                };
                let found = self.log_likelihood(next);
                if found > value {
                    (best, value) = (next, found);
                }
            }
            if best == former {
                step /= 2.0;
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_found_again() {
        let curve = WdlCurve { midpoint: 210.0, spread: 75.0 };
        let mut odds = WdlCounts::default();
        for score in -1199i16..1200 {
            for (result, probability) in curve.probabilities(f64::from(score)).into_iter().enumerate() {
                for _ in 0..(1000.0 * probability).round() as usize {
                    odds.add(score, result);
                }
            }
        }
        let found = odds.fit_curve().unwrap();
        assert!((found.midpoint - 210.0).abs() < 3.0 && (found.spread - 75.0).abs() < 3.0, "{found:?}");
    }

    #[test]
    fn the_scale_of_scores_is_found_again() {
        for scale in [60.0, 206.0, 700.0] {
            let mut odds = WdlCounts::default();
            for score in -1199i16..1200 {
                let win = (1000.0 / (1.0 + (-f64::from(score) / scale).exp())).round() as usize;
                for number in 0..1000 {
                    odds.add(score, if number < win { 2 } else { 0 });
                }
            }
            let found = odds.fit_scale().unwrap();
            assert!((found / scale - 1.0).abs() < 0.02, "{scale}: {found}");
            // A draw is half of each.
            let (mut drawn, mut split) = (odds.clone(), odds);
            for _ in 0..50_000 {
                drawn.add(300, 1);
                drawn.add(300, 1);
                split.add(300, 0);
                split.add(300, 2);
            }
            assert!((drawn.fit_scale().unwrap() - split.fit_scale().unwrap()).abs() < 0.2);
            assert!(drawn.fit_scale().unwrap() > found);
        }
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let mut odds = WdlCounts::default();
        assert_eq!((odds.fit_scale(), odds.positions()), (None, 0));
        assert_eq!(odds.fit_curve(), None);
        odds.add(i16::MIN, 0);
        odds.add(30, 2);
        assert_eq!(odds.fit_curve(), None);
        odds.add(-30, 1);
        assert!(odds.fit_curve().is_some_and(|curve| curve.spread >= 1.0));
    }
}
