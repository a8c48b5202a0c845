//! A sequential test of two differences of strength (Wald 1945, "Sequential Tests of Statistical Hypotheses").

/// The error that a test may make on either side.
pub const ERROR: f64 = 0.05;

/// A sequential test: which of two differences, in logistic Elo, is the true one?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the first hypothesis.
    pub elo0: f64,
    /// The difference of the second hypothesis.
    pub elo1: f64,
}

/// Bounds that make no sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bounds must be two numbers of Elo, the first less than the second")]
pub struct BoundsError;

/// What a sequential test says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Play on.
    #[default]
    Undecided,
    /// The first hypothesis.
    AcceptH0,
    /// The second hypothesis.
    AcceptH1,
}

impl Sprt {
    /// A test between these two differences.
    ///
    /// # Errors
    /// If one is not a finite number, or the first is not less than the second.
    pub fn between(elo0: f64, elo1: f64) -> Result<Sprt, BoundsError> {
        let is_order = elo0.is_finite() && elo1.is_finite() && elo0 < elo1;
        if is_order { Ok(Sprt { elo0, elo1 }) } else { Err(BoundsError) }
    }

    /// The log-likelihood ratio at which it is decided.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// What a log-likelihood ratio says.
    pub fn verdict(ratio: f64) -> Verdict {
        if ratio >= Sprt::bound() {
            Verdict::AcceptH1
        } else if ratio <= -Sprt::bound() {
            Verdict::AcceptH0
        } else {
            Verdict::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_two_numbers_in_order() {
        assert_eq!(Sprt::between(-3.0, 2.0), Ok(Sprt { elo0: -3.0, elo1: 2.0 }));
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        for (elo0, elo1) in
            [(nan, 5.0), (0.0, nan), (-infinity, 0.0), (0.0, infinity), (5.0, 0.0), (3.0, 3.0)]
        {
            assert_eq!(Sprt::between(elo0, elo1), Err(BoundsError), "{elo0} {elo1}");
        }
    }

    #[test]
    fn a_ratio_decides_beyond_the_bounds() {
        assert!((Sprt::bound() - 2.944).abs() < 1e-3);
        assert_eq!(
            [-3.0, -2.9, 0.0, 2.9, 3.0].map(Sprt::verdict),
            [
                Verdict::AcceptH0,
                Verdict::Undecided,
                Verdict::Undecided,
                Verdict::Undecided,
                Verdict::AcceptH1
            ]
        );
        assert_eq!(Sprt::verdict(f64::NAN), Verdict::Undecided);
    }
}
