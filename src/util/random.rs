//! Pseudo-random numbers, the same in every run.
//!
//! The generator is SplitMix64 (Guy Steele, Doug Lea and Christine Flood, "Fast splittable pseudorandom number
//! generators", 2014, with the mixing of Sebastiano Vigna): a counter, whose values are mixed well. It has one word of
//! state, any of which will do, and the compiler can run it.

/// A generator of 64-bit numbers: each value of its one word of state begins another sequence.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub const fn next(&mut self) -> u64 {
        splitmix(&mut self.0)
    }

    /// A number below `end`, which must not be 0. For an `end` far below 2^64 all are about equally likely.
    #[inline]
    pub const fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A uniformly distributed number from 0 to 1, without 1.
    #[inline]
    pub const fn unit(&mut self) -> f64 {
        unit_interval(self.next())
    }

    /// One item of a slice, which must not be empty.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// 2^64 over the golden ratio, an odd number: multiples of it spread evenly over all 64 bits (Knuth 1973, "The Art of
/// Computer Programming", volume 3, on multiplicative hashing). The generator's counter grows by it.
pub const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

/// The next number of the generator with this state.
#[inline]
pub const fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(GOLDEN_RATIO);
    mix(*state)
}

/// A number mixed so that each bit depends on all of its bits. Different numbers stay different.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut mixed = number;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// What 64 random bits say as a number from 0 to 1, without 1: as many of them as a floating-point number of 64 bits
/// can distinguish, 53.
#[inline]
pub const fn unit_interval(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// Puts items into a random order. `below` draws a number less than the one that it is given. (Richard Durstenfeld,
/// "Algorithm 235: Random permutation", 1964.)
pub fn shuffle<T>(items: &mut [T], mut below: impl FnMut(usize) -> usize) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_program() {
        let mut state = 1_234_567;
        let numbers: [u64; 3] = std::array::from_fn(|_| splitmix(&mut state));
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        assert_eq!(mix(0), 0);
    }

    #[test]
    fn numbers_from_0_to_1_leave_1_out() {
        assert_eq!([0, 1 << 63, 3 << 62].map(unit_interval), [0.0, 0.5, 0.75]);
        assert!(unit_interval(u64::MAX) < 1.0);
    }

    #[test]
    fn a_shuffle_can_make_every_order_and_keeps_every_item() {
        let mut orders = std::collections::HashSet::new();
        let mut random = SplitMix(1);
        for _ in 0..500 {
            let mut items = [0, 1, 2, 3];
            shuffle(&mut items, |end| random.below(end));
            orders.insert(items);
        }
        assert_eq!(orders.len(), 24);
        let mut none: [u8; 0] = [];
        shuffle(&mut none, |_| unreachable!("nothing to draw"));
    }
}
