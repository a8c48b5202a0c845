//! The architecture of the network that is trained; the engine has its constants and its input formula.

use caesura::nnue::arch;
pub use caesura::nnue::arch::{DENSE_1, DENSE_2, OUTPUT_BUCKETS, OUTPUT_UNITS, THREAT_STATES, output_bucket};
use serde::{Deserialize, Serialize};

use crate::weight_scale::MAX_QUANTISED;

/// Inputs of one threat state: own and enemy pieces, of six kinds, on 64 squares.
pub const PIECE_SQUARES: usize = arch::PIECE_SQUARES;
/// Quantisation of the accumulators: 1.0 as an integer.
pub const QA: i32 = arch::QA as i32;
/// Quantisation of the output weights and of the weights of the dense layers: 1.0 as an integer.
pub const QB: i32 = arch::QB as i32;
/// Centipawns of a network output of 1.0.
pub const SCALE: i32 = arch::SCALE as i32;
/// Bound of the absolute value of feature weights. With 32 pieces, no accumulator leaves 16 bits; and in the engine's 8
/// bits a quantisation scale is at most 5, where one greater weight among thousands would make it coarser for its whole
/// unit.
pub const FEATURE_BOUND: f32 = 5.0 * MAX_QUANTISED as f32 / arch::QA as f32;
/// Bound of the absolute value of the biases of hidden units: with 32 weights, no accumulator leaves 16 bits.
pub const BIAS_BOUND: f32 = 8.0;
/// Bound of the absolute value of the weights from hidden units to output units: the engine's, in floating point.
pub const OUTPUT_BOUND: f32 = arch::MAX_OUTPUT_WEIGHT as f32 / arch::QB as f32;
/// Bound of the absolute value of the numbers of dense layers, biases included: the engine's for weights behind the first
/// one, in floating point.
pub const DENSE_BOUND: f32 = arch::MAX_DENSE_WEIGHT as f32 / arch::QB as f32;
/// The output buckets, from that of the fewest pieces on, that get dense layers in training: positions of at most 21 pieces.
/// The engine computes no dense layers for the others.
///
/// With more pieces they teach nothing: 58 million positions behind features that stayed as they were left the validation loss with
/// 22 to 25 pieces at 0.02656 without and 0.02661 with them, although their units were open and had weights to the output
/// (`nets/notes.md`, "Dense units that say nothing").
pub const DENSE_BUCKETS: usize = 5;
/// The numbers of hidden units that the training code supports.
pub const HIDDEN_SIZES: std::ops::RangeInclusive<usize> = 32..=1024;

const _: () = assert!(DENSE_BOUND * (QA * QB) as f32 <= arch::MAX_DENSE_BIAS as f32);

/// Why a network cannot have an architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchitectureError {
    /// The number of hidden units is not supported.
    #[error(
        "hidden units: a multiple of 32 from {least} to {most} is wanted, not {found}",
        least = HIDDEN_SIZES.start(),
        most = HIDDEN_SIZES.end(),
        found = .0
    )]
    HiddenSize(usize),
    /// The number of threat states is not supported.
    #[error("threat states: 1 or {THREAT_STATES}, not {0}")]
    ThreatStates(usize),
    /// The engine would refuse the network.
    #[error(
        "the engine is compiled for {engine} hidden units and would refuse a network with {found}",
        engine = arch::HIDDEN_SIZE,
        found = .0
    )]
    NotTheEngines(usize),
    /// A network cannot lose hidden units.
    #[error("{from} hidden units cannot become {to}")]
    Narrower {
        /// Hidden units of the network.
        from: usize,
        /// Hidden units that are wanted.
        to: usize,
    },
    /// A network cannot lose its threat states.
    #[error("threat states cannot become one")]
    FewerThreatStates,
}

/// The architecture of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// Hidden units of one perspective.
    pub hidden: usize,
    /// Threat states: 1, or [`THREAT_STATES`].
    pub states: usize,
}

impl Architecture {
    /// The architecture that the engine can load, if it has this number of hidden units.
    ///
    /// # Errors
    /// If the engine has another number of hidden units.
    pub fn of_engine(hidden: usize) -> Result<Architecture, ArchitectureError> {
        if hidden != arch::HIDDEN_SIZE {
            return Err(ArchitectureError::NotTheEngines(hidden));
        }
        Architecture::new(hidden)
    }

    /// An architecture with the threat states of the engine.
    ///
    /// # Errors
    /// If the number of hidden units is not in [`HIDDEN_SIZES`] or not a multiple of 32.
    pub fn new(hidden: usize) -> Result<Architecture, ArchitectureError> {
        Architecture::with_states(hidden, THREAT_STATES)
    }

    /// An architecture with one threat state, which is none, or with those of the engine.
    ///
    /// # Errors
    /// If the number of hidden units is not in [`HIDDEN_SIZES`] or not a multiple of 32, or the number of threat states is
    /// neither 1 nor [`THREAT_STATES`].
    pub fn with_states(hidden: usize, states: usize) -> Result<Architecture, ArchitectureError> {
        if !HIDDEN_SIZES.contains(&hidden) || !hidden.is_multiple_of(32) {
            return Err(ArchitectureError::HiddenSize(hidden));
        }
        if states != 1 && states != THREAT_STATES {
            return Err(ArchitectureError::ThreatStates(states));
        }
        Ok(Architecture { hidden, states })
    }

    /// Inputs of one perspective.
    pub fn inputs(&self) -> usize {
        PIECE_SQUARES * self.states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_that_the_engine_refuses_are_refused() {
        assert!(Architecture::of_engine(arch::HIDDEN_SIZE).is_ok());
        for hidden in [64, arch::HIDDEN_SIZE - 32, arch::HIDDEN_SIZE + 32] {
            let error = Architecture::of_engine(hidden).unwrap_err();
            assert_eq!(error, ArchitectureError::NotTheEngines(hidden));
        }
    }

    #[test]
    fn sizes_are_checked() {
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
