//! The evaluation of the present position, kept up to date as moves are made.

use super::terms::{self, Tally};
use super::weights::WEIGHTS;
use crate::board::{Board, Observer};
use crate::types::{Bitboard, Color, MAX_PLY, Piece, PieceType, Square, Value};

/// How much each kind counts towards the middlegame.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The phase of a full board.
pub const FULL_PHASE: i32 = 24;

/// What pieces contribute: middlegame and endgame sums for White, and the phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    middle: i32,
    end: i32,
    phase: i32,
}

/// The contribution of every piece on every square, signed for White.
static PIECES: [[(i32, i32); 64]; 12] = {
    let mut table = [[(0, 0); 64]; 12];
    let mut piece = 0;
    while piece < 12 {
        let (kind, color) = (Piece::ALL[piece].kind(), Piece::ALL[piece].color());
        let sign = 1 - 2 * color.index() as i32;
        let mut square = 0;
        while square < 64 {
            let place = WEIGHTS[terms::piece_square(kind, Square::ALL[square].relative(color))];
            let material = WEIGHTS[terms::MATERIAL + kind.index()];
            table[piece][square] =
                (sign * (place.0 as i32 + material.0 as i32), sign * (place.1 as i32 + material.1 as i32));
            square += 1;
        }
        piece += 1;
    }
    table
};

impl Sum {
    #[inline]
    fn count(&mut self, piece: Piece, square: Square, sign: i32) {
        let (middle, end) = PIECES[piece.index()][square.index()];
        self.middle += sign * middle;
        self.end += sign * end;
        self.phase += sign * PHASE[piece.kind().index()];
    }

    pub(super) fn of(board: &Board) -> Sum {
        let mut sum = Sum::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                sum.count(piece, square, 1);
            }
        }
        sum
    }
}

impl Tally for Sum {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        let (middle, end) = WEIGHTS[term];
        self.middle += count * i32::from(middle);
        self.end += count * i32::from(end);
    }
}

/// Evaluates the positions of one search thread.
#[derive(Clone, Debug)]
pub struct Evaluator {
    present: Sum,
    past: Vec<Sum>,
}

impl Evaluator {
    /// An evaluator at a position.
    pub fn new(board: &Board) -> Evaluator {
        Evaluator { present: Sum::of(board), past: Vec::with_capacity(MAX_PLY + 8) }
    }

    /// Goes to another position, whatever led to it.
    pub fn reset(&mut self, board: &Board) {
        self.present = Sum::of(board);
        self.past.clear();
    }

    /// The value of the position for the side to move, in centipawns. `board` must be the one listened to.
    pub fn evaluate(&self, board: &Board) -> Value {
        finish(self.present, board)
    }

    #[cfg(test)]
    pub(super) fn present(&self) -> Sum {
        self.present
    }
}

/// The value of a position for the side to move, in centipawns, from nothing but the board.
pub fn evaluate(board: &Board) -> Value {
    finish(Sum::of(board), board)
}

fn finish(pieces: Sum, board: &Board) -> Value {
    let mut sum = pieces;
    terms::walk(board, &mut sum);
    let phase = sum.phase.clamp(0, FULL_PHASE);
    let end = sum.end * winnable(board, sum.end) / 64;
    let white = (sum.middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
    match board.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    }
}

/// The phase of a position: [`FULL_PHASE`] with all pieces, 0 with none.
pub fn phase(board: &Board) -> i32 {
    Sum::of(board).phase.clamp(0, FULL_PHASE)
}

/// How much of an endgame advantage can be won, in 64ths: without pawns a small surplus of pieces wins nothing,
/// and bishops on squares of different colours hold many pawns.
pub fn winnable(board: &Board, end: i32) -> i32 {
    let strong = if end > 0 { Color::White } else { Color::Black };
    let count = |color, kind| board.colored(color, kind).count() as i32;
    let pieces = |color| {
        3 * (count(color, PieceType::Knight) + count(color, PieceType::Bishop))
            + 5 * count(color, PieceType::Rook)
            + 9 * count(color, PieceType::Queen)
    };
    let pawns = count(strong, PieceType::Pawn);
    if pawns == 0 {
        if pieces(strong) - pieces(!strong) <= 3 {
            return if pieces(strong) <= 3 { 4 } else { 12 };
        }
        if pieces(strong) == 6 && count(strong, PieceType::Knight) == 2 {
            return 4;
        }
        return 64;
    }
    let bishops = board.pieces(PieceType::Bishop);
    let opposite = count(strong, PieceType::Bishop) == 1
        && count(!strong, PieceType::Bishop) == 1
        && (bishops & Bitboard::DARK).count() == 1;
    if opposite {
        let alone = pieces(strong) == 3 && pieces(!strong) == 3;
        return if alone { 28 } else { 48 };
    }
    (40 + 4 * pawns).min(64)
}

impl Observer for Evaluator {
    #[inline]
    fn before(&mut self, _board: &Board) {
        self.past.push(self.present);
    }

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.present.count(piece, square, 1);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.present.count(piece, square, -1);
    }

    #[inline]
    fn undone(&mut self) {
        if let Some(past) = self.past.pop() {
            self.present = past;
        }
    }
}
