//! Plain Rust: the oracle of the other backends, and the backend of processors that have none of theirs. Its loops have a
//! fixed length and run over arrays, so that the compiler can use whatever vector instructions the target has.

use super::vector::{I8x64, I16x32, LANES, QA, QA_SHIFT, Vector};

/// The numbers of an [`I16x32`] in an array.
#[derive(Clone, Copy, Debug)]
pub struct Scalar([i16; LANES]);

impl Vector for Scalar {
    const NAME: &'static str = "scalar";
    const TILE: usize = 2;
    const SUMS: usize = 3;

    type Sum = [i32; LANES / 2];

    #[inline(always)]
    fn load(numbers: &I16x32) -> Scalar {
        Scalar(numbers.0)
    }

    #[inline(always)]
    fn load_extend(numbers: &I8x64) -> [Scalar; 2] {
        let numbers = numbers.numbers().map(i16::from);
        [
            Scalar(std::array::from_fn(|lane| numbers[lane])),
            Scalar(std::array::from_fn(|lane| numbers[LANES + lane])),
        ]
    }

    #[inline(always)]
    fn pair_sums(a: &I8x64, b: &I8x64) -> [Scalar; 2] {
        Self::add_halves(Self::load_extend(a), Self::load_extend(b))
    }

    #[inline(always)]
    fn pair_differences(a: &I8x64, b: &I8x64) -> [Scalar; 2] {
        Self::sub_halves(Self::load_extend(a), Self::load_extend(b))
    }

    #[inline(always)]
    fn store(self, numbers: &mut I16x32) {
        numbers.0 = self.0;
    }

    #[inline(always)]
    fn add(mut self, other: Scalar) -> Scalar {
        for (index, lane) in self.0.iter_mut().enumerate() {
            *lane = lane.wrapping_add(other.0[index]);
        }
        self
    }

    #[inline(always)]
    fn sub(mut self, other: Scalar) -> Scalar {
        for (index, lane) in self.0.iter_mut().enumerate() {
            *lane = lane.wrapping_sub(other.0[index]);
        }
        self
    }

    #[inline(always)]
    fn mul(mut self, other: Scalar) -> Scalar {
        for (index, lane) in self.0.iter_mut().enumerate() {
            *lane = lane.wrapping_mul(other.0[index]);
        }
        self
    }

    #[inline(always)]
    fn zero_sum() -> [i32; LANES / 2] {
        [0; LANES / 2]
    }

    #[inline(always)]
    fn screlu(mut self) -> Scalar {
        for lane in &mut self.0 {
            let clamped = i32::from((*lane).clamp(0, QA));
            *lane = ((clamped * clamped) >> QA_SHIFT) as i16;
        }
        self
    }

    #[inline(always)]
    fn madd(self, weights: Scalar, mut sum: [i32; LANES / 2]) -> [i32; LANES / 2] {
        for (pair, lane) in sum.iter_mut().enumerate() {
            let product = |index: usize| i32::from(self.0[index]) * i32::from(weights.0[index]);
            *lane = lane.wrapping_add(product(2 * pair) + product(2 * pair + 1));
        }
        sum
    }

    #[inline(always)]
    fn horizontal_sum(sum: [i32; LANES / 2]) -> i64 {
        let mut total = 0;
        for lane in sum {
            total += i64::from(lane);
        }
        total
    }
}
