//! Correction history: by how much the static evaluation is usually wrong.

use std::collections::TryReserveError;

use super::entry::SharedEntry;
use crate::board::Board;
use crate::params;
use crate::types::Value;
use crate::util::prefetch::prefetch;

use crate::search::piece_to::PieceTo;

/// The entries of a table for one thread and one side to move.
const SLOTS: usize = 16384;
/// The number of threads up to which the tables grow.
const MOST_THREADS: usize = 64;
/// The bound of an entry.
const LIMIT: i32 = 1024;
/// The features that a position is looked up by.
const FEATURES: usize = 6;

/// The entries of one feature, by side to move.
type FeatureTable = [Box<[SharedEntry<LIMIT>]>; 2];

/// The difference between what searches found and what the static evaluation had said, remembered by features
/// of the position: its pawns, each side's pieces, the minor and the major pieces, and the two moves that led to it.
/// An evaluation errs in the same direction in positions that share them (correction history, Wieder 2024 and others).
///
/// The threads of a NUMA node share one: unlike a move's history, which depends on where in the tree a thread is, an error
/// of the evaluation does not, and many threads learn it sooner than one.
pub struct Correction {
    mask: usize,
    pawn: FeatureTable,
    non_pawn: [FeatureTable; 2],
    minor: FeatureTable,
    major: FeatureTable,
    continuation: FeatureTable,
}

impl Correction {
    /// Tables of zeros, sized for this many threads.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(threads: usize) -> Result<Self, TryReserveError> {
        let slots = SLOTS * threads.clamp(1, MOST_THREADS).next_power_of_two();
        let half = || -> Result<_, TryReserveError> {
            let mut half = Vec::new();
            half.try_reserve_exact(slots)?;
            half.resize_with(slots, SharedEntry::default);
            Ok(half.into_boxed_slice())
        };
        let table = || -> Result<FeatureTable, TryReserveError> { Ok([half()?, half()?]) };
        Ok(Correction {
            mask: slots - 1,
            pawn: table()?,
            non_pawn: [table()?, table()?],
            minor: table()?,
            major: table()?,
            continuation: table()?,
        })
    }

    /// Sets every entry to zero.
    pub fn clear(&self) {
        let [white, black] = &self.non_pawn;
        let tables = [&self.pawn, white, black, &self.minor, &self.major, &self.continuation];
        tables.into_iter().flatten().flatten().for_each(SharedEntry::clear);
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & self.mask
    }

    /// The entries of a position, in the order of [`weights`].
    #[inline]
    fn entries(
        &self,
        board: &Board,
        (earlier, later): (PieceTo, PieceTo),
    ) -> [&SharedEntry<LIMIT>; FEATURES] {
        let (side, keys) = (board.side_to_move().index(), board.keys());
        let [white, black] = &self.non_pawn;
        [
            &self.pawn[side][self.slot(keys.pawn)],
            &white[side][self.slot(keys.non_pawn[0])],
            &black[side][self.slot(keys.non_pawn[1])],
            &self.minor[side][self.slot(keys.minor)],
            &self.major[side][self.slot(keys.major)],
            &self.continuation[side][(earlier * 769 + later) & self.mask],
        ]
    }

    /// What to add to the static evaluation of the side to move after two moves (theirs and the opponent's), in
    /// centipawns.
    #[inline]
    pub fn get(&self, board: &Board, moves: (PieceTo, PieceTo)) -> Value {
        let entries = self.entries(board, moves).into_iter();
        entries.zip(weights()).map(|(entry, weight)| weight * entry.get()).sum::<i32>() / 1024
    }

    /// Prefetches what [`Correction::get`] will read.
    #[inline]
    pub fn prefetch(&self, board: &Board, moves: (PieceTo, PieceTo)) {
        self.entries(board, moves).into_iter().for_each(prefetch);
    }

    /// Learns that a search of `depth` plies found `difference` centipawns more than the static evaluation.
    #[inline]
    pub fn update(&self, board: &Board, moves: (PieceTo, PieceTo), depth: i32, difference: Value) {
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
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_learnt_by_all_and_forgotten() {
        for threads in [1, 3, 1000] {
            let correction = Correction::new(threads).expect("memory");
            let (board, moves) = (Board::start(), (5, 9));
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| (0..50).for_each(|_| correction.update(&board, moves, 10, 40)));
                }
            });
            let learnt = correction.get(&board, moves);
            assert!(learnt > 20, "{learnt}");
            let (mut reply, m) = (board.clone(), board.legal_moves()[0]);
            reply.make_move(m, &mut ());
            assert_eq!(correction.get(&reply, (7, 7)), 0);
            correction.clear();
            assert_eq!(correction.get(&board, moves), 0);
        }
    }
}
