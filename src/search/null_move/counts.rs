//! Counts of null moves and of what they led to.

use std::fmt;
use std::ops::{Add, AddAssign};

use crate::util::rate::percent;

/// Counts of the null moves of a search and of what they led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullCounts {
    /// Null moves that were searched.
    pub tried: u64,
    /// Null moves that failed high. A fail-high by evaluation alone does not count.
    pub fail_highs: u64,
    /// Nodes that a null move cut, at once or after a verification.
    pub cuts: u64,
    /// Nodes that a null move reduced.
    pub reductions: u64,
    /// Reduced nodes that then failed low: a cut would have been wrong there.
    pub reduced_fail_lows: u64,
    /// Searches at the same node to verify a fail-high, and searches at full depth after a reduced one failed low.
    pub verifications: u64,
    /// Null moves made in answer to a null move.
    pub double_null_moves: u64,
}

impl Add for NullCounts {
    type Output = NullCounts;

    fn add(self, other: NullCounts) -> NullCounts {
        NullCounts {
            tried: self.tried + other.tried,
            fail_highs: self.fail_highs + other.fail_highs,
            cuts: self.cuts + other.cuts,
            reductions: self.reductions + other.reductions,
            reduced_fail_lows: self.reduced_fail_lows + other.reduced_fail_lows,
            verifications: self.verifications + other.verifications,
            double_null_moves: self.double_null_moves + other.double_null_moves,
        }
    }
}

impl AddAssign for NullCounts {
    fn add_assign(&mut self, other: NullCounts) {
        *self = *self + other;
    }
}

impl std::iter::Sum for NullCounts {
    fn sum<I: Iterator<Item = NullCounts>>(all: I) -> NullCounts {
        all.fold(NullCounts::default(), Add::add)
    }
}

impl fmt::Display for NullCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "null moves: {} tried, {} failed high ({:.1} %), {} cuts ({:.1} %), {} reductions, {} of them failed low \
             ({:.1} %), {} verifications, {} double null moves",
            self.tried,
            self.fail_highs,
            percent(self.fail_highs, self.tried),
            self.cuts,
            percent(self.cuts, self.tried),
            self.reductions,
            self.reduced_fail_lows,
            percent(self.reduced_fail_lows, self.reductions),
            self.verifications,
            self.double_null_moves,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_added_and_written() {
        let one = NullCounts {
            tried: 3,
            fail_highs: 1,
            reductions: 1,
            reduced_fail_lows: 1,
            ..NullCounts::default()
        };
        let two =
            NullCounts { tried: 1, cuts: 1, verifications: 5, double_null_moves: 7, ..NullCounts::default() };
        let sum: NullCounts = [one, two].into_iter().sum();
        assert_eq!(
            sum.to_string(),
            "null moves: 4 tried, 1 failed high (25.0 %), 1 cuts (25.0 %), 1 reductions, 1 of them failed low \
             (100.0 %), 5 verifications, 7 double null moves"
        );
        assert!(NullCounts::default().to_string().contains("0 tried, 0 failed high (0.0 %)"));
    }
}
