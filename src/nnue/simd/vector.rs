//! The operations that a backend must offer, and the memory that they work on.

use bytemuck::{Pod, Zeroable};

/// Numbers in an [`I16x32`]; an [`I8x64`] has twice as many.
pub const LANES: usize = 32;
/// Numbers in a group of an [`I8x64`].
const GROUP: usize = 8;

/// Quantisation of the accumulators: 1.0 as an integer, and the upper bound of the clipped ReLU.
pub const QA: i16 = 1 << QA_SHIFT;
/// The binary logarithm of [`QA`], by which the squares of activations are shifted right.
pub const QA_SHIFT: u32 = 10;

/// The unit of memory that vectors are loaded from: 32 numbers of 16 bits, which are a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct I16x32(pub [i16; LANES]);

impl I16x32 {
    /// All zeros.
    pub const ZERO: I16x32 = I16x32([0; LANES]);
}

/// 64 numbers of 8 bits, which are a cache line, in groups of eight: those of the second half of the numbers are stored
/// between those of the first.
///
/// Instructions of every width interleave the lower and the upper eight bytes of each 16 by themselves; stored in this order,
/// the first half of the numbers comes out of the lower bytes and the second out of the upper, each in its own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct I8x64(pub(super) [i8; 2 * LANES]);

impl I8x64 {
    /// All zeros.
    pub const ZERO: I8x64 = I8x64([0; 2 * LANES]);

    /// Stores numbers that are given in their own order.
    #[inline]
    pub fn new(numbers: [i8; 2 * LANES]) -> I8x64 {
        I8x64(std::array::from_fn(|place| numbers[number_at(place)]))
    }

    /// The numbers in their own order.
    #[inline]
    pub fn numbers(&self) -> [i8; 2 * LANES] {
        let mut numbers = [0; 2 * LANES];
        for (place, &number) in self.0.iter().enumerate() {
            numbers[number_at(place)] = number;
        }
        numbers
    }
}

/// Which number is stored at a place of an [`I8x64`].
#[inline(always)]
const fn number_at(place: usize) -> usize {
    let (group, number) = (place / GROUP, place % GROUP);
    (group % 2) * LANES + group / 2 * GROUP + number
}

/// The numbers of an [`I16x32`] in registers: one or several, depending on the instruction set.
///
/// All backends give equal results, bit for bit.
pub trait Vector: Copy {
    /// The name of the instruction set.
    const NAME: &'static str;

    /// Vectors that a loop over many rows should keep in registers at a time: 2, 4, 8 or 16.
    const TILE: usize;

    /// Sums that a loop can keep in registers beside what it multiplies.
    const SUMS: usize;

    /// Partial sums of products, in 32-bit lanes.
    type Sum: Copy;

    /// Loads 16-bit numbers.
    fn load(numbers: &I16x32) -> Self;

    /// Loads 8-bit numbers and sign-extends them to 16 bits, in two halves.
    fn load_extend(numbers: &I8x64) -> [Self; 2];

    /// The 16-bit sums of 8-bit numbers, in two halves.
    fn pair_sums(a: &I8x64, b: &I8x64) -> [Self; 2];

    /// The 16-bit differences of 8-bit numbers, in two halves; `b` may not have -128.
    fn pair_differences(a: &I8x64, b: &I8x64) -> [Self; 2];

    /// Adds the 8-bit numbers `a` and `b` to two halves; wraps on overflow.
    #[inline(always)]
    fn add_both(halves: [Self; 2], a: &I8x64, b: &I8x64) -> [Self; 2] {
        Self::add_halves(halves, Self::pair_sums(a, b))
    }

    /// Subtracts the 8-bit numbers `a` and `b` from two halves; wraps on overflow.
    #[inline(always)]
    fn sub_both(halves: [Self; 2], a: &I8x64, b: &I8x64) -> [Self; 2] {
        Self::sub_halves(halves, Self::pair_sums(a, b))
    }

    /// Adds the 8-bit numbers `added` to two halves and subtracts `removed`, which may not have -128; wraps on overflow.
    #[inline(always)]
    fn add_sub(halves: [Self; 2], added: &I8x64, removed: &I8x64) -> [Self; 2] {
        Self::add_halves(halves, Self::pair_differences(added, removed))
    }

    /// Adds two halves lane by lane; wraps on overflow.
    #[inline(always)]
    fn add_halves([a, b]: [Self; 2], [c, d]: [Self; 2]) -> [Self; 2] {
        [a.add(c), b.add(d)]
    }

    /// Subtracts two halves lane by lane; wraps on overflow.
    #[inline(always)]
    fn sub_halves([a, b]: [Self; 2], [c, d]: [Self; 2]) -> [Self; 2] {
        [a.sub(c), b.sub(d)]
    }

    /// Stores the numbers.
    fn store(self, numbers: &mut I16x32);

    /// Adds lane by lane; wraps on overflow.
    fn add(self, other: Self) -> Self;

    /// Subtracts lane by lane; wraps on overflow.
    fn sub(self, other: Self) -> Self;

    /// Multiplies lane by lane and keeps the low 16 bits.
    fn mul(self, other: Self) -> Self;

    /// A sum of zero.
    fn zero_sum() -> Self::Sum;

    /// Squared clipped ReLU: `clamp(values, 0, QA)^2 >> QA_SHIFT`, from 0 to [`QA`].
    fn screlu(self) -> Self;

    /// Adds the products of `self` and `weights` to `sum`.
    ///
    /// With numbers from 0 to [`QA`] and weights within 8,191 of zero, a sum can take at least 32 vectors.
    fn madd(self, weights: Self, sum: Self::Sum) -> Self::Sum;

    /// The sum of all lanes.
    fn horizontal_sum(sum: Self::Sum) -> i64;
}
