//! The static evaluation as the search uses it.

use super::history::Row;
use super::worker::Worker;
use crate::board::Board;
use crate::params;
use crate::types::{MATE_IN_MAX, PieceType, Value};

impl Worker {
    /// The evaluation of the present position for the side to move, uncorrected: what the table stores.
    #[inline]
    pub fn raw_eval(&mut self) -> Value {
        self.evaluator.evaluate(&self.board).clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1)
    }

    /// A raw evaluation, worth more the more pieces there are to win with, and fading as the fifty-move rule comes nearer.
    #[inline]
    fn scaled(&self, raw: Value) -> Value {
        let fade = params::fifty_moves_fade();
        let faded = raw * (fade - i32::from(self.board.rule50().min(100))) / fade;
        faded * (1024 + params::material_scale() * (material(&self.board) - 32)) / 1024
    }

    /// A raw evaluation, scaled, with what was learnt of its errors.
    #[inline]
    pub fn corrected(&self, ply: usize, raw: Value) -> Value {
        self.corrected_by(ply, raw).0
    }

    /// [`Worker::corrected`], and how far it lies from what was scaled.
    #[inline]
    pub fn corrected_by(&self, ply: usize, raw: Value) -> (Value, Value) {
        let scaled = self.scaled(raw);
        let corrected = (scaled + self.correction.get(&self.board, self.last_moves(ply)))
            .clamp(1 - MATE_IN_MAX, MATE_IN_MAX - 1);
        (corrected, (corrected - scaled).abs())
    }

    /// The rows of the two moves that led to the node at `ply`.
    #[inline]
    pub fn last_moves(&self, ply: usize) -> (Row, Row) {
        (self.stack.back(ply, 2).row, self.stack.back(ply, 1).row)
    }
}

/// The pieces of both sides, pawns left out, in the pawns that beginners are told they are worth: 62 at the start.
#[inline]
fn material(board: &Board) -> i32 {
    let count = |kind| board.pieces(kind).count() as i32;
    3 * (count(PieceType::Knight) + count(PieceType::Bishop))
        + 5 * count(PieceType::Rook)
        + 9 * count(PieceType::Queen)
}
