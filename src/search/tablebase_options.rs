//! Whether and how a search looks up positions in endgame tables.

use std::sync::Arc;

use crate::board::Board;
use crate::tablebase::{MAX_PIECES, Ranking, Tablebase, Wdl};
use crate::types::{Bound, CastlingRights, DRAW, Depth, Move, TB_WIN, Value};

/// The endgame tables of a search, and when it looks positions up in them.
#[derive(Clone, Debug)]
pub struct TablebaseOptions {
    /// The tables; `None` if there are none.
    pub tables: Option<Arc<Tablebase>>,
    /// The least depth in plies at which positions with the most pieces that are looked up at all are.
    pub probe_depth: Depth,
    /// The most pieces, kings included, of a position that is looked up; 0 for none.
    pub probe_limit: u32,
    /// A win that needs more than fifty moves without a capture or pawn move is a draw.
    pub fifty_move_rule: bool,
}

impl Default for TablebaseOptions {
    fn default() -> TablebaseOptions {
        TablebaseOptions { tables: None, probe_depth: 1, probe_limit: MAX_PIECES, fifty_move_rule: true }
    }
}

impl TablebaseOptions {
    /// The most pieces of a position that is looked up; 0 without tables.
    pub fn max_pieces(&self) -> u32 {
        self.tables.as_ref().map_or(0, |tables| tables.max_pieces().min(self.probe_limit))
    }

    /// Ranks the moves at the root, if the tables know them all before `stop` returns true.
    pub fn rank(&self, board: &Board, moves: &[Move], stop: impl FnMut() -> bool) -> Option<Ranking> {
        let tables = self.tables.as_ref()?;
        if moves.is_empty()
            || board.occupied().count() > self.max_pieces()
            || board.castling() != CastlingRights::NONE
        {
            return None;
        }
        Ranking::of_until(tables, board, moves, self.fifty_move_rule, stop)
    }

    /// The value of a position at `ply` by its result, in centipawns for the side to move, and what it says of the true
    /// value: there may be a mate nearer than the tables' win. A win that the fifty-move rule spoils is a centipawn from
    /// other draws.
    pub fn value(&self, wdl: Wdl, ply: usize) -> (Value, Bound) {
        let win = TB_WIN - ply as Value;
        match wdl {
            Wdl::CursedWin if self.fifty_move_rule => (DRAW + 1, Bound::Exact),
            Wdl::BlessedLoss if self.fifty_move_rule => (DRAW - 1, Bound::Exact),
            Wdl::Win | Wdl::CursedWin => (win, Bound::Lower),
            Wdl::Loss | Wdl::BlessedLoss => (-win, Bound::Upper),
            Wdl::Draw => (DRAW, Bound::Exact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{is_loss, is_mate, is_win};

    #[test]
    fn values_lie_in_the_band_of_tablebases_or_beside_the_draw() {
        let rule = TablebaseOptions::default();
        let no_rule = TablebaseOptions { fifty_move_rule: false, ..TablebaseOptions::default() };
        for ply in [0, 1, 100, 245] {
            for options in [&rule, &no_rule] {
                let (win, bound) = options.value(Wdl::Win, ply);
                assert!(is_win(win) && !is_mate(win) && bound == Bound::Lower);
                let (loss, bound) = options.value(Wdl::Loss, ply);
                assert!(is_loss(loss) && !is_mate(loss) && bound == Bound::Upper);
                assert_eq!(options.value(Wdl::Draw, ply), (DRAW, Bound::Exact));
            }
            assert_eq!(rule.value(Wdl::CursedWin, ply), (1, Bound::Exact));
            assert_eq!(rule.value(Wdl::BlessedLoss, ply), (-1, Bound::Exact));
            assert_eq!(no_rule.value(Wdl::CursedWin, ply), no_rule.value(Wdl::Win, ply));
            assert_eq!(no_rule.value(Wdl::BlessedLoss, ply), no_rule.value(Wdl::Loss, ply));
        }
        assert_eq!(rule.max_pieces(), 0);
    }
}
