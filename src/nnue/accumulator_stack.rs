//! The hidden layers of a line of play, made as they are asked for.
//!
//! A move costs nothing here. When a position is evaluated, its placement is compared with that of the nearest earlier one
//! whose hidden layer is known: only the rows of what differs are added and subtracted. If a king has changed
//! the view of the board in between, the layer is made from the last one under the same view instead.

use super::features::Perspective;
use super::piece_features::{FeatureDelta, PieceFeatures};
use super::refresh_table::{RefreshTable, update};
use super::simd::{I16x32, Vector};
use super::weights::{Accumulator, Weights};
use crate::board::Board;
use crate::types::{Color, MAX_PLY};

/// The hidden layers of both sides in one position.
#[derive(Clone, Debug)]
struct StackEntry {
    accumulators: [Accumulator; 2],
    /// The views under which the layers are made, if they are.
    computed_for: [Option<Perspective>; 2],
    /// What the layers stand for.
    features: PieceFeatures,
}

impl StackEntry {
    const NEW: StackEntry = StackEntry {
        accumulators: [[I16x32::ZERO; _]; 2],
        computed_for: [None; 2],
        features: PieceFeatures::EMPTY,
    };
}

/// The hidden layers along a line of play.
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    /// The positions of the line, and behind them room for more.
    entries: Vec<StackEntry>,
    /// The present position.
    top: usize,
    /// What differs from the last position whose layers were made.
    delta: FeatureDelta,
}

impl AccumulatorStack {
    /// A line that begins with a position.
    pub fn new() -> AccumulatorStack {
        AccumulatorStack {
            entries: vec![StackEntry::NEW; MAX_PLY + 8],
            top: 0,
            delta: FeatureDelta::default(),
        }
    }

    /// Goes to another position, whatever led to it.
    pub fn reset(&mut self) {
        self.top = 0;
        self.entries[0].computed_for = [None; 2];
    }

    /// A move is made.
    #[inline]
    pub fn push(&mut self) {
        self.top += 1;
        if self.top == self.entries.len() {
            self.entries.push(StackEntry::NEW);
        }
        self.entries[self.top].computed_for = [None; 2];
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "no move to take back");
        self.top = self.top.saturating_sub(1);
    }

    /// The hidden layers of the present position, by colour. `board` must be the one listened to.
    #[inline]
    pub fn current<V: Vector>(
        &mut self,
        board: &Board,
        weights: &Weights,
        cache: &mut RefreshTable,
    ) -> [&Accumulator; 2] {
        if self.entries[self.top].computed_for[0].is_none() {
            self.compute::<V>(board, weights, cache);
        }
        let [white, black] = &self.entries[self.top].accumulators;
        [white, black]
    }

    fn compute<V: Vector>(&mut self, board: &Board, weights: &Weights, cache: &mut RefreshTable) {
        let (earlier, rest) = self.entries.split_at_mut(self.top);
        let Some(ply) = rest.first_mut() else { return };
        ply.features = PieceFeatures::of(board);
        let known = earlier.iter().rev().find(|ply| ply.computed_for[0].is_some());
        if let Some(known) = known {
            ply.features.diff(&known.features, &mut self.delta);
        }
        for color in Color::ALL {
            let side = color.index();
            let view = Perspective::new(color, board.king(color));
            let layer = &mut ply.accumulators[side];
            match known {
                Some(known) if known.computed_for[side] == Some(view) => {
                    update::<V>(&known.accumulators[side], layer, view, weights, &self.delta);
                }
                _ => cache.refresh::<V>(view, &ply.features, weights, layer),
            }
            ply.computed_for[side] = Some(view);
        }
    }
}
