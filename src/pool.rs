//! The threads: workers that own their state, and a coordinator that watches the clock.
//!
//! A search is a [`Job`] handed to every worker. The coordinator sleeps until the job has to end, then takes
//! what the workers have published, votes, and announces the best move. It waits for no worker: on a machine
//! with more threads than processors a worker may notice the end late, and the clock must not pay for that.
//! Such a worker comes to the next job when it comes; [`Pool::settle`] waits for all where memory changes hands.

use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use core_affinity::CoreId;
use crossbeam::channel::{Receiver, Sender, unbounded};
use crossbeam::sync::WaitGroup;
use parking_lot::{Condvar, Mutex};

use crate::board::Board;
use crate::search::report::Info;
use crate::search::{Finding, Job, Worker, dispatch};
use crate::topology;
use crate::types::{MATE_IN_MAX, Move, Value, mated_in};

/// The stack of a worker: the deepest path needs about a third of it.
const STACK: usize = 8 << 20;

enum Task {
    Search(Arc<Job>),
    NewGame,
    Sync(WaitGroup),
}

struct Handle {
    tasks: Sender<Task>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    Searching,
    /// The best move is being announced.
    Announcing,
}

struct Status {
    phase: Mutex<Phase>,
    changed: Condvar,
}

impl Status {
    fn set(&self, phase: Phase) {
        *self.phase.lock() = phase;
        self.changed.notify_all();
    }
}

/// All threads of an engine.
pub struct Pool {
    workers: Vec<Handle>,
    coordinator: Option<JoinHandle<()>>,
    jobs: Option<Sender<Arc<Job>>>,
    status: Arc<Status>,
    job: Option<Arc<Job>>,
}

impl Pool {
    /// Starts one worker for each entry of `plan`, bound to its core if it has one, and waits until all have
    /// made their memory.
    ///
    /// # Errors
    /// If the system has no more threads; those already started end again.
    pub fn new(plan: &[Option<CoreId>]) -> io::Result<Pool> {
        let status = Arc::new(Status { phase: Mutex::new(Phase::Idle), changed: Condvar::new() });
        let (jobs, inbox) = unbounded();
        let coordinator = {
            let status = Arc::clone(&status);
            Builder::new().name("coordinator".into()).spawn(move || coordinate(&inbox, &status))?
        };
        let mut pool = Pool {
            workers: Vec::with_capacity(plan.len()),
            coordinator: Some(coordinator),
            jobs: Some(jobs),
            status,
            job: None,
        };
        for (id, &core) in plan.iter().enumerate() {
            let (tasks, inbox) = unbounded();
            let thread = Builder::new()
                .name(format!("worker {id}"))
                .stack_size(STACK)
                .spawn(move || work(id, core, &inbox))?;
            pool.workers.push(Handle { tasks, thread: Some(thread) });
        }
        pool.settle();
        Ok(pool)
    }

    /// How many workers there are.
    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// True if there is no worker.
    pub fn is_empty(&self) -> bool {
        self.workers.is_empty()
    }

    /// Starts a search. The one before must have been announced.
    pub fn start(&mut self, job: Arc<Job>) {
        self.status.set(Phase::Searching);
        if !job.root_moves.is_empty() {
            for worker in &self.workers {
                worker.send(Task::Search(Arc::clone(&job)));
            }
        }
        if let Some(jobs) = &self.jobs {
            // The coordinator lives as long as the pool.
            let _ = jobs.send(Arc::clone(&job));
        }
        self.job = Some(job);
    }

    /// The job of the last search.
    pub fn job(&self) -> Option<&Job> {
        self.job.as_deref()
    }

    /// True until the best move is being announced.
    pub fn is_searching(&self) -> bool {
        *self.status.phase.lock() == Phase::Searching
    }

    /// Waits until the best move has been announced.
    pub fn wait(&self) {
        let mut phase = self.status.phase.lock();
        while *phase != Phase::Idle {
            self.status.changed.wait(&mut phase);
        }
    }

    /// Waits until no worker is at work and nobody but the engine holds the table.
    pub fn settle(&mut self) {
        self.wait();
        self.job = None;
        let group = WaitGroup::new();
        for worker in &self.workers {
            worker.send(Task::Sync(group.clone()));
        }
        group.wait();
    }

    /// Lets all workers forget what they learnt.
    pub fn new_game(&mut self) {
        for worker in &self.workers {
            worker.send(Task::NewGame);
        }
        self.settle();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            job.request_stop();
        }
        // Threads end when nobody can send them anything more.
        self.jobs = None;
        let threads: Vec<_> = self.workers.drain(..).filter_map(|mut worker| worker.thread.take()).collect();
        for thread in threads.into_iter().chain(self.coordinator.take()) {
            let _ = thread.join();
        }
    }
}

