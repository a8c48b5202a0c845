//! The threads: workers that own their state, and a coordinator that watches the clock.
//!
//! A search is a [`Job`] handed to every worker. The coordinator sleeps until the job has to end, then takes
//! what the workers have published, votes, and announces the best move. It waits for no worker: on a machine
//! with more threads than processors a worker may notice the end late, and the clock must not pay for that.
//! Such a worker comes to the next job when it comes; [`Pool::settle`] waits for all where memory changes hands.
//!
//! Tasks are handed down a tree: worker *n* passes them on to 2*n* + 1 and 2*n* + 2 before it begins. Whoever woke
//! hundreds of threads alone would use up its share of the processors, and hear of a `stop` late. Where there are more
//! workers than processors, a helper gives way as soon as it has begun, as often as the tree has levels: otherwise those
//! that it has woken wait until its slice of time is over, and those that they wake for theirs. On two processors all of
//! 16 threads then search after 8 ms instead of 28, and all of 512 after 31 instead of 1,548.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::board::Board;
use crate::search::history::Correction;
use crate::search::reports::Info;
use crate::search::{self, Job, Worker};
use crate::topology::{self, Placement, ThreadPlacement};
use crate::types::{Depth, MATE_IN_MAX, Move, Value, mated_in};
use crate::util::schedule::{self, Slice};
use crate::util::sync::{Builder, Condvar, JoinHandle, Mutex, Receiver, Sender, WaitGroup, unbounded};

/// The stack of a worker: the deepest path needs about a third of it.
const STACK: usize = 8 << 20;

/// How long the vote waits for a helper that is just writing down what it found, and may have lost its processor.
const PATIENCE: Duration = Duration::from_millis(1);

#[derive(Clone)]
enum Task {
    Search(Arc<Job>),
    NewGame,
    /// To be done by every worker, which is told its number.
    Broadcast(Arc<dyn Fn(usize) + Send + Sync>),
    Sync(WaitGroup),
    Quit,
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
    /// The way to each worker.
    tasks: Arc<[Sender<Task>]>,
    workers: Vec<JoinHandle<()>>,
    coordinator: Option<JoinHandle<()>>,
    jobs: Option<Sender<Arc<Job>>>,
    status: Arc<Status>,
    job: Option<Arc<Job>>,
}

