//! Hidden layers made anew, from the last one that was made under the same view.
//!
//! For every view of each side the cache keeps a layer and the pieces that it stands for: only what has changed
//! since must be added and subtracted, usually much less than a board full of pieces.

use arrayvec::ArrayVec;

use super::arch::CHUNKS;
use super::features::Perspective;
use super::piece_features::{FeatureDelta, PieceFeature, PieceFeatures};
use super::simd::{I16x32, Vector};
use super::weights::{Accumulator, FeatureWeights, Weights};
use crate::board::Board;
use crate::types::Color;
use crate::util::prefetch::prefetch;

/// So many cache lines of a row are fetched ahead; the processor sees by itself that the others follow.
const PREFETCHED: usize = 4;
/// Blocks of a row in a cache line.
const IN_LINE: usize = 2;

/// The layer of an empty board: biases come later.
const EMPTY: Accumulator = [I16x32::ZERO; CHUNKS];

/// A layer, and what it stands for.
#[derive(Clone, Debug)]
struct RefreshEntry {
    accumulator: Accumulator,
    features: PieceFeatures,
}

/// The rows of the men that come or go.
type Rows<'a> = ArrayVec<&'a FeatureWeights, 64>;

/// The last layers made under each view.
#[derive(Clone, Debug)]
pub struct RefreshTable {
    entries: Box<[[RefreshEntry; Perspective::MIRRORS]; 2]>,
}

impl RefreshTable {
    /// A cache of empty boards.
    pub fn new() -> RefreshTable {
        let empty = RefreshEntry { accumulator: EMPTY, features: PieceFeatures::EMPTY };
        let side: [RefreshEntry; Perspective::MIRRORS] = std::array::from_fn(|_| empty.clone());
        RefreshTable { entries: Box::new([side.clone(), side]) }
    }

    /// Makes the layer of a side that sees the board so.
    pub fn refresh<V: Vector>(
        &mut self,
        view: Perspective,
        placement: &PieceFeatures,
        weights: &Weights,
        layer: &mut Accumulator,
    ) {
        let entry = &mut self.entries[view.color().index()][view.mirror_index()];
        let mut changes = FeatureDelta::default();
        placement.diff(&entry.features, &mut changes);
        update::<V>(&entry.accumulator, layer, view, weights, &changes);
        entry.accumulator = *layer;
        entry.features = *placement;
    }
}

/// The layers of both sides, by colour, from nothing but the board.
pub fn from_scratch<V: Vector>(board: &Board, weights: &Weights) -> [Accumulator; 2] {
    let mut changes = FeatureDelta::default();
    PieceFeatures::of(board).diff(&PieceFeatures::EMPTY, &mut changes);
    Color::ALL.map(|color| {
        let mut layer = EMPTY;
        update::<V>(&EMPTY, &mut layer, Perspective::new(color, board.king(color)), weights, &changes);
        layer
    })
}

/// A layer from an earlier one: adds and subtracts the rows of men, as much of the layer at a time as registers can hold.
pub(super) fn update<V: Vector>(
    before: &Accumulator,
    after: &mut Accumulator,
    view: Perspective,
    weights: &Weights,
    changes: &FeatureDelta,
) {
    let (mut added, mut removed) = (Rows::new(), Rows::new());
    gather_rows(&changes.added, view, weights, &mut added);
    gather_rows(&changes.removed, view, weights, &mut removed);
    match V::TILE {
        16 => update_tiled::<V, 16>(before, after, &added, &removed),
        8 => update_tiled::<V, 8>(before, after, &added, &removed),
        4 => update_tiled::<V, 4>(before, after, &added, &removed),
        2 => update_tiled::<V, 2>(before, after, &added, &removed),
        _ => update_tiled::<V, 1>(before, after, &added, &removed),
    }
}

/// Finds the rows of men, and asks memory for them before the first is needed.
#[inline(always)]
fn gather_rows<'a>(men: &[PieceFeature], view: Perspective, weights: &'a Weights, rows: &mut Rows<'a>) {
    for &man in men {
        let row = weights.feature(view.feature_index(man));
        row.iter().step_by(IN_LINE).take(PREFETCHED).for_each(prefetch);
        let _ = rows.try_push(row);
    }
}

#[inline(always)]
fn update_tiled<V: Vector, const TILE: usize>(
    before: &Accumulator,
    after: &mut Accumulator,
    added: &[&FeatureWeights],
    removed: &[&FeatureWeights],
) {
    const { assert!(CHUNKS.is_multiple_of(16)) };
    let pairs = added.len().min(removed.len());
    let (old, _) = before.as_chunks::<TILE>();
    let (new, _) = after.as_chunks_mut::<TILE>();
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        let start = index * TILE;
        let mut registers = [V::load(&old[0]); TILE];
        for (register, block) in registers.iter_mut().zip(old) {
            *register = V::load(block);
        }
        for (added, removed) in added.iter().zip(removed) {
            let pairs = added[start..start + TILE].iter().zip(&removed[start..start + TILE]);
            for (register, (added, removed)) in registers.iter_mut().zip(pairs) {
                *register = register.add_sub(added, removed);
            }
        }
        for row in &added[pairs..] {
            for (register, bytes) in registers.iter_mut().zip(&row[start..start + TILE]) {
                *register = register.add(V::load_extend(bytes));
            }
        }
        for row in &removed[pairs..] {
            for (register, bytes) in registers.iter_mut().zip(&row[start..start + TILE]) {
                *register = register.sub(V::load_extend(bytes));
            }
        }
        for (register, block) in registers.into_iter().zip(new) {
            register.store(block);
        }
    }
}
