//! Iterative deepening: the root is searched deeper and deeper, until a limit is reached.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::aspiration::AspirationWindow;
use super::job::Job;
use super::node::Root;
use super::null_move::{NullCounts, NullMoveObserver, Scheme, SchemeVisitor};
use super::reports::Info;
use super::results::ThreadResult;
use super::root::REPORT_DELAY;
use super::root_move::{self, RootMove};
use super::searcher::Searcher;
use super::sharing::MIN_SHARED_DEPTH;
use super::time_management::{BestMoveStability, IterationEnd, is_soft_limit_reached};
use super::worker::Worker;
use crate::types::{Depth, MAX_PLY, MAX_SEARCH_DEPTH};

/// Lets a worker search a job to its end. From here on the null-move scheme is a type.
pub fn run(worker: &mut Worker, job: &Job) {
    let id = worker.id;
    let turn_guard = job.turns.as_ref().map(|turns| turns.enter(id));
    let options = &job.request.options;
    options.null_move_of(id).dispatch(&options.null_move_settings, Run { worker, job });
    if turn_guard.is_some() && id == 0 {
        // Before any other thread has another turn.
        job.signals.stop_threads();
    }
}

struct Run<'a> {
    worker: &'a mut Worker,
    job: &'a Job,
}

impl SchemeVisitor for Run<'_> {
    type Output = ();

    fn visit<S: Scheme>(self, scheme: S) {
        Searcher { worker: self.worker, job: self.job, scheme, observer: None }.iterative_deepening();
    }
}

/// [`run`], with an observer that sees its null moves and may overrule them.
pub fn run_observed(worker: &mut Worker, job: &Job, observer: &mut dyn NullMoveObserver) {
    Searcher::observed(worker, job, observer).iterative_deepening();
}

