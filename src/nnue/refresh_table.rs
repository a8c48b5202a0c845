//! The refresh table ("Finny table"): accumulators by perspective, from which others are made when the king has moved to
//! the other half of the board.
//!
//! Such a move changes every input, so that the accumulator before the move is of no use. The table keeps, for each
//! perspective, the accumulator that it had last and the features that this one stands for: what differs since is usually
//! much less than a board full of pieces. (Finn Eggers, in the engine Koivisto.)

use std::collections::TryReserveError;

use super::accumulator::{self, Accumulator, update};
use super::features::Perspective;
use super::piece_features::{FeatureDelta, PieceFeatures};
use super::simd::Vector;
use super::weights::Weights;
use crate::util::memory::boxed_array;

/// An accumulator, and the features whose weights it sums.
#[derive(Clone, Debug)]
struct RefreshEntry {
    accumulator: Accumulator,
    features: PieceFeatures,
}

impl RefreshEntry {
    const EMPTY: RefreshEntry =
        RefreshEntry { accumulator: accumulator::EMPTY, features: PieceFeatures::EMPTY };
}

/// The last accumulator of each perspective: by colour, then by [`Perspective::mirror_index`].
#[derive(Clone, Debug)]
pub struct RefreshTable {
    entries: Box<[[RefreshEntry; Perspective::MIRRORS]; 2]>,
}

impl RefreshTable {
    /// A table of empty boards.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<RefreshTable, TryReserveError> {
        Ok(RefreshTable { entries: boxed_array([RefreshEntry::EMPTY; Perspective::MIRRORS])? })
    }

    /// Sets all entries to empty boards: the weights have changed.
    pub fn clear(&mut self) {
        self.entries.as_flattened_mut().fill(RefreshEntry::EMPTY);
    }

    /// Writes the accumulator of `features` seen from `perspective`, and keeps it for the next refresh.
    pub fn refresh<V: Vector>(
        &mut self,
        perspective: Perspective,
        features: &PieceFeatures,
        weights: &Weights,
        accumulator: &mut Accumulator,
    ) {
        let entry = &mut self.entries[perspective.color().index()][perspective.mirror_index()];
        let mut delta = FeatureDelta::default();
        features.diff(&entry.features, &mut delta);
        update::<V>(&entry.accumulator, accumulator, perspective, weights, &delta);
        entry.accumulator = *accumulator;
        entry.features = *features;
    }
}
