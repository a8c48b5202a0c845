//! What both ways of hashing a slider's blockers share: the masks, the layout of the table, and the formula
//! that fills it.

use super::rays::ray;
use crate::types::{Bitboard, Square};

/// Entries of the table: one for each set of blockers of each square, bishops (5,248) before rooks (102,400).
pub(super) const TABLE_SIZE: usize = 107_648;

/// The part of the table that belongs to a slider on one square.
pub(super) struct SquareHash<Scheme> {
    /// The squares whose occupants can block: the lines from the square without their last squares, as a piece
    /// on the edge hides nothing.
    pub(super) mask: u64,
    /// What the scheme must know besides.
    pub(super) scheme: Scheme,
    /// Where the block starts.
    pub(super) offset: u32,
}

/// The blocker masks of a slider.
pub(super) const fn masks(directions: &[(i8, i8); 4]) -> [u64; 64] {
    let mut masks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = directions[direction];
            let mut next = Square::from_index(square).offset(files, ranks);
            while let Some(blocker) = next {
                next = blocker.offset(files, ranks);
                if next.is_some() {
                    masks[square] |= Bitboard::from_square(blocker).0;
                }
            }
            direction += 1;
        }
        square += 1;
    }
    masks
}

/// One of a slider's two lines, with every set of blockers that it can hold.
pub(super) struct SliderLine {
    /// How many sets there are: at most 64.
    pub(super) count: usize,
    /// The sets.
    pub(super) blockers: [u64; 64],
    /// For each set, what the slider sees along the line.
    pub(super) attacks: [u64; 64],
}

/// The two lines of a slider on a square.
pub(super) const fn lines(square: usize, mask: u64, directions: &[(i8, i8); 4]) -> [SliderLine; 2] {
    let from = Square::from_index(square);
    [
        SliderLine::new(square, mask, ray(from, directions[0]).or(ray(from, directions[2])).0),
        SliderLine::new(square, mask, ray(from, directions[1]).or(ray(from, directions[3])).0),
    ]
}

impl SliderLine {
    const fn new(square: usize, mask: u64, squares: u64) -> SliderLine {
        let mask = mask & squares;
        let mut line = SliderLine { count: 0, blockers: [0; 64], attacks: [0; 64] };
        let mut occupied = 0u64;
        loop {
            line.blockers[line.count] = occupied;
            line.attacks[line.count] = slide(square, squares, occupied);
            line.count += 1;
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                return line;
            }
        }
    }
}

/// What a slider sees along a line (which leaves out its own square). Subtracting twice the slider's bit from the
/// blockers flips all bits up to the first blocker above it, and the same on the mirrored board does so below
/// (Gerd Isenberg and Aleks Peshkov, "hyperbola quintessence", 2007).
const fn slide(square: usize, line: u64, occupied: u64) -> u64 {
    let from = 1u64 << square;
    let above = occupied.wrapping_sub(from << 1);
    let below = occupied.reverse_bits().wrapping_sub(from.reverse_bits() << 1).reverse_bits();
    (above ^ below) & line
}

/// Enters all attacks of a slider on one square. `hashes` gives a number for each set of blockers of each line; the
/// entry of two sets together is the sum of their numbers, shifted. Both schemes are additive in this way, and so the
/// compiler does the real work per line and is done with the board quickly.
///
/// An entry that is taken already must hold the same attacks, which are never none: this is the proof that the scheme
/// distinguishes what must be distinguished.
pub(super) const fn enter_attacks(
    table: &mut [Bitboard; TABLE_SIZE],
    offset: usize,
    shift: u32,
    lines: &[SliderLine; 2],
    hashes: &[[u64; 64]; 2],
) {
    let mut i = 0;
    while i < lines[0].count {
        let mut j = 0;
        while j < lines[1].count {
            let index = offset + (hashes[0][i].wrapping_add(hashes[1][j]) >> shift) as usize;
            let attacks = lines[0].attacks[i] | lines[1].attacks[j];
            assert!(table[index].0 == 0 || table[index].0 == attacks, "two attack sets share an entry");
            table[index].0 = attacks;
            j += 1;
        }
        i += 1;
    }
}
