//! The moves at the root while they are searched: their results, and what is reported of them.

use std::sync::Arc;
use std::time::Duration;

use super::null_move::Scheme;
use super::reports::Info;
use super::root_move::RootMove;
use super::searcher::Searcher;
use super::window::Window;
use crate::types::{Bound, Depth, Move, Value, is_loss, is_mate};

/// How long a search runs before it reports the current move and windows that failed.
pub const REPORT_DELAY: Duration = Duration::from_secs(3);

/// How long no other current move is reported after one.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(100);

/// The current move is reported only at greater depths than this: the clock is read where a subtree of some size follows.
const CURRENT_MOVE_DEPTH: Depth = 6;

impl<S: Scheme> Searcher<'_, S> {
    /// True if the move is one of those to search in the current line (MultiPV): no better line has it, and the endgame
    /// tables rank none better.
    pub fn is_root_move(&self, m: Move) -> bool {
        let left = &self.worker.root_moves[self.worker.pv_index..];
        left.iter().take_while(|root| root.tb_rank == left[0].tb_rank).any(|root| root.m == m)
    }

    /// How many lines are searched (MultiPV): at most as many as there are root moves.
    pub fn multi_pv(&self) -> usize {
        self.job.request.options.multi_pv.clamp(1, self.worker.root_moves.len())
    }

    /// True once the search has run long enough to report more than its iterations.
    pub fn is_long(&self) -> bool {
        self.job.request.started.elapsed() >= REPORT_DELAY
    }

    /// Reports which root move is being searched, once the search has run for a while, and ten times a second at most.
    pub fn report_current_move(&mut self, depth: Depth, m: Move, move_count: usize) {
        if depth <= CURRENT_MOVE_DEPTH {
            return;
        }
        let now = self.job.request.started.elapsed();
        if is_due(&mut self.worker.next_current_move, now) {
            self.job.report_current_move(depth, m, move_count + self.worker.pv_index);
        }
    }

    /// Takes in the value of a root move that was searched with this window, and makes a new best move known at once, and a new
    /// score of the best move, too: the search may end before it is searched again. A move that failed high and is then found,
    /// in a wider window, to lose gives its place back to what the last iteration found (Stockfish, where a search is stopped);
    /// one that is found to be worth less than the last iteration's best move now is gives it back to that.
    pub fn record_root_move(
        &mut self,
        m: Move,
        value: Value,
        is_first: bool,
        window: Window,
        nodes_before: u64,
    ) {
        let worker = &mut *self.worker;
        let nodes = worker.nodes - nodes_before;
        let (seldepth, pv) = (worker.seldepth, worker.pv.get(1));
        let Some(root) = worker.root_moves[worker.pv_index..].iter_mut().find(|root| root.m == m) else {
            return;
        };
        root.nodes += nodes;
        if !is_first && value <= window.alpha {
            root.score = None;
            return;
        }
        root.score = Some(value);
        root.bound = window.bound_of(value);
        root.seldepth = seldepth;
        root.pv.clear();
        root.pv.push(m);
        root.pv.extend_from_slice(pv);
        // The first move of an iteration is the best of the one before. If there was none, a move that loses is no better
        // than those that are not searched yet.
        let is_new_best = if self.worker.completed_depth == 0 { !is_loss(value) } else { !is_first };
        if value > window.alpha && is_new_best {
            self.store_new_best(m);
        } else if is_first && self.worker.pv_index == 0 {
            self.update_best(m, value, window);
        }
    }

    /// Takes in that the first move of the first line has come to this value in this window, without being a new best move.
    fn update_best(&mut self, m: Move, value: Value, window: Window) {
        let worker = &*self.worker;
        let rival = worker.completed_result.best_move().filter(|&best| best != m);
        if rival.is_some() && is_loss(value) {
            self.job.results.set_result(worker.id, Arc::clone(&worker.completed_result));
            return;
        }
        let is_better = |root: &RootMove| root.score.is_some_and(|score| value < score);
        let better = rival.filter(|&rival| self.root_move(rival).is_some_and(is_better));
        if value <= window.alpha
            && let Some(better) = better
        {
            self.store_new_best(better);
        } else if !is_loss(value) && self.is_only_line_of(m) {
            self.store_new_best(m);
        }
    }

    /// True if one line is searched, and it is that of this move, whose score the endgame tables do not know: a new one says
    /// nothing of other lines.
    fn is_only_line_of(&self, m: Move) -> bool {
        let best = self.job.results.of_thread(self.worker.id).best_move();
        let is_known = |root: &RootMove| root.tb_value.is_some();
        self.multi_pv() == 1 && best == Some(m) && !self.root_move(m).is_some_and(is_known)
    }

    fn root_move(&self, m: Move) -> Option<&RootMove> {
        self.worker.root_moves.iter().find(|root| root.m == m)
    }

    /// Stores a new best move in the result of the thread in the middle of an iteration. Its line comes first; the others
    /// stay as the last iteration left them.
    fn store_new_best(&mut self, m: Move) {
        if self.worker.pv_index > 0 {
            return;
        }
        let Some(index) = self.worker.root_moves.iter().position(|root| root.m == m) else {
            return;
        };
        let info = self.info(index, self.worker.root_depth);
        self.job.results.put_first(self.worker.id, info, self.multi_pv());
    }

    /// What is reported of the root move at `index` after or during the iteration of this depth. A move that the iteration
    /// has not searched yet shows its score of the last one under the new depth; a move without a score the last that was
    /// known, a ply less deep.
    pub fn info(&self, index: usize, depth: Depth) -> Info {
        let root = &self.worker.root_moves[index];
        let (score, bound, depth) = match root.score {
            Some(score) => (score, root.bound, depth),
            None => (root.previous_score.unwrap_or(0), Bound::Exact, (depth - 1).max(1)),
        };
        // A mate that was found is nearer than the win that the tables know.
        let (score, bound) = match root.tb_value {
            Some(value) if !is_mate(score) => (value, Bound::Exact),
            _ => (score, bound),
        };
        Info {
            depth,
            seldepth: root.seldepth,
            multipv: index + 1,
            score,
            bound,
            nodes: self.job.total_nodes(),
            time: self.job.request.started.elapsed(),
            // Filled in when the line is reported.
            hashfull: 0,
            tb_hits: self.job.total_tb_hits(),
            pv: root.pv.clone(),
        }
    }
}

