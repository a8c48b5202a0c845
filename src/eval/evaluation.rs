//! Which evaluation a search thread uses: the network that it is given, or else the hand-written one.

use std::sync::Arc;

use super::evaluator::Evaluator;
use crate::board::{Board, Observer};
use crate::nnue::{self, Network};
use crate::types::{Piece, Square, Value};

/// Evaluates the positions of one search thread.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// By hand-written terms.
    HandWritten(Evaluator),
    /// By a network.
    Network(nnue::Evaluator),
}

impl Evaluation {
    /// An evaluation at a position, by a network if there is one.
    pub fn new(network: Option<&Arc<Network>>, board: &Board) -> Evaluation {
        match network {
            None => Evaluation::HandWritten(Evaluator::new(board)),
            Some(network) => Evaluation::Network(nnue::Evaluator::new(Arc::clone(network), board)),
        }
    }

    /// Goes to another position, whatever led to it, and from now on evaluates by this network, or without one.
    pub fn reset(&mut self, network: Option<&Arc<Network>>, board: &Board) {
        match (&mut *self, network) {
            (Evaluation::HandWritten(evaluator), None) => evaluator.reset(board),
            (Evaluation::Network(evaluator), Some(network)) if Arc::ptr_eq(evaluator.network(), network) => {
                evaluator.reset(board)
            }
            _ => *self = Evaluation::new(network, board),
        }
    }

    /// The value of the position for the side to move, in centipawns. `board` must be the one listened to.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> Value {
        match self {
            Evaluation::HandWritten(evaluator) => evaluator.evaluate(board),
            Evaluation::Network(evaluator) => evaluator.evaluate(board),
        }
    }
}

impl Observer for Evaluation {
    #[inline]
    fn before(&mut self, board: &Board) {
        match self {
            Evaluation::HandWritten(evaluator) => evaluator.before(board),
            Evaluation::Network(evaluator) => evaluator.before(board),
        }
    }

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        match self {
            Evaluation::HandWritten(evaluator) => evaluator.add(piece, square),
            Evaluation::Network(evaluator) => evaluator.add(piece, square),
        }
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        match self {
            Evaluation::HandWritten(evaluator) => evaluator.remove(piece, square),
            Evaluation::Network(evaluator) => evaluator.remove(piece, square),
        }
    }

    #[inline]
    fn undone(&mut self) {
        match self {
            Evaluation::HandWritten(evaluator) => evaluator.undone(),
            Evaluation::Network(evaluator) => evaluator.undone(),
        }
    }
}
