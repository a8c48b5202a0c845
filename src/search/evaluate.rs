//! The static evaluation as the search uses it.

use super::history::LastMoves;
use super::worker::Worker;
use crate::board::{Board, Threats};
use crate::params;
use crate::tt::TableEntry;
use crate::types::{MAX_EVAL, Value};

/// The static evaluation of a node, in centipawns for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// The output of the network: what the table stores.
    pub raw: Value,
    /// `raw`, scaled and corrected by what was learnt of its errors.
    pub corrected: Value,
    /// By how much correction history changed it, without its sign.
    pub correction: Value,
}

impl Evaluation {
    /// The corrected evaluation, or the table's value where that is a better estimate: it comes from a search, however
    /// shallow, which has seen more than a static evaluation (the practice of Stockfish and most engines; not measured
    /// by itself here).
    #[inline]
    pub fn with_tt_value(&self, hit: Option<&TableEntry>) -> Value {
        hit.and_then(|hit| hit.value.filter(|&value| hit.bound.improves_on(value, self.corrected)))
            .unwrap_or(self.corrected)
    }
}

impl Worker {
    /// Does the part of [`Worker::evaluate`] that can be done before the table's entry has come from memory; for nothing if
    /// the entry has the evaluation.
    #[inline]
    pub fn prepare_evaluation(&mut self) {
        if !self.board.in_check() {
            self.evaluator.prepare(&self.board);
        }
    }

    /// What the opponent attacks: found with the evaluation, or now.
    #[inline]
    pub fn threats(&self) -> Threats {
        let opponent = !self.board.side_to_move();
        self.evaluator.threats(opponent).unwrap_or_else(|| self.board.threats(opponent))
    }

    /// The evaluation of the current position at `ply`; the network is asked only if the table does not know its output.
    #[inline]
    pub fn evaluate(&mut self, ply: usize, hit: Option<&TableEntry>) -> Evaluation {
        let raw = match hit.and_then(|hit| hit.static_eval) {
            Some(raw) => raw,
            None => self.evaluator.evaluate(&self.board).clamp(-MAX_EVAL, MAX_EVAL),
        };
        let scaled = scaled(raw, &self.board);
        let corrected = (scaled + self.histories.shared.correction.get(&self.board, self.last_moves(ply)))
            .clamp(-MAX_EVAL, MAX_EVAL);
        Evaluation { raw, corrected, correction: (corrected - scaled).abs() }
    }

    /// The moves that led to the node at `ply`.
    #[inline]
    pub fn last_moves(&self, ply: usize) -> LastMoves {
        let moved = |back| self.stack.back(ply, back).piece_to;
        LastMoves { last: moved(1), two_ago: moved(2), four_ago: moved(4) }
    }
}

/// A raw evaluation, worth more the more pieces there are to win with, and fading as the fifty-move rule comes nearer: so
/// that the side ahead keeps pieces, and makes progress before the draw (the practice of Stockfish; tuned here, not
/// measured by itself).
#[inline]
fn scaled(raw: Value, board: &Board) -> Value {
    rule50_faded(raw, i32::from(board.rule50()))
        * (1024 + params::material_scale() * (board.piece_material() - 32))
        / 1024
}

/// What is left of an evaluation `rule50` plies after the last capture or pawn move, in centipawns.
#[inline]
fn rule50_faded(value: Value, rule50: i32) -> Value {
    let fade = params::rule50_fade();
    value * (fade - rule50.min(100)) / fade
}

/// An evaluation, in centipawns, of which `value` is left `rule50` plies after the last capture or pawn move.
pub fn rule50_unfaded(value: Value, rule50: i32) -> Value {
    let fade = params::rule50_fade();
    value * fade / (fade - rule50.min(100))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Bound;

    #[test]
    fn the_evaluation_fades_towards_the_fifty_move_rule() {
        let mut former = Value::MAX;
        for rule50 in 0..=100 {
            let board: Board = format!("4k3/8/8/8/8/8/8/R3K3 w - - {rule50} 80").parse().expect("a position");
            let value = scaled(500, &board);
            assert!(value <= former && value > 0);
            assert_eq!(scaled(-500, &board), -value);
            assert_eq!(scaled(0, &board), 0);
            former = value;
        }
        assert!(former < 350, "{former}");
    }

    #[test]
    fn what_faded_is_given_back() {
        for rule50 in [0, 1, 40, 100, 120] {
            for value in [-2000, -3, 0, 70, 900] {
                let back = rule50_unfaded(rule50_faded(value, rule50), rule50);
                assert!((back - value).abs() <= 2, "{value} {rule50}: {back}");
            }
        }
    }

    #[test]
    fn the_table_replaces_an_evaluation_that_its_bound_excludes() {
        let evaluation = Evaluation { raw: 10, corrected: 30, correction: 20 };
        let hit = |bound, value| TableEntry {
            best_move: None,
            value,
            static_eval: Some(10),
            depth: 1,
            bound,
            is_pv: false,
        };
        assert_eq!(evaluation.with_tt_value(None), 30);
        assert_eq!(evaluation.with_tt_value(Some(&hit(Bound::None, None))), 30);
        assert_eq!(evaluation.with_tt_value(Some(&hit(Bound::Exact, Some(-5)))), -5);
        for (value, lower, upper) in [(20, 30, 20), (40, 40, 30)] {
            assert_eq!(evaluation.with_tt_value(Some(&hit(Bound::Lower, Some(value)))), lower);
            assert_eq!(evaluation.with_tt_value(Some(&hit(Bound::Upper, Some(value)))), upper);
        }
    }

    #[test]
    fn the_evaluation_is_scaled_by_the_pieces_on_the_board() {
        let scaled = |fen: &str| scaled(1024, &fen.parse().expect("a position"));
        // 62 pawns' worth of pieces, and none.
        let start = scaled("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let pawns = scaled("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
        assert_eq!(start, 1024 + 30 * params::material_scale());
        assert_eq!(pawns, 1024 - 32 * params::material_scale());
    }

    #[test]
    fn pieces_count_and_pawns_do_not() {
        assert_eq!(Board::start().piece_material(), 62);
        let pawns: Board = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1".parse().expect("a position");
        assert_eq!((pawns.piece_material(), pawns.material()), (0, 8));
    }
}
