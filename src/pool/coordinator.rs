//! The thread that watches the clock, selects the best move and announces it.

use std::sync::Arc;
use std::time::Duration;

use super::vote::{Vote, select_vote};
use crate::board::Board;
use crate::search::reports::Info;
use crate::search::results::{ThreadResult, best_and_ponder};
use crate::search::sharing::SharedResult;
use crate::search::tablebase_probe::extend_last_lines;
use crate::search::{Job, lines_or_one_ply};
use crate::types::{Bound, Move, is_loss, mated_in};
use crate::util::schedule::{self, Slice};
use crate::util::sync::{Condvar, Instant, Mutex, Receiver};

/// How long the vote waits for all helper threads that are publishing their results and may have lost their processors.
const VOTE_TIMEOUT: Duration = Duration::from_millis(1);

/// How far the pool is with a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoolPhase {
    /// No search, or its best move has been announced.
    Idle,
    /// A search runs.
    Searching,
    /// The best move is being announced.
    Announcing,
}

/// The phase of the pool, and a signal when it changes.
pub(super) struct Status {
    phase: Mutex<PoolPhase>,
    changed: Condvar,
}

impl Status {
    /// The status of a pool that has nothing to do.
    pub(super) fn new() -> Status {
        Status { phase: Mutex::new(PoolPhase::Idle), changed: Condvar::new() }
    }

    /// The phase now.
    pub(super) fn phase(&self) -> PoolPhase {
        *self.phase.lock()
    }

    /// Changes the phase.
    pub(super) fn set(&self, phase: PoolPhase) {
        *self.phase.lock() = phase;
        self.changed.notify_all();
    }

    /// Waits until the best move has been announced.
    pub(super) fn wait_until_idle(&self) {
        let mut phase = self.phase.lock();
        while *phase != PoolPhase::Idle {
            self.changed.wait(&mut phase);
        }
    }

    /// Waits until the best move has been announced, but no longer than `time`. False if it has not.
    pub(super) fn wait_for_idle(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut phase = self.phase.lock();
        while *phase != PoolPhase::Idle && Instant::now() < deadline {
            self.changed.wait_until(&mut phase, deadline);
        }
        *phase == PoolPhase::Idle
    }
}

/// The life of the coordinator thread: one job after the other, until no more can come.
pub(super) fn coordinate(inbox: &Receiver<Arc<Job>>, status: &Status) {
    schedule::request_slice(Slice::Short);
    while let Ok(job) = inbox.recv() {
        if job.request.root_moves.is_empty() {
            report_finished_game(&job);
        }
        if job.request.root_moves.is_empty() || job.results.threads() == 0 {
            job.signals.finish_main_thread();
        }
        job.wait_for_end();
        let (lines, best, ponder) = select_best_move(&job);
        status.set(PoolPhase::Announcing);
        job.announce(&lines, best, ponder);
        // After the best move, since it wakes other threads, which may take this one's processor.
        if let Some(sharing) = &job.sharing {
            sharing.observer().search_ended();
        }
        drop(job);
        status.set(PoolPhase::Idle);
    }
}

/// Reports the score of a position without legal moves: mate or stalemate.
fn report_finished_game(job: &Job) {
    let score = if job.request.board.in_check() { mated_in(0) } else { 0 };
    let time = job.request.started.elapsed();
    job.report_lines(&[Info { multipv: 1, score, bound: Bound::Exact, time, ..Info::default() }]);
}

/// The lines of the thread or the other machine that wins the vote, its best move, and the move to ponder on. If no thread
/// has a move yet, the calling one searches one ply.
fn select_best_move(job: &Job) -> (Vec<Info>, Option<Move>, Option<Move>) {
    let mut lines = lines_or_one_ply(job, winning_lines(job));
    let (nodes, time, hashfull) = (job.total_nodes(), job.request.started.elapsed(), job.table.hashfull());
    let tb_hits = job.total_tb_hits();
    for line in &mut lines {
        *line = Info { nodes, time, hashfull, tb_hits, ..std::mem::take(line) };
    }
    extend_last_lines(job, &mut lines);
    let (best, answer) = best_and_ponder(&lines);
    let ponder = answer.or_else(|| ponder_move_from_table(job, best?));
    (lines, best, ponder)
}

/// The lines of the thread or the other machine that wins the vote; none without any votes.
fn winning_lines(job: &Job) -> Vec<Info> {
    let (mut votes, results) = thread_votes(job);
    let others = results_of_others(job);
    votes.extend(others.iter().map(|result| Vote {
        best_move: result.pv[0],
        score: result.score,
        depth: result.depth,
        is_proved_loss: is_loss(result.score),
    }));
    match select_vote(&votes) {
        Some(index) if index < results.len() => results[index].lines.clone(),
        Some(index) => vec![line(&others[index - results.len()], &job.request.board)],
        None => Vec::new(),
    }
}

