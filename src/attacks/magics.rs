//! Magic bitboards: for each square a magic number, whose product with the blockers' bits has what matters of them at its
//! top.
//!
//! Lasse Hansen ("Fast(er) bitboard move generator", 2006) found such numbers by trial; a number of bits of its
//! own for each square ("fancy" magics) and one table for all are Pradu Kannan's (2007). `tools/magics` finds and
//! prints them. The compiler fills the table, and refuses a magic number that gives two different attack sets
//! the same entry.

use super::hashing::{SquareHash, TABLE_SIZE, enter_attacks, lines, masks};
use super::rays::{DIAGONAL, STRAIGHT};
use crate::types::Bitboard;

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0014_0418_0801_0818, 0x1120_0481_0210_2000, 0x2090_0420_4050_0000, 0x0004_4050_8111_0204,
    0x0404_0420_5000_0800, 0x0044_86A0_2000_1000, 0x8504_0888_0848_0090, 0x0401_1082_0860_0400,
    0x8200_1004_6848_0048, 0x0048_8911_1C04_0040, 0x1401_9004_2040_4050, 0x1C84_0404_0086_8404,
    0x0200_4202_1000_0044, 0x0200_C202_1004_0041, 0x5000_6404_0108_0830, 0x0080_1203_0C02_8218,
    0x0040_0809_0801_0400, 0x0610_0099_5200_8402, 0x0004_0202_0024_0300, 0x0006_0020_4811_0000,
    0x4114_0006_0211_0002, 0x0120_2024_1008_2800, 0x5011_0400_4808_0440, 0x2088_4880_2402_0800,
    0x2008_0409_8810_5000, 0x8044_3400_1010_0480, 0x0800_3000_4204_8204, 0x409D_0800_0400_4010,
    0x0040_8200_1401_0400, 0x2001_0201_1948_0410, 0x0200_8080_0202_1040, 0x0184_0040_0108_420C,
    0x2010_1406_5020_0881, 0x5448_680A_088C_2400, 0x400C_0428_0804_0040, 0x4002_0200_8008_0080,
    0x0C8C_0884_0022_0500, 0x0050_0606_0004_2480, 0x8110_2401_1004_8084, 0x2002_0410_2080_4202,
    0x0050_8809_0800_C000, 0x1002_0801_0805_8400, 0x0200_2022_3000_2801, 0x0002_0040_104A_1200,
    0x02C0_0801_0402_0040, 0x0222_2A08_0508_A600, 0x2002_9002_0208_4084, 0x0004_1108_4201_8100,
    0x0010_8808_0884_1520, 0x0200_220A_1004_3002, 0x8015_0029_2808_0081, 0x0020_211A_0514_1184,
    0x21A8_2110_8212_0110, 0x0424_8408_1021_00A0, 0x8022_1411_0811_0000, 0x0202_4808_0100_5000,
    0x1880_9082_1010_2480, 0x0100_0020_8208_2000, 0x9410_0000_4208_0400, 0x2004_6000_0484_1100,
    0x0411_0A00_9022_1A00, 0x0001_0004_0408_B200, 0x0028_4004_0124_0100, 0x0104_100A_2204_00D9,
];
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x0080_0010_6040_0B80, 0x0240_2000_1002_4000, 0x5080_2000_0810_0080, 0x8D00_0820_D000_0501,
    0x0E00_2C50_0200_2018, 0x0500_1221_0004_0008, 0x0200_0100_8200_0408, 0x0100_0189_0000_2052,
    0x0805_8000_8040_0021, 0x0202_0041_0022_0080, 0x0000_8020_0010_0080, 0x0000_8008_0080_1001,
    0x0245_0008_006C_1100, 0x2020_8080_0400_0200, 0x80C4_8022_0080_0100, 0x0003_0000_4900_0082,
    0x0040_0080_0020_4080, 0x1000_4640_0420_1000, 0x0000_8080_2000_1000, 0x0014_8080_1000_0800,
    0x0002_0500_1100_0800, 0x8208_8080_0200_0400, 0x8001_8080_8100_0200, 0x0881_0200_0059_A104,
    0x4000_4001_8000_6081, 0x6040_0081_0041_0021, 0x2000_9001_8020_0080, 0x0020_1001_0009_0022,
    0x2018_0200_4040_0400, 0x2020_0400_8002_0080, 0x0100_7004_0052_0108, 0x0509_084A_0008_8409,
    0x0020_0040_0080_8000, 0x0440_0040_8080_2001, 0x8000_1000_8080_2009, 0x1200_1022_0200_4008,
    0x0000_0800_8080_0400, 0x0002_0004_0080_8002, 0x0000_0102_0400_2890, 0xA000_0080_4200_0401,
    0x0464_8040_0034_8000, 0x0010_0040_2000_4002, 0x044A_2081_C602_0010, 0x0608_0080_1000_800C,
    0x4242_0408_0101_0011, 0x0040_4004_9008_0120, 0x0818_0200_0401_0100, 0x2060_0400_5582_0021,
    0x00C0_0242_8000_6480, 0x0000_4001_F500_8500, 0x0820_0020_8010_0380, 0x4000_2040_100A_0200,
    0x0030_0800_8004_0080, 0x0008_0200_8004_0080, 0x1084_0201_0810_0400, 0x8400_0441_1404_8200,
    0x0B50_2200_8010_4102, 0x1026_8040_0100_1823, 0x0020_8040_1020_0A02, 0x6200_1000_0421_0189,
    0x8002_0009_0410_A002, 0x0001_0004_0002_8831, 0x0010_0801_0240_9024, 0x0080_0408_8020_4106,
];

