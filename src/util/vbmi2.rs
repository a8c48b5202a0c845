//! A byte for each of the 64 members of a set, in one register, and the selected ones of them in a row: AVX-512 with VBMI2.
//!
//! A loop over the members of a set ends when they end, and a processor cannot foresee when: each such loop costs it about as
//! much as ten members. Here no branch hangs on how many there are. Only processors of the kinds Ice Lake and Zen 4 and newer
//! have the instructions; the callers have a loop for the others.

use std::arch::x86_64::*;
use std::ops::Add;

use arrayvec::ArrayVec;

// What all SAFETY notes of this file rely on: the whole program is compiled for processors that have the instructions.
const _: () = assert!(cfg!(all(
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi2"
)));

/// How many numbers of 16 bits a register holds.
pub const WORDS: usize = 32;

/// 64 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(__m512i);

/// 32 numbers of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Words(__m512i);

impl Bytes {
    /// Each byte is its own index.
    #[inline(always)]
    pub fn indices() -> Bytes {
        const INDICES: [u8; 64] = {
            let mut indices = [0; 64];
            let mut index = 0;
            while index < 64 {
                indices[index] = index as u8;
                index += 1;
            }
            indices
        };
        Bytes::load(&INDICES)
    }

    /// Loads 64 bytes.
    #[inline(always)]
    pub fn load(bytes: &[u8; 64]) -> Bytes {
        // SAFETY: reads the 64 bytes of the array, at any alignment; AVX-512 F as asserted above.
        Bytes(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    /// Adds to the bytes that are members of a set; wraps on overflow.
    #[inline(always)]
    pub fn add_where(self, set: u64, amount: u8) -> Bytes {
        let amounts = splat_u8(amount);
        // SAFETY: touches no memory; AVX-512 BW as asserted above.
        Bytes(unsafe { _mm512_mask_add_epi8(self.0, set, self.0, amounts) })
    }

    /// The first [`WORDS`] of the bytes that are members of a set, in order, extended by zeros; behind them are zeros.
    #[inline(always)]
    pub fn select(self, set: u64) -> Words {
        Words(extend_u8(low_half(compress_u8(set, self.0))))
    }
}

impl Add for Words {
    type Output = Words;

    /// Adds; wraps on overflow.
    #[inline(always)]
    fn add(self, other: Words) -> Words {
        // SAFETY: touches no memory; AVX-512 BW as asserted above.
        Words(unsafe { _mm512_add_epi16(self.0, other.0) })
    }
}

impl Words {
    /// One number in all places.
    #[inline(always)]
    pub fn splat(number: u16) -> Words {
        // SAFETY: touches no memory; AVX-512 F as asserted above.
        Words(unsafe { _mm512_set1_epi16(number as i16) })
    }

    /// Multiplies by 64; wraps on overflow.
    #[inline(always)]
    pub fn times_64(self) -> Words {
        // SAFETY: touches no memory; AVX-512 BW as asserted above.
        Words(unsafe { _mm512_slli_epi16::<6>(self.0) })
    }

    /// Appends the first `count` numbers to a list. Returns false, and appends none, if `count` is above [`WORDS`] or the list
    /// has no room for [`WORDS`] elements more.
    ///
    /// # Safety
    /// The bits of each of the first `count` numbers must be those of a value of `T`.
    #[inline(always)]
    pub unsafe fn append_to<T, const N: usize>(self, list: &mut ArrayVec<T, N>, count: usize) -> bool {
        const { assert!(size_of::<T>() == size_of::<u16>()) };
        if count > WORDS || list.remaining_capacity() < WORDS {
            return false;
        }
        let length = list.len();
        let end = list.as_mut_ptr().wrapping_add(length);
        // SAFETY: the list has room for 32 elements of two bytes behind its last: the 64 bytes that are written, at any
        // alignment; AVX-512 F as asserted above.
        unsafe { _mm512_storeu_si512(end.cast(), self.0) };
        // SAFETY: the length is within the capacity, and the bits of all elements up to it are written: those of a `T`, as the
        // caller vouches for.
        unsafe { list.set_len(length + count) };
        true
    }
}

/// One number in all 8-bit lanes.
#[inline(always)]
fn splat_u8(number: u8) -> __m512i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_set1_epi8(number as i8) }
}

/// The bytes that are members of a set, in order; behind them are zeros.
#[inline(always)]
fn compress_u8(set: u64, bytes: __m512i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 VBMI2 as asserted above.
    unsafe { _mm512_maskz_compress_epi8(set, bytes) }
}

/// The lower half of a register.
#[inline(always)]
fn low_half(bytes: __m512i) -> __m256i {
    // SAFETY: touches no memory; AVX-512 F as asserted above.
    unsafe { _mm512_castsi512_si256(bytes) }
}

/// Extends 8-bit lanes to 16 bits by zeros.
#[inline(always)]
fn extend_u8(bytes: __m256i) -> __m512i {
    // SAFETY: touches no memory; AVX-512 BW as asserted above.
    unsafe { _mm512_cvtepu8_epi16(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::SplitMix;

    /// The first `count` words in a list, if there is room behind `before` others.
    fn appended(words: Words, before: usize, count: usize) -> Option<Vec<u16>> {
        let mut list: ArrayVec<u16, 100> = (0..before as u16).collect();
        // SAFETY: all bits are a `u16`.
        let done = unsafe { words.append_to(&mut list, count) };
        assert!(list.iter().take(before).copied().eq(0..before as u16) && (done || list.len() == before));
        done.then(|| list[before..].to_vec())
    }

    #[test]
    fn each_operation_equals_its_definition() {
        let mut random = SplitMix(1);
        for round in 0..2_000 {
            // Some sets are empty, some full, and all counts come.
            let set = match round % 4 {
                0 => random.next(),
                1 => random.next() & random.next(),
                2 => random.next() & random.next() & random.next(),
                _ => [0, u64::MAX][round / 4 % 2],
            };
            let bytes: [u8; 64] = std::array::from_fn(|_| random.next() as u8);
            let (other_set, amount, number) = (random.next(), random.next() as u8, random.next() as u16);
            let words = Bytes::load(&bytes).add_where(other_set, amount).select(set).times_64();
            let words = words + Bytes::indices().select(set) + Words::splat(number);
            let members = (0..64).filter(|&index| set >> index & 1 != 0);
            let expected = members.map(|index| {
                let more = if other_set >> index & 1 != 0 { amount } else { 0 };
                let byte = bytes[index].wrapping_add(more);
                (u16::from(byte) << 6).wrapping_add(index as u16).wrapping_add(number)
            });
            let expected: Vec<u16> = expected.collect();
            let count = expected.len();
            let fits = count <= WORDS;
            assert_eq!(appended(words, 0, count), fits.then(|| expected.clone()), "{set:#x}");
            assert_eq!(appended(words, 68, count), fits.then_some(expected), "{set:#x}");
            assert_eq!(appended(words, 69, count.min(WORDS)), None);
        }
    }
}
