//! Correction history: by how much the static evaluation is usually wrong.

use std::collections::TryReserveError;

use super::history_entry::SharedHistoryEntry;
use crate::board::Board;
use crate::params;
use crate::types::{Color, Value};
use crate::util::memory::boxed_slice_with;
use crate::util::prefetch::prefetch;

use crate::search::piece_to::{NO_MOVE, PieceTo};

/// How many slots there are for one thread.
const SLOTS: usize = 16384;
/// The bound of an entry.
const LIMIT: i32 = 1024;
/// The features that a position is looked up by.
const FEATURES: usize = 7;

/// The moves that led to a position, as far as correction history looks back; [`NO_MOVE`] for a null move or none.
#[derive(Clone, Copy, Debug)]
pub struct LastMoves {
    /// The last move.
    pub last: PieceTo,
    /// The move two plies before the position, by the side that is to move.
    pub two_ago: PieceTo,
    /// The move four plies before the position, by the same side.
    pub four_ago: PieceTo,
}

/// The difference between what searches found and what the static evaluation had said, remembered by features of the
/// position: its pawns, each side's pieces, the minor and the major pieces, and the last move together with that of two
/// and of four plies ago. An evaluation errs in the same direction in positions that share them (correction history; Michał
/// Witanowski 2023, Caissa).
pub struct Correction {
    /// A power of two of them.
    slots: Box<[Slot]>,
}

/// The entries of one hash: by side to move, by feature in the order of [`weights`]. Both sides lie in one cache line, since a
/// move leaves most features as they are. The eighth entry, which is not used, keeps it so.
#[repr(align(32))]
struct Slot([[SharedHistoryEntry<LIMIT>; 8]; 2]);

impl Correction {
    /// Tables of zeros, sized for this many threads.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(threads: usize) -> Result<Self, TryReserveError> {
        let slot = || Slot([const { [const { SharedHistoryEntry::new() }; 8] }; 2]);
        Ok(Correction { slots: boxed_slice_with(slot, SLOTS * threads.max(1).next_power_of_two())? })
    }

    /// Sets every entry to zero.
    pub fn clear(&self) {
        self.slots.iter().flat_map(|slot| &slot.0).flatten().for_each(SharedHistoryEntry::clear);
    }

    /// The entries of a position, in the order of [`weights`].
    #[inline]
    fn entries(&self, board: &Board, moves: LastMoves) -> [&SharedHistoryEntry<LIMIT>; FEATURES] {
        let keys = board.keys();
        let pair = |earlier: PieceTo| (earlier * (NO_MOVE + 1) + moves.last) as u64;
        let hashes = [
            keys.pawn(),
            keys.non_pawn(Color::White),
            keys.non_pawn(Color::Black),
            keys.minor(),
            keys.major(),
            pair(moves.two_ago),
            pair(moves.four_ago),
        ];
        let side = board.side_to_move().index();
        std::array::from_fn(|feature| {
            let slot = &self.slots[hashes[feature] as usize & (self.slots.len() - 1)];
            &slot.0[side][feature]
        })
    }

    /// What to add to the static evaluation of the side to move after these moves, in centipawns.
    #[inline]
    pub fn get(&self, board: &Board, moves: LastMoves) -> Value {
        let entries = self.entries(board, moves).into_iter();
        entries.zip(weights()).map(|(entry, weight)| weight * entry.get()).sum::<i32>() / 1024
    }

    /// Prefetches what [`Correction::get`] will read.
    #[inline]
    pub fn prefetch(&self, board: &Board, moves: LastMoves) {
        self.entries(board, moves).into_iter().for_each(prefetch);
    }

    /// Learns that a search of `depth` plies found `difference` centipawns more than the static evaluation.
    #[inline]
    pub fn update(&self, board: &Board, moves: LastMoves, depth: i32, difference: Value) {
        let most = params::correction_limit();
        // More than this is a mate, or as good as one, and would leave 32 bits.
        let error = difference.clamp(-4096, 4096);
        let bonus = (error * depth * params::correction_rate() / 1024).clamp(-most, most);
        for entry in self.entries(board, moves) {
            entry.update(bonus);
        }
    }
}

/// The weight of each feature, in 1024ths.
fn weights() -> [i32; FEATURES] {
    let non_pawn = params::correction_non_pawn();
    [
        params::correction_pawn(),
        non_pawn,
        non_pawn,
        params::correction_minor(),
        params::correction_major(),
        params::correction_continuation(),
        params::correction_continuation_4(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_learnt_by_all_and_forgotten() {
        for threads in [0, 1, 3, 16] {
            let correction = Correction::new(threads).expect("memory");
            let (board, moves) = (Board::start(), LastMoves { last: 9, two_ago: 5, four_ago: 3 });
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| (0..50).for_each(|_| correction.update(&board, moves, 10, 40)));
                }
            });
            let learnt = correction.get(&board, moves);
            assert!(learnt > 20, "{learnt}");
            let (mut reply, m) = (board.clone(), board.legal_moves()[0]);
            reply.make_move(m, &mut ());
            assert_eq!(correction.get(&reply, LastMoves { last: 7, two_ago: 7, four_ago: 7 }), 0);
            correction.clear();
            assert_eq!(correction.get(&board, moves), 0);
        }
    }
}
