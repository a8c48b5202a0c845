//! NEON: 32 numbers in four registers of 128 bits.
//!
//! The functions at the foot of the file wrap one instruction each; nothing else here is unsafe.

use std::arch::aarch64::*;

use crate::nnue::simd::vector::{I8x64, I16x32, QA, Vector};

// What all SAFETY notes of this file rely on: the whole program is compiled for processors that have NEON.
const _: () = assert!(cfg!(target_feature = "neon"));

/// The numbers of an [`I16x32`] in four registers of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Neon([int16x8_t; 4]);

impl Vector for Neon {
    const NAME: &'static str = "NEON";
    const TILE: usize = 4;
    const SUMS: usize = 3;

    type Sum = [int32x4_t; 4];

    #[inline(always)]
    fn load(numbers: &I16x32) -> Neon {
        let (quarters, _) = numbers.0.as_chunks::<8>();
        let mut registers = [splat_i16(0); 4];
        for (register, quarter) in registers.iter_mut().zip(quarters) {
            *register = load_i16(quarter);
        }
        Neon(registers)
    }

    #[inline(always)]
    fn load_extend(numbers: &I8x64) -> [Neon; 2] {
        widened(numbers, numbers, |numbers, _| extend_i8(numbers))
    }

    #[inline(always)]
    fn pair_sums(a: &I8x64, b: &I8x64) -> [Neon; 2] {
        widened(a, b, sum_i8)
    }

    #[inline(always)]
    fn pair_differences(a: &I8x64, b: &I8x64) -> [Neon; 2] {
        widened(a, b, difference_i8)
    }

    #[inline(always)]
    fn store(self, numbers: &mut I16x32) {
        let (quarters, _) = numbers.0.as_chunks_mut::<8>();
        for (quarter, register) in quarters.iter_mut().zip(self.0) {
            store_i16(quarter, register);
        }
    }

    #[inline(always)]
    fn add(mut self, other: Neon) -> Neon {
        for (register, other) in self.0.iter_mut().zip(other.0) {
            *register = add_i16(*register, other);
        }
        self
    }

    #[inline(always)]
    fn sub(mut self, other: Neon) -> Neon {
        for (register, other) in self.0.iter_mut().zip(other.0) {
            *register = sub_i16(*register, other);
        }
        self
    }

    #[inline(always)]
    fn mul(mut self, other: Neon) -> Neon {
        for (register, other) in self.0.iter_mut().zip(other.0) {
            *register = mul_low_i16(*register, other);
        }
        self
    }

    #[inline(always)]
    fn zero_sum() -> [int32x4_t; 4] {
        [splat_i32(0); 4]
    }

    #[inline(always)]
    fn screlu(self) -> Neon {
        let (least, greatest) = (splat_i16(0), splat_i16(QA));
        Neon(self.0.map(|values| {
            let clamped = min_i16(max_i16(values, least), greatest);
            // 2 * 8 x * 4 x >> 16 is x^2 >> 10.
            doubling_mul_high_i16(shift_left_i16::<3>(clamped), shift_left_i16::<2>(clamped))
        }))
    }

    #[inline(always)]
    fn madd(self, weights: Neon, mut sum: [int32x4_t; 4]) -> [int32x4_t; 4] {
        for (quarter, sum) in sum.iter_mut().enumerate() {
            let (numbers, weights) = (self.0[quarter], weights.0[quarter]);
            *sum = madd_high_i16(madd_low_i16(*sum, numbers, weights), numbers, weights);
        }
        sum
    }

    #[inline(always)]
    fn horizontal_sum(sum: [int32x4_t; 4]) -> i64 {
        let mut total = 0;
        for register in sum {
            total += reduce_add_i32(register);
        }
        total
    }
}

