//! AVX2: 32 numbers in two registers of 256 bits.
//!
//! The functions at the foot of the file wrap one instruction each; nothing else here is unsafe.

use std::arch::x86_64::*;

use crate::nnue::simd::vector::{I8x64, I16x32, QA, Vector};

// What all SAFETY notes of this file rely on: the whole program is compiled for processors that have AVX2.
const _: () = assert!(cfg!(target_feature = "avx2"));

/// The numbers of an [`I16x32`] in two registers of 256 bits.
#[derive(Clone, Copy, Debug)]
pub struct Avx2([__m256i; 2]);

impl Vector for Avx2 {
    const NAME: &'static str = "AVX2";
    const TILE: usize = 4;
    const SUMS: usize = 10;

    type Sum = __m256i;

    #[inline(always)]
    fn load(numbers: &I16x32) -> Avx2 {
        Avx2([load_half::<0>(numbers), load_half::<1>(numbers)])
    }

    #[inline(always)]
    fn load_extend(numbers: &I8x64) -> [Avx2; 2] {
        pair_sums(load_bytes(numbers), [zero(); 2])
    }

    #[inline(always)]
    fn pair_sums(a: &I8x64, b: &I8x64) -> [Avx2; 2] {
        pair_sums(load_bytes(a), load_bytes(b))
    }

    #[inline(always)]
    fn pair_differences(a: &I8x64, b: &I8x64) -> [Avx2; 2] {
        pair_sums(load_bytes(a), load_bytes(b).map(|bytes| sub_i8(zero(), bytes)))
    }

    #[inline(always)]
    fn store(self, numbers: &mut I16x32) {
        store_half::<0>(numbers, self.0[0]);
        store_half::<1>(numbers, self.0[1]);
    }

    #[inline(always)]
    fn add(self, other: Avx2) -> Avx2 {
        Avx2([add_i16(self.0[0], other.0[0]), add_i16(self.0[1], other.0[1])])
    }

    #[inline(always)]
    fn sub(self, other: Avx2) -> Avx2 {
        Avx2([sub_i16(self.0[0], other.0[0]), sub_i16(self.0[1], other.0[1])])
    }

    #[inline(always)]
    fn mul(self, other: Avx2) -> Avx2 {
        Avx2([mul_low_i16(self.0[0], other.0[0]), mul_low_i16(self.0[1], other.0[1])])
    }

    #[inline(always)]
    fn zero_sum() -> __m256i {
        zero()
    }

    #[inline(always)]
    fn screlu(self) -> Avx2 {
        Avx2(self.0.map(screlu))
    }

    #[inline(always)]
    fn madd(self, weights: Avx2, sum: __m256i) -> __m256i {
        let low = add_i32(sum, madd_i16(self.0[0], weights.0[0]));
        add_i32(low, madd_i16(self.0[1], weights.0[1]))
    }

    #[inline(always)]
    fn horizontal_sum(sum: __m256i) -> i64 {
        lanes_i32(sum).into_iter().map(i64::from).sum()
    }
}

/// The 16-bit sums of the 8-bit numbers of two [`I8x64`]s, in two halves: each number is interleaved with the one that it is
/// added to, and one multiplication by ones adds all pairs of a register.
#[inline(always)]
fn pair_sums(a: [__m256i; 2], b: [__m256i; 2]) -> [Avx2; 2] {
    let add_pairs = |pairs| madd_u8_i8(splat_i8(1), pairs);
    [
        Avx2([add_pairs(interleave_low_i8(a[0], b[0])), add_pairs(interleave_low_i8(a[1], b[1]))]),
        Avx2([add_pairs(interleave_high_i8(a[0], b[0])), add_pairs(interleave_high_i8(a[1], b[1]))]),
    ]
}

/// One register of [`Vector::screlu`].
#[inline(always)]
fn screlu(values: __m256i) -> __m256i {
    let clamped = min_i16(max_i16(values, zero()), splat_i16(QA));
    // (8 x)^2 >> 16 is x^2 >> 10.
    let eightfold = shift_left_i16::<3>(clamped);
    mul_high_i16(eightfold, eightfold)
}

/// The eight 32-bit lanes of a register.
#[inline(always)]
fn lanes_i32(register: __m256i) -> [i32; 8] {
    bytemuck::cast(register)
}

