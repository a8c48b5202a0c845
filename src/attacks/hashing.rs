//! What both ways of hashing a slider's blockers share: the masks, the layout of the table, and the formula
//! that fills it.

use super::rays::ray;
use crate::types::{Bitboard, Square};

/// The four directions of a bishop, opposite directions two apart.
pub(super) const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The four directions of a rook, opposite directions two apart.
pub(super) const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// Entries of the table: one for each set of blockers of each square, bishops (5,248) before rooks (102,400).
pub(super) const TABLE_SIZE: usize = 107_648;

/// The part of the table that belongs to a slider on one square.
pub(super) struct Block<Scheme> {
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

/// The two lines of a slider through a square, each without the square itself.
pub(super) const fn lines(square: usize, directions: &[(i8, i8); 4]) -> [u64; 2] {
    let square = Square::from_index(square);
    [
        ray(square, directions[0]).or(ray(square, directions[2])).0,
        ray(square, directions[1]).or(ray(square, directions[3])).0,
    ]
}

/// The squares that a slider sees along its two lines. On each, subtracting twice the slider's bit from the blockers
/// flips all bits up to the first one above it; the mirrored board does the same below (Gerd Isenberg's and
/// Aleks Peshkov's "hyperbola quintessence", 2007). A few operations, so that the compiler fills the table
/// quickly.
pub(super) const fn slide(square: usize, lines: [u64; 2], occupied: u64) -> Bitboard {
    let from = 1u64 << square;
    let mirrored = from.reverse_bits();
    let first = occupied & lines[0];
    let second = occupied & lines[1];
    let first =
        first.wrapping_sub(from << 1) ^ first.reverse_bits().wrapping_sub(mirrored << 1).reverse_bits();
    let second =
        second.wrapping_sub(from << 1) ^ second.reverse_bits().wrapping_sub(mirrored << 1).reverse_bits();
    Bitboard(first & lines[0] | second & lines[1])
}
