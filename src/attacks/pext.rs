//! Sliders by bit extraction: the processor gathers the blockers' bits, and the number they form is the index.
//!
//! The instruction (BMI2, Intel 2013, AMD 2015) is microcoded and slow on AMD's first two Zen generations, so
//! `sliders` asks for more than BMI2.

use super::hashing::{Block, DIAGONAL, STRAIGHT, TABLE_SIZE, lines, masks, slide};
use crate::types::Bitboard;

/// Extraction needs the mask and nothing else.
#[derive(Clone, Copy)]
pub(super) struct Extract;

pub(super) static BISHOPS: [Block<Extract>; 64] = blocks(&masks(&DIAGONAL), 0);
pub(super) static ROOKS: [Block<Extract>; 64] = blocks(&masks(&STRAIGHT), 5_248);

#[allow(long_running_const_eval)]
pub(super) static TABLE: [Bitboard; TABLE_SIZE] = {
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    fill(&mut table, &BISHOPS, &DIAGONAL);
    fill(&mut table, &ROOKS, &STRAIGHT);
    table
};

impl Block<Extract> {
    /// The entry for these occupied squares.
    #[inline]
    pub(super) fn index(&self, occupied: u64) -> usize {
        self.offset as usize + extract(occupied, self.mask) as usize
    }
}

cfg_select! {
    all(target_arch = "x86_64", target_feature = "bmi2") => {
        #[inline]
        fn extract(bits: u64, mask: u64) -> u64 {
            // SAFETY: this function is compiled only where BMI2 is enabled for the whole program.
            unsafe { std::arch::x86_64::_pext_u64(bits, mask) }
        }
    }
    _ => {
        /// The instruction in software, so that the scheme is tested on every target.
        fn extract(bits: u64, mut mask: u64) -> u64 {
            let mut gathered = 0;
            let mut place = 0;
            while mask != 0 {
                gathered |= (bits >> mask.trailing_zeros() & 1) << place;
                place += 1;
                mask &= mask - 1;
            }
            gathered
        }
    }
}

const fn blocks(masks: &[u64; 64], mut offset: u32) -> [Block<Extract>; 64] {
    let mut blocks = [const { Block { mask: 0, scheme: Extract, offset: 0 } }; 64];
    let mut square = 0;
    while square < 64 {
        blocks[square] = Block { mask: masks[square], scheme: Extract, offset };
        offset += 1 << masks[square].count_ones();
        square += 1;
    }
    blocks
}

/// Subsets of a mask, counted up by the carry-rippler, come in the order of their extracted numbers: entries are
/// filled one after the other and cannot clash.
const fn fill(table: &mut [Bitboard; TABLE_SIZE], blocks: &[Block<Extract>; 64], directions: &[(i8, i8); 4]) {
    let mut square = 0;
    while square < 64 {
        let lines = lines(square, directions);
        let Block { mask, offset, .. } = blocks[square];
        let mut occupied = 0u64;
        let mut index = offset as usize;
        loop {
            assert!(table[index].is_empty());
            table[index] = slide(square, lines, occupied);
            index += 1;
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
}