/// Loads the first (0) or the second (1) half of 32 numbers.
#[inline(always)]
fn load_half<const HALF: usize>(numbers: &I16x32) -> __m256i {
    const { assert!(HALF < 2) };
    let start = numbers.0.as_ptr().cast::<__m256i>().wrapping_add(HALF);
    // SAFETY: an `I16x32` is 64 bytes long and aligned to 64, so that each half is 32 bytes at a multiple of 32; AVX2 as
    // asserted above.
    unsafe { _mm256_load_si256(start) }
}

/// Stores a register to the first (0) or the second (1) half of 32 numbers.
#[inline(always)]
fn store_half<const HALF: usize>(numbers: &mut I16x32, register: __m256i) {
    const { assert!(HALF < 2) };
    let start = numbers.0.as_mut_ptr().cast::<__m256i>().wrapping_add(HALF);
    // SAFETY: an `I16x32` is 64 bytes long and aligned to 64, so that each half is 32 bytes at a multiple of 32, and it is
    // borrowed mutably; AVX2 as asserted above.
    unsafe { _mm256_store_si256(start, register) }
}

/// Loads 64 numbers of 8 bits, in the order in which they are stored.
#[inline(always)]
fn load_bytes(numbers: &I8x64) -> [__m256i; 2] {
    [load_byte_half::<0>(numbers), load_byte_half::<1>(numbers)]
}

/// Loads the first (0) or the second (1) half of 64 numbers of 8 bits, in the order in which they are stored.
#[inline(always)]
fn load_byte_half<const HALF: usize>(numbers: &I8x64) -> __m256i {
    const { assert!(HALF < 2) };
    let start = numbers.0.as_ptr().cast::<__m256i>().wrapping_add(HALF);
    // SAFETY: an `I8x64` is 64 bytes long and aligned to 64, so that each half is 32 bytes at a multiple of 32; AVX2 as
    // asserted above.
    unsafe { _mm256_load_si256(start) }
}

/// All bits zero.
#[inline(always)]
fn zero() -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_setzero_si256() }
}

/// One number in all 8-bit lanes.
#[inline(always)]
fn splat_i8(number: i8) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_set1_epi8(number) }
}

/// One number in all 16-bit lanes.
#[inline(always)]
fn splat_i16(number: i16) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_set1_epi16(number) }
}

/// Subtracts 8-bit lanes; wraps on overflow.
#[inline(always)]
fn sub_i8(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_sub_epi8(a, b) }
}

/// Adds 16-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_add_epi16(a, b) }
}

/// Subtracts 16-bit lanes; wraps on overflow.
#[inline(always)]
fn sub_i16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_sub_epi16(a, b) }
}

/// The greater of two 16-bit lanes.
#[inline(always)]
fn max_i16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_max_epi16(a, b) }
}

/// The smaller of two 16-bit lanes.
#[inline(always)]
fn min_i16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_min_epi16(a, b) }
}

/// Shifts 16-bit lanes left.
#[inline(always)]
fn shift_left_i16<const BITS: i32>(a: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_slli_epi16::<BITS>(a) }
}

/// The low 16 bits of the products of 16-bit lanes.
#[inline(always)]
fn mul_low_i16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_mullo_epi16(a, b) }
}

/// The high 16 bits of the products of 16-bit lanes.
#[inline(always)]
fn mul_high_i16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_mulhi_epi16(a, b) }
}

/// Multiplies 16-bit lanes and adds neighbouring products to 32-bit lanes.
#[inline(always)]
fn madd_i16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_madd_epi16(a, b) }
}

/// Multiplies unsigned by signed 8-bit lanes and adds neighbouring products to 16-bit lanes; saturates.
#[inline(always)]
fn madd_u8_i8(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_maddubs_epi16(a, b) }
}

/// Adds 32-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i32(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_add_epi32(a, b) }
}

/// Interleaves the lower eight 8-bit lanes of each 128-bit half.
#[inline(always)]
fn interleave_low_i8(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_unpacklo_epi8(a, b) }
}

/// Interleaves the upper eight 8-bit lanes of each 128-bit half.
#[inline(always)]
fn interleave_high_i8(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: touches no memory; AVX2 as asserted above.
    unsafe { _mm256_unpackhi_epi8(a, b) }
}
