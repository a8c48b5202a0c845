//! SSE2, which every x86-64 processor has, and SSSE3: 32 numbers in four registers of 128 bits.
//!
//! The functions at the foot of the file wrap one instruction each; nothing else here is unsafe.

use std::arch::x86_64::*;

use crate::nnue::simd::vector::{I8x32, I16x32, QA, Vector};

// What all SAFETY notes of this file rely on: the whole program is compiled for processors that have SSE2.
const _: () = assert!(cfg!(target_feature = "sse2"));

/// The numbers of an [`I16x32`] in four registers of 128 bits, used with SSSE3 instructions or without.
#[derive(Clone, Copy, Debug)]
pub struct Sse<const SSSE3: bool>([__m128i; 4]);

impl<const SSSE3: bool> Vector for Sse<SSSE3> {
    const NAME: &'static str = if SSSE3 { "SSSE3" } else { "SSE2" };
    const TILE: usize = 2;

    type Sum = [__m128i; 4];

    #[inline(always)]
    fn load(numbers: &I16x32) -> Self {
        Sse([load::<0>(numbers), load::<1>(numbers), load::<2>(numbers), load::<3>(numbers)])
    }

    #[inline(always)]
    fn load_extend(numbers: &I8x32) -> Self {
        // Shifted back, a number in the upper half of a lane fills the lane with its sign.
        let [a, b, c, d] = interleave([zero(); 2], load_bytes(numbers));
        let extend = shift_right_i16::<8>;
        Sse([extend(a), extend(b), extend(c), extend(d)])
    }

    #[inline(always)]
    fn add_sub(self, added: &I8x32, removed: &I8x32) -> Self {
        let (added, removed) = (load_bytes(added), load_bytes(removed));
        if SSSE3 {
            let negated = [sub_i8(zero(), removed[0]), sub_i8(zero(), removed[1])];
            // One multiplication by ones adds the pairs of a register.
            let add_pairs = |register, pairs| add_i16(register, madd_u8_i8::<SSSE3>(splat_i8(1), pairs));
            Sse(lanewise(add_pairs, self.0, interleave(added, negated)))
        } else {
            // With the sign bit flipped, which adds 128 to all, the numbers are extended by zeros.
            let flip = |bytes| xor(bytes, splat_i8(i8::MIN));
            let added = interleave([flip(added[0]), flip(added[1])], [zero(); 2]);
            let removed = interleave([flip(removed[0]), flip(removed[1])], [zero(); 2]);
            self.add(Sse(added)).sub(Sse(removed))
        }
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

/// Interleaves the bytes of two [`I8x32`]s, to 16-bit lanes in the order of an [`I16x32`]: those of `a` are the lower bytes
/// of the lanes.
#[inline(always)]
fn interleave(a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 4] {
    // The middle quarters are stored in each other's place.
    [
        interleave_low_i8(a[0], b[0]),
        interleave_low_i8(a[1], b[1]),
        interleave_high_i8(a[0], b[0]),
        interleave_high_i8(a[1], b[1]),
    ]
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

/// Loads 32 numbers of 8 bits, in the order in which they are stored.
#[inline(always)]
fn load_bytes(numbers: &I8x32) -> [__m128i; 2] {
    [load_half::<0>(numbers), load_half::<1>(numbers)]
}

/// Loads the first (0) or the second (1) half of 32 numbers of 8 bits, in the order in which they are stored.
#[inline(always)]
fn load_half<const HALF: usize>(numbers: &I8x32) -> __m128i {
    const { assert!(HALF < 2) };
    let start = numbers.0.as_ptr().cast::<__m128i>().wrapping_add(HALF);
    // SAFETY: an `I8x32` is 32 bytes long and aligned to 32, so that each half is 16 bytes at a multiple of 16; SSE2 as
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
