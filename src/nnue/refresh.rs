//! Hidden layers made anew, from the last one that was made under the same view.
//!
//! For every view of each side the cache keeps a layer and the pieces that it stands for: only what has changed
//! since must be added and subtracted, usually much less than a board full of pieces.

use arrayvec::ArrayVec;

use super::features::View;
use super::simd::{Block, Vector};
use super::weights::{Row, Weights};
use crate::board::Board;
use crate::types::{Bitboard, Color, Piece};

/// Features that differ; a board has 64 squares.
type Features = ArrayVec<usize, 64>;

/// A layer, and the pieces that it stands for.
#[derive(Clone, Debug)]
struct Entry {
    layer: Row,
    pieces: [Bitboard; Piece::COUNT],
}

/// The last layers made under each view.
#[derive(Clone, Debug)]
pub struct Cache {
    entries: Box<[[Entry; View::COUNT]; 2]>,
}

impl Cache {
    /// A cache of empty boards.
    pub fn new(weights: &Weights) -> Cache {
        let empty = Entry { layer: *weights.bias(), pieces: [Bitboard::EMPTY; _] };
        let side: [Entry; View::COUNT] = std::array::from_fn(|_| empty.clone());
        Cache { entries: Box::new([side.clone(), side]) }
    }

    /// Makes the layer of a side that sees the board so.
    pub fn layer<V: Vector>(&mut self, view: View, board: &Board, weights: &Weights, layer: &mut Row) {
        let entry = &mut self.entries[view.perspective().index()][view.slot()];
        let (mut added, mut removed) = (Features::new(), Features::new());
        for piece in Piece::ALL {
            let before = &mut entry.pieces[piece.index()];
            let now = board.colored(piece.color(), piece.kind());
            added.extend(now.without(*before).into_iter().map(|square| view.index(piece, square)));
            removed.extend(before.without(now).into_iter().map(|square| view.index(piece, square)));
            *before = now;
        }
        change::<V>(&mut entry.layer, weights, &added, &removed);
        *layer = entry.layer;
    }
}

/// The layer of a side, from nothing but the board.
pub fn from_scratch<V: Vector>(perspective: Color, board: &Board, weights: &Weights) -> Row {
    let view = View::new(perspective, board.king(perspective));
    let piece = |square| board.piece_on(square).map(|piece| view.index(piece, square));
    let added: Features = board.occupied().into_iter().filter_map(piece).collect();
    let mut layer = *weights.bias();
    change::<V>(&mut layer, weights, &added, &[]);
    layer
}

/// Adds and subtracts features, as much of the layer at a time as registers can hold.
fn change<V: Vector>(layer: &mut Row, weights: &Weights, added: &[usize], removed: &[usize]) {
    match V::TILE {
        16 => tiled::<V, 16>(layer, weights, added, removed),
        8 => tiled::<V, 8>(layer, weights, added, removed),
        4 => tiled::<V, 4>(layer, weights, added, removed),
        2 => tiled::<V, 2>(layer, weights, added, removed),
        _ => tiled::<V, 1>(layer, weights, added, removed),
    }
}

#[inline(always)]
fn tiled<V: Vector, const TILE: usize>(
    layer: &mut Row,
    weights: &Weights,
    added: &[usize],
    removed: &[usize],
) {
    let (tiles, rest) = layer.as_chunks_mut::<TILE>();
    let end = tiles.len() * TILE;
    for (index, tile) in tiles.iter_mut().enumerate() {
        sum_up::<V, TILE>(tile, index * TILE, weights, added, removed);
    }
    for (index, block) in rest.iter_mut().enumerate() {
        sum_up::<V, 1>(std::array::from_mut(block), end + index, weights, added, removed);
    }
}

#[inline(always)]
fn sum_up<V: Vector, const TILE: usize>(
    tile: &mut [Block; TILE],
    start: usize,
    weights: &Weights,
    added: &[usize],
    removed: &[usize],
) {
    let mut registers = [V::load(&tile[0]); TILE];
    for (index, register) in registers.iter_mut().enumerate() {
        *register = V::load(&tile[index]);
    }
    for &feature in added {
        let blocks = &weights.feature(feature)[start..start + TILE];
        for (index, register) in registers.iter_mut().enumerate() {
            *register = register.add(V::load(&blocks[index]));
        }
    }
    for &feature in removed {
        let blocks = &weights.feature(feature)[start..start + TILE];
        for (index, register) in registers.iter_mut().enumerate() {
            *register = register.sub(V::load(&blocks[index]));
        }
    }
    for (index, register) in registers.into_iter().enumerate() {
        register.store(&mut tile[index]);
    }
}
