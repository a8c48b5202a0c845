//! Speeds and shares.

use std::time::Duration;

/// How many of `count` there were a second; times below a microsecond count as one.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let rate = u128::from(count) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// How many per cent of the whole a part is; 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_neither_overflow_nor_divide_by_zero() {
        assert_eq!(per_second(3000, Duration::from_millis(1500)), 2000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(per_second(0, Duration::ZERO), 0);
        assert_eq!([percent(1, 4), percent(0, 0), percent(u64::MAX, u64::MAX)], [25.0, 0.0, 100.0]);
    }
}
