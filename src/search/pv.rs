//! Principal variations.

use std::collections::TryReserveError;

use arrayvec::ArrayVec;

use crate::types::{MAX_PLY, Move};
use crate::util::memory::boxed_slice;

/// A principal variation, best move first.
pub type Variation = ArrayVec<Move, MAX_PLY>;

/// The principal variation from each ply of the path (the triangular PV table).
pub struct PvTable(Box<[Variation]>);

impl PvTable {
    /// Empty variations.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<PvTable, TryReserveError> {
        Ok(PvTable(boxed_slice(Variation::new(), MAX_PLY + 1)?))
    }

    /// Empties the variation from `ply` on.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The variation from `ply` on becomes `m`, followed by the variation of the next ply.
    pub fn update(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let pv = &mut upper[ply];
        pv.clear();
        pv.push(m);
        let room = pv.remaining_capacity();
        if let Some(rest) = lower.first() {
            pv.extend(rest.iter().copied().take(room));
        }
    }

    /// The variation from `ply` on.
    pub fn get(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_variation_goes_on_with_that_of_the_next_ply() {
        let moves = Board::start().legal_moves();
        let mut table = PvTable::new().expect("memory");
        table.update(2, moves[2]);
        table.update(1, moves[1]);
        table.update(0, moves[0]);
        assert_eq!(table.get(0), [moves[0], moves[1], moves[2]]);
        table.clear(1);
        table.update(0, moves[3]);
        assert_eq!((table.get(0), table.get(1), table.get(2)), (&moves[3..=3], &[][..], &moves[2..=2]));
        // The longest path there can be.
        for ply in (0..=MAX_PLY).rev() {
            table.update(ply, moves[0]);
        }
        assert_eq!(table.get(0).len(), MAX_PLY);
    }
}
