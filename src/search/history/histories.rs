//! The histories of one search thread: its own, and those of its group.

use std::collections::TryReserveError;
use std::sync::Arc;

use super::{CaptureHistory, Continuation, LowPlyHistory, PawnHistory, SharedHistories, TtMoveHistory};

/// What a search thread remembers of moves, from search to search until a new game begins, but for moves near the root, which
/// each search learns anew.
pub struct Histories {
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
    /// What all threads of the group have learnt.
    pub shared: Arc<SharedHistories>,
}

impl Histories {
    /// Tables of zeros beside those of the group.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(shared: Arc<SharedHistories>) -> Result<Histories, TryReserveError> {
        Ok(Histories {
            capture: CaptureHistory::new()?,
            continuation: Continuation::new()?,
            pawn: PawnHistory::new()?,
            low_ply: LowPlyHistory::new()?,
            tt_move: TtMoveHistory::default(),
            shared,
        })
    }

    /// Tables of zeros for one thread that has no other in its group.
    #[cfg(test)]
    pub fn of_one_thread() -> Histories {
        Histories::new(Arc::new(SharedHistories::new(1).expect("memory"))).expect("memory")
    }

    /// Sets every entry of the thread's own tables to zero, in the memory that they have.
    pub fn clear(&mut self) {
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
        let mut histories = Histories::of_one_thread();
        let m = Board::start().legal_moves()[0];
        let ends = [0, NO_MOVE - 1];
        let values = |histories: &Histories| {
            let piece = |index: usize| histories.capture.get(Piece::ALL[index], Square::H8, PieceType::Queen);
            let mut values = vec![piece(0), piece(11), histories.low_ply.get(0, m)];
            for side in Color::ALL {
                values.extend(
                    [Bitboard::EMPTY, !Bitboard::EMPTY]
                        .map(|threats| histories.shared.butterfly.of(side).get(threats, m)),
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
                histories.shared.butterfly.of(side).update(threats, m, 500);
            }
        }
        for index in ends {
            histories.continuation.update(index, index, 500);
            histories.pawn.update(index as u64, index, 500);
        }
        assert!(values(&histories).iter().all(|&value| value == 500) && histories.tt_move.get() > 0);
        histories.clear();
        histories.shared.clear();
        assert!(values(&histories).iter().all(|&value| value == 0) && histories.tt_move.get() == 0);
    }

    #[test]
    fn what_a_thread_learns_of_quiet_moves_by_their_squares_its_group_knows() {
        let shared = Arc::new(SharedHistories::new(2).expect("memory"));
        let [mut first, second] =
            [Arc::clone(&shared), shared].map(|shared| Histories::new(shared).expect("memory"));
        let (m, index) = (Board::start().legal_moves()[0], 5);
        first.shared.butterfly.of(Color::White).update(Bitboard::EMPTY, m, 500);
        first.continuation.update(index, index, 500);
        first.pawn.update(0, index, 500);
        let known = |histories: &Histories| {
            let butterfly = histories.shared.butterfly.of(Color::White).get(Bitboard::EMPTY, m);
            [butterfly, histories.continuation.after(index).get(index), histories.pawn.with(0).get(index)]
        };
        assert_eq!((known(&first), known(&second)), ([500; 3], [500, 0, 0]));
        // What others have learnt is not the thread's to forget.
        first.clear();
        assert_eq!((known(&first), known(&second)), ([500, 0, 0], [500, 0, 0]));
    }
}
