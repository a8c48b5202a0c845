//! What the results of paired games say.

use std::fmt;

use crate::sequential::{Sprt, Verdict};
use crate::statistics::TWO_SIDED;

/// With fewer pairs a sequential test decides nothing.
const MIN_PAIRS: u64 = 32;

/// Pairs of games with the same opening and colours changed, by the points of the first side: 0, 1/2, 1, 3/2, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

/// An Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The difference.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} ± {:.1} Elo, LOS {:.1} %", self.elo, self.error, 100.0 * self.los)
    }
}

/// The Elo difference that an expected score means (Elo 1978).
pub fn elo_from_score(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score of an Elo difference.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl FromIterator<usize> for Pentanomial {
    /// Counts pairs by the half points of the first side; more than 4, as a damaged result may say, are 4.
    fn from_iter<I: IntoIterator<Item = usize>>(half_points: I) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        half_points.into_iter().for_each(|half_points| pairs.add(half_points.min(4)));
        pairs
    }
}

impl Pentanomial {
    /// Counts a pair with this many half points of the first side, from 0 to 4.
    ///
    /// # Panics
    /// If there are more than 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The score of a game on average, and its variance over pairs. A little is added to empty counts, so that early
    /// results do not look certain.
    fn moments(&self) -> (f64, f64, f64) {
        let counts = self.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let score = |index: usize| index as f64 / 4.0;
        let mean = counts.iter().enumerate().map(|(index, n)| n * score(index)).sum::<f64>() / total;
        let variance =
            counts.iter().enumerate().map(|(index, n)| n * (score(index) - mean).powi(2)).sum::<f64>()
                / total;
        (mean, variance, total)
    }

    /// The difference that the pairs speak for. Pairs, not games, are independent: their variance makes the error.
    pub fn estimate(&self) -> Estimate {
        let (mean, variance, total) = self.moments();
        let deviation = (variance / total).sqrt();
        let (low, high) =
            (elo_from_score(mean - TWO_SIDED * deviation), elo_from_score(mean + TWO_SIDED * deviation));
        let los = 0.5 * libm::erfc(-(mean - 0.5) / deviation.max(1e-12) / std::f64::consts::SQRT_2);
        Estimate { elo: elo_from_score(mean), error: (high - low) / 2.0, los }
    }

    /// The logarithm of how much likelier the pairs are if the difference is `elo1` than if it is `elo0`, in the normal
    /// approximation (the generalised sequential test as fishtest uses it; Wald 1945).
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let (mean, variance, total) = self.moments();
        let (score0, score1) = (score_from_elo(elo0), score_from_elo(elo1));
        total * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance.max(1e-9))
    }

    /// What the pairs so far say in a sequential test. A few that happen to be alike say nothing: their variance is no estimate
    /// yet.
    pub fn verdict(&self, test: Sprt) -> Verdict {
        if self.pairs() < MIN_PAIRS {
            return Verdict::Undecided;
        }
        Sprt::verdict(self.log_likelihood_ratio(test.elo0, test.elo1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_results_are_no_difference() {
        let estimate = Pentanomial([10, 20, 40, 20, 10]).estimate();
        assert!(estimate.elo.abs() < 1e-9 && (estimate.los - 0.5).abs() < 1e-9);
        // The deviation of a pair is sqrt(1.2) / 4 of its score: 100 of them, 1.96 deviations, 400 / ln 10 * 4 Elo a point.
        let deviation = (1.2f64).sqrt() / 4.0 / 10.0;
        assert!((estimate.error - TWO_SIDED * deviation * 1600.0 / 10f64.ln()).abs() < 0.5, "{estimate}");
    }

    #[test]
    fn scores_and_differences_are_each_other_s_inverse() {
        for elo in [-400.0, -32.0, 0.0, 5.0, 200.0] {
            assert!((elo_from_score(score_from_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!((elo_from_score(0.76) - 200.24).abs() < 0.01);
        assert!(elo_from_score(1.0).is_finite() && elo_from_score(0.0).is_finite());
    }

    #[test]
    fn winners_are_likely_and_draws_say_little() {
        let won = Pentanomial([0, 10, 60, 25, 5]);
        let mirrored = Pentanomial([5, 25, 60, 10, 0]);
        let (better, worse) = (won.estimate(), mirrored.estimate());
        assert!(better.elo > 20.0 && better.los > 0.99);
        assert!((better.elo + worse.elo).abs() < 1e-9 && (better.los + worse.los - 1.0).abs() < 1e-9);
        let drawn = Pentanomial([0, 0, 1000, 0, 0]).estimate();
        assert!(drawn.elo.abs() < 0.01 && drawn.error < 1.0);
        assert!(Pentanomial::default().estimate().elo.abs() < 1e-6);
    }

    #[test]
    fn a_few_pairs_that_happen_to_be_alike_decide_nothing() {
        let test = Sprt { elo0: 0.0, elo1: 5.0 };
        for pairs in 1..MIN_PAIRS {
            for place in 0..5 {
                let mut counts = [0; 5];
                counts[place] = pairs;
                assert_eq!(Pentanomial(counts).verdict(test), Verdict::Undecided, "{counts:?}");
            }
        }
    }

    #[test]
    fn a_test_ends_on_the_side_of_the_truth() {
        let test = Sprt { elo0: 0.0, elo1: 5.0 };
        assert_eq!(Pentanomial([1, 2, 4, 2, 1]).verdict(test), Verdict::Undecided);
        let grow = |counts: [u64; 5], times| Pentanomial(counts.map(|count| count * times));
        assert_eq!(grow([5, 20, 50, 24, 7], 100).verdict(test), Verdict::AcceptH1);
        assert_eq!(grow([7, 24, 50, 20, 5], 100).verdict(test), Verdict::AcceptH0);
        let (plus, minus) = (grow([5, 20, 50, 24, 7], 9), grow([7, 24, 50, 20, 5], 9));
        let symmetric = |pairs: Pentanomial| pairs.log_likelihood_ratio(-3.0, 3.0);
        assert!((symmetric(plus) + symmetric(minus)).abs() < 1e-9);
    }
}
