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
}
