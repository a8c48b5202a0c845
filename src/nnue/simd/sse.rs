//! SSE2, which every x86-64 processor has, and SSSE3: 32 numbers in four registers of 128 bits.
//!
//! The functions at the foot of the file wrap one instruction each; nothing else here is unsafe.

use std::arch::x86_64::*;

use crate::nnue::simd::vector::{I8x64, I16x32, QA, Vector};

// What all SAFETY notes of this file rely on: the whole program is compiled for processors that have SSE2.
const _: () = assert!(cfg!(target_feature = "sse2"));

/// The numbers of an [`I16x32`] in four registers of 128 bits, used with SSSE3 instructions or without.
#[derive(Clone, Copy, Debug)]
pub struct Sse<const SSSE3: bool>([__m128i; 4]);

impl<const SSSE3: bool> Vector for Sse<SSSE3> {
    const NAME: &'static str = if SSSE3 { "SSSE3" } else { "SSE2" };
    const TILE: usize = 2;
    const SUMS: usize = 3;

    type Sum = [__m128i; 4];

    #[inline(always)]
    fn load(numbers: &I16x32) -> Self {
        Sse([load::<0>(numbers), load::<1>(numbers), load::<2>(numbers), load::<3>(numbers)])
    }

    #[inline(always)]
    fn load_extend(numbers: &I8x64) -> [Self; 2] {
        by_quarters([Sse([zero(); 4]); 2], numbers, numbers, |_, _, numbers| extended(numbers))
    }

    #[inline(always)]
    fn pair_sums(a: &I8x64, b: &I8x64) -> [Self; 2] {
        Self::add_both([Sse([zero(); 4]); 2], a, b)
    }

    #[inline(always)]
    fn pair_differences(a: &I8x64, b: &I8x64) -> [Self; 2] {
        Self::add_sub([Sse([zero(); 4]); 2], a, b)
    }

    #[inline(always)]
    fn add_both(halves: [Self; 2], a: &I8x64, b: &I8x64) -> [Self; 2] {
        by_quarters(halves, a, b, |[low, high], a, b| {
            let [low_sums, high_sums] = sums::<SSSE3>(a, b);
            [add_i16(low, low_sums), add_i16(high, high_sums)]
        })
    }

    #[inline(always)]
    fn sub_both(halves: [Self; 2], a: &I8x64, b: &I8x64) -> [Self; 2] {
        by_quarters(halves, a, b, |[low, high], a, b| {
            let [low_sums, high_sums] = sums::<SSSE3>(a, b);
            [sub_i16(low, low_sums), sub_i16(high, high_sums)]
        })
    }

    #[inline(always)]
    fn add_sub(halves: [Self; 2], added: &I8x64, removed: &I8x64) -> [Self; 2] {
        by_quarters(halves, added, removed, |[low, high], added, removed| {
            if SSSE3 {
                let [low_sums, high_sums] = sums::<SSSE3>(added, sub_i8(zero(), removed));
                [add_i16(low, low_sums), add_i16(high, high_sums)]
            } else {
                // With the sign bit flipped, which adds 128 to all, the numbers are extended by zeros.
                let [added, removed] = [added, removed].map(|bytes| xor(bytes, splat_i8(i8::MIN)));
                let difference = |register, added, removed| sub_i16(add_i16(register, added), removed);
                [
                    difference(low, interleave_low_i8(added, zero()), interleave_low_i8(removed, zero())),
                    difference(high, interleave_high_i8(added, zero()), interleave_high_i8(removed, zero())),
                ]
            }
        })
    }