impl Pool {
    /// Starts one worker for each seat of the plan, bound to its processors if it names any, and waits until all
    /// have made their memory.
    ///
    /// # Errors
    /// If the system has no more threads; those already started end again.
    pub fn new(plan: &Placement) -> io::Result<Pool> {
        let status = Arc::new(Status { phase: Mutex::new(Phase::Idle), changed: Condvar::new() });
        let (jobs, inbox) = unbounded();
        let coordinator = {
            let status = Arc::clone(&status);
            Builder::new().name("coordinator".into()).spawn(move || coordinate(&inbox, &status))?
        };
        let (tasks, inboxes): (Vec<_>, Vec<_>) = plan.threads.iter().map(|_| unbounded()).unzip();
        let mut pool = Pool {
            tasks: tasks.into(),
            workers: Vec::with_capacity(plan.threads.len()),
            coordinator: Some(coordinator),
            jobs: Some(jobs),
            status,
            job: None,
        };
        let commons: Arc<[NumaShared]> =
            (0..plan.numa_nodes).map(|node| NumaShared::new(plan, node)).collect();
        for (id, (inbox, seat)) in inboxes.into_iter().zip(&plan.threads).enumerate() {
            let (tasks, seat, commons) = (Arc::clone(&pool.tasks), seat.clone(), Arc::clone(&commons));
            let gives_way = if plan.oversubscribed && id > 0 { plan.threads.len().ilog2() } else { 0 };
            let worker = Builder::new()
                .name(format!("worker {id}"))
                .stack_size(STACK)
                .spawn(move || work((id, gives_way), &seat, &commons[seat.numa_node], &inbox, &tasks))?;
            pool.workers.push(worker);
        }
        pool.wait_until_idle();
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
            self.send_to_all(Task::Search(Arc::clone(&job)));
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
    pub fn wait_until_idle(&mut self) {
        self.wait();
        self.job = None;
        let group = WaitGroup::new();
        self.send_to_all(Task::Sync(group.clone()));
        group.wait();
    }

    /// Lets all workers forget what they learnt.
    pub fn new_game(&mut self) {
        self.send_to_all(Task::NewGame);
        self.wait_until_idle();
    }

    /// Has every worker do something, given its number, in its own thread and place; waits until all have.
    pub fn broadcast(&mut self, errand: impl Fn(usize) + Send + Sync + 'static) {
        self.send_to_all(Task::Broadcast(Arc::new(errand)));
        self.wait_until_idle();
    }

    fn send_to_all(&self, task: Task) {
        if let Some(first) = self.tasks.first() {
            // Workers live as long as the pool.
            let _ = first.send(task);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            job.request_stop();
        }
        // The coordinator ends when nobody can send it anything more. The workers are told one by one: the tree
        // may have gaps, if the system had no threads for all.
        self.jobs = None;
        for worker in self.tasks.iter() {
            let _ = worker.send(Task::Quit);
        }
        for thread in self.workers.drain(..).chain(self.coordinator.take()) {
            let _ = thread.join();
        }
    }
}

/// What the workers of a memory node have in common.
struct NumaShared {
    /// How many they are.
    workers: usize,
    /// The one who clears it.
    owner: Option<usize>,
    /// Made by the first worker that comes, on the node.
    correction: OnceLock<Arc<Correction>>,
}

impl NumaShared {
    fn new(plan: &Placement, node: usize) -> NumaShared {
        let on_node = |seat: &&ThreadPlacement| seat.numa_node == node;
        NumaShared {
            workers: plan.threads.iter().filter(on_node).count(),
            owner: plan.threads.iter().position(|seat| on_node(&seat)),
            correction: OnceLock::new(),
        }
    }
}

fn work(
    (id, gives_way): (usize, u32),
    seat: &ThreadPlacement,
    common: &NumaShared,
    inbox: &Receiver<Task>,
    tasks: &[Sender<Task>],
) {
    schedule::request_slice(Slice::Usual);
    // Refused is not fatal: the thread runs anywhere.
    topology::bind(seat);
    let correction = common.correction.get_or_init(|| Arc::new(Correction::new(common.workers)));
    let mut worker =
        Worker { yields_at_start: gives_way, ..Worker::new(id, seat.numa_node, Arc::clone(correction)) };
    while let Ok(task) = inbox.recv() {
        if !matches!(task, Task::Quit) {
            for child in tasks.iter().skip(2 * id + 1).take(2) {
                // One that has quit needs no task.
                let _ = child.send(task.clone());
            }
        }
        match task {
            Task::Search(job) => search::run(&mut worker, &job),
            Task::NewGame => {
                worker.new_game();
                if common.owner == Some(id) {
                    correction.clear();
                }
            }
            Task::Broadcast(errand) => errand(id),
            Task::Sync(group) => drop(group),
            Task::Quit => break,
        }
    }
}

fn coordinate(inbox: &Receiver<Arc<Job>>, status: &Status) {
    schedule::request_slice(Slice::Short);
    while let Ok(job) = inbox.recv() {
        if job.root_moves.is_empty() {
            // Mate or stalemate: the score is known, and so is that there is no move.
            let score = if job.board.in_check() { mated_in(0) } else { 0 };
            job.report_lines(&[Info { multipv: 1, score, time: job.started.elapsed(), ..Info::default() }]);
            job.finish_main_thread();
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
    let chosen = vote(&ballots(job));
    let mut lines =
        job.thread_results.get(chosen).map_or_else(Vec::new, |finding| finding.lock().lines.clone());
    let (nodes, time, hashfull) = (job.nodes.sum(), job.started.elapsed(), job.table.hashfull());
    for line in &mut lines {
        *line = Info { nodes, time, hashfull, ..std::mem::take(line) };
    }
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    let best = pv.first().or(job.root_moves.first()).copied();
    let ponder = pv.get(1).copied().or_else(|| expected_answer(job, best?));
    (lines, best, ponder)
}

/// A worker's voice.
#[derive(Clone, Copy, Debug)]
struct Ballot {
    worker: usize,
    best: Move,
    score: Value,
    depth: Depth,
}

/// The voices of all workers that have found a move. Only the main worker is waited for.
fn ballots(job: &Job) -> Vec<Ballot> {
    let read = |worker: usize| {
        let finding = match worker {
            0 => job.thread_results[0].lock(),
            _ => job.thread_results[worker].try_lock_for(PATIENCE)?,
        };
        let best = *finding.lines.first()?.pv.first()?;
        Some(Ballot { worker, best, score: finding.score, depth: finding.depth })
    };
    (0..job.thread_results.len()).filter_map(read).collect()
}

/// The answer to a move that the table expects.
fn expected_answer(job: &Job, best: Move) -> Option<Move> {
    let mut board: Board = job.board.clone();
    board.make(best, &mut ());
    job.table.probe(board.key(), 1)?.best_move.filter(|&m| board.is_legal(m))
}

/// Which worker's move to play: each votes for its best move with a weight that grows with score and depth
/// (the practice of Stockfish and its kin); among those who voted for the winner, the heaviest. A proved mate
/// needs no majority, only that none is nearer; and a proved loss is believed if nobody has looked deeper.
///
/// Otherwise whoever is far behind has no vote. The weights take all for about equally deep: where threads share
/// processors, a few that had hardly any time would outvote the one that did the work, with hopes that it has seen
/// through. With helpers at the lowest priority that cost about 75 Elo.
fn vote(ballots: &[Ballot]) -> usize {
    let Some(deepest) = ballots.iter().map(|ballot| ballot.depth).max() else {
        return 0;
    };
    if let Some(ballot) = ballots.iter().rev().max_by_key(|ballot| ballot.score)
        && ballot.score >= MATE_IN_MAX
    {
        return ballot.worker;
    }
    if let Some(ballot) = ballots.iter().rev().max_by_key(|ballot| ballot.depth)
        && ballot.score <= -MATE_IN_MAX
    {
        return ballot.worker;
    }
    let electors: Vec<&Ballot> = ballots.iter().filter(|ballot| has_vote(ballot.depth, deepest)).collect();
    let worst = electors.iter().map(|ballot| ballot.score).min().unwrap_or(0);
    let weight = |ballot: &Ballot| i64::from(ballot.score - worst + 14) * i64::from(ballot.depth.max(1));
    let mut totals: HashMap<Move, i64> = HashMap::new();
    for ballot in &electors {
        *totals.entry(ballot.best).or_default() += weight(ballot);
    }
    electors
        .iter()
        .rev()
        .max_by_key(|ballot| (totals.get(&ballot.best), weight(ballot)))
        .map_or(0, |ballot| ballot.worker)
}

/// True of a worker that is at most a quarter of the greatest depth behind, or two plies: threads with processors of
/// their own are closer together than that.
fn has_vote(depth: Depth, deepest: Depth) -> bool {
    deepest - depth <= (deepest / 4).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square, mate_in, mated_in};

    fn winner(votes: &[(Square, Depth, Value)]) -> usize {
        let ballots: Vec<Ballot> = votes
            .iter()
            .enumerate()
            .map(|(worker, &(to, depth, score))| {
                let best = Move::new(Square::A1, to, MoveKind::Quiet);
                Ballot { worker, best, score, depth }
            })
            .collect();
        vote(&ballots)
    }

    #[test]
    fn the_majority_wins_unless_a_mate_is_proved() {
        let (a, b) = (Square::B1, Square::C1);
        assert_eq!(winner(&[(a, 10, 20), (b, 10, 20), (b, 10, 20)]), 1);
        assert_eq!(winner(&[(a, 10, 20), (b, 10, 20)]), 0);
        assert_eq!(winner(&[(a, 10, 20), (b, 11, 20)]), 1);
        assert_eq!(winner(&[(a, 10, 20), (a, 10, 20), (b, 10, mate_in(5))]), 2);
        assert_eq!(winner(&[(a, 10, mate_in(7)), (b, 10, mate_in(5)), (a, 12, mate_in(7))]), 1);
        assert_eq!(winner(&[]), 0);
    }

    #[test]
    fn whoever_is_far_behind_has_no_vote() {
        let (a, b) = (Square::B1, Square::C1);
        assert_eq!(winner(&[(a, 20, 10), (b, 8, 150), (b, 9, 150), (b, 14, 150)]), 0);
        assert_eq!(winner(&[(b, 8, 150), (b, 9, 150), (a, 20, 10)]), 2);
        // What they think does not make the others' scores look alike either.
        assert_eq!(winner(&[(a, 20, 60), (a, 20, 60), (b, 20, 100), (b, 5, -3000)]), 2);
        assert_eq!(winner(&[(a, 20, 10), (b, 15, 20), (b, 16, 20)]), 2);
        assert_eq!(winner(&[(a, 3, 10), (b, 1, 20), (b, 1, 20)]), 1);
        assert_eq!(winner(&[(a, 20, 10), (b, 5, mate_in(3))]), 1);
    }

    #[test]
    fn a_proved_loss_is_believed_unless_somebody_deeper_hopes() {
        let (a, b) = (Square::B1, Square::C1);
        assert_eq!(winner(&[(a, 40, mated_in(4)), (b, 9, -1200)]), 0);
        assert_eq!(winner(&[(b, 9, -1200), (a, 40, mated_in(4)), (b, 9, -1200)]), 1);
        assert_eq!(winner(&[(a, 8, mated_in(4)), (b, 9, -1200)]), 1);
    }
}
