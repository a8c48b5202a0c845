//! By what factor one contender needs more nodes or time than another on the same positions.

use super::confidence::SIGNIFICANCE;

/// The geometric mean of the ratios of two contenders on the same positions, with its 95 % interval (the paired t-test on
/// logarithms). In a mean of ratios every position has the same weight; a ratio of sums is that of the largest ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogRatio {
    /// The mean of the logarithms.
    mean: f64,
    /// The standard error of the mean.
    error: f64,
    /// The positions less one.
    freedom: u32,
}

impl LogRatio {
    /// Compares positive amounts of the first and the second contender on each position. `None` for fewer than two.
    pub fn new(amounts: impl IntoIterator<Item = (f64, f64)>) -> Option<LogRatio> {
        let logarithms: Vec<f64> =
            amounts.into_iter().map(|(first, second)| (first.max(1e-9) / second.max(1e-9)).ln()).collect();
        let count = logarithms.len() as f64;
        if logarithms.len() < 2 {
            return None;
        }
        let mean = logarithms.iter().sum::<f64>() / count;
        let variance = logarithms.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Some(LogRatio { mean, error: (variance / count).sqrt(), freedom: logarithms.len() as u32 - 1 })
    }

    /// By what factor the first needs more; below 1 if it needs less.
    pub fn factor(&self) -> f64 {
        self.mean.exp()
    }

    /// The 95 % interval of the factor.
    pub fn interval(&self) -> (f64, f64) {
        let width = quantile(self.freedom) * self.error;
        ((self.mean - width).exp(), (self.mean + width).exp())
    }

    /// The probability of a mean as far from 1 as this one or more, if neither needed more.
    pub fn p_value(&self) -> f64 {
        if self.error > 0.0 {
            two_sided(self.mean.abs() / self.error, self.freedom)
        } else {
            f64::from(self.mean == 0.0)
        }
    }
}

/// The probability that Student's t with these degrees of freedom is farther from 0 than `t` (the finite series of
/// Abramowitz and Stegun 1964, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4).
fn two_sided(t: f64, freedom: u32) -> f64 {
    let angle = (t / f64::from(freedom).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let (mut term, mut sum) = if odd { (cosine, 0.0) } else { (1.0, 0.0) };
    // The series goes up in steps of two to the degrees of freedom.
    let first = if odd { 1 } else { 0 };
    for step in (first..freedom.saturating_sub(1)).step_by(2) {
        sum += term;
        term *= cosine * cosine * f64::from(step + 1) / f64::from(step + 2);
    }
    let within = if odd { 2.0 / std::f64::consts::PI * (angle + sine * sum) } else { sine * sum };
    (1.0 - within).clamp(0.0, 1.0)
}

/// The t of Student's distribution with these degrees of freedom that is exceeded with a probability of 5 %, to both sides
/// together. From a thousand degrees on that of a thousand, which is greater than that of a normal distribution by 0.1 %.
pub fn quantile(freedom: u32) -> f64 {
    let freedom = freedom.min(1000);
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if two_sided(middle, freedom) > SIGNIFICANCE {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_factor_is_certain_and_a_wandering_one_is_not() {
        let twice = LogRatio::new([(2.0, 1.0), (20.0, 10.0), (6.0, 3.0)]).unwrap();
        assert!((twice.factor() - 2.0).abs() < 1e-12 && twice.p_value() < 1e-6);
        let (low, high) = twice.interval();
        assert!((low - 2.0).abs() < 1e-9 && (high - 2.0).abs() < 1e-9);
        let wandering = LogRatio::new([(2.0, 1.0), (1.0, 3.0), (5.0, 2.0), (1.0, 1.1)]).unwrap();
        let (low, high) = wandering.interval();
        assert!(low < 1.0 && 1.0 < high && wandering.p_value() > 0.05);
        assert_eq!(LogRatio::new([(1.0, 2.0)]), None);
        let same = LogRatio::new([(3.0, 3.0); 6]).unwrap();
        assert!(same.p_value() == 1.0 && (same.factor() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_is_that_of_student() {
        // Logarithms 0, 1, 2: mean 1, standard error 1 / sqrt(3).
        let ratio = LogRatio::new((0..3).map(|index| (f64::from(index).exp(), 1.0))).unwrap();
        assert!((ratio.interval().1.ln() - 1.0 - 4.3027 / 3f64.sqrt()).abs() < 1e-4);
        for (freedom, expected) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (6, 2.447),
            (30, 2.042),
            (120, 1.980),
        ] {
            assert!((quantile(freedom) - expected).abs() < 1e-3, "{freedom}: {}", quantile(freedom));
        }
        assert!((two_sided(1.0, 1) - 0.5).abs() < 1e-12 && (two_sided(0.0, 7) - 1.0).abs() < 1e-12);
    }
}
