//! The transposition table as a node reads it and stores in it.

use super::node::NodeKind;
use super::null_move::Scheme;
use super::searcher::Searcher;
use super::tt_cutoff::tt_cutoff;
use super::window::{Best, Window};
use crate::tt::TableEntry;
use crate::types::{Bound, Depth, Move, Value};

/// True if a node lies on a principal variation, or did when the table's entry was stored.
#[inline]
pub fn tt_pv<N: NodeKind>(hit: Option<&TableEntry>) -> bool {
    N::PV || hit.is_some_and(|hit| hit.is_pv)
}

impl<S: Scheme> Searcher<'_, S> {
    /// The table's entry of the position on the board, if there is one. Mates count from `ply` plies above.
    #[inline]
    pub fn probe_tt(&self, ply: usize) -> Option<TableEntry> {
        self.job.table.probe(self.worker.board.key(), ply)
    }

    /// [`Searcher::probe_tt`]; while the entry comes from memory, the evaluation is prepared.
    #[inline]
    pub fn prepare_and_probe_tt(&mut self, ply: usize) -> Option<TableEntry> {
        self.worker.prepare_evaluation();
        self.probe_tt(ply)
    }

    /// The move of an entry, if it is legal on the board: the entry may be of another position.
    #[inline]
    pub fn legal_tt_move(&self, hit: Option<&TableEntry>) -> Option<Move> {
        hit.and_then(|hit| hit.best_move).filter(|&m| self.worker.board.is_legal(m))
    }

    /// The value of the node on the board by its entry alone, in centipawns for the side to move, if that was searched at
    /// least `depth` plies deep and allows a cutoff in the window; see [`tt_cutoff`].
    #[inline]
    pub fn try_tt_cutoff(
        &self,
        hit: Option<&TableEntry>,
        ply: usize,
        depth: Depth,
        window: Window,
    ) -> Option<Value> {
        let rule50 = i32::from(self.worker.board.rule50());
        hit.and_then(|hit| tt_cutoff(hit, rule50, ply, depth, window))
    }

    /// Stores an entry of the position on the board. Mates count from `ply` plies above.
    #[inline]
    pub fn store_tt(&self, ply: usize, entry: &TableEntry) {
        self.job.table.store(self.worker.board.key(), ply, entry);
    }

    /// Stores the static evaluation before corrections, in centipawns for the side to move, where the table had no entry:
    /// other visits of the position, also at the same time, need not evaluate it again.
    #[inline]
    pub fn store_static_eval(&self, ply: usize, hit: Option<&TableEntry>, raw_eval: Value) {
        if hit.is_none() {
            self.store_tt(ply, &TableEntry::of_static_eval(raw_eval));
        }
    }

    /// Stores what quiescence came to, with the static evaluation before corrections if there was one.
    #[inline]
    pub fn store_quiescence(&self, ply: usize, best: &Best, raw_eval: Option<Value>, is_pv: bool) {
        let bound = if best.value >= best.window.beta { Bound::Lower } else { Bound::Upper };
        let (best_move, value) = (best.best_move, Some(best.value));
        self.store_tt(ply, &TableEntry { best_move, value, static_eval: raw_eval, depth: 0, bound, is_pv });
    }
}
