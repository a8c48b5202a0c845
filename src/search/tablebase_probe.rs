//! What endgame tables do for a search: they cut off nodes, and they go on with lines that they decide.

use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Duration;

use super::job::Job;
use super::node::NodeKind;
use super::null_move::Scheme;
use super::reports::Info;
use super::searcher::Searcher;
use super::tt_access::tt_pv;
use super::window::{INFINITY, Window};
use crate::params;
use crate::tablebase::line;
use crate::tt::TableEntry;
use crate::types::{Bound, CastlingRights, Depth, MAX_SEARCH_DEPTH, Value, is_decisive, is_mate, is_win};
use crate::util::sync::Instant;

/// A position may be looked up for a line for this many nodes: it takes fifty times as long as a node, since distances are
/// stored for one side to move and the other has to try its moves.
const NODES_PER_HIT: u64 = 512;

/// The most positions that are looked up for a line at the end of a search without a clock.
const MAX_HITS_AT_END: u64 = 10_000;

/// On a clock, lines are extended for this part of the time that the search has taken.
const LINE_SHARE: u32 = 8;

/// The longest time that extending a line may delay the best move.
const MAX_LINE_TIME: Duration = Duration::from_millis(5);

impl<S: Scheme> Searcher<'_, S> {
    /// Looks up the position of a node, if the last move was a capture or pawn move and the tables have it. Breaks with its
    /// value where that allows a cutoff, else returns the window that the value lies in (the practice of Stockfish). `hit` is the
    /// table's entry.
    #[inline]
    pub fn probe_tablebases<N: NodeKind>(
        &mut self,
        depth: Depth,
        ply: usize,
        window: Window,
        hit: Option<&TableEntry>,
    ) -> ControlFlow<Value, Window> {
        if N::ROOT || self.worker.tb_pieces == 0 {
            return Continue(Window::FULL);
        }
        self.probe_node(depth, ply, window, tt_pv::<N>(hit))
    }

    #[inline(never)]
    fn probe_node(
        &mut self,
        depth: Depth,
        ply: usize,
        window: Window,
        is_pv: bool,
    ) -> ControlFlow<Value, Window> {
        let (worker, options) = (&mut *self.worker, &self.job.request.options.tablebases);
        let (board, pieces) = (&worker.board, worker.board.occupied().count());
        let Some(tables) = options.tables.as_ref().filter(|_| {
            pieces <= worker.tb_pieces
                && (pieces < worker.tb_pieces || depth >= options.probe_depth)
                && board.rule50() == 0
                && board.castling() == CastlingRights::NONE
        }) else {
            return Continue(Window::FULL);
        };
        if worker.stack.at(ply).excluded.is_some() {
            return Continue(Window::FULL);
        }
        let Some(wdl) = tables.probe_wdl(board) else {
            return Continue(Window::FULL);
        };
        worker.tb_hits += 1;
        self.job.results.set_tb_hits(worker.id, worker.tb_hits);
        let (value, bound) = options.value(wdl, ply);
        if bound.allows_cutoff(value, window.alpha, window.beta) {
            let entry = TableEntry {
                best_move: None,
                value: Some(value),
                static_eval: None,
                depth: (depth + params::tablebase_depth_bonus()).min(MAX_SEARCH_DEPTH),
                bound,
                is_pv,
            };
            self.store_tt(ply, &entry);
            return Break(value);
        }
        Continue(match bound {
            Bound::Lower => Window { alpha: value, beta: INFINITY },
            _ => Window { alpha: -INFINITY, beta: value },
        })
    }

    /// Extends the lines of an iteration that the tables decide, as long as that is little work beside the search.
    pub fn extend_lines(&mut self, lines: &mut [Info]) {
        let job = self.job;
        let started = Instant::now();
        let max_time = is_timed(job).then(|| job.request.started.elapsed() / LINE_SHARE);
        let count = lines.len() as u64;
        for line in lines {
            let max_hits = line.nodes / (NODES_PER_HIT * count);
            self.worker.tb_hits += extend_line(job, line, |hits| {
                hits >= max_hits
                    || job.signals.is_stopped()
                    || max_time.is_some_and(|max_time| started.elapsed() >= max_time)
            });
        }
        job.results.set_tb_hits(self.worker.id, self.worker.tb_hits);
    }
}

