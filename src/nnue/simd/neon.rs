//! NEON: a block in four registers.

use std::arch::aarch64::*;

use crate::nnue::simd::vector::{Block, Vector};

/// The numbers of a block in four registers of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Neon([int16x8_t; 4]);

/// Calls one intrinsic that touches no memory.
macro_rules! compute {
    ($call:expr) => {
        // SAFETY: `native` compiles this file only where every processor that runs the program has NEON.
        unsafe { $call }
    };
}

const QUARTERS: [usize; 4] = [0, 1, 2, 3];

impl Vector for Neon {
    const NAME: &'static str = "NEON";
    const TILE: usize = 4;

    type Sum = [int32x4_t; 4];

    #[inline(always)]
    fn load(block: &Block) -> Neon {
        Neon(QUARTERS.map(|quarter| {
            let start = &block.0[8 * quarter..8 * quarter + 8];
            // SAFETY: `start` is eight numbers; NEON as above.
            unsafe { vld1q_s16(start.as_ptr()) }
        }))
    }

    #[inline(always)]
    fn store(self, block: &mut Block) {
        for (chunk, register) in block.0.chunks_exact_mut(8).zip(self.0) {
            // SAFETY: `chunk` is eight numbers; NEON as above.
            unsafe { vst1q_s16(chunk.as_mut_ptr(), register) };
        }
    }

    #[inline(always)]
    fn add(self, other: Neon) -> Neon {
        Neon(QUARTERS.map(|quarter| compute!(vaddq_s16(self.0[quarter], other.0[quarter]))))
    }

    #[inline(always)]
    fn sub(self, other: Neon) -> Neon {
        Neon(QUARTERS.map(|quarter| compute!(vsubq_s16(self.0[quarter], other.0[quarter]))))
    }

    #[inline(always)]
    fn zero() -> [int32x4_t; 4] {
        [compute!(vdupq_n_s32(0)); 4]
    }

    #[inline(always)]
    fn accumulate<const LIMIT: i16>(sum: [int32x4_t; 4], values: Neon, weights: Neon) -> [int32x4_t; 4] {
        let least = compute!(vdupq_n_s16(0));
        let most = compute!(vdupq_n_s16(LIMIT));
        QUARTERS.map(|quarter| {
            let above = compute!(vmaxq_s16(values.0[quarter], least));
            let clamped = compute!(vminq_s16(above, most));
            let products = compute!(vmulq_s16(clamped, weights.0[quarter]));
            let low = compute!(vmlal_s16(sum[quarter], vget_low_s16(products), vget_low_s16(clamped)));
            compute!(vmlal_high_s16(low, products, clamped))
        })
    }

    #[inline(always)]
    fn total(sum: [int32x4_t; 4]) -> i64 {
        sum.into_iter().map(|register| compute!(vaddlvq_s32(register))).sum()
    }
}
