//! The shape of the network, and which inputs a piece sets.
//!
//! Each side sees the board with its own men at the bottom and its own king on the files a to d. An input stands for a
//! piece, own or not, of a kind, on a square, given the bucket of the own king.

use caesura::nnue::arch;
pub use caesura::nnue::arch::{KING_BUCKET, OUTPUTS, output_bucket};
use serde::{Deserialize, Serialize};

/// Inputs of one king bucket: own or not, six kinds, 64 squares.
pub const PIECE_SQUARES: usize = arch::FEATURES;
/// What 1.0 is in the quantised feature transformer.
pub const QA: i32 = arch::QA as i32;
/// What 1.0 is in the quantised output weights.
pub const QB: i32 = arch::QB as i32;
/// Centipawns of a network output of 1.0.
pub const SCALE: i32 = arch::SCALE as i32;
/// The bound of feature weights and biases: with 32 pieces, no sum leaves 16 bits.
pub const FEATURE_BOUND: f32 = 0.96;
/// The bound of output weights: quantised, the engine takes them.
pub const OUTPUT_BOUND: f32 = arch::MAX_OUTPUT_WEIGHT as f32 / arch::QB as f32;
/// The widths that can be trained.
pub const HIDDEN: std::ops::RangeInclusive<usize> = 32..=1024;

/// The shape of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Hidden units a side.
    pub hidden: usize,
    /// The king's bucket by square; the files e to h are not used.
    pub king_bucket: Vec<u8>,
}

impl Shape {
    /// The shape with the king buckets of the engine.
    ///
    /// # Errors
    /// If the width is not in [`HIDDEN`] or not a multiple of 32.
    pub fn new(hidden: usize) -> Result<Shape, String> {
        Shape::with_buckets(hidden, &KING_BUCKET)
    }

    /// The shape with other king buckets.
    ///
    /// # Errors
    /// If the width is not in [`HIDDEN`] or not a multiple of 32.
    pub fn with_buckets(hidden: usize, king_bucket: &[u8; 64]) -> Result<Shape, String> {
        if !HIDDEN.contains(&hidden) || !hidden.is_multiple_of(32) {
            let (least, most) = HIDDEN.into_inner();
            return Err(format!(
                "hidden units: a multiple of 32 from {least} to {most} is wanted, not {hidden}"
            ));
        }
        Ok(Shape { hidden, king_bucket: king_bucket.to_vec() })
    }

    /// How many king buckets there are.
    pub fn buckets(&self) -> usize {
        self.king_bucket.iter().max().map_or(1, |&last| usize::from(last) + 1)
    }

    /// How many inputs a side has.
    pub fn inputs(&self) -> usize {
        PIECE_SQUARES * self.buckets()
    }
}

/// A side's view of the board: what is added to, and flipped in, a square.
#[derive(Clone, Copy, Debug)]
pub struct View {
    base: usize,
    flip: usize,
}

impl View {
    /// The view of a side with its king on `king`, a square as that side sees it.
    #[inline]
    pub fn new(king_bucket: &[u8], king: usize) -> View {
        let flip = if king % 8 >= 4 { 7 } else { 0 };
        View { base: PIECE_SQUARES * usize::from(king_bucket[king ^ flip]), flip }
    }

    /// The input for a piece, its square as the side sees it.
    #[inline]
    pub fn feature(&self, own: bool, kind: usize, square: usize) -> usize {
        self.base + if own { 0 } else { 384 } + 64 * kind + (square ^ self.flip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_those_of_the_formula() {
        let mut buckets = [0; 64];
        for (square, bucket) in buckets.iter_mut().enumerate() {
            *bucket = (square / 16) as u8;
        }
        for king in 0..64 {
            let view = View::new(&buckets, king);
            for own in [true, false] {
                for kind in 0..6 {
                    for square in 0..64 {
                        let mirrored = |square: usize| {
                            let (rank, file) = (square / 8, square % 8);
                            8 * rank + if king % 8 > 3 { 7 - file } else { file }
                        };
                        let bucket = usize::from(buckets[mirrored(king)]);
                        let color = if own { 0 } else { 384 };
                        let expected = bucket * 768 + color + kind * 64 + mirrored(square);
                        assert_eq!(view.feature(own, kind, square), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn output_buckets_cover_all_numbers_of_pieces() {
        let buckets: Vec<usize> = [2, 5, 6, 9, 10, 28, 29, 30, 32].map(output_bucket).to_vec();
        assert_eq!(buckets, [0, 0, 1, 1, 2, 6, 6, 7, 7]);
    }

    #[test]
    fn widths_are_checked() {
        assert!(Shape::new(512).is_ok());
        for hidden in [0, 16, 33, 1056] {
            assert!(Shape::new(hidden).is_err(), "{hidden}");
        }
    }
}