/// Extends the lines that are about to be announced with the best move, where the tables decide them.
pub fn extend_last_lines(job: &Job, lines: &mut [Info]) {
    let started = Instant::now();
    let max_time = MAX_LINE_TIME.min(job.request.started.elapsed() / LINE_SHARE);
    let max_hits = MAX_HITS_AT_END / lines.len().max(1) as u64;
    for line in lines {
        extend_line(job, line, |hits| {
            let is_awaited = is_timed(job) || job.signals.is_stop_requested();
            hits >= max_hits || is_awaited && started.elapsed() >= max_time
        });
    }
}

/// True if the end of the search must not be delayed: a clock runs, or `stop` or a ponder hit will end the search.
fn is_timed(job: &Job) -> bool {
    let limits = &job.request.limits;
    job.request.time_budget.hard.is_some() || limits.infinite || limits.ponder
}

/// Extends a line by the tables to the end of the game if its score is one of theirs. Returns how many positions were
/// looked up.
fn extend_line(job: &Job, info: &mut Info, stop: impl FnMut(u64) -> bool) -> u64 {
    let options = &job.request.options.tablebases;
    let Some(tables) = &options.tables else { return 0 };
    if !is_decisive(info.score) || is_mate(info.score) || info.bound != Bound::Exact {
        return 0;
    }
    let limits = (options.max_pieces(), options.fifty_move_rule);
    line::extend(tables, &job.request.board, is_win(info.score), &mut info.pv, limits, stop)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::sync::Arc;

    use super::*;
    use crate::board::Board;
    use crate::clock::Limits;
    use crate::search::node::{All, Root};
    use crate::search::tests::{SCRIPT, job, material_request, worker};
    use crate::tablebase::Tablebase;

    #[test]
    fn a_position_is_looked_up_right_behind_a_capture_or_pawn_move_alone() {
        let tables = OsStr::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tools/fuzz/tables"));
        let mut request = material_request(Board::start(), Limits::depth(10));
        let options = &mut request.options.tablebases;
        options.tables = Some(Arc::new(Tablebase::open(tables).0));
        (options.probe_limit, options.probe_depth) = (3, 4);
        let (job, mut worker) = (job(request), worker());
        let mut search = Searcher { worker: &mut worker, job: &job, scheme: SCRIPT, observer: None };
        search.begin();
        let mut probe = |fen: &str, depth, excluded| {
            search.worker.board = fen.parse().expect(fen);
            search.worker.stack.at(1).excluded = excluded;
            let before = search.worker.tb_hits;
            let found = search.probe_tablebases::<All>(depth, 1, Window { alpha: -1, beta: 0 }, None);
            (found.break_value().map(is_win), search.worker.tb_hits - before)
        };
        let (win, not_asked) = ((Some(true), 1), (None, 0));
        assert_eq!(probe("7k/8/8/8/8/8/Q7/K7 w - - 0 60", 4, None), win);
        assert_eq!(probe("7k/8/8/8/8/8/Q7/K7 b - - 0 60", 4, None), (Some(false), 1));
        assert_eq!(probe("7k/8/8/8/8/8/Q7/K7 w - - 1 60", 4, None), not_asked);
        assert_eq!(probe("7k/8/8/8/8/8/Q7/K7 w - - 0 60", 3, None), not_asked);
        assert_eq!(probe("7k/8/8/8/8/8/Q6r/K7 w - - 0 60", 4, None), not_asked, "four pieces");
        let excluded = job.request.root_moves[0];
        assert_eq!(probe("7k/8/8/8/8/8/Q7/K7 w - - 0 60", 4, Some(excluded)), not_asked);
        assert_eq!(probe("7k/8/8/8/8/8/Q7/K7 w - - 0 60", 4, None), win);
        let at_root = search.probe_tablebases::<Root>(4, 0, Window::FULL, None);
        assert_eq!((at_root, search.worker.tb_hits), (Continue(Window::FULL), 3));
    }
}
