//! What a value says about the true one.

use super::score::Value;

/// How a value of the search relates to the true (minimax) value of a position.
///
/// Used by transposition table entries, by root moves and by the lines that a search reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// Unknown: there is no value.
    None = 0,
    /// The true value is at most this one: the search failed low.
    Upper = 1,
    /// The true value is at least this one: the search failed high.
    Lower = 2,
    /// The value is the true one.
    #[default]
    Exact = 3,
}

impl Bound {
    /// True if the true value is known to be at most the given one ([`Bound::Upper`] or [`Bound::Exact`]).
    #[inline]
    pub const fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }

    /// True if the true value is known to be at least the given one ([`Bound::Lower`] or [`Bound::Exact`]).
    #[inline]
    pub const fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// The bound with these two lowest bits: bit 0 for an upper bound, bit 1 for a lower one.
    #[inline]
    pub const fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    /// What a search within the window `alpha..beta` proves by returning `value`.
    #[inline]
    pub const fn from_window(value: Value, alpha: Value, beta: Value) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// True if `value` with this bound is enough to leave a search with the window `alpha..beta`: it is exact, or it proves
    /// that the true value lies outside of the window.
    #[inline]
    pub const fn allows_cutoff(self, value: Value, alpha: Value, beta: Value) -> bool {
        matches!(self, Bound::Exact) || self.is_lower() && value >= beta || self.is_upper() && value <= alpha
    }

    /// True if `value` with this bound is a better estimate of the true value than `estimate`: it is exact, or it proves
    /// that the true value lies on the other side of `value` than `estimate` does.
    #[inline]
    pub const fn improves_on(self, value: Value, estimate: Value) -> bool {
        matches!(self, Bound::Exact)
            || self.is_lower() && value > estimate
            || self.is_upper() && value < estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    #[test]
    fn exact_is_both_an_upper_and_a_lower_bound() {
        assert_eq!(ALL.map(Bound::is_upper), [false, true, false, true]);
        assert_eq!(ALL.map(Bound::is_lower), [false, false, true, true]);
        assert_eq!(ALL.map(|bound| Bound::from_bits(0b100 | bound as u64)), ALL);
    }

    #[test]
    fn a_window_gives_the_bound() {
        let bounds = [9, 10, 11, 19, 20, 21].map(|value| Bound::from_window(value, 10, 20));
        use Bound::{Exact, Lower, Upper};
        assert_eq!(bounds, [Upper, Upper, Exact, Exact, Lower, Lower]);
        // A zero window leaves no room for exact values.
        assert_eq!([10, 11].map(|value| Bound::from_window(value, 10, 11)), [Upper, Lower]);
    }

    #[test]
    fn a_bound_outside_of_the_window_allows_a_cutoff() {
        for value in [5, 10, 15, 20, 25] {
            let allowed = ALL.map(|bound| bound.allows_cutoff(value, 10, 20));
            assert_eq!(allowed, [false, value <= 10, value >= 20, true], "{value}");
        }
    }

    #[test]
    fn whatever_a_search_returns_allows_a_cutoff_in_its_window() {
        for value in -30..30 {
            for (alpha, beta) in [(-5, -4), (0, 1), (-10, 10)] {
                assert!(Bound::from_window(value, alpha, beta).allows_cutoff(value, alpha, beta));
            }
        }
    }

    #[test]
    fn a_bound_improves_on_an_estimate_in_its_own_direction_only() {
        assert_eq!(ALL.map(|bound| bound.improves_on(50, 30)), [false, false, true, true]);
        assert_eq!(ALL.map(|bound| bound.improves_on(50, 70)), [false, true, false, true]);
        assert_eq!(ALL.map(|bound| bound.improves_on(50, 50)), [false, false, false, true]);
    }
}
