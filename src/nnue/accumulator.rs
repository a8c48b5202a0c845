//! The hidden layers of a line of play, made as they are asked for.
//!
//! A move costs nothing here. When a position is evaluated, its placement is compared with that of the nearest earlier one
//! whose hidden layer is known: only the rows of what differs are added and subtracted. If a king has changed
//! the view of the board in between, the layer is made from the last one under the same view instead.

use super::features::View;
use super::placement::{Changes, Placement};
use super::refresh::{Cache, change};
use super::simd::{Block, Vector};
use super::weights::{Row, Weights};
use crate::board::Board;
use crate::types::{Color, MAX_PLY};

/// The hidden layers of both sides in one position.
#[derive(Clone, Debug)]
struct Ply {
    layers: [Row; 2],
    /// The views under which the layers are made, if they are.
    made: [Option<View>; 2],
    /// What the layers stand for.
    placement: Placement,
}

impl Ply {
    const NEW: Ply = Ply { layers: [[Block::ZERO; _]; 2], made: [None; 2], placement: Placement::EMPTY };
}

/// The hidden layers along a line of play.
#[derive(Clone, Debug)]
pub struct Accumulators {
    /// The positions of the line, and behind them room for more.
    plies: Vec<Ply>,
    /// The present position.
    top: usize,
    /// What differs from the last position whose layers were made.
    changes: Changes,
}

impl Accumulators {
    /// A line that begins with a position.
    pub fn new() -> Accumulators {
        Accumulators { plies: vec![Ply::NEW; MAX_PLY + 8], top: 0, changes: Changes::default() }
    }

    /// Goes to another position, whatever led to it.
    pub fn reset(&mut self) {
        self.top = 0;
        self.plies[0].made = [None; 2];
    }

    /// A move is made.
    #[inline]
    pub fn push(&mut self) {
        self.top += 1;
        if self.top == self.plies.len() {
            self.plies.push(Ply::NEW);
        }
        self.plies[self.top].made = [None; 2];
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "no move to take back");
        self.top = self.top.saturating_sub(1);
    }

    /// The hidden layers of the present position, by colour. `board` must be the one listened to.
    #[inline]
    pub fn layers<V: Vector>(&mut self, board: &Board, weights: &Weights, cache: &mut Cache) -> [&Row; 2] {
        if self.plies[self.top].made[0].is_none() {
            self.make::<V>(board, weights, cache);
        }
        let [white, black] = &self.plies[self.top].layers;
        [white, black]
    }

    fn make<V: Vector>(&mut self, board: &Board, weights: &Weights, cache: &mut Cache) {
        let (earlier, rest) = self.plies.split_at_mut(self.top);
        let Some(ply) = rest.first_mut() else { return };
        ply.placement = Placement::of(board);
        let known = earlier.iter().rev().find(|ply| ply.made[0].is_some());
        if let Some(known) = known {
            ply.placement.changes(&known.placement, &mut self.changes);
        }
        for color in Color::ALL {
            let side = color.index();
            let view = View::new(color, board.king(color));
            let layer = &mut ply.layers[side];
            match known {
                Some(known) if known.made[side] == Some(view) => {
                    change::<V>(&known.layers[side], layer, view, weights, &self.changes);
                }
                _ => cache.layer::<V>(view, &ply.placement, weights, layer),
            }
            ply.made[side] = Some(view);
        }
    }
}
