//! AVX-512: a block in one register. With VNNI, products are added as they are made.

use std::arch::x86_64::*;

use crate::nnue::simd::vector::{Block, Bytes, MOST, Vector};

/// The numbers of a block in a register of 512 bits; with VNNI instructions or without.
#[derive(Clone, Copy, Debug)]
pub struct Avx512<const VNNI: bool>(__m512i);

/// Calls one intrinsic that touches no memory.
macro_rules! compute {
    ($call:expr) => {
        // SAFETY: `native` compiles this file only where every processor that runs the program has AVX-512 F
        // and BW, and names `Avx512<true>` only where it has VNNI.
        unsafe { $call }
    };
}

impl<const VNNI: bool> Vector for Avx512<VNNI> {
    const NAME: &'static str = if VNNI { "AVX-512 VNNI" } else { "AVX-512" };
    const TILE: usize = 16;

    type Sum = __m512i;

    #[inline(always)]
    fn load(block: &Block) -> Self {
        // SAFETY: a block is 64 bytes, aligned to 64; AVX-512 as above.
        Avx512(unsafe { _mm512_load_si512(block.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn widen(bytes: &Bytes) -> Self {
        // SAFETY: bytes are 32, aligned to 32; AVX-512 as above.
        let narrow = unsafe { _mm256_load_si256(bytes.0.as_ptr().cast()) };
        let in_order = compute!(_mm256_permute4x64_epi64::<0b11_01_10_00>(narrow));
        Avx512(compute!(_mm512_cvtepi8_epi16(in_order)))
    }

    #[inline(always)]
    fn store(self, block: &mut Block) {
        // SAFETY: a block has room for 64 bytes, and is aligned to 64; AVX-512 as above.
        unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Avx512(compute!(_mm512_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Avx512(compute!(_mm512_sub_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn scale(self, by: Self) -> Self {
        Avx512(compute!(_mm512_mullo_epi16(self.0, by.0)))
    }

    #[inline(always)]
    fn zero() -> __m512i {
        compute!(_mm512_setzero_si512())
    }

    #[inline(always)]
    fn accumulate(sum: __m512i, values: Self, weights: Self) -> __m512i {
        let least = compute!(_mm512_setzero_si512());
        let most = compute!(_mm512_set1_epi16(MOST));
        let above = compute!(_mm512_max_epi16(values.0, least));
        let clamped = compute!(_mm512_min_epi16(above, most));
        // Eight times a number squared, less 16 bits: the square less ten.
        let eightfold = compute!(_mm512_slli_epi16::<3>(clamped));
        let squares = compute!(_mm512_mulhi_epi16(eightfold, eightfold));
        if VNNI {
            compute!(_mm512_dpwssd_epi32(sum, squares, weights.0))
        } else {
            let pairs = compute!(_mm512_madd_epi16(squares, weights.0));
            compute!(_mm512_add_epi32(sum, pairs))
        }
    }

    #[inline(always)]
    fn total(sum: __m512i) -> i64 {
        let lower = compute!(_mm512_castsi512_si256(sum));
        let upper = compute!(_mm512_extracti64x4_epi64::<1>(sum));
        let low = compute!(_mm512_cvtepi32_epi64(lower));
        let high = compute!(_mm512_cvtepi32_epi64(upper));
        let both = compute!(_mm512_add_epi64(low, high));
        compute!(_mm512_reduce_add_epi64(both))
    }
}
