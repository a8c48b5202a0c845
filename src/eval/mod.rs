//! The static evaluation: small and hand-written, its numbers fitted to games that the engine played against
//! itself.
//!
//! [`terms`] finds what there is to see in a position and says it to a [`Tally`]: one walk serves the evaluation,
//! which adds up [`weights`], and the fitter, which wants to know what was counted. [`evaluator`] keeps material
//! and piece-square values up to date move by move by listening to the board. [`evaluation`]
//! chooses between it and a network.

pub mod evaluation;
pub mod evaluator;
pub mod terms;
pub mod weights;

pub use evaluation::Evaluation;
pub use evaluator::{Evaluator, evaluate};
pub use terms::Tally;

#[cfg(test)]
mod tests;