/// What other machines have found, where it can have a vote. Nothing if more than one line is wanted: they report their first.
fn results_of_others(job: &Job) -> Vec<SharedResult> {
    let request = &job.request;
    let Some(sharing) = job.sharing.as_ref().filter(|_| request.options.multi_pv == 1) else {
        return Vec::new();
    };
    let moves = request.best_ranked_moves();
    sharing.results().into_iter().filter(|result| result.may_vote(moves)).collect()
}

/// The line of another machine as it is reported, as far as it is legal.
fn line(result: &SharedResult, root: &Board) -> Info {
    let SharedResult { depth, score, .. } = *result;
    let pv = result.legal_line(root);
    Info { depth, seldepth: pv.len(), multipv: 1, score, bound: Bound::Exact, pv, ..Info::default() }
}

/// What the threads of a search have found so far, by the same vote, for other machines; `None` before the first iteration.
/// Threads whose result is a bound at the moment, or a loss that is not proved, have no vote, since another machine would
/// believe it; where that is true of all, what was found before holds.
pub(super) fn shared_result(job: &Job) -> Option<SharedResult> {
    let (votes, results) = thread_votes(job);
    let may_be_shared = |result: &ThreadResult| {
        let is_believable = !is_loss(result.score) || result.is_proved_loss();
        result.depth > 0
            && is_believable
            && result.lines.first().is_some_and(|line| line.bound == Bound::Exact)
    };
    let (votes, results): (Vec<Vote>, Vec<Arc<ThreadResult>>) =
        votes.into_iter().zip(results).filter(|(_, result)| may_be_shared(result)).unzip();
    let found = select_vote(&votes).map(|index| {
        let ThreadResult { depth, score, lines } = &*results[index];
        SharedResult { depth: *depth, score: *score, pv: lines[0].pv.clone() }
    });
    match &job.sharing {
        Some(sharing) => sharing.found_or_before(found),
        None => found,
    }
}

/// The votes of all threads that have found a move, and the results that they stand for. Helper threads are waited for
/// no longer than a moment in all.
fn thread_votes(job: &Job) -> (Vec<Vote>, Vec<Arc<ThreadResult>>) {
    let started = Instant::now();
    let vote = |thread: usize| {
        let result = match thread {
            0 => job.results.of_thread(0),
            _ => job.results.of_thread_within(thread, VOTE_TIMEOUT.saturating_sub(started.elapsed()))?,
        };
        Some((Vote::of_thread(&result)?, result))
    };
    (0..job.results.threads()).filter_map(vote).unzip()
}

