//! Sliders by bit extraction: the processor gathers the blockers' bits, and the number they form is the index.
//!
//! Measured on an Intel Xeon of the Sapphire Rapids kind, independent look-ups of queens are 1.25 to 1.35 times as
//! fast as with `magics`, and look-ups that wait for each other 1.05 times. The instruction (BMI2, Intel 2013, AMD
//! 2015) is microcoded and slow on AMD's first two Zen generations, so `sliders` asks for more than BMI2.

use super::hashing::{SquareHash, TABLE_SIZE, enter_attacks, lines, masks};
use super::rays::{DIAGONAL, STRAIGHT};
use crate::types::Bitboard;

/// Extraction needs the mask and nothing else.
#[derive(Clone, Copy)]
pub(super) struct Extract;

pub(super) static BISHOPS: [SquareHash<Extract>; 64] = blocks(&masks(&DIAGONAL), 0);
pub(super) static ROOKS: [SquareHash<Extract>; 64] = blocks(&masks(&STRAIGHT), 5_248);

#[allow(long_running_const_eval)]
pub(super) static TABLE: [Bitboard; TABLE_SIZE] = {
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    fill(&mut table, &BISHOPS, &DIAGONAL);
    fill(&mut table, &ROOKS, &STRAIGHT);
    table
};

impl SquareHash<Extract> {
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
        fn extract(bits: u64, mask: u64) -> u64 {
            gather(bits, mask)
        }
    }
}

/// The instruction in software: for the compiler, and for tests where the processor lacks it.
const fn gather(bits: u64, mut mask: u64) -> u64 {
    let mut gathered = 0;
    let mut place = 0;
    while mask & bits != 0 {
        let lowest = mask & mask.wrapping_neg();
        if bits & lowest != 0 {
            gathered |= 1 << place;
        }
        mask ^= lowest;
        place += 1;
    }
    gathered
}

const fn blocks(masks: &[u64; 64], mut offset: u32) -> [SquareHash<Extract>; 64] {
    let mut blocks = [const { SquareHash { mask: 0, scheme: Extract, offset: 0 } }; 64];
    let mut square = 0;
    while square < 64 {
        blocks[square] = SquareHash { mask: masks[square], scheme: Extract, offset };
        offset += 1 << masks[square].count_ones();
        square += 1;
    }
    blocks
}

const fn fill(
    table: &mut [Bitboard; TABLE_SIZE],
    blocks: &[SquareHash<Extract>; 64],
    directions: &[(i8, i8); 4],
) {
    let mut square = 0;
    while square < 64 {
        let SquareHash { mask, offset, .. } = blocks[square];
        let lines = lines(square, mask, directions);
        let mut extracts = [[0; 64]; 2];
        let mut i = 0;
        while i < 64 {
            extracts[0][i] = gather(lines[0].blockers[i], mask);
            extracts[1][i] = gather(lines[1].blockers[i], mask);
            i += 1;
        }
        enter_attacks(table, offset as usize, 0, &lines, &extracts);
        square += 1;
    }
}