/// True if the current move may be reported at `now`, counted from the start of the search; `next` is the moment from
/// which it may be, and becomes that of the next report.
fn is_due(next: &mut Duration, now: Duration) -> bool {
    let is_due = now >= *next;
    if is_due {
        *next = now + CURRENT_MOVE_INTERVAL;
    }
    is_due
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::{AHEAD, SCRIPT, at_node, plain};
    use crate::types::mated_in;

    #[test]
    fn a_lost_move_is_the_best_only_when_an_iteration_has_shown_that_the_others_are_too() {
        at_node(AHEAD, SCRIPT, plain(), |search| {
            let moves: Vec<Move> = search.worker.root_moves.iter().map(|root| root.m).collect();
            let best = |search: &Searcher<'_, _>| {
                search.job.results.of_thread(0).lines.first().map(|line| (line.pv[0], line.score))
            };
            let above = |alpha| Window { alpha, ..Window::FULL };
            search.record_root_move(moves[0], mated_in(2), true, Window::FULL, 0);
            search.record_root_move(moves[1], mated_in(4), false, above(mated_in(2)), 0);
            assert_eq!(best(search), None);
            search.record_root_move(moves[2], 10, false, above(mated_in(4)), 0);
            assert_eq!(best(search), Some((moves[2], 10)));
            search.worker.completed_depth = 1;
            search.record_root_move(moves[1], mated_in(6), false, above(mated_in(4)), 0);
            assert_eq!(best(search), Some((moves[1], mated_in(6))));
        });
    }

    #[test]
    fn the_last_iterations_best_comes_back_when_a_move_that_failed_high_loses() {
        at_node(AHEAD, SCRIPT, plain(), |search| {
            let moves: Vec<Move> = search.worker.root_moves.iter().map(|root| root.m).collect();
            let best = |search: &Searcher<'_, _>| {
                let result = search.job.results.of_thread(0);
                (result.best_move(), result.score)
            };
            search.record_root_move(moves[0], 30, false, Window::FULL, 0);
            search.worker.completed_result = search.job.results.of_thread(0);
            search.worker.completed_depth = 1;
            search.record_root_move(moves[1], 60, false, Window::FULL, 0);
            assert_eq!(best(search), (Some(moves[1]), 60));
            // Other lines (MultiPV) have first moves of their own.
            search.worker.pv_index = 1;
            search.record_root_move(moves[1], mated_in(4), true, Window::FULL, 0);
            assert_eq!(best(search), (Some(moves[1]), 60));
            search.worker.pv_index = 0;
            // Less than hoped for, but not known to be less than what the last iteration found.
            search.record_root_move(moves[1], 40, true, Window { alpha: 45, beta: 80 }, 0);
            assert_eq!(best(search), (Some(moves[1]), 40));
            assert_eq!(search.job.results.of_thread(0).lines[0].bound, Bound::Upper);
            search.record_root_move(moves[1], -20, true, Window { alpha: 0, beta: 80 }, 0);
            assert_eq!(best(search), (Some(moves[0]), 30));
            // Of the former best move it is known only that it was no better.
            search.record_root_move(moves[1], 60, false, Window::FULL, 0);
            search.record_root_move(moves[0], 20, false, Window { alpha: 60, beta: 80 }, 0);
            search.record_root_move(moves[1], -20, true, Window { alpha: 0, beta: 80 }, 0);
            assert_eq!(best(search), (Some(moves[1]), -20));
            search.record_root_move(moves[1], 60, false, Window::FULL, 0);
            search.record_root_move(moves[1], mated_in(4), true, Window::FULL, 0);
            assert_eq!(best(search), (Some(moves[0]), 30));
        });
    }

    #[test]
    fn a_best_move_that_fails_low_is_known_to_be_worth_less() {
        at_node(AHEAD, SCRIPT, plain(), |search| {
            let m = search.worker.root_moves[0].m;
            let shown = |search: &Searcher<'_, _>| {
                let result = search.job.results.of_thread(0);
                (result.score, result.lines[0].bound, result.lines[0].depth)
            };
            search.worker.root_depth = 5;
            search.record_root_move(m, 30, true, Window::FULL, 0);
            search.worker.completed_result = search.job.results.of_thread(0);
            (search.worker.completed_depth, search.worker.root_depth) = (5, 6);
            assert_eq!(shown(search), (30, Bound::Exact, 5));
            search.record_root_move(m, -5, true, Window { alpha: 10, beta: 50 }, 0);
            assert_eq!(shown(search), (-5, Bound::Upper, 6));
            // That it loses is believed of a completed iteration only.
            search.record_root_move(m, mated_in(4), true, Window::FULL, 0);
            assert_eq!(shown(search), (-5, Bound::Upper, 6));
        });
    }

    #[test]
    fn current_moves_are_reported_late_and_ten_times_a_second() {
        let mut next = REPORT_DELAY;
        let reported = (0..5000).filter(|&time| is_due(&mut next, Duration::from_millis(time)));
        assert_eq!(reported.collect::<Vec<_>>(), (3000..5000).step_by(100).collect::<Vec<_>>());
    }
}