    #[inline(always)]
    fn store(self, numbers: &mut I16x32) {
        store::<0>(numbers, self.0[0]);
        store::<1>(numbers, self.0[1]);
        store::<2>(numbers, self.0[2]);
        store::<3>(numbers, self.0[3]);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Sse(lanewise(add_i16, self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Sse(lanewise(sub_i16, self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Sse(lanewise(mul_low_i16, self.0, other.0))
    }

    #[inline(always)]
    fn zero_sum() -> [__m128i; 4] {
        [zero(); 4]
    }

    #[inline(always)]
    fn screlu(self) -> Self {
        Sse(self.0.map(screlu))
    }

    #[inline(always)]
    fn madd(self, weights: Self, sum: [__m128i; 4]) -> [__m128i; 4] {
        lanewise(add_i32, sum, lanewise(madd_i16, self.0, weights.0))
    }

    #[inline(always)]
    fn horizontal_sum(sum: [__m128i; 4]) -> i64 {
        let mut total = 0;
        for register in sum {
            for lane in lanes_i32(register) {
                total += i64::from(lane);
            }
        }
        total
    }
}

/// An operation on each of the four registers.
#[inline(always)]
fn lanewise(
    operation: impl Fn(__m128i, __m128i) -> __m128i,
    a: [__m128i; 4],
    b: [__m128i; 4],
) -> [__m128i; 4] {
    // Written out: the compiler does not always inline loops over arrays of registers.
    [operation(a[0], b[0]), operation(a[1], b[1]), operation(a[2], b[2]), operation(a[3], b[3])]
}

/// An operation on each register of two halves and the quarter of two [`I8x64`]s that belongs to it: a quarter's lower bytes
/// to a register of the first half, its upper bytes to one of the second. One after the other, so that registers suffice.
#[inline(always)]
fn by_quarters<const SSSE3: bool>(
    [low, high]: [Sse<SSSE3>; 2],
    a: &I8x64,
    b: &I8x64,
    operation: impl Fn([__m128i; 2], __m128i, __m128i) -> [__m128i; 2],
) -> [Sse<SSSE3>; 2] {
    let [low_0, high_0] = operation([low.0[0], high.0[0]], load_quarter::<0>(a), load_quarter::<0>(b));
    let [low_1, high_1] = operation([low.0[1], high.0[1]], load_quarter::<1>(a), load_quarter::<1>(b));
    let [low_2, high_2] = operation([low.0[2], high.0[2]], load_quarter::<2>(a), load_quarter::<2>(b));
    let [low_3, high_3] = operation([low.0[3], high.0[3]], load_quarter::<3>(a), load_quarter::<3>(b));
    [Sse([low_0, low_1, low_2, low_3]), Sse([high_0, high_1, high_2, high_3])]
}

/// The lower and the upper eight 8-bit lanes, sign-extended to 16 bits.
#[inline(always)]
fn extended(a: __m128i) -> [__m128i; 2] {
    // Shifted back, a number in the upper half of a lane fills the lane with its sign.
    [interleave_low_i8(zero(), a), interleave_high_i8(zero(), a)].map(shift_right_i16::<8>)
}

/// The 16-bit sums of the lower and of the upper eight 8-bit lanes.
#[inline(always)]
fn sums<const SSSE3: bool>(a: __m128i, b: __m128i) -> [__m128i; 2] {
    if SSSE3 {
        // One multiplication by ones adds the pairs of a register.
        let add_pairs = |pairs| madd_u8_i8::<SSSE3>(splat_i8(1), pairs);
        [add_pairs(interleave_low_i8(a, b)), add_pairs(interleave_high_i8(a, b))]
    } else {
        let ([a_low, a_high], [b_low, b_high]) = (extended(a), extended(b));
        [add_i16(a_low, b_low), add_i16(a_high, b_high)]
    }
}

/// One register of [`Vector::screlu`].
#[inline(always)]
fn screlu(values: __m128i) -> __m128i {
    let clamped = min_i16(max_i16(values, zero()), splat_i16(QA));
    // (8 x)^2 >> 16 is x^2 >> 10.
    let eightfold = shift_left_i16::<3>(clamped);
    mul_high_i16(eightfold, eightfold)
}

/// The four 32-bit lanes of a register.
#[inline(always)]
fn lanes_i32(register: __m128i) -> [i32; 4] {
    bytemuck::cast(register)
}

/// Loads one of the four quarters of 32 numbers.
#[inline(always)]
fn load<const QUARTER: usize>(numbers: &I16x32) -> __m128i {
    const { assert!(QUARTER < 4) };
    let start = numbers.0.as_ptr().cast::<__m128i>().wrapping_add(QUARTER);
    // SAFETY: an `I16x32` is 64 bytes long and aligned to 64, so that each quarter is 16 bytes at a multiple of 16; SSE2
    // as asserted above.
    unsafe { _mm_load_si128(start) }
}

/// Stores a register to one of the four quarters of 32 numbers.
#[inline(always)]
fn store<const QUARTER: usize>(numbers: &mut I16x32, register: __m128i) {
    const { assert!(QUARTER < 4) };
    let start = numbers.0.as_mut_ptr().cast::<__m128i>().wrapping_add(QUARTER);
    // SAFETY: an `I16x32` is 64 bytes long and aligned to 64, so that each quarter is 16 bytes at a multiple of 16, and it
    // is borrowed mutably; SSE2 as asserted above.
    unsafe { _mm_store_si128(start, register) }
}

/// Loads one of the four quarters of 64 numbers of 8 bits, in the order in which they are stored.
#[inline(always)]
fn load_quarter<const QUARTER: usize>(numbers: &I8x64) -> __m128i {
    const { assert!(QUARTER < 4) };
    let start = numbers.0.as_ptr().cast::<__m128i>().wrapping_add(QUARTER);
    // SAFETY: an `I8x64` is 64 bytes long and aligned to 64, so that each quarter is 16 bytes at a multiple of 16; SSE2 as
    // asserted above.
    unsafe { _mm_load_si128(start) }
}

/// All bits zero.
#[inline(always)]
fn zero() -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_setzero_si128() }
}

/// One number in all 8-bit lanes.
#[inline(always)]
fn splat_i8(number: i8) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_set1_epi8(number) }
}