/// The answer to a move that the transposition table expects, if it is legal.
fn ponder_move_from_table(job: &Job, best: Move) -> Option<Move> {
    let mut board = job.request.board.clone();
    board.make_move(best, &mut ());
    job.table.probe(board.key(), 1)?.best_move.filter(|&m| board.is_legal(m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::clock::Limits;
    use crate::search::reports::NullListener;
    use crate::search::sharing::{EntryQueues, NoSearchObserver, Others, Sharing};
    use crate::search::{SearchOptions, SearchRequest};
    use crate::tt::{TableEntry, TranspositionTable};
    use crate::types::mate_in;

    fn job(threads: usize) -> Job {
        let (limits, options) = (Limits::default(), SearchOptions::default());
        let request = SearchRequest::new(Board::start(), limits, options, Instant::now());
        Job::new(request, Arc::new(TranspositionTable::without_memory()), threads, Arc::new(NullListener))
    }

    #[test]
    fn without_a_vote_there_is_no_result_and_one_ply_is_searched() {
        for threads in 0..3 {
            let job = job(threads);
            assert_eq!(shared_result(&job), None);
            assert!(winning_lines(&job).is_empty());
            let (lines, best, _) = select_best_move(&job);
            assert!(best.is_some_and(|m| job.request.root_moves.contains(&m)), "{threads}");
            assert_eq!((lines.len(), lines[0].pv.first().copied()), (1, best), "{threads}");
        }
    }

    /// Has the first thread find this after an iteration of nine plies.
    fn find(job: &Job, lines: Vec<Info>) {
        job.results.set_result(0, ThreadResult { depth: 9, score: lines[0].score, lines });
    }

    #[test]
    fn the_move_to_ponder_on_is_that_of_the_line_or_else_a_legal_one_of_the_table() {
        let job = Job { table: Arc::new(TranspositionTable::new(1).expect("memory")), ..job(1) };
        let best = job.request.root_moves[0];
        let mut board = job.request.board.clone();
        board.make_move(best, &mut ());
        let answers = board.legal_moves();
        let ponder = |pv: &[Move]| {
            find(&job, vec![Info { pv: pv.to_vec(), ..Info::default() }]);
            let (_, found, ponder) = select_best_move(&job);
            assert_eq!(found, Some(best));
            ponder
        };
        assert_eq!(ponder(&[best]), None);
        for (stored, expected) in [(answers[3], Some(answers[3])), (best, None)] {
            let entry = TableEntry { best_move: Some(stored), ..TableEntry::sample(Bound::Exact, 0, 5) };
            job.table.store(board.key(), 1, &entry);
            assert_eq!(ponder(&[best]), expected);
            assert_eq!(ponder(&[best, answers[1]]), Some(answers[1]));
        }
    }

    #[test]
    fn other_machines_are_told_what_they_may_believe() {
        let job = job(1);
        let pv = vec![job.request.root_moves[0]];
        let is_shared = |score, bound, line_depth| {
            find(&job, vec![Info { depth: line_depth, score, bound, pv: pv.clone(), ..Info::default() }]);
            shared_result(&job).is_some()
        };
        assert!(is_shared(50, Bound::Exact, 9));
        assert!(!is_shared(50, Bound::Lower, 10) && !is_shared(50, Bound::Upper, 10));
        // A loss in the middle of an iteration is not proved.
        assert!(is_shared(mated_in(6), Bound::Exact, 9) && !is_shared(mated_in(6), Bound::Exact, 10));
        assert!(is_shared(mate_in(5), Bound::Exact, 10));
    }

    #[test]
    fn a_thread_that_holds_a_bound_does_not_silence_its_machine() {
        let sharing = Sharing::new(EntryQueues::new(2), Arc::new(NoSearchObserver));
        let job = Job { sharing: Some(sharing), ..job(2) };
        let moves = job.request.root_moves.clone();
        let set = |thread: usize, score, bound| {
            let lines = vec![Info { score, bound, pv: vec![moves[thread]], ..Info::default() }];
            job.results.set_result(thread, ThreadResult { depth: 9, score, lines });
        };
        set(0, 20, Bound::Exact);
        set(1, 90, Bound::Lower);
        let first = SharedResult { depth: 9, score: 20, pv: vec![moves[0]] };
        assert_eq!(shared_result(&job), Some(first.clone()));
        set(0, 5, Bound::Upper);
        assert_eq!(shared_result(&job), Some(first), "what was found before holds");
        set(1, 70, Bound::Exact);
        assert_eq!(shared_result(&job), Some(SharedResult { depth: 9, score: 70, pv: vec![moves[1]] }));
    }

    #[test]
    fn a_deeper_line_of_another_machine_wins_where_one_line_is_wanted() {
        for multi_pv in [1, 2] {
            let sharing = Sharing::new(EntryQueues::new(1), Arc::new(NoSearchObserver));
            let mut job = Job { sharing: Some(sharing), ..job(1) };
            job.request.options.multi_pv = multi_pv;
            let moves = job.request.root_moves.clone();
            let line = |m| Info { pv: vec![m], ..Info::default() };
            find(&job, vec![line(moves[0]), line(moves[1])]);
            let results = vec![SharedResult { depth: 12, score: 60, pv: vec![moves[2]] }];
            job.sharing.as_ref().expect("shared").set_others(Others { results, ..Others::default() });
            let shown: Vec<Move> = winning_lines(&job).iter().map(|line| line.pv[0]).collect();
            assert_eq!(shown, if multi_pv == 1 { vec![moves[2]] } else { moves[..2].to_vec() });
        }
    }

    #[test]
    fn the_lines_are_those_of_the_thread_that_wins_the_vote() {
        let job = job(3);
        let moves = job.request.root_moves.clone();
        for (thread, m) in [(1, moves[0]), (2, moves[1])] {
            let score = if thread == 2 { 50 } else { 10 };
            let lines = vec![Info { score, pv: vec![m], ..Info::default() }];
            job.results.set_result(thread, ThreadResult { depth: 9, score, lines });
        }
        assert_eq!(winning_lines(&job)[0].pv, [moves[1]]);
        assert_eq!(shared_result(&job), Some(SharedResult { depth: 9, score: 50, pv: vec![moves[1]] }));
    }
}
