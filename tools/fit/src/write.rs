//! The weights as a source file.

use std::fmt::Write;

use crate::solve::Weights;

/// The text of `src/eval/weights.rs`.
pub fn source(weights: &Weights) -> String {
    let mut text = String::from(
        "//! The numbers of the evaluation, in centipawns, for the middlegame and the endgame.\n\
         //!\n\
         //! Written by `tools/fit` from games of the engine against itself.\n\n\
         use super::terms;\n\n\
         /// Each term's weight, by the indices of [`terms`].\n\
         #[rustfmt::skip]\n\
         pub static WEIGHTS: [(i16, i16); terms::COUNT] = [\n",
    );
    for line in weights.chunks(8) {
        text.push_str("   ");
        for [middle, end] in line {
            // Writing to a string cannot fail.
            let _ = write!(text, " ({}, {}),", middle.round() as i16, end.round() as i16);
        }
        text.push('\n');
    }
    text.push_str("];\n");
    text
}