/// One number in all 16-bit lanes.
#[inline(always)]
fn splat_i16(number: i16) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_set1_epi16(number) }
}

/// The bits that differ.
#[inline(always)]
fn xor(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_xor_si128(a, b) }
}

/// Subtracts 8-bit lanes; wraps on overflow.
#[inline(always)]
fn sub_i8(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_sub_epi8(a, b) }
}

/// Adds 16-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i16(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_add_epi16(a, b) }
}

/// Subtracts 16-bit lanes; wraps on overflow.
#[inline(always)]
fn sub_i16(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_sub_epi16(a, b) }
}

/// The greater of two 16-bit lanes.
#[inline(always)]
fn max_i16(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_max_epi16(a, b) }
}

/// The smaller of two 16-bit lanes.
#[inline(always)]
fn min_i16(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_min_epi16(a, b) }
}

/// Shifts 16-bit lanes left.
#[inline(always)]
fn shift_left_i16<const BITS: i32>(a: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_slli_epi16::<BITS>(a) }
}

/// Shifts 16-bit lanes right; keeps their signs.
#[inline(always)]
fn shift_right_i16<const BITS: i32>(a: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_srai_epi16::<BITS>(a) }
}

/// The low 16 bits of the products of 16-bit lanes.
#[inline(always)]
fn mul_low_i16(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_mullo_epi16(a, b) }
}

/// The high 16 bits of the products of 16-bit lanes.
#[inline(always)]
fn mul_high_i16(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_mulhi_epi16(a, b) }
}

/// Multiplies 16-bit lanes and adds neighbouring products to 32-bit lanes.
#[inline(always)]
fn madd_i16(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_madd_epi16(a, b) }
}

/// Multiplies unsigned by signed 8-bit lanes and adds neighbouring products to 16-bit lanes; saturates.
#[inline(always)]
fn madd_u8_i8<const SSSE3: bool>(a: __m128i, b: __m128i) -> __m128i {
    const { assert!(!SSSE3 || cfg!(target_feature = "ssse3")) };
    assert!(SSSE3, "an SSSE3 instruction without SSSE3");
    // SAFETY: touches no memory; SSSE3 by the two assertions of this function.
    unsafe { _mm_maddubs_epi16(a, b) }
}

/// Adds 32-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i32(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_add_epi32(a, b) }
}

/// Interleaves the lower eight 8-bit lanes.
#[inline(always)]
fn interleave_low_i8(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_unpacklo_epi8(a, b) }
}

/// Interleaves the upper eight 8-bit lanes.
#[inline(always)]
fn interleave_high_i8(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: touches no memory; SSE2 as asserted above.
    unsafe { _mm_unpackhi_epi8(a, b) }
}
