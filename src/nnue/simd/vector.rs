//! The operations that a backend must offer, and the memory that they work on.

use bytemuck::{Pod, Zeroable};

/// Numbers in an [`I16x32`] or an [`I8x32`].
pub const LANES: usize = 32;

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

/// 32 numbers of 8 bits, of which the second and the third quarter have changed places.
///
/// AVX2 interleaves each half of a register by itself; stored in this order, the numbers come out of that in their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct I8x32(pub(super) [i8; LANES]);

impl I8x32 {
    /// All zeros.
    pub const ZERO: I8x32 = I8x32([0; LANES]);

    /// Stores numbers that are given in their own order.
    #[inline]
    pub fn new(numbers: [i8; LANES]) -> I8x32 {
        I8x32(with_middle_quarters_swapped(numbers))
    }

    /// The numbers in their own order.
    #[inline]
    pub fn numbers(&self) -> [i8; LANES] {
        with_middle_quarters_swapped(self.0)
    }
}

#[inline(always)]
fn with_middle_quarters_swapped(mut numbers: [i8; LANES]) -> [i8; LANES] {
    let (first, second) = numbers.split_at_mut(LANES / 2);
    first[LANES / 4..].swap_with_slice(&mut second[..LANES / 4]);
    numbers
}

/// The numbers of an [`I16x32`] in registers: one or several, depending on the instruction set.
///
/// All backends give equal results, bit for bit.
pub trait Vector: Copy {
    /// The name of the instruction set.
    const NAME: &'static str;

    /// Vectors that a loop over many rows should keep in registers at a time: 1, 2, 4, 8 or 16.
    const TILE: usize;

    /// Partial sums of products, in 32-bit lanes.
    type Sum: Copy;

    /// Loads 16-bit numbers.
    fn load(numbers: &I16x32) -> Self;

    /// Loads 8-bit numbers and sign-extends them to 16 bits.
    fn load_extend(numbers: &I8x32) -> Self;

    /// Adds the 8-bit numbers `added` and subtracts `removed`, none of which may be -128; wraps on overflow.
    #[inline(always)]
    fn add_sub(self, added: &I8x32, removed: &I8x32) -> Self {
        self.add(Self::load_extend(added)).sub(Self::load_extend(removed))
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
