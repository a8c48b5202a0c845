//! Iterative deepening with aspiration windows, and when to end.

use std::thread;
use std::time::Duration;

use super::context::Search;
use super::node::Root;
use super::null_move::{NullCounts, Scheme};
use super::pruning::is_ordinary;
use super::reports::Info;
use super::root::{self, RootMove};
use super::shared::ThreadResult;
use crate::clock;
use crate::params;
use crate::types::{Bound, Depth, MATE, MAX_PLY, Move, Value};

/// When the search becomes long enough to say which move it is at, and to show failed windows.
const TALKATIVE: Duration = Duration::from_secs(3);

/// The widest window.
const INFINITE: Value = MATE + 1;

/// How the best move has fared from iteration to iteration.
#[derive(Default)]
struct Course {
    best: Option<Move>,
    /// Iterations since the best move changed.
    stability: u32,
    /// The score of the iteration before.
    previous: Option<Value>,
}

impl<S: Scheme> Search<'_, S> {
    /// Searches deeper and deeper until told to end, or nothing is left to search.
    pub fn deepen(&mut self) {
        if self.worker.id > 0 && self.job.is_stopped() {
            // Handed on too late to be of help.
            return;
        }
        self.begin();
        (0..self.worker.yields_at_start).for_each(|_| thread::yield_now());
        let max_depth = self.job.limits.depth.unwrap_or(Depth::MAX).clamp(1, MAX_PLY as Depth - 1);
        let mut course = Course::default();
        for depth in 1..=max_depth {
            self.worker.root_depth = depth;
            for m in &mut self.worker.root {
                m.previous = m.score.or(m.previous);
            }
            let lines = self.job.options.multi_pv.clamp(1, self.worker.root.len());
            for first in 0..lines {
                self.worker.first_root_move = first;
                self.worker.seldepth = 0;
                self.aspire(depth);
                root::sort(&mut self.worker.root[first..]);
                if self.is_over() {
                    break;
                }
                // A later line may turn out better than an earlier one.
                root::sort(&mut self.worker.root[..=first]);
            }
            if self.is_over() {
                break;
            }
            self.worker.completed = depth;
            self.publish(depth);
            if self.worker.id == 0 && self.is_enough(depth, &mut course) {
                break;
            }
        }
        self.publish_counts();
        if self.worker.id == 0 {
            self.job.finish_main_thread();
        }
    }

    /// Readies the worker for the job.
    pub(super) fn begin(&mut self) {
        let (worker, job) = (&mut *self.worker, self.job);
        worker.board.clone_from(&job.board);
        worker.evaluator.set_network(job.options.network_on(worker.numa_node));
        worker.stack.clear();
        worker.passes.clear();
        worker.null_counts = NullCounts::default();
        worker.root.clear();
        worker.root.extend(job.root_moves.iter().map(|&m| RootMove::new(m)));
        worker.first_root_move = 0;
        worker.nodes = 0;
        worker.node_batch = 0;
        worker.exhausted = false;
        worker.completed = 0;
        worker.root_depth = 0;
        let time = u64::try_from(job.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        job.start_times.get(worker.id).set(time.max(1));
    }

    /// Searches one line with a narrow window round its last score, which widens until the score lies inside.
    fn aspire(&mut self, depth: Depth) {
        let first = self.worker.first_root_move;
        let guess = self.worker.root[first].previous.filter(|&value| is_ordinary(value));
        let mut width = params::aspiration_width();
        let (mut alpha, mut beta) = match guess {
            Some(guess) if depth >= params::aspiration_depth() => {
                width += guess * guess / params::aspiration_score();
                ((guess - width).max(-INFINITE), (guess + width).min(INFINITE))
            }
            _ => (-INFINITE, INFINITE),
        };
        let mut shallower = 0;
        loop {
            let value = self.search_root((depth - shallower).max(1), alpha, beta);
            root::sort(&mut self.worker.root[first..]);
            if self.is_over() {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
                shallower = 0;
            } else if value >= beta {
                beta = (value + width).min(INFINITE);
                shallower = (shallower + 1).min(3);
            } else {
                return;
            }
            if self.worker.id == 0 && self.job.started.elapsed() >= TALKATIVE {
                let info = self.info(first, depth);
                self.job.report_lines(&[info]);
            }
            width += width * params::aspiration_growth() / 1024;
            if width > 1000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Makes the iteration's lines known.
    fn publish(&mut self, depth: Depth) {
        let lines: Vec<Info> = (0..self.job.options.multi_pv.clamp(1, self.worker.root.len()))
            .map(|index| self.info(index, depth))
            .collect();
        self.publish_counts();
        let score = lines.first().map_or(0, |line| line.score);
        let finding = ThreadResult { depth, score, lines: lines.clone() };
        // What it replaces is freed when the lock is open again.
        let _former = std::mem::replace(&mut *self.job.thread_results[self.worker.id].lock(), finding);
        if self.worker.id == 0 {
            self.job.report_lines(&lines);
        }
        if depth == 1 {
            self.job.complete_first_iteration();
        }
    }

    /// Makes known what became of the null moves.
    fn publish_counts(&self) {
        *self.job.null_counts[self.worker.id].lock() = self.worker.null_counts;
    }

    /// Makes a new best move known in the middle of an iteration. Its line comes first; the others
    /// stay as the last iteration left them.
    pub(super) fn publish_new_best(&mut self, m: Move) {
        if self.worker.first_root_move > 0 {
            return;
        }
        let Some(index) = self.worker.root.iter().position(|root| root.m == m) else {
            return;
        };
        let mut info = self.info(index, self.worker.root_depth);
        info.multipv = 1;
        let mut finding = self.job.thread_results[self.worker.id].lock();
        finding.score = info.score;
        let limit = self.job.options.multi_pv.clamp(1, self.worker.root.len());
        let lines = &mut finding.lines;
        match lines.iter().position(|line| line.pv.first() == Some(&m)) {
            Some(old) => {
                lines.remove(old);
            }
            None => lines.truncate(limit - 1),
        }
        lines.insert(0, info);
        for (rank, line) in lines.iter_mut().enumerate() {
            line.multipv = rank + 1;
        }
    }

    /// Searches the root within a window.
    fn search_root(&mut self, depth: Depth, alpha: Value, beta: Value) -> Value {
        self.pvs::<Root>(depth, 0, alpha, beta, false)
    }

    pub(super) fn is_root_move(&self, m: Move) -> bool {
        self.worker.root[self.worker.first_root_move..].iter().any(|root| root.m == m)
    }

    /// Notes what a root move came to, and publishes a new best move at once.
    pub(super) fn record_root_move(
        &mut self,
        m: Move,
        value: Value,
        first: bool,
        (alpha, beta): (Value, Value),
        nodes_before: u64,
    ) {
        let worker = &mut *self.worker;
        let nodes = worker.nodes - nodes_before;
        let seldepth = worker.seldepth;
        let line = worker.lines.get(1);
        let Some(root) = worker.root[worker.first_root_move..].iter_mut().find(|root| root.m == m) else {
            return;
        };
        root.nodes += nodes;
        if first || value > alpha {
            root.score = Some(value);
            root.bound = Bound::from_window(value, alpha, beta);
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(m);
            root.pv.extend_from_slice(line);
            if value > alpha && !first {
                self.publish_new_best(m);
            }
        } else {
            root.score = None;
        }
    }

    /// What there is to say of the line of a root move.
    fn info(&self, index: usize, depth: Depth) -> Info {
        let root = &self.worker.root[index];
        // A line that this iteration has not reached shows what the last one knew.
        let (score, bound, depth) = match root.score {
            Some(score) => (score, root.bound, depth),
            None => (root.previous.unwrap_or(0), Bound::Exact, (depth - 1).max(1)),
        };
        Info {
            depth,
            seldepth: root.seldepth,
            multipv: index + 1,
            score,
            bound,
            nodes: self.job.nodes.sum(),
            time: self.job.started.elapsed(),
            // Known when it is said.
            hashfull: 0,
            tb_hits: 0,
            pv: root.pv.clone(),
        }
    }

    /// Tells which root move is being searched, once the search takes long.
    pub(super) fn report_current_move(&self, depth: Depth, m: Move, number: usize) {
        // The clock is read only where a subtree of some size follows.
        if depth > 6 && self.job.started.elapsed() >= TALKATIVE {
            let number = number + self.worker.first_root_move;
            self.job.report_current_move(depth, m, number);
        }
    }

    /// True if the main worker need not go on: the mate is found, or the time is better kept.
    fn is_enough(&mut self, depth: Depth, course: &mut Course) -> bool {
        let best = &self.worker.root[0];
        let score = best.score.unwrap_or(0);
        if course.best == Some(best.m) {
            course.stability += 1;
        } else {
            course.stability = 0;
            course.best = Some(best.m);
        }
        let drop = course.previous.map_or(0, |previous| previous - score);
        course.previous = Some(score);

        if let Some(moves) = self.job.limits.mate {
            let plies = i64::from(moves) * 2;
            if i64::from(MATE - score) < plies.max(1) && score > 0 && !is_ordinary(score) {
                return true;
            }
        }
        if self.job.limits.soft_nodes.is_some_and(|nodes| self.worker.nodes >= nodes) {
            return true;
        }
        let Some(soft) = self.job.budget.soft else {
            return false;
        };
        // While pondering no clock runs. Once the hit has come, the time that the opponent took counts as thought;
        // only a fixed time a move is taken to mean from the hit on.
        let Some(clock_time) = self.job.clock_time() else {
            return false;
        };
        let elapsed =
            if self.job.limits.move_time.is_some() { clock_time } else { self.job.started.elapsed() };
        // A forced move, and a mate that is as near as the depth can show, need no more time.
        if self.worker.root.len() == 1 && self.job.limits.move_time.is_none() && depth >= 6 {
            return true;
        }
        let effort = best.nodes as f64 / self.worker.nodes.max(1) as f64;
        let scale = if self.job.limits.move_time.is_some() {
            1.0
        } else {
            clock::soft_scale(course.stability, drop, effort)
        };
        elapsed.as_secs_f64() >= soft.as_secs_f64() * scale
    }
}
