//! From which depth entries are sent, so that they fit through the network.

use std::time::Duration;

use caesura::engine::{FIRST_SHARED_DEPTH, MIN_SHARED_DEPTH};
use caesura::types::{Depth, MAX_SEARCH_DEPTH};
use caesura::util::sync::Instant;

use crate::wire::entries::bytes;

/// How often the depth is reconsidered.
const INTERVAL: Duration = Duration::from_millis(50);
/// The depth falls only where less than a third of the bandwidth is used: a ply less about doubles the entries.
const IDLE_DIVISOR: u64 = 3;

/// Keeps the bytes a second that are sent below a limit, by the depth from which entries are sent.
#[derive(Clone, Debug)]
pub struct Throttle {
    bytes_per_second: u64,
    depth: Depth,
    /// How much of the present interval searches have taken.
    searched: Duration,
    /// Until when that is counted.
    counted: Instant,
    entries: usize,
    lost: bool,
}

impl Throttle {
    /// A throttle for this many bytes a second to each of the other machines.
    pub fn new(bytes_per_second: u64, now: Instant) -> Throttle {
        let (depth, searched) = (FIRST_SHARED_DEPTH, Duration::ZERO);
        Throttle { bytes_per_second, depth, searched, counted: now, entries: 0, lost: false }
    }

    /// The depth from which entries are sent, in plies.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// The pause before a search says nothing of its entries. Short searches have an interval together.
    pub fn search_started(&mut self, now: Instant) {
        self.counted = now;
    }

    /// Takes in how many entries have been sent, and whether some had to be thrown away. Returns the new depth if it
    /// changes.
    pub fn sent(&mut self, entries: usize, lost: bool, now: Instant) -> Option<Depth> {
        self.entries += entries;
        self.lost |= lost;
        self.searched += now.saturating_duration_since(self.counted);
        self.counted = now;
        if self.searched < INTERVAL {
            return None;
        }
        let rate = (bytes(self.entries) as f64 / self.searched.as_secs_f64()) as u64;
        let change = if self.lost || rate > self.bytes_per_second {
            1
        } else {
            -Depth::from(rate < self.bytes_per_second / IDLE_DIVISOR)
        };
        (self.searched, self.entries, self.lost) = (Duration::ZERO, 0, false);
        let depth = (self.depth + change).clamp(MIN_SHARED_DEPTH, MAX_SEARCH_DEPTH);
        let changed = depth != self.depth;
        self.depth = depth;
        changed.then_some(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The depths that come about where a depth of 0 would give this many entries an interval, and each ply halves them.
    fn depths(entries: usize, bytes_per_second: u64) -> Vec<Depth> {
        let mut now = Instant::now();
        let mut throttle = Throttle::new(bytes_per_second, now);
        let step = |_| {
            now += INTERVAL;
            let sent = entries >> throttle.depth();
            throttle.sent(sent, false, now);
            throttle.depth()
        };
        (0..100).map(step).collect()
    }

    #[test]
    fn the_depth_settles_where_the_entries_fit() {
        // 2^20 entries at depth 0; 20 intervals a second; 16 bytes each.
        for (depth, bytes_per_second) in [(10, 20 * 16 * 1024), (6, 20 * 16 * 16384), (18, 20 * 16 * 4)] {
            let depths = depths(1 << 20, bytes_per_second);
            assert!(depths[50..].iter().all(|&settled| settled == depths[99]), "{depths:?}");
            assert!((depth..=depth + 1).contains(&depths[99]), "{depths:?}");
        }
        assert_eq!(depths(0, 1000)[99], MIN_SHARED_DEPTH);
    }

    #[test]
    fn the_pause_before_a_search_does_not_lower_the_depth() {
        let start = Instant::now();
        let mut throttle = Throttle::new(1000, start);
        throttle.search_started(start + 100 * INTERVAL);
        assert_eq!(throttle.sent(0, false, start + 100 * INTERVAL), None);
        assert_eq!(throttle.sent(0, false, start + 101 * INTERVAL), Some(FIRST_SHARED_DEPTH - 1));
    }

    #[test]
    fn short_searches_are_judged_together_and_not_by_their_pauses() {
        for (entries, lost, change) in [(0, false, -1), (1000, false, 1), (0, true, 1)] {
            let mut now = Instant::now();
            let mut throttle = Throttle::new(20 * 16 * 100, now);
            let mut search = |_| {
                now += 3 * INTERVAL;
                throttle.search_started(now);
                now += INTERVAL / 4;
                throttle.sent(entries, lost, now)
            };
            let changes: Vec<_> = (0..4).filter_map(&mut search).collect();
            assert_eq!(changes, [FIRST_SHARED_DEPTH + change], "{entries} {lost}");
        }
    }

    #[test]
    fn lost_entries_raise_the_depth_whatever_the_rate() {
        let mut now = Instant::now();
        let mut throttle = Throttle::new(u64::MAX, now);
        assert_eq!(throttle.sent(1, true, now), None, "too early");
        now += INTERVAL;
        assert_eq!(throttle.sent(1, false, now), Some(FIRST_SHARED_DEPTH + 1));
        now += INTERVAL;
        assert_eq!(throttle.sent(1, false, now), Some(FIRST_SHARED_DEPTH));
    }
}