/// What an operation makes of the 8-bit numbers of two [`I8x64`]s, in two halves.
#[inline(always)]
fn widened(a: &I8x64, b: &I8x64, operation: impl Fn(int8x8_t, int8x8_t) -> int16x8_t) -> [Neon; 2] {
    let ((a, _), (b, _)) = (a.0.as_chunks::<16>(), b.0.as_chunks::<16>());
    let [mut low, mut high] = [Neon([splat_i16(0); 4]); 2];
    for (quarter, (a, b)) in a.iter().zip(b).enumerate() {
        let ((a, _), (b, _)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
        low.0[quarter] = operation(load_i8(&a[0]), load_i8(&b[0]));
        high.0[quarter] = operation(load_i8(&a[1]), load_i8(&b[1]));
    }
    [low, high]
}

/// Loads eight numbers of 16 bits.
#[inline(always)]
fn load_i16(numbers: &[i16; 8]) -> int16x8_t {
    // SAFETY: eight numbers are borrowed; NEON as asserted above.
    unsafe { vld1q_s16(numbers.as_ptr()) }
}

/// Stores eight numbers of 16 bits.
#[inline(always)]
fn store_i16(numbers: &mut [i16; 8], register: int16x8_t) {
    // SAFETY: eight numbers are borrowed mutably; NEON as asserted above.
    unsafe { vst1q_s16(numbers.as_mut_ptr(), register) }
}

/// Loads eight numbers of 8 bits.
#[inline(always)]
fn load_i8(numbers: &[i8; 8]) -> int8x8_t {
    // SAFETY: eight numbers are borrowed; NEON as asserted above.
    unsafe { vld1_s8(numbers.as_ptr()) }
}

/// Sign-extends 8-bit lanes to 16 bits.
#[inline(always)]
fn extend_i8(a: int8x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vmovl_s8(a) }
}

/// The 16-bit sums of 8-bit lanes.
#[inline(always)]
fn sum_i8(a: int8x8_t, b: int8x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vaddl_s8(a, b) }
}

/// The 16-bit differences of 8-bit lanes.
#[inline(always)]
fn difference_i8(a: int8x8_t, b: int8x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vsubl_s8(a, b) }
}

/// One number in all 16-bit lanes.
#[inline(always)]
fn splat_i16(number: i16) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vdupq_n_s16(number) }
}

/// One number in all 32-bit lanes.
#[inline(always)]
fn splat_i32(number: i32) -> int32x4_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vdupq_n_s32(number) }
}

/// Adds 16-bit lanes; wraps on overflow.
#[inline(always)]
fn add_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vaddq_s16(a, b) }
}

/// Subtracts 16-bit lanes; wraps on overflow.
#[inline(always)]
fn sub_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vsubq_s16(a, b) }
}

/// The greater of two 16-bit lanes.
#[inline(always)]
fn max_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vmaxq_s16(a, b) }
}

/// The smaller of two 16-bit lanes.
#[inline(always)]
fn min_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vminq_s16(a, b) }
}

/// Shifts 16-bit lanes left.
#[inline(always)]
fn shift_left_i16<const BITS: i32>(a: int16x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vshlq_n_s16::<BITS>(a) }
}

/// The low 16 bits of the products of 16-bit lanes.
#[inline(always)]
fn mul_low_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vmulq_s16(a, b) }
}

/// The high 16 bits of twice the products of 16-bit lanes; saturates.
#[inline(always)]
fn doubling_mul_high_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vqdmulhq_s16(a, b) }
}

/// The lower four 16-bit lanes.
#[inline(always)]
fn low_half(a: int16x8_t) -> int16x4_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vget_low_s16(a) }
}

/// Multiplies the lower four 16-bit lanes and adds the products to the 32-bit lanes of a sum.
#[inline(always)]
fn madd_low_i16(sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
    let (a, b) = (low_half(a), low_half(b));
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vmlal_s16(sum, a, b) }
}

/// Multiplies the upper four 16-bit lanes and adds the products to the 32-bit lanes of a sum.
#[inline(always)]
fn madd_high_i16(sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vmlal_high_s16(sum, a, b) }
}

/// The sum of all 32-bit lanes, in 64 bits.
#[inline(always)]
fn reduce_add_i32(a: int32x4_t) -> i64 {
    // SAFETY: touches no memory; NEON as asserted above.
    unsafe { vaddlvq_s32(a) }
}
