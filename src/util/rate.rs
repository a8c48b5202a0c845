//! Speeds.

use std::time::Duration;

/// How many of `count` there were a second; times below a microsecond count as one.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let rate = u128::from(count) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_neither_overflow_nor_divide_by_zero() {
        assert_eq!(per_second(3000, Duration::from_millis(1500)), 2000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(per_second(0, Duration::ZERO), 0);
    }
}
