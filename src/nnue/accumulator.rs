//! The hidden layers of a line of play, made as they are asked for.
//!
//! A move only notes which pieces it changed. When a position is evaluated, the nearest earlier one whose hidden
//! layer is known, under the same view of the board, is brought forward ply by ply; if a king has changed the
//! view in between, the layer is made anew.

use arrayvec::ArrayVec;

use super::features::View;
use super::refresh::Cache;
use super::simd::{Block, Vector};
use super::weights::{Row, Weights};
use crate::board::Board;
use crate::types::{Color, MAX_PLY, Piece, PieceType, Square};

/// Pieces that a move adds at most, and that it removes: castling moves two.
const CHANGES: usize = 2;

type Pieces = ArrayVec<(Piece, Square), CHANGES>;

/// The hidden layers of both sides in one position.
#[derive(Clone, Debug)]
struct Ply {
    layers: [Row; 2],
    /// Which layers are made.
    made: [bool; 2],
    views: [View; 2],
    /// What the move that led here changed.
    added: Pieces,
    removed: Pieces,
}

impl Ply {
    fn new(views: [View; 2]) -> Ply {
        Ply {
            layers: [[Block::ZERO; _]; 2],
            made: [false; 2],
            views,
            added: Pieces::new(),
            removed: Pieces::new(),
        }
    }

    fn begin(&mut self, views: [View; 2]) {
        self.made = [false; 2];
        self.views = views;
        self.added.clear();
        self.removed.clear();
    }
}

/// The hidden layers along a line of play.
#[derive(Clone, Debug)]
pub struct Accumulators {
    /// The positions of the line, and behind them room for more.
    plies: Vec<Ply>,
    /// The present position.
    top: usize,
}

fn views(board: &Board) -> [View; 2] {
    Color::ALL.map(|color| View::new(color, board.king(color)))
}

impl Accumulators {
    /// The line that begins and ends with a position.
    pub fn new(board: &Board) -> Accumulators {
        let start = Ply::new(views(board));
        Accumulators { plies: vec![start; MAX_PLY + 8], top: 0 }
    }

    /// Goes to another position, whatever led to it.
    pub fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.plies[0].begin(views(board));
    }

    /// A move begins.
    #[inline]
    pub fn push(&mut self) {
        let views = self.plies[self.top].views;
        self.top += 1;
        if self.top == self.plies.len() {
            self.plies.push(Ply::new(views));
        }
        self.plies[self.top].begin(views);
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "no move to take back");
        self.top = self.top.saturating_sub(1);
    }

    /// The move brings a piece.
    #[inline]
    pub fn add(&mut self, piece: Piece, square: Square) {
        let ply = &mut self.plies[self.top];
        if piece.kind() == PieceType::King {
            ply.views[piece.color().index()] = View::new(piece.color(), square);
        }
        let added = ply.added.try_push((piece, square));
        debug_assert!(added.is_ok(), "a move adds at most {CHANGES} pieces");
    }

    /// The move takes a piece away.
    #[inline]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        let removed = self.plies[self.top].removed.try_push((piece, square));
        debug_assert!(removed.is_ok(), "a move removes at most {CHANGES} pieces");
    }

    /// The hidden layers of the present position, by colour. `board` must be the one listened to.
    #[inline]
    pub fn layers<V: Vector>(&mut self, board: &Board, weights: &Weights, cache: &mut Cache) -> [&Row; 2] {
        for color in Color::ALL {
            if !self.plies[self.top].made[color.index()] {
                self.make::<V>(color, board, weights, cache);
            }
        }
        let [white, black] = &self.plies[self.top].layers;
        [white, black]
    }

    fn make<V: Vector>(&mut self, color: Color, board: &Board, weights: &Weights, cache: &mut Cache) {
        let side = color.index();
        let view = self.plies[self.top].views[side];
        let known = self.plies[..self.top]
            .iter()
            .rposition(|ply| ply.made[side] || ply.views[side] != view)
            .filter(|&known| self.plies[known].views[side] == view);
        match known {
            Some(known) => {
                for index in known..self.top {
                    if let [before, after] = &mut self.plies[index..index + 2] {
                        advance::<V>(&before.layers[side], after, side, view, weights);
                    }
                }
            }
            None => {
                let ply = &mut self.plies[self.top];
                cache.layer::<V>(view, board, weights, &mut ply.layers[side]);
                ply.made[side] = true;
            }
        }
    }
}

/// Makes a side's layer from the one a ply earlier.
#[inline]
fn advance<V: Vector>(before: &Row, ply: &mut Ply, side: usize, view: View, weights: &Weights) {
    let row = |&(piece, square): &(Piece, Square)| weights.feature(view.index(piece, square));
    let layer = &mut ply.layers[side];
    match (&ply.added[..], &ply.removed[..]) {
        ([a], [r]) => update::<V, 1, 1>(before, layer, [row(a)], [row(r)]),
        ([a], [r, s]) => update::<V, 1, 2>(before, layer, [row(a)], [row(r), row(s)]),
        ([a, b], [r, s]) => update::<V, 2, 2>(before, layer, [row(a), row(b)], [row(r), row(s)]),
        (added, removed) => {
            layer.copy_from_slice(before);
            for piece in added {
                let former = *layer;
                update::<V, 1, 0>(&former, layer, [row(piece)], []);
            }
            for piece in removed {
                let former = *layer;
                update::<V, 0, 1>(&former, layer, [], [row(piece)]);
            }
        }
    }
    ply.made[side] = true;
}

/// Adds and subtracts rows in one pass.
#[inline]
fn update<V: Vector, const A: usize, const R: usize>(
    before: &Row,
    after: &mut Row,
    added: [&Row; A],
    removed: [&Row; R],
) {
    for (index, block) in after.iter_mut().enumerate() {
        let mut vector = V::load(&before[index]);
        for row in added {
            vector = vector.add(V::load(&row[index]));
        }
        for row in removed {
            vector = vector.sub(V::load(&row[index]));
        }
        vector.store(block);
    }
}