/// The magic number, and how far its product is shifted down.
#[derive(Clone, Copy)]
pub(super) struct Magic {
    magic: u64,
    shift: u32,
}

pub(super) static BISHOPS: [SquareHash<Magic>; 64] = blocks(&masks(&DIAGONAL), &BISHOP_MAGICS, 0);
pub(super) static ROOKS: [SquareHash<Magic>; 64] = blocks(&masks(&STRAIGHT), &ROOK_MAGICS, 5_248);

#[allow(long_running_const_eval)]
pub(super) static TABLE: [Bitboard; TABLE_SIZE] = {
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    fill(&mut table, &BISHOPS, &DIAGONAL);
    fill(&mut table, &ROOKS, &STRAIGHT);
    table
};

impl SquareHash<Magic> {
    /// The entry for these occupied squares.
    #[inline]
    pub(super) const fn index(&self, occupied: u64) -> usize {
        let product = (occupied & self.mask).wrapping_mul(self.scheme.magic);
        self.offset as usize + (product >> self.scheme.shift) as usize
    }
}

const fn blocks(masks: &[u64; 64], magics: &[u64; 64], mut offset: u32) -> [SquareHash<Magic>; 64] {
    let mut blocks = [const { SquareHash { mask: 0, scheme: Magic { magic: 0, shift: 0 }, offset: 0 } }; 64];
    let mut square = 0;
    while square < 64 {
        let bits = masks[square].count_ones();
        let scheme = Magic { magic: magics[square], shift: 64 - bits };
        blocks[square] = SquareHash { mask: masks[square], scheme, offset };
        offset += 1 << bits;
        square += 1;
    }
    blocks
}

const fn fill(
    table: &mut [Bitboard; TABLE_SIZE],
    blocks: &[SquareHash<Magic>; 64],
    directions: &[(i8, i8); 4],
) {
    let mut square = 0;
    while square < 64 {
        let SquareHash { mask, scheme: Magic { magic, shift }, offset } = blocks[square];
        let lines = lines(square, mask, directions);
        let mut products = [[0; 64]; 2];
        let mut i = 0;
        while i < 64 {
            products[0][i] = lines[0].blockers[i].wrapping_mul(magic);
            products[1][i] = lines[1].blockers[i].wrapping_mul(magic);
            i += 1;
        }
        enter_attacks(table, offset as usize, shift, &lines, &products);
        square += 1;
    }
}
