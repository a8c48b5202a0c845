//! NEON: a block in four registers.

use std::arch::aarch64::*;

use crate::nnue::simd::vector::{Block, Bytes, MOST, Vector};

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

impl Vector for Neon {
    const NAME: &'static str = "NEON";
    const TILE: usize = 4;

    type Sum = [int32x4_t; 4];

    #[inline(always)]
    fn load(block: &Block) -> Neon {
        let mut registers = [compute!(vdupq_n_s16(0)); 4];
        for (register, chunk) in registers.iter_mut().zip(block.0.chunks_exact(8)) {
            // SAFETY: `chunk` is eight numbers; NEON as above.
            *register = unsafe { vld1q_s16(chunk.as_ptr()) };
        }
        Neon(registers)
    }

    #[inline(always)]
    fn widen(bytes: &Bytes) -> Neon {
        let mut registers = [compute!(vdupq_n_s16(0)); 4];
        for (chunk, quarter) in bytes.0.chunks_exact(8).zip([0, 2, 1, 3]) {
            // SAFETY: `chunk` is eight numbers; NEON as above.
            let narrow = unsafe { vld1_s8(chunk.as_ptr()) };
            registers[quarter] = compute!(vmovl_s8(narrow));
        }
        Neon(registers)
    }

    #[inline(always)]
    fn store(self, block: &mut Block) {
        for (chunk, register) in block.0.chunks_exact_mut(8).zip(self.0) {
            // SAFETY: `chunk` is eight numbers; NEON as above.
            unsafe { vst1q_s16(chunk.as_mut_ptr(), register) };
        }
    }

    #[inline(always)]
    fn add(mut self, other: Neon) -> Neon {
        for (register, added) in self.0.iter_mut().zip(other.0) {
            *register = compute!(vaddq_s16(*register, added));
        }
        self
    }

    #[inline(always)]
    fn sub(mut self, other: Neon) -> Neon {
        for (register, removed) in self.0.iter_mut().zip(other.0) {
            *register = compute!(vsubq_s16(*register, removed));
        }
        self
    }

    #[inline(always)]
    fn scale(mut self, by: Neon) -> Neon {
        for (register, factor) in self.0.iter_mut().zip(by.0) {
            *register = compute!(vmulq_s16(*register, factor));
        }
        self
    }

    #[inline(always)]
    fn zero() -> [int32x4_t; 4] {
        [compute!(vdupq_n_s32(0)); 4]
    }

    #[inline(always)]
    fn accumulate(mut sum: [int32x4_t; 4], values: Neon, weights: Neon) -> [int32x4_t; 4] {
        let least = compute!(vdupq_n_s16(0));
        let most = compute!(vdupq_n_s16(MOST));
        for (quarter, sum) in sum.iter_mut().enumerate() {
            let above = compute!(vmaxq_s16(values.0[quarter], least));
            let clamped = compute!(vminq_s16(above, most));
            // Twice eight times four times the square, less 16 bits: the square less ten.
            let (eightfold, fourfold) =
                (compute!(vshlq_n_s16::<3>(clamped)), compute!(vshlq_n_s16::<2>(clamped)));
            let squares = compute!(vqdmulhq_s16(eightfold, fourfold));
            let weights = weights.0[quarter];
            let low = compute!(vmlal_s16(*sum, vget_low_s16(squares), vget_low_s16(weights)));
            *sum = compute!(vmlal_high_s16(low, squares, weights));
        }
        sum
    }

    #[inline(always)]
    fn total(sum: [int32x4_t; 4]) -> i64 {
        let mut total = 0;
        for register in sum {
            total += compute!(vaddlvq_s32(register));
        }
        total
    }
}
