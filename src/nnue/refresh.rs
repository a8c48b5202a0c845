//! Hidden layers made anew, from the last one that was made under the same view.
//!
//! For every view of each side the cache keeps a layer and the pieces that it stands for: only what has changed
//! since must be added and subtracted, usually much less than a board full of pieces.

use arrayvec::ArrayVec;

use super::arch::BLOCKS;
use super::features::View;
use super::placement::{Changes, Man, Placement};
use super::simd::{Block, Vector};
use super::weights::{Row, Steps, Weights};
use crate::board::Board;
use crate::types::Color;
use crate::util::prefetch::prefetch;

/// So many cache lines of a row are fetched ahead; the processor sees by itself that the others follow.
const PREFETCHED: usize = 4;
/// Blocks of a row in a cache line.
const IN_LINE: usize = 2;

/// The layer of an empty board: biases come later.
const NOTHING: Row = [Block::ZERO; BLOCKS];

/// A layer, and what it stands for.
#[derive(Clone, Debug)]
struct Entry {
    layer: Row,
    placement: Placement,
}

/// The rows of the men that come or go.
type Rows<'a> = ArrayVec<&'a Steps, 64>;

/// The last layers made under each view.
#[derive(Clone, Debug)]
pub struct Cache {
    entries: Box<[[Entry; View::COUNT]; 2]>,
}

impl Cache {
    /// A cache of empty boards.
    pub fn new() -> Cache {
        let empty = Entry { layer: NOTHING, placement: Placement::EMPTY };
        let side: [Entry; View::COUNT] = std::array::from_fn(|_| empty.clone());
        Cache { entries: Box::new([side.clone(), side]) }
    }

    /// Makes the layer of a side that sees the board so.
    pub fn layer<V: Vector>(
        &mut self,
        view: View,
        placement: &Placement,
        weights: &Weights,
        layer: &mut Row,
    ) {
        let entry = &mut self.entries[view.perspective().index()][view.slot()];
        let mut changes = Changes::default();
        placement.changes(&entry.placement, &mut changes);
        change::<V>(&entry.layer, layer, view, weights, &changes);
        entry.layer = *layer;
        entry.placement = *placement;
    }
}

/// The layers of both sides, by colour, from nothing but the board.
pub fn from_scratch<V: Vector>(board: &Board, weights: &Weights) -> [Row; 2] {
    let mut changes = Changes::default();
    Placement::of(board).changes(&Placement::EMPTY, &mut changes);
    Color::ALL.map(|color| {
        let mut layer = NOTHING;
        change::<V>(&NOTHING, &mut layer, View::new(color, board.king(color)), weights, &changes);
        layer
    })
}

/// A layer from an earlier one: adds and subtracts the rows of men, as much of the layer at a time as registers can hold.
pub(super) fn change<V: Vector>(
    before: &Row,
    after: &mut Row,
    view: View,
    weights: &Weights,
    changes: &Changes,
) {
    let (mut added, mut removed) = (Rows::new(), Rows::new());
    find(&changes.added, view, weights, &mut added);
    find(&changes.removed, view, weights, &mut removed);
    match V::TILE {
        16 => tiled::<V, 16>(before, after, &added, &removed),
        8 => tiled::<V, 8>(before, after, &added, &removed),
        4 => tiled::<V, 4>(before, after, &added, &removed),
        2 => tiled::<V, 2>(before, after, &added, &removed),
        _ => tiled::<V, 1>(before, after, &added, &removed),
    }
}

/// Finds the rows of men, and asks memory for them before the first is needed.
#[inline(always)]
fn find<'a>(men: &[Man], view: View, weights: &'a Weights, rows: &mut Rows<'a>) {
    for &man in men {
        let row = weights.feature(view.index(man));
        row.iter().step_by(IN_LINE).take(PREFETCHED).for_each(prefetch);
        let _ = rows.try_push(row);
    }
}

#[inline(always)]
fn tiled<V: Vector, const TILE: usize>(before: &Row, after: &mut Row, added: &[&Steps], removed: &[&Steps]) {
    const { assert!(BLOCKS.is_multiple_of(16)) };
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
                *register = register.exchange(added, removed);
            }
        }
        for row in &added[pairs..] {
            for (register, bytes) in registers.iter_mut().zip(&row[start..start + TILE]) {
                *register = register.add(V::widen(bytes));
            }
        }
        for row in &removed[pairs..] {
            for (register, bytes) in registers.iter_mut().zip(&row[start..start + TILE]) {
                *register = register.sub(V::widen(bytes));
            }
        }
        for (register, block) in registers.into_iter().zip(new) {
            register.store(block);
        }
    }
}
