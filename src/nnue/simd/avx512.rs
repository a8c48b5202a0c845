//! AVX-512: 32 numbers in one register of 512 bits. With VNNI, one instruction multiplies and adds to the sum.
//!
//! The functions at the foot of the file wrap one instruction each; nothing else here is unsafe.

use std::arch::x86_64::*;

use crate::nnue::simd::vector::{I8x64, I16x32, QA, Vector};

// What all SAFETY notes of this file rely on: the whole program is compiled for processors that have AVX-512 F and BW.
const _: () = assert!(cfg!(all(target_feature = "avx512f", target_feature = "avx512bw")));

/// The numbers of an [`I16x32`] in a register of 512 bits, used with VNNI instructions or without.
#[derive(Clone, Copy, Debug)]
pub struct Avx512<const VNNI: bool>(__m512i);

impl<const VNNI: bool> Vector for Avx512<VNNI> {
    const NAME: &'static str = if VNNI { "AVX-512 VNNI" } else { "AVX-512" };
    const TILE: usize = 16;
    const SUMS: usize = 16;

    type Sum = __m512i;

    #[inline(always)]
    fn load(numbers: &I16x32) -> Self {
        Avx512(load(numbers))
    }

    #[inline(always)]
    fn load_extend(numbers: &I8x64) -> [Self; 2] {
        pair_sums(load_bytes(numbers), zero())
    }

    #[inline(always)]
    fn pair_sums(a: &I8x64, b: &I8x64) -> [Self; 2] {
        pair_sums(load_bytes(a), load_bytes(b))
    }

    #[inline(always)]
    fn pair_differences(a: &I8x64, b: &I8x64) -> [Self; 2] {
        pair_sums(load_bytes(a), sub_i8(zero(), load_bytes(b)))
    }

    #[inline(always)]
    fn store(self, numbers: &mut I16x32) {
        store(numbers, self.0);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Avx512(add_i16(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Avx512(sub_i16(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Avx512(mul_low_i16(self.0, other.0))
    }

    #[inline(always)]
    fn zero_sum() -> __m512i {
        zero()
    }

    #[inline(always)]
    fn screlu(self) -> Self {
        let clamped = min_i16(max_i16(self.0, zero()), splat_i16(QA));
        // (8 x)^2 >> 16 is x^2 >> 10.
        let eightfold = shift_left_i16::<3>(clamped);
        Avx512(mul_high_i16(eightfold, eightfold))
    }

    #[inline(always)]
    fn madd(self, weights: Self, sum: __m512i) -> __m512i {
        if VNNI { dot_i16::<VNNI>(sum, self.0, weights.0) } else { add_i32(sum, madd_i16(self.0, weights.0)) }
    }

    #[inline(always)]
    fn horizontal_sum(sum: __m512i) -> i64 {
        reduce_add_i64(add_i64(extend_i32(low_half(sum)), extend_i32(high_half(sum))))
    }
}

/// Loads 32 numbers of 16 bits.
#[inline(always)]
fn load(numbers: &I16x32) -> __m512i {
    // SAFETY: an `I16x32` is 64 bytes long and aligned to 64; AVX-512 F as asserted above.
    unsafe { _mm512_load_si512(numbers.0.as_ptr().cast()) }
}

/// Stores 32 numbers of 16 bits.
#[inline(always)]
fn store(numbers: &mut I16x32, register: __m512i) {
    // SAFETY: an `I16x32` is 64 bytes long and aligned to 64, and it is borrowed mutably; AVX-512 F as asserted above.
    unsafe { _mm512_store_si512(numbers.0.as_mut_ptr().cast(), register) }
}

/// Loads 64 numbers of 8 bits, in the order in which they are stored.
#[inline(always)]
fn load_bytes(numbers: &I8x64) -> __m512i {
    // SAFETY: an `I8x64` is 64 bytes long and aligned to 64; AVX-512 F as asserted above.
    unsafe { _mm512_load_si512(numbers.0.as_ptr().cast()) }
}

/// The 16-bit sums of the 8-bit numbers of two [`I8x64`]s, in two halves: each number is interleaved with the one that it is
/// added to, and one multiplication by ones adds all pairs of a register.
#[inline(always)]
fn pair_sums<const VNNI: bool>(a: __m512i, b: __m512i) -> [Avx512<VNNI>; 2] {
    let add_pairs = |pairs| Avx512(madd_u8_i8(splat_i8(1), pairs));
    [add_pairs(interleave_low_i8(a, b)), add_pairs(interleave_high_i8(a, b))]
}

/// Interleaves the lower eight 8-bit lanes of each 128-bit quarter.
#[inline(always)]
fn interleave_low_i8(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_unpacklo_epi8(a, b) }
}

/// Interleaves the upper eight 8-bit lanes of each 128-bit quarter.
#[inline(always)]
fn interleave_high_i8(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_unpackhi_epi8(a, b) }
}

/// Sign-extends 32-bit lanes to 64 bits.
#[inline(always)]
fn extend_i32(a: __m256i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_cvtepi32_epi64(a) }
}

/// The lower half of a register.
#[inline(always)]
fn low_half(a: __m512i) -> __m256i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_castsi512_si256(a) }
}

