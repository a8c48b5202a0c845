//! The histories that one search thread owns.

use std::collections::TryReserveError;

use super::{Butterfly, CaptureHistory, Continuation, LowPlyHistory, PawnHistory, TtMoveHistory};

/// What a search thread remembers of moves, from search to search until a new game begins.
pub struct Histories {
    /// Quiet moves by side, squares and threats.
    pub butterfly: Butterfly,
    /// Captures by piece, target and victim.
    pub capture: CaptureHistory,
    /// Quiet moves after earlier moves.
    pub continuation: Continuation,
    /// Quiet moves by pawn structure.
    pub pawn: PawnHistory,
    /// Quiet moves near the root.
    pub low_ply: LowPlyHistory,
    /// Whether the table's moves turned out the best.
    pub tt_move: TtMoveHistory,
}

impl Histories {
    /// Tables of zeros.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<Histories, TryReserveError> {
        Ok(Histories {
            butterfly: Butterfly::new()?,
            capture: CaptureHistory::new()?,
            continuation: Continuation::new()?,
            pawn: PawnHistory::new()?,
            low_ply: LowPlyHistory::new()?,
            tt_move: TtMoveHistory::default(),
        })
    }

    /// Sets every entry to zero, in the memory that the tables have.
    pub fn clear(&mut self) {
        self.butterfly.clear();
        self.capture.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.low_ply.clear();
        self.tt_move = TtMoveHistory::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::search::piece_to::NO_MOVE;
    use crate::types::{Bitboard, Color, Piece, PieceType, Square};

    #[test]
    fn clearing_sets_all_histories_to_zero() {
        let mut histories = Histories::new().expect("memory");
        let m = Board::start().legal_moves()[0];
        let ends = [0, NO_MOVE - 1];
        let values = |histories: &Histories| {
            let piece = |index: usize| histories.capture.get(Piece::ALL[index], Square::H8, PieceType::Queen);
            let mut values = vec![piece(0), piece(11), histories.low_ply.get(0, m)];
            for side in Color::ALL {
                values.extend(
                    [Bitboard::EMPTY, !Bitboard::EMPTY]
                        .map(|threats| histories.butterfly.get(side, threats, m)),
                );
            }
            for index in ends {
                values.push(histories.continuation.after(index).get(index));
                values.push(histories.pawn.with(index as u64).get(index));
            }
            values
        };
        assert!(values(&histories).iter().all(|&value| value == 0));
        for index in [0, 11] {
            histories.capture.update(Piece::ALL[index], Square::H8, PieceType::Queen, 500);
        }
        histories.low_ply.update(0, m, 500);
        histories.tt_move.update(true);
        for side in Color::ALL {
            for threats in [Bitboard::EMPTY, !Bitboard::EMPTY] {
                histories.butterfly.update(side, threats, m, 500);
            }
        }
        for index in ends {
            histories.continuation.update(index, index, 500);
            histories.pawn.update(index as u64, index, 500);
        }
        assert!(values(&histories).iter().all(|&value| value == 500) && histories.tt_move.get() > 0);
        histories.clear();
        assert!(values(&histories).iter().all(|&value| value == 0) && histories.tt_move.get() == 0);
    }
}