impl Handle {
    fn send(&self, task: Task) {
        // A worker lives as long as its handle.
        let _ = self.tasks.send(task);
    }
}

fn work(id: usize, core: Option<CoreId>, inbox: &Receiver<Task>) {
    if let Some(core) = core {
        // Refused is not fatal: the thread runs anywhere.
        topology::bind(core);
    }
    let mut worker = Worker::new(id);
    while let Ok(task) = inbox.recv() {
        match task {
            Task::Search(job) => dispatch::run(&mut worker, &job),
            Task::NewGame => worker.new_game(),
            Task::Sync(group) => drop(group),
        }
    }
}

fn coordinate(inbox: &Receiver<Arc<Job>>, status: &Status) {
    while let Ok(job) = inbox.recv() {
        if job.root_moves.is_empty() {
            // Mate or stalemate: the score is known, and so is that there is no move.
            let score = if job.board.in_check() { mated_in(0) } else { 0 };
            job.report_lines(&[Info { multipv: 1, score, time: job.started.elapsed(), ..Info::default() }]);
            job.finish();
        }
        job.wait_for_end();
        let (lines, best, ponder) = decide(&job);
        status.set(Phase::Announcing);
        job.announce(&lines, best, ponder);
        drop(job);
        status.set(Phase::Idle);
    }
}

/// What to play after all that the workers have published: the lines, the best move, and the answer to ponder on.
fn decide(job: &Job) -> (Vec<Info>, Option<Move>, Option<Move>) {
    let mut findings: Vec<Finding> = job.findings.iter().map(|finding| finding.lock().clone()).collect();
    let chosen = vote(&findings);
    let mut lines = std::mem::take(&mut findings[chosen].lines);
    let (nodes, time, hashfull) = (job.nodes.sum(), job.started.elapsed(), job.table.hashfull());
    for line in &mut lines {
        *line = Info { nodes, time, hashfull, ..std::mem::take(line) };
    }
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    let best = pv.first().or(job.root_moves.first()).copied();
    let ponder = pv.get(1).copied().or_else(|| expected_answer(job, best?));
    (lines, best, ponder)
}

/// The answer to a move that the table expects.
fn expected_answer(job: &Job, best: Move) -> Option<Move> {
    let mut board: Board = job.board.clone();
    board.make(best, &mut ());
    job.table.probe(board.key(), 1)?.best.filter(|&m| board.is_legal(m))
}

/// Which worker's move to play: each votes for its best move with a weight that grows with score and depth
/// (the practice of Stockfish and its kin); among those who voted for the winner, the heaviest. A proved mate
/// needs no majority, only that none is nearer.
fn vote(findings: &[Finding]) -> usize {
    let voters: Vec<(usize, &Finding, Move)> = findings
        .iter()
        .enumerate()
        .filter_map(|(id, finding)| Some((id, finding, *finding.lines.first()?.pv.first()?)))
        .collect();
    let Some(worst) = voters.iter().map(|(_, finding, _)| finding.score).min() else {
        return 0;
    };
    let is_mate = |value: Value| value.abs() >= MATE_IN_MAX;
    if let Some((id, finding, _)) = voters.iter().rev().max_by_key(|(_, finding, _)| finding.score)
        && is_mate(finding.score)
        && finding.score > 0
    {
        return *id;
    }
    let weight = |finding: &Finding| i64::from(finding.score - worst + 14) * i64::from(finding.depth.max(1));
    let votes = |m: Move| -> i64 {
        voters.iter().filter(|(_, _, other)| *other == m).map(|(_, finding, _)| weight(finding)).sum()
    };
    let totals: Vec<i64> = voters.iter().map(|&(_, _, m)| votes(m)).collect();
    voters
        .iter()
        .zip(totals)
        .rev()
        .max_by_key(|((_, finding, _), total)| (*total, weight(finding)))
        .map_or(0, |((id, _, _), _)| *id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square, mate_in};

    fn finding(to: Square, depth: i32, score: Value) -> Finding {
        let m = Move::new(Square::A1, to, MoveKind::Quiet);
        Finding { depth, score, lines: vec![Info { pv: vec![m], ..Info::default() }] }
    }

    #[test]
    fn the_majority_wins_unless_a_mate_is_proved() {
        let (a, b) = (Square::B1, Square::C1);
        assert_eq!(vote(&[finding(a, 10, 20), finding(b, 10, 20), finding(b, 10, 20)]), 1);
        assert_eq!(vote(&[finding(a, 10, 20), finding(b, 10, 20)]), 0);
        assert_eq!(vote(&[finding(a, 10, 20), finding(b, 11, 20)]), 1);
        assert_eq!(vote(&[finding(a, 10, 20), finding(a, 10, 20), finding(b, 10, mate_in(5))]), 2);
        assert_eq!(vote(&[Finding::default(), finding(b, 3, -50)]), 1);
        assert_eq!(vote(&[]), 0);
    }
}
