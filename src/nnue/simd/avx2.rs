//! AVX2: a block in two registers.

use std::arch::x86_64::*;

use crate::nnue::simd::vector::{I8x32, I16x32, QA, Vector};

/// The numbers of a block in two registers of 256 bits.
#[derive(Clone, Copy, Debug)]
pub struct Avx2([__m256i; 2]);

/// Calls one intrinsic that touches no memory.
macro_rules! compute {
    ($call:expr) => {
        // SAFETY: `native` compiles this file only where every processor that runs the program has AVX2.
        unsafe { $call }
    };
}

impl Vector for Avx2 {
    const NAME: &'static str = "AVX2";
    const TILE: usize = 4;

    type Sum = [__m256i; 2];

    #[inline(always)]
    fn load(block: &I16x32) -> Avx2 {
        let [low, high] = halves(block);
        // SAFETY: `low` is 32 bytes, at a multiple of 32 as blocks are aligned to 64; AVX2 as above.
        let low = unsafe { _mm256_load_si256(low) };
        // SAFETY: as `low`.
        let high = unsafe { _mm256_load_si256(high) };
        Avx2([low, high])
    }

    #[inline(always)]
    fn load_extend(bytes: &I8x32) -> Avx2 {
        pair_sums(load_bytes(bytes), compute!(_mm256_setzero_si256()))
    }

    #[inline(always)]
    fn add_sub(self, added: &I8x32, removed: &I8x32) -> Avx2 {
        let negated = compute!(_mm256_sub_epi8(_mm256_setzero_si256(), load_bytes(removed)));
        self.add(pair_sums(load_bytes(added), negated))
    }

    #[inline(always)]
    fn store(self, block: &mut I16x32) {
        let start: *mut __m256i = block.0.as_mut_ptr().cast();
        // SAFETY: a block has room for two registers, and is aligned to 64; AVX2 as above.
        unsafe { _mm256_store_si256(start, self.0[0]) };
        let next = start.wrapping_add(1);
        // SAFETY: the second half of the block.
        unsafe { _mm256_store_si256(next, self.0[1]) };
    }

    #[inline(always)]
    fn add(self, other: Avx2) -> Avx2 {
        let low = compute!(_mm256_add_epi16(self.0[0], other.0[0]));
        let high = compute!(_mm256_add_epi16(self.0[1], other.0[1]));
        Avx2([low, high])
    }

    #[inline(always)]
    fn sub(self, other: Avx2) -> Avx2 {
        let low = compute!(_mm256_sub_epi16(self.0[0], other.0[0]));
        let high = compute!(_mm256_sub_epi16(self.0[1], other.0[1]));
        Avx2([low, high])
    }

    #[inline(always)]
    fn mul(self, by: Avx2) -> Avx2 {
        let low = compute!(_mm256_mullo_epi16(self.0[0], by.0[0]));
        let high = compute!(_mm256_mullo_epi16(self.0[1], by.0[1]));
        Avx2([low, high])
    }

    #[inline(always)]
    fn zero_sum() -> [__m256i; 2] {
        [compute!(_mm256_setzero_si256()); 2]
    }

    #[inline(always)]
    fn screlu_madd(sum: [__m256i; 2], values: Avx2, weights: Avx2) -> [__m256i; 2] {
        let low = multiply_add(sum[0], values.0[0], weights.0[0]);
        let high = multiply_add(sum[1], values.0[1], weights.0[1]);
        [low, high]
    }

    #[inline(always)]
    fn horizontal_sum(sum: [__m256i; 2]) -> i64 {
        let mut total = 0;
        for register in sum {
            for lane in lanes(register) {
                total += i64::from(lane);
            }
        }
        total
    }
}

#[inline(always)]
fn load_bytes(bytes: &I8x32) -> __m256i {
    // SAFETY: bytes are 32, aligned to 32; AVX2 as above.
    unsafe { _mm256_load_si256(bytes.0.as_ptr().cast()) }
}

/// The sums of two rows of 8 bits, in 16 bits and in the order of a block: each number is set beside the one that it is added
/// to, half a register at a time, and one instruction adds all pairs.
#[inline(always)]
fn pair_sums(a: __m256i, b: __m256i) -> Avx2 {
    let ones = compute!(_mm256_set1_epi8(1));
    let low = compute!(_mm256_unpacklo_epi8(a, b));
    let high = compute!(_mm256_unpackhi_epi8(a, b));
    Avx2([compute!(_mm256_maddubs_epi16(ones, low)), compute!(_mm256_maddubs_epi16(ones, high))])
}

/// Half a block of [`Vector::accumulate`].
#[inline(always)]
fn multiply_add(sum: __m256i, values: __m256i, weights: __m256i) -> __m256i {
    let least = compute!(_mm256_setzero_si256());
    let most = compute!(_mm256_set1_epi16(QA));
    let above = compute!(_mm256_max_epi16(values, least));
    let clamped = compute!(_mm256_min_epi16(above, most));
    // Eight times a number squared, less 16 bits: the square less ten.
    let eightfold = compute!(_mm256_slli_epi16::<3>(clamped));
    let squares = compute!(_mm256_mulhi_epi16(eightfold, eightfold));
    let pairs = compute!(_mm256_madd_epi16(squares, weights));
    compute!(_mm256_add_epi32(sum, pairs))
}

#[inline(always)]
fn halves(block: &I16x32) -> [*const __m256i; 2] {
    let start: *const __m256i = block.0.as_ptr().cast();
    [start, start.wrapping_add(1)]
}

#[inline(always)]
fn lanes(register: __m256i) -> [i32; 8] {
    // SAFETY: both are 32 bytes, and any bytes are integers.
    unsafe { std::mem::transmute::<__m256i, [i32; 8]>(register) }
}
