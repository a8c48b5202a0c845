//! An accumulator: the sums of the feature weights of one perspective, updated by the features that come and go.

use arrayvec::ArrayVec;

use super::arch::CHUNKS;
use super::features::Perspective;
use super::piece_features::{FeatureDelta, PieceFeature, PieceFeatures};
use super::simd::{I8x64, I16x32, Vector};
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
        _ => update_tiled::<V, 2>(before, after, &added, &removed),
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
        let row = weights.feature(perspective.row(feature));
        // An element of a row is a cache line.
        row.iter().take(PREFETCHED_LINES).for_each(prefetch);
        let _ = rows.try_push(row);
    }
}

/// The work of [`update`], `TILE` vectors at a time.
#[inline(always)]
fn update_tiled<'a, V: Vector, const TILE: usize>(
    before: &Accumulator,
    after: &mut Accumulator,
    added: &[&'a FeatureWeights],
    removed: &[&'a FeatureWeights],
) {
    const { assert!(CHUNKS.is_multiple_of(16)) };
    let (added_pairs, added_rest) = added.as_chunks::<2>();
    let (removed_pairs, removed_rest) = removed.as_chunks::<2>();
    let (old, _) = before.as_chunks::<TILE>();
    let (new, _) = after.as_chunks_mut::<TILE>();
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        let tile =
            |row: &'a FeatureWeights| -> &'a [I8x64] { &row[index * TILE / 2..(index + 1) * TILE / 2] };
        let mut registers = [V::load(&old[0]); TILE];
        for (register, chunk) in registers.iter_mut().zip(old) {
            *register = V::load(chunk);
        }
        let (halves, _) = registers.as_chunks_mut::<2>();
        for &[a, b] in added_pairs {
            for (halves, (a, b)) in halves.iter_mut().zip(tile(a).iter().zip(tile(b))) {
                *halves = V::add_both(*halves, a, b);
            }
        }
        for &[a, b] in removed_pairs {
            for (halves, (a, b)) in halves.iter_mut().zip(tile(a).iter().zip(tile(b))) {
                *halves = V::sub_both(*halves, a, b);
            }
        }
        match (added_rest, removed_rest) {
            ([added], [removed]) => {
                for (halves, (a, b)) in halves.iter_mut().zip(tile(added).iter().zip(tile(removed))) {
                    *halves = V::add_sub(*halves, a, b);
                }
            }
            _ => {
                for row in added_rest {
                    for (halves, weights) in halves.iter_mut().zip(tile(row)) {
                        *halves = V::add_halves(*halves, V::load_extend(weights));
                    }
                }
                for row in removed_rest {
                    for (halves, weights) in halves.iter_mut().zip(tile(row)) {
                        *halves = V::sub_halves(*halves, V::load_extend(weights));
                    }
                }
            }
        }
        for (register, chunk) in registers.into_iter().zip(new) {
            register.store(chunk);
        }
    }
}
