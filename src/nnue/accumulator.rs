//! An accumulator: the sums of the feature weights of one perspective, updated by the features that come and go.

use arrayvec::ArrayVec;

use super::arch::CHUNKS;
use super::features::Perspective;
use super::piece_features::{FeatureDelta, PieceFeature, PieceFeatures};
use super::simd::{I16x32, Vector};
use super::weights::{FeatureWeights, HiddenVector, Weights};
use crate::board::Board;
use crate::types::Color;
use crate::util::prefetch::prefetch;

/// The sum of the weights of the active features, for each hidden unit, in units of its quantisation scale and without the
/// bias: the output layer multiplies by the scale and adds the bias.
pub type Accumulator = HiddenVector;

/// The accumulator of an empty board.
pub const EMPTY: Accumulator = [I16x32::ZERO; CHUNKS];

/// Cache lines of a row of weights that are prefetched; the hardware prefetcher finds the rest by itself.
const PREFETCHED_LINES: usize = 4;
/// [`I8x32`](super::simd::I8x32)s in a cache line.
const CHUNKS_IN_LINE: usize = 2;

/// The weight rows of the features that are added or removed.
type Rows<'a> = ArrayVec<&'a FeatureWeights, 64>;

/// The accumulators of White and Black, from nothing but the board.
pub fn from_scratch<V: Vector>(board: &Board, weights: &Weights) -> [Accumulator; 2] {
    let mut delta = FeatureDelta::default();
    PieceFeatures::of(board).diff(&PieceFeatures::EMPTY, &mut delta);
    Color::ALL.map(|color| {
        let mut accumulator = EMPTY;
        let perspective = Perspective::new(color, board.king(color));
        update::<V>(&EMPTY, &mut accumulator, perspective, weights, &delta);
        accumulator
    })
}

/// Writes to `after` the accumulator `before`, updated by the added and removed features.
///
/// Adding a row to a tile that stays in registers reads and writes memory once for all rows.
pub(super) fn update<V: Vector>(
    before: &Accumulator,
    after: &mut Accumulator,
    perspective: Perspective,
    weights: &Weights,
    delta: &FeatureDelta,
) {
    let (mut added, mut removed) = (Rows::new(), Rows::new());
    collect_rows(&delta.added, perspective, weights, &mut added);
    collect_rows(&delta.removed, perspective, weights, &mut removed);
    match V::TILE {
        16 => update_tiled::<V, 16>(before, after, &added, &removed),
        8 => update_tiled::<V, 8>(before, after, &added, &removed),
        4 => update_tiled::<V, 4>(before, after, &added, &removed),
        2 => update_tiled::<V, 2>(before, after, &added, &removed),
        _ => update_tiled::<V, 1>(before, after, &added, &removed),
    }
}

/// Collects the weight rows of features, and prefetches all of them before the first is used.
#[inline(always)]
fn collect_rows<'a>(
    features: &[PieceFeature],
    perspective: Perspective,
    weights: &'a Weights,
    rows: &mut Rows<'a>,
) {
    for &feature in features {
        let row = weights.feature(perspective.feature_index(feature));
        row.iter().step_by(CHUNKS_IN_LINE).take(PREFETCHED_LINES).for_each(prefetch);
        let _ = rows.try_push(row);
    }
}

/// The work of [`update`], `TILE` vectors at a time.
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
        for (register, chunk) in registers.iter_mut().zip(old) {
            *register = V::load(chunk);
        }
        for (added, removed) in added.iter().zip(removed) {
            let pairs = added[start..start + TILE].iter().zip(&removed[start..start + TILE]);
            for (register, (added, removed)) in registers.iter_mut().zip(pairs) {
                *register = register.add_sub(added, removed);
            }
        }
        for row in &added[pairs..] {
            for (register, weights) in registers.iter_mut().zip(&row[start..start + TILE]) {
                *register = register.add(V::load_extend(weights));
            }
        }
        for row in &removed[pairs..] {
            for (register, weights) in registers.iter_mut().zip(&row[start..start + TILE]) {
                *register = register.sub(V::load_extend(weights));
            }
        }
        for (register, chunk) in registers.into_iter().zip(new) {
            register.store(chunk);
        }
    }
}