/// The upper half of a register.
#[inline(always)]
fn high_half(a: __m512i) -> __m256i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_extracti64x4_epi64::<1>(a) }
}

/// All bits zero.
#[inline(always)]
fn zero() -> __m512i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_setzero_si512() }
}

/// One number in all 8-bit lanes.
#[inline(always)]
fn splat_i8(number: i8) -> __m512i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_set1_epi8(number) }
}

/// One number in all 16-bit lanes.
#[inline(always)]
fn splat_i16(number: i16) -> __m512i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_set1_epi16(number) }
}

/// Subtracts 8-bit lanes; wraps on overflow.
#[inline(always)]
fn sub_i8(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_sub_epi8(a, b) }
}

/// Adds 16-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_add_epi16(a, b) }
}

/// Subtracts 16-bit lanes; wraps on overflow.
#[inline(always)]
fn sub_i16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_sub_epi16(a, b) }
}

/// The greater of two 16-bit lanes.
#[inline(always)]
fn max_i16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_max_epi16(a, b) }
}

/// The smaller of two 16-bit lanes.
#[inline(always)]
fn min_i16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_min_epi16(a, b) }
}

/// Shifts 16-bit lanes left.
#[inline(always)]
fn shift_left_i16<const BITS: u32>(a: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_slli_epi16::<BITS>(a) }
}

/// The low 16 bits of the products of 16-bit lanes.
#[inline(always)]
fn mul_low_i16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_mullo_epi16(a, b) }
}

/// The high 16 bits of the products of 16-bit lanes.
#[inline(always)]
fn mul_high_i16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_mulhi_epi16(a, b) }
}

/// Multiplies unsigned by signed 8-bit lanes and adds neighbouring products to 16-bit lanes; saturates.
#[inline(always)]
fn madd_u8_i8(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_maddubs_epi16(a, b) }
}

/// Multiplies 16-bit lanes and adds neighbouring products to 32-bit lanes.
#[inline(always)]
fn madd_i16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_madd_epi16(a, b) }
}

/// Multiplies 16-bit lanes and adds neighbouring products to the 32-bit lanes of a sum.
///
/// Called with `VNNI` true alone. Such a call does not compile in a program for processors without VNNI.
#[inline(always)]
fn dot_i16<const VNNI: bool>(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    const { assert!(!VNNI || cfg!(target_feature = "avx512vnni")) };
    assert!(VNNI, "a VNNI instruction without VNNI");
    // SAFETY: touches no memory; VNNI by the two assertions of this function.
    unsafe { _mm512_dpwssd_epi32(sum, a, b) }
}

/// Adds 32-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i32(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_add_epi32(a, b) }
}

/// Adds 64-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i64(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_add_epi64(a, b) }
}

/// The sum of all 64-bit lanes; wraps on overflow.
#[inline(always)]
fn reduce_add_i64(a: __m512i) -> i64 {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_reduce_add_epi64(a) }
}
