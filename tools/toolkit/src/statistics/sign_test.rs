//! Who solves more of the same positions.

use super::confidence::TWO_SIDED;

/// The exact sign test on pairs, which for positions that are solved or not is McNemar's test (McNemar 1947, "Note on the
/// sampling error of the difference between correlated proportions or percentages"). Only positions on which the two
/// differ count: what both solve, or neither, says nothing about which one is better.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SignTest {
    /// Positions on which the first did better.
    pub better: u64,
    /// Positions on which the second did better.
    pub worse: u64,
    /// All positions.
    pub pairs: u64,
    /// The sum of the differences, and of their squares.
    sums: (f64, f64),
}

impl SignTest {
    /// Compares the results of the first and the second contender on each position, such as the share of the runs that
    /// solved it.
    pub fn new(results: impl IntoIterator<Item = (f64, f64)>) -> SignTest {
        let mut test = SignTest::default();
        for (first, second) in results {
            let difference = first - second;
            test.pairs += 1;
            test.better += u64::from(difference > 0.0);
            test.worse += u64::from(difference < 0.0);
            test.sums.0 += difference;
            test.sums.1 += difference * difference;
        }
        test
    }

    /// How many more the first solved.
    pub const fn difference(&self) -> f64 {
        self.sums.0
    }

    /// Half the 95 % interval of the difference, from the spread of the differences between positions.
    pub fn error(&self) -> f64 {
        let (sum, squares) = self.sums;
        let pairs = self.pairs.max(2) as f64;
        let variance = (squares - sum * sum / pairs).max(0.0) / (pairs - 1.0);
        TWO_SIDED * (pairs * variance).sqrt()
    }

    /// The probability of a split as uneven as this one or more, if both were equally good.
    pub fn p_value(&self) -> f64 {
        let (trials, fewer) = (self.better + self.worse, self.better.min(self.worse));
        // The terms of the binomial distribution, each from the one before, as logarithms so that none is zero.
        let mut term = -(trials as f64) * std::f64::consts::LN_2;
        let mut tail = 0.0;
        for successes in 0..=fewer {
            tail += term.exp();
            term += ((trials - successes) as f64).ln() - (successes as f64 + 1.0).ln();
        }
        (2.0 * tail).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_counts(better: usize, worse: usize, same: usize) -> SignTest {
        let repeat = |pair, times| std::iter::repeat_n(pair, times);
        SignTest::new(
            repeat((1.0, 0.0), better).chain(repeat((0.0, 1.0), worse)).chain(repeat((1.0, 1.0), same)),
        )
    }

    #[test]
    fn p_values_are_those_of_the_binomial_distribution() {
        for (better, worse, expected) in [
            (5, 0, 0.0625),
            (8, 1, 20.0 / 512.0),
            (3, 3, 1.0),
            (0, 0, 1.0),
            (1, 2, 1.0),
            (10, 2, 158.0 / 4096.0),
        ] {
            let (one, other) = (of_counts(better, worse, 7), of_counts(worse, better, 900));
            assert!((one.p_value() - expected).abs() < 1e-12, "{better} {worse}: {}", one.p_value());
            assert!((other.p_value() - expected).abs() < 1e-12);
        }
        let many = of_counts(2000, 2100, 0).p_value();
        assert!((0.11..0.13).contains(&many), "{many}");
        assert!(of_counts(3000, 1000, 0).p_value() < 1e-200);
    }

    #[test]
    fn the_difference_has_the_error_of_paired_results() {
        let test = of_counts(30, 20, 829);
        assert_eq!((test.better, test.worse, test.pairs, test.difference()), (30, 20, 879, 10.0));
        assert!((test.error() - 1.96 * (879.0 * (50.0 - 100.0 / 879.0) / 878.0f64).sqrt()).abs() < 1e-3);
        assert_eq!((of_counts(0, 0, 9).error(), SignTest::default().error()), (0.0, 0.0));
        let halves = SignTest::new([(0.5, 0.0), (1.0, 0.5), (0.0, 0.5)]);
        assert_eq!((halves.better, halves.worse, halves.difference()), (2, 1, 0.5));
    }
}
