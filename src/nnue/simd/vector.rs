//! What an instruction set must offer.

use bytemuck::{Pod, Zeroable};

/// Numbers in a [`Block`].
pub const LANES: usize = 32;

/// The unit of all memory that vectors are loaded from: a cache line of 16-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct I16x32(pub [i16; LANES]);

impl I16x32 {
    /// All zeros.
    pub const ZERO: I16x32 = I16x32([0; LANES]);
}

/// As many numbers as a [`Block`] has, of 8 bits each: the second and the third quarter are in each other's place.
///
/// Where a register has two halves that are interleaved each by itself, all numbers then come out in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct I8x32(pub(super) [i8; LANES]);

impl I8x32 {
    /// All zeros.
    pub const ZERO: I8x32 = I8x32([0; LANES]);

    /// These numbers.
    #[inline]
    pub fn new(numbers: [i8; LANES]) -> I8x32 {
        I8x32(with_middle_swapped(numbers))
    }

    /// The numbers in their order.
    #[inline]
    pub fn numbers(&self) -> [i8; LANES] {
        with_middle_swapped(self.0)
    }
}

#[inline(always)]
fn with_middle_swapped(mut numbers: [i8; LANES]) -> [i8; LANES] {
    let (first, second) = numbers.split_at_mut(LANES / 2);
    first[LANES / 4..].swap_with_slice(&mut second[..LANES / 4]);
    numbers
}

/// The greatest number that is squared: 1 << [`SQUARE_SHIFT`] is one in the hidden layer.
pub const QA: i16 = 1 << QA_SHIFT;
/// Squares are divided by two to this power.
pub const QA_SHIFT: u32 = 10;

/// The numbers of a [`Block`] in registers: one or several, as the instruction set has it.
///
/// All implementations give equal results, bit for bit.
pub trait Vector: Copy {
    /// The name of the instruction set.
    const NAME: &'static str;

    /// How many vectors a loop over many rows should keep in registers at a time: 1, 2, 4, 8 or 16.
    const TILE: usize;

    /// Sums of products, in 32-bit lanes.
    type Sum: Copy;

    /// The numbers of a block.
    fn load(block: &I16x32) -> Self;

    /// Numbers of 8 bits, as 16 bits each.
    fn load_extend(bytes: &I8x32) -> Self;

    /// Adds numbers of 8 bits and subtracts others, none of which is -128, wrapping round.
    #[inline(always)]
    fn add_sub(self, added: &I8x32, removed: &I8x32) -> Self {
        self.add(Self::load_extend(added)).sub(Self::load_extend(removed))
    }

    /// Writes the numbers to a block.
    fn store(self, block: &mut I16x32);

    /// Adds number by number, wrapping round.
    fn add(self, other: Self) -> Self;

    /// Subtracts number by number, wrapping round.
    fn sub(self, other: Self) -> Self;

    /// Multiplies number by number, wrapping round.
    fn mul(self, by: Self) -> Self;

    /// A sum of nothing.
    fn zero_sum() -> Self::Sum;

    /// Adds the products of `weights` with the squares of `values`, clamped to 0..=1024, divided by 1024 and rounded down
    /// (squared clipped ReLU).
    ///
    /// With weights within 8191 of zero a sum can take at least 32 blocks.
    fn screlu_madd(sum: Self::Sum, values: Self, weights: Self) -> Self::Sum;

    /// The sum of all lanes.
    fn horizontal_sum(sum: Self::Sum) -> i64;
}
