//! The accumulators along a line of play, computed lazily.
//!
//! Making a move only counts a ply. When a position is evaluated, its features are compared with those of the nearest
//! earlier position whose accumulators are computed, and the weights of what differs are added and subtracted. If the king
//! has moved to the other half of the board in between, the accumulator comes from the refresh table instead.

use std::collections::TryReserveError;

use super::accumulator::{self, Accumulator, update};
use super::features::Perspective;
use super::piece_features::{FeatureDelta, PieceFeatures};
use super::refresh_table::RefreshTable;
use super::simd::Vector;
use super::weights::Weights;
use crate::board::{Board, Threats};
use crate::types::{Color, MAX_PLY};
use crate::util::memory::boxed_slice;

/// The accumulators of one position.
#[derive(Clone, Debug)]
struct PlyEntry {
    /// By colour.
    accumulators: [Accumulator; 2],
    /// The perspectives from which the accumulators are computed, by colour; `None` if they are not computed yet.
    computed_for: [Option<Perspective>; 2],
    /// The features that the accumulators sum.
    features: PieceFeatures,
    /// The features are those of this position, and not of another that was here.
    features_known: bool,
}

impl PlyEntry {
    const NEW: PlyEntry = PlyEntry {
        accumulators: [accumulator::EMPTY; 2],
        computed_for: [None; 2],
        features: PieceFeatures::EMPTY,
        features_known: false,
    };
}

/// The accumulators along a line of play: one entry for each ply.
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    /// The positions of the line, and unused entries behind them.
    entries: Vec<PlyEntry>,
    /// For each of them, the index of the nearest one before it whose accumulators are computed, when it became the last.
    nearest_computed: Vec<Option<u16>>,
    /// The index of the current position.
    top: usize,
    /// What differs between the current position and the last one whose accumulators are computed.
    delta: FeatureDelta,
    /// Which position that is, if `delta` and the features of the current position are found already.
    prepared: Prepared,
}

/// How far an [`AccumulatorStack`] is with its current position.
#[derive(Clone, Copy, Debug)]
enum Prepared {
    /// Nothing is known of it.
    No,
    /// Its features are known; with the index of the last position whose accumulators are computed, the difference, too.
    From(Option<usize>),
}

impl AccumulatorStack {
    /// A stack with one position, which is not computed yet.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<AccumulatorStack, TryReserveError> {
        let entries = boxed_slice(PlyEntry::NEW, MAX_PLY + 8)?.into_vec();
        let nearest_computed = boxed_slice(None, MAX_PLY + 8)?.into_vec();
        let delta = FeatureDelta::default();
        Ok(AccumulatorStack { entries, nearest_computed, top: 0, delta, prepared: Prepared::No })
    }

    /// Begins a new line at any position.
    pub fn reset(&mut self) {
        self.top = 0;
        self.entries[0].computed_for = [None; 2];
        self.entries[0].features_known = false;
        self.prepared = Prepared::No;
    }

    /// Adds a ply: call it when a move is made.
    #[inline]
    pub fn push(&mut self) {
        let last = self.top;
        self.top += 1;
        self.prepared = Prepared::No;
        if self.top == self.entries.len() {
            self.entries.push(PlyEntry::NEW);
            self.nearest_computed.push(None);
        }
        // Only the current position is ever computed: what is known here of the earlier ones stays true.
        let is_computed = self.entries[last].computed_for[0].is_some();
        self.nearest_computed[self.top] =
            if is_computed { u16::try_from(last).ok() } else { self.nearest_computed[last] };
        self.entries[self.top].computed_for = [None; 2];
        self.entries[self.top].features_known = false;
    }

    /// Removes a ply: call it when a move is unmade.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "no move to unmake");
        self.top = self.top.saturating_sub(1);
        self.prepared = Prepared::No;
    }

    /// The accumulators of White and Black in the current position, which `board` must be.
    #[inline]
    pub fn current<V: Vector>(
        &mut self,
        board: &Board,
        weights: &Weights,
        refresh_table: &mut RefreshTable,
    ) -> [&Accumulator; 2] {
        if self.entries[self.top].computed_for[0].is_none() {
            self.compute::<V>(board, weights, refresh_table);
        }
        let [white, black] = &self.entries[self.top].accumulators;
        [white, black]
    }

    /// Finds what [`AccumulatorStack::current`] will need of the current position, which `board` must be, short of the
    /// weights: worth doing while something else is awaited from memory.
    #[inline]
    pub fn prepare(&mut self, board: &Board) {
        if matches!(self.prepared, Prepared::No) && self.entries[self.top].computed_for[0].is_none() {
            self.find_delta(board);
        }
    }

    /// What White and Black attack in the current position, if that is known already.
    #[inline]
    pub fn threats(&self) -> Option<&[Threats; 2]> {
        let entry = &self.entries[self.top];
        entry.features_known.then(|| entry.features.threats())
    }

    /// Finds the features of the current position, and the difference from the last one whose accumulators are computed;
    /// returns the index of that one.
    #[inline]
    fn find_delta(&mut self, board: &Board) -> Option<usize> {
        let (earlier, rest) = self.entries.split_at_mut(self.top);
        let entry = rest.first_mut()?;
        entry.features.set(board);
        entry.features_known = true;
        let computed = self.nearest_computed[self.top].map(usize::from);
        if let Some(computed) = computed {
            entry.features.diff(&earlier[computed].features, &mut self.delta);
        }
        self.prepared = Prepared::From(computed);
        computed
    }

    fn compute<V: Vector>(&mut self, board: &Board, weights: &Weights, refresh_table: &mut RefreshTable) {
        let computed = match self.prepared {
            Prepared::From(computed) => computed,
            Prepared::No => self.find_delta(board),
        };
        let (earlier, rest) = self.entries.split_at_mut(self.top);
        let Some(entry) = rest.first_mut() else { return };
        let computed = computed.map(|index| &earlier[index]);
        for color in Color::ALL {
            let side = color.index();
            let perspective = Perspective::new(color, board.king(color));
            let accumulator = &mut entry.accumulators[side];
            match computed {
                Some(computed) if computed.computed_for[side] == Some(perspective) => {
                    update::<V>(&computed.accumulators[side], accumulator, perspective, weights, &self.delta);
                }
                _ => refresh_table.refresh::<V>(perspective, &entry.features, weights, accumulator),
            }
            entry.computed_for[side] = Some(perspective);
        }
    }
}
