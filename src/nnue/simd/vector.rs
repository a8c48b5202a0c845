//! What an instruction set must offer.

use bytemuck::{Pod, Zeroable};

/// Numbers in a [`Block`].
pub const LANES: usize = 32;

/// The unit of all memory that vectors are loaded from: a cache line of 16-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All zeros.
    pub const ZERO: Block = Block([0; LANES]);
}

/// As many numbers as a [`Block`] has, of 8 bits each: the second and the third quarter are in each other's place.
///
/// Where a register has two halves that are interleaved each by itself, all numbers then come out in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Bytes(pub(super) [i8; LANES]);

impl Bytes {
    /// All zeros.
    pub const ZERO: Bytes = Bytes([0; LANES]);

    /// These numbers.
    #[inline]
    pub fn new(numbers: [i8; LANES]) -> Bytes {
        Bytes(with_middle_swapped(numbers))
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
pub const MOST: i16 = 1 << SQUARE_SHIFT;
/// Squares are divided by two to this power.
pub const SQUARE_SHIFT: u32 = 10;

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
    fn load(block: &Block) -> Self;

    /// Numbers of 8 bits, as 16 bits each.
    fn widen(bytes: &Bytes) -> Self;

    /// Adds numbers of 8 bits and subtracts others, none of which is -128, wrapping round.
    #[inline(always)]
    fn exchange(self, added: &Bytes, removed: &Bytes) -> Self {
        self.add(Self::widen(added)).sub(Self::widen(removed))
    }

    /// Writes the numbers to a block.
    fn store(self, block: &mut Block);

    /// Adds number by number, wrapping round.
    fn add(self, other: Self) -> Self;

    /// Subtracts number by number, wrapping round.
    fn sub(self, other: Self) -> Self;

    /// Multiplies number by number, wrapping round.
    fn scale(self, by: Self) -> Self;

    /// A sum of nothing.
    fn zero() -> Self::Sum;

    /// Adds the products of `weights` with the squares of `values`, clamped to 0..=1024, divided by 1024 and rounded down
    /// (squared clipped ReLU).
    ///
    /// With weights within 8191 of zero a sum can take at least 32 blocks.
    fn accumulate(sum: Self::Sum, values: Self, weights: Self) -> Self::Sum;

    /// The sum of all lanes.
    fn total(sum: Self::Sum) -> i64;
}