impl<S: Scheme> Searcher<'_, S> {
    /// Searches deeper and deeper until the search is stopped or nothing is left to search.
    pub fn iterative_deepening(&mut self) {
        if self.worker.id > 0 && self.job.signals.is_stopped() {
            // Started too late to be of help.
            return;
        }
        self.begin();
        (0..self.worker.yields_at_start).for_each(|_| thread::yield_now());
        let max_depth = self.job.request.limits.depth.unwrap_or(Depth::MAX).clamp(1, MAX_SEARCH_DEPTH);
        let mut stability = BestMoveStability::default();
        for depth in 1..=max_depth {
            self.worker.root_depth = depth;
            self.worker.root_moves.iter_mut().for_each(RootMove::begin_iteration);
            for pv_index in 0..self.multi_pv() {
                self.worker.pv_index = pv_index;
                self.worker.seldepth = 0;
                self.keep_last_pv();
                self.search_line(depth);
                root_move::sort(&mut self.worker.root_moves[pv_index..]);
                if self.is_stopped() {
                    break;
                }
                // A later line may turn out better than an earlier one.
                root_move::sort(&mut self.worker.root_moves[..=pv_index]);
                if depth == 1 && pv_index > 0 {
                    // In case that the iteration is stopped before its last line.
                    self.store_lines(0, &self.lines(pv_index + 1, depth));
                }
            }
            if self.is_stopped() {
                break;
            }
            self.worker.completed_depth = depth;
            self.report_iteration(depth);
            if self.worker.id == 0 && self.may_end(depth, &mut stability) {
                break;
            }
        }
        self.store_null_counts();
        if self.worker.id == 0 {
            self.job.signals.finish_main_thread();
        }
    }

    /// Readies the worker for the job.
    pub(super) fn begin(&mut self) {
        let (worker, job) = (&mut *self.worker, self.job);
        worker.board.clone_from(&job.request.board);
        worker.board.reserve_plies(MAX_PLY);
        worker.evaluator.set_network(job.request.options.network_on(worker.numa_node));
        worker.stack.clear();
        worker.null_moves.clear();
        worker.null_counts = NullCounts::default();
        worker.root_moves.clear();
        worker.root_moves.extend(job.request.root_moves.iter().map(|&m| RootMove::new(m)));
        worker.tb_pieces = job.request.options.tablebases.max_pieces();
        worker.tb_hits = 0;
        if let Some(ranking) = &job.request.ranking {
            for (root, ranked) in worker.root_moves.iter_mut().zip(&ranking.moves) {
                (root.tb_rank, root.tb_value) = (ranked.rank, Some(ranked.value));
            }
            if ranking.by_distance {
                // The result is safe: the search only chooses among moves that keep it.
                worker.tb_pieces = 0;
            }
            if worker.id == 0 {
                worker.tb_hits = ranking.hits;
            }
        }
        job.results.set_tb_hits(worker.id, worker.tb_hits);
        worker.pv_index = 0;
        worker.root_is_restricted = job.request.leaves_moves_out();
        worker.nodes = 0;
        worker.node_batch = 0;
        worker.node_limit_hit = false;
        worker.completed_depth = 0;
        worker.completed_result = Arc::default();
        worker.root_depth = 0;
        worker.last_pv.clear();
        worker.histories.low_ply.clear();
        worker.next_current_move = REPORT_DELAY;
        worker.shared_depth = if job.sharing.is_some() { MIN_SHARED_DEPTH } else { Depth::MAX };
        job.results.set_start_time(worker.id, job.request.started.elapsed());
        self.begin_counting();
    }

    /// Searches one line of the iteration, with an aspiration window round its last score.
    fn search_line(&mut self, depth: Depth) {
        let pv_index = self.worker.pv_index;
        let mut aspiration = AspirationWindow::new(depth, self.worker.root_moves[pv_index].expected_score());
        loop {
            let root_depth = (depth - aspiration.reduction).max(1);
            self.worker.root_width = aspiration.window.width();
            let value = self.negamax::<Root>(root_depth, 0, aspiration.window);
            root_move::sort(&mut self.worker.root_moves[pv_index..]);
            if self.is_stopped() || aspiration.contains_or_widen(value) {
                return;
            }
            if self.worker.id == 0 && self.is_long() {
                self.job.report_lines(&[self.info(pv_index, depth)]);
            }
        }
    }

    /// Makes the lines of a completed iteration known.
    fn report_iteration(&mut self, depth: Depth) {
        let mut lines = self.lines(self.multi_pv(), depth);
        if self.worker.id == 0 {
            self.extend_lines(&mut lines);
        }
        self.store_null_counts();
        self.store_lines(depth, &lines);
        self.worker.completed_result = self.job.results.of_thread(self.worker.id);
        if self.worker.id == 0 {
            self.job.report_lines(&lines);
        }
        if depth == 1 {
            self.job.signals.complete_first_iteration();
        }
    }

    /// The first lines of the iteration of this depth, best first.
    fn lines(&self, count: usize, depth: Depth) -> Vec<Info> {
        (0..count).map(|index| self.info(index, depth)).collect()
    }

    /// Puts these lines, best first, in the place of what the thread has found so far; `depth` is that of the last
    /// iteration that it has completed, in plies.
    fn store_lines(&self, depth: Depth, lines: &[Info]) {
        let score = lines.first().map_or(0, |line| line.score);
        self.job.results.set_result(self.worker.id, ThreadResult { depth, score, lines: lines.to_vec() });
    }

    /// Copies the counts of null moves so far to where other threads read them.
    fn store_null_counts(&self) {
        self.job.results.set_null_counts(self.worker.id, self.worker.null_counts);
        if let Some(breakdown) = &self.worker.null_breakdown {
            self.job.results.set_null_breakdown(self.worker.id, breakdown);
        }
    }

    /// The time since `go`, and the time that our clock has run. Where nodes count as time, the two differ only in that no
    /// clock runs while pondering.
    fn elapsed(&self) -> (Duration, Option<Duration>) {
        let clock_time = self.job.signals.clock_time();
        match self.job.request.options.nodestime {
            None => (self.job.request.started.elapsed(), clock_time),
            Some(rate) => {
                let elapsed = rate.time(self.job.results.nodes());
                (elapsed, clock_time.map(|_| elapsed))
            }
        }
    }

    /// True if the main thread need not search on after an iteration.
    fn may_end(&self, depth: Depth, stability: &mut BestMoveStability) -> bool {
        let best = &self.worker.root_moves[0];
        let score = best.score.unwrap_or(0);
        stability.update(best.m, score);
        let (elapsed, clock_time) = self.elapsed();
        let end = IterationEnd {
            depth,
            score,
            nodes: self.worker.nodes,
            best_move_nodes: best.nodes,
            root_moves: self.worker.root_moves.iter().filter(|root| root.tb_rank == best.tb_rank).count(),
            elapsed,
            clock_time,
        };
        let (limits, soft) = (&self.job.request.limits, self.job.request.time_budget.soft);
        if is_soft_limit_reached(limits, soft, stability, &end) {
            return true;
        }
        if clock_time.is_some() {
            return false;
        }
        let at_hit = IterationEnd { clock_time: Some(Duration::ZERO), ..end };
        self.job.signals.ends_at_ponder_hit(is_soft_limit_reached(limits, soft, stability, &at_hit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::POSITIONS;
    use crate::board::Board;
    use crate::clock::{Limits, TimeBudget};
    use crate::search::SearchRequest;
    use crate::search::searcher::FIRST_ITERATION_NODES;
    use crate::search::tests::{SCRIPT, job, material_request, worker};
    use crate::types::{Move, mate_in};

    /// Nine queens a side: the quiescence search of one move does not end in millions of nodes.
    const NINE_QUEENS: &str = "r2n3Q/1N1qb1q1/1R1RN1kn/QqQ1qq2/bQ3Q1q/q2Q1B1B/qQQ4K/1Q1q1r2 w - - 0 1";

    /// A search by one thread that counts material, and its worker when it has ended.
    fn run_one(fen: &str, limits: Limits, stopped: bool) -> (Job, Worker) {
        let (job, mut worker) = (job(material_request(fen.parse().expect(fen), limits)), worker());
        if stopped {
            job.signals.request_stop();
        }
        run(&mut worker, &job);
        (job, worker)
    }

    #[test]
    fn a_stopped_search_ends_its_first_iteration_only_if_it_is_short() {
        let (_, worker) = run_one(&Board::start().to_string(), Limits::default(), true);
        assert_eq!(worker.completed_depth, 1);
        let (job, worker) = run_one(NINE_QUEENS, Limits::default(), true);
        assert_eq!((worker.completed_depth, worker.nodes), (0, FIRST_ITERATION_NODES));
        assert_eq!(job.results.nodes(), worker.nodes);
    }

    #[test]
    fn the_table_learns_no_value_of_a_root_whose_moves_were_left_out() {
        let moves = Board::start().legal_moves().to_vec();
        let fen = Board::start().to_string();
        let stored = |search_moves: &[Move]| {
            let limits = Limits { depth: Some(6), search_moves: search_moves.to_vec(), ..Limits::default() };
            let (job, _) = run_one(&fen, limits, false);
            job.table.probe(job.request.board.key(), 0).and_then(|hit| hit.value)
        };
        assert_eq!(stored(&moves[..1]), None);
        assert_eq!(stored(&moves[1..]), None);
        for all in [&moves[..], &[]] {
            assert!(stored(all).is_some());
        }
    }

    #[test]
    fn the_table_keeps_the_value_of_the_first_line() {
        // One move wins a queen.
        let mut request = material_request(
            "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse().expect("a position"),
            Limits::depth(6),
        );
        request.options.multi_pv = 3;
        let (job, mut worker) = (job(request), worker());
        run(&mut worker, &job);
        let result = job.results.of_thread(0);
        assert!(result.lines.len() == 3 && result.lines[1].score < result.score - 500);
        let entry = job.table.probe(job.request.board.key(), 0).expect("the root");
        assert_eq!((entry.best_move, entry.value), (result.best_move(), Some(result.score)));
    }

    #[test]
    fn a_search_begins_without_what_the_last_one_found() {
        let (job, mut worker) = run_one(POSITIONS[1], Limits::depth(8), false);
        let moves = job.request.root_moves.clone();
        let learnt = |worker: &Worker| {
            moves.iter().any(|&m| (0..3).any(|ply| worker.histories.low_ply.get(ply, m) != 0))
        };
        assert!(worker.completed_result.best_move().is_some());
        assert!(learnt(&worker));
        let next = self::job(material_request(
            "7k/8/8/8/8/6r1/8/7K w - - 0 1".parse().expect("a position"),
            Limits::depth(1),
        ));
        Searcher { worker: &mut worker, job: &next, scheme: SCRIPT, observer: None }.begin();
        assert!(worker.completed_result.best_move().is_none() && !learnt(&worker));
        assert_eq!((worker.completed_depth, worker.nodes, worker.root_moves.len()), (0, 0, 1));
    }

    // Under a model checker no time has passed.
    #[cfg(not(feature = "model"))]
    #[test]
    fn only_a_long_search_shows_the_moves_it_tries_and_the_windows_that_fail() {
        use crate::search::reports::Listener;
        use crate::tt::TranspositionTable;
        use crate::types::Bound;
        use crate::util::sync::{Instant, Mutex};

        #[derive(Default)]
        struct Recorder(Mutex<(usize, usize)>);

        impl Listener for Recorder {
            fn line(&self, info: &Info) {
                self.0.lock().0 += usize::from(info.bound != Bound::Exact);
            }

            fn current_move(&self, _depth: Depth, _m: Move, _number: usize) {
                self.0.lock().1 += 1;
            }
        }

        let reported = |started| {
            let recorder = Arc::new(Recorder::default());
            for fen in &POSITIONS[..10] {
                let request = material_request(fen.parse().expect(fen), Limits::depth(7));
                let table = Arc::new(TranspositionTable::new(1).expect("memory"));
                let listener = Arc::clone(&recorder) as Arc<dyn Listener>;
                let job = Job::new(SearchRequest { started, ..request }, table, 1, listener);
                run(&mut worker(), &job);
                job.wait_for_end();
            }
            *recorder.0.lock()
        };
        let now = Instant::now();
        assert_eq!(reported(now + Duration::from_secs(3600)), (0, 0), "however slow the machine is");
        let (bounds, moves) = reported(now.checked_sub(REPORT_DELAY).expect("a while ago"));
        assert!(bounds > 0 && moves > 0, "{bounds} {moves}");
    }

    #[test]
    fn what_would_have_ended_a_search_on_our_clock_ends_it_at_the_ponder_hit() {
        const FORCED: &str = "7k/8/8/8/8/6r1/8/7K w - - 0 1";
        let (short, long) = (Duration::from_nanos(1), Duration::from_secs(3600));
        let is_ended = |fen: &str, soft, limits: Limits| {
            let limits = Limits { ponder: true, depth: Some(8), ..limits };
            let time_budget = TimeBudget { soft: Some(soft), hard: Some(long) };
            let request = material_request(fen.parse().expect(fen), limits);
            let (job, mut worker) = (job(SearchRequest { time_budget, ..request }), worker());
            run(&mut worker, &job);
            assert!(worker.completed_depth == 8 && !job.signals.is_stopped(), "it ponders on");
            job.signals.ponder_hit();
            job.signals.is_stopped()
        };
        let start = Board::start().to_string();
        assert!(is_ended(&start, short, Limits::default()), "the soft limit has passed");
        assert!(!is_ended(&start, long, Limits::default()));
        assert!(is_ended(FORCED, long, Limits::default()), "there is but one move");
        let fixed = Limits { move_time: Some(long), ..Limits::default() };
        assert!(!is_ended(FORCED, short, fixed), "a fixed time begins with the hit");
    }

    #[test]
    fn a_move_that_the_tables_rank_above_all_others_is_played_at_once() {
        let hour = Some(Duration::from_secs(3600));
        let request = material_request(Board::start(), Limits::default());
        let time_budget = TimeBudget { soft: hour, hard: hour };
        let (job, mut worker) = (job(SearchRequest { time_budget, ..request }), worker());
        let mut search = Searcher { worker: &mut worker, job: &job, scheme: SCRIPT, observer: None };
        search.begin();
        for (best, ends) in [(0, false), (1, true), (2, false)] {
            search.worker.root_moves[..best].iter_mut().for_each(|root| root.tb_rank = 5);
            assert_eq!(search.may_end(12, &mut BestMoveStability::default()), ends, "{best}");
        }
    }

    #[test]
    fn a_node_limit_lets_a_short_first_iteration_end() {
        const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let limits = Limits::nodes(1);
        let (job, worker) = run_one(MATE_IN_ONE, limits.clone(), false);
        assert_eq!((worker.completed_depth, job.results.of_thread(0).score), (1, mate_in(1)));
        let (_, worker) = run_one(NINE_QUEENS, limits, false);
        assert_eq!((worker.completed_depth, worker.nodes), (0, FIRST_ITERATION_NODES));
    }

    #[test]
    fn a_worker_ends_at_the_deadline_though_no_other_thread_looks_at_the_clock() {
        for time in [0, 5].map(Duration::from_millis) {
            // More than can be searched in the time.
            let request = material_request(Board::start(), Limits::nodes(5_000_000));
            let time_budget = TimeBudget { soft: None, hard: Some(time) };
            let (job, mut worker) = (job(SearchRequest { time_budget, ..request }), worker());
            run(&mut worker, &job);
            assert!(job.signals.is_stopped() && worker.completed_depth > 0);
            assert!(worker.nodes < 5_000_000 && !worker.node_limit_hit);
        }
    }
}
