//! The shape of the network, and which inputs a piece sets.
//!
//! Each side sees the board with its own men at the bottom and its own king on the files a to d. An input stands for a
//! piece, own or not, of a kind, on a square, in a threat state.

use caesura::nnue::arch;
pub use caesura::nnue::arch::{OUTPUT_BUCKETS, THREAT_STATES, output_bucket};
use caesura::nnue::quantisation::MAX_QUANTISED;
use serde::{Deserialize, Serialize};

/// Inputs of one threat state: own or not, six kinds, 64 squares.
pub const PIECE_SQUARES: usize = arch::PIECE_SQUARES;
/// What 1.0 is in the quantised feature transformer.
pub const QA: i32 = arch::QA as i32;
/// What 1.0 is in the quantised output weights.
pub const QB: i32 = arch::QB as i32;
/// Centipawns of a network output of 1.0.
pub const SCALE: i32 = arch::SCALE as i32;
/// The bound of feature weights. With 32 pieces, no sum leaves 16 bits; and in the engine's 8 bits a step is at most five
/// quanta, where one greater weight among thousands would make it coarser for all of its unit.
pub const FEATURE_BOUND: f32 = 5.0 * MAX_QUANTISED as f32 / arch::QA as f32;
/// The bound of the biases of hidden units: with 32 weights, they do not leave 16 bits.
pub const BIAS_BOUND: f32 = 8.0;
/// The bound of output weights: quantised, the engine takes them.
pub const OUTPUT_BOUND: f32 = arch::MAX_OUTPUT_WEIGHT as f32 / arch::QB as f32;
/// The widths that can be trained.
pub const HIDDEN: std::ops::RangeInclusive<usize> = 32..=1024;

/// The shape of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// Hidden units a side.
    pub hidden: usize,
    /// Threat states that are told apart: one or [`STATES`].
    pub states: usize,
}

impl Architecture {
    /// The shape with the threat states of the engine.
    ///
    /// # Errors
    /// If the width is not in [`HIDDEN`] or not a multiple of 32.
    pub fn new(hidden: usize) -> Result<Architecture, String> {
        Architecture::with_states(hidden, THREAT_STATES)
    }

    /// The shape with one threat state or all.
    ///
    /// # Errors
    /// If the width is not in [`HIDDEN`] or not a multiple of 32, or there are another number of states.
    pub fn with_states(hidden: usize, states: usize) -> Result<Architecture, String> {
        if !HIDDEN.contains(&hidden) || !hidden.is_multiple_of(32) {
            let (least, most) = HIDDEN.into_inner();
            return Err(format!(
                "hidden units: a multiple of 32 from {least} to {most} is wanted, not {hidden}"
            ));
        }
        if states != 1 && states != THREAT_STATES {
            return Err(format!("threat states: 1 or {THREAT_STATES}, not {states}"));
        }
        Ok(Architecture { hidden, states })
    }

    /// How many inputs a side has.
    pub fn inputs(&self) -> usize {
        PIECE_SQUARES * self.states
    }
}

/// A side's view of the board: what is flipped in a square.
#[derive(Clone, Copy, Debug)]
pub struct View {
    flip: usize,
}

impl View {
    /// The view of a side with its king on `king`, a square as that side sees it.
    #[inline]
    pub fn new(king: usize) -> View {
        View { flip: if king % 8 >= 4 { 7 } else { 0 } }
    }

    /// The input for a piece in a threat state, its square as the side sees it.
    #[inline]
    pub fn feature(&self, state: usize, own: bool, kind: usize, square: usize) -> usize {
        PIECE_SQUARES * state + if own { 0 } else { 384 } + 64 * kind + (square ^ self.flip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_those_of_the_formula() {
        for king in 0..64 {
            let view = View::new(king);
            for state in 0..THREAT_STATES {
                for own in [true, false] {
                    for kind in 0..6 {
                        for square in 0..64 {
                            let (rank, file) = (square / 8, square % 8);
                            let mirrored = 8 * rank + if king % 8 > 3 { 7 - file } else { file };
                            let color = if own { 0 } else { 384 };
                            let expected = state * 768 + color + kind * 64 + mirrored;
                            assert_eq!(view.feature(state, own, kind, square), expected);
                        }
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
        assert!(Architecture::new(512).is_ok());
        for hidden in [0, 16, 33, 1056] {
            assert!(Architecture::new(hidden).is_err(), "{hidden}");
        }
        assert!(Architecture::with_states(32, 1).is_ok());
        for states in [0, 2, THREAT_STATES + 1] {
            assert!(Architecture::with_states(32, states).is_err(), "{states}");
        }
    }
}
