//! The search threads: started on their processors, given tasks, and joined at the end.
//!
//! Tasks go down a binary tree: thread *n* passes them on to threads 2*n* + 1 and 2*n* + 2 before it begins. A thread
//! that woke hundreds of others alone would use up its share of the processors, and notice a stop late. With more threads
//! than processors, a helper thread yields its processor as soon as it has begun, as often as the tree has levels:
//! otherwise the threads that it has woken would wait until its time slice is over, and theirs in turn. On two processors
//! all of 16 threads then search after 8 ms instead of 28, and all of 512 after 31 instead of 1,548.

use std::io;
use std::sync::{Arc, OnceLock};

use super::coordinator::{Phase, Status, coordinate};
use crate::search::history::Correction;
use crate::search::job::STACK_SIZE;
use crate::search::{self, Job, Worker};
use crate::topology::{self, Placement, ThreadPlacement};
use crate::util::schedule::{self, Slice};
use crate::util::sync::{Builder, JoinHandle, Receiver, Sender, WaitGroup, unbounded};

/// What a search thread is given to do.
#[derive(Clone)]
enum Task {
    Search(Arc<Job>),
    NewGame,
    /// A function that every thread calls with its number.
    Broadcast(Arc<dyn Fn(usize) + Send + Sync>),
    /// To be dropped: the waiter goes on once all threads have.
    Sync(WaitGroup),
    Quit,
}

/// All threads of an engine.
pub struct Pool {
    /// The channel to each search thread.
    tasks: Arc<[Sender<Task>]>,
    threads: Vec<JoinHandle<()>>,
    coordinator: Option<JoinHandle<()>>,
    /// The channel to the coordinator. None only while the pool is dropped.
    jobs: Option<Sender<Arc<Job>>>,
    status: Arc<Status>,
    /// The present search, or the last one.
    job: Option<Arc<Job>>,
}

impl Pool {
    /// Starts the threads of a placement, each on its processors, and waits until all have allocated their memory.
    ///
    /// # Errors
    /// If the system refuses a thread; those that were started end again.
    pub fn new(placement: &Placement) -> io::Result<Pool> {
        let status = Arc::new(Status::new());
        let (jobs, inbox) = unbounded();
        let coordinator = {
            let status = Arc::clone(&status);
            Builder::new().name("coordinator".into()).spawn(move || coordinate(&inbox, &status))?
        };
        let threads = placement.threads.len();
        let (tasks, inboxes): (Vec<_>, Vec<_>) = placement.threads.iter().map(|_| unbounded()).unzip();
        let mut pool = Pool {
            tasks: tasks.into(),
            threads: Vec::with_capacity(threads),
            coordinator: Some(coordinator),
            jobs: Some(jobs),
            status,
            job: None,
        };
        let shared: Arc<[NumaShared]> =
            (0..placement.numa_nodes).map(|numa_node| NumaShared::new(placement, numa_node)).collect();
        for (id, (inbox, place)) in inboxes.into_iter().zip(&placement.threads).enumerate() {
            let (tasks, place, shared) = (Arc::clone(&pool.tasks), place.clone(), Arc::clone(&shared));
            let yields_at_start = if placement.oversubscribed && id > 0 { threads.ilog2() } else { 0 };
            let thread =
                Builder::new().name(format!("search {id}")).stack_size(STACK_SIZE).spawn(move || {
                    let mut thread = SearchThread::new(id, yields_at_start, &place, &shared[place.numa_node]);
                    thread.run(&inbox, &tasks);
                })?;
            pool.threads.push(thread);
        }
        pool.wait_until_idle();
        Ok(pool)
    }

    /// How many search threads there are.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// True if there is no search thread.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// Starts a search. The best move of the one before must have been announced.
    pub fn start(&mut self, job: Arc<Job>) {
        self.status.set(Phase::Searching);
        if !job.request.root_moves.is_empty() {
            self.send_to_all(Task::Search(Arc::clone(&job)));
        }
        if let Some(jobs) = &self.jobs {
            // The coordinator lives as long as the pool.
            let _ = jobs.send(Arc::clone(&job));
        }
        self.job = Some(job);
    }

    /// The present search, or the last one, unless the pool has been made idle since.
    pub fn job(&self) -> Option<&Job> {
        self.job.as_deref()
    }

    /// True until the best move is being announced.
    pub fn is_searching(&self) -> bool {
        self.status.phase() == Phase::Searching
    }

    /// Waits until the best move has been announced. Threads may still be on their way out of the search.
    pub fn wait(&self) {
        self.status.wait_until_idle();
    }

    /// Waits until no thread is at work and none of them holds the transposition table, then drops the last search.
    pub fn wait_until_idle(&mut self) {
        self.wait();
        self.job = None;
        let group = WaitGroup::new();
        self.send_to_all(Task::Sync(group.clone()));
        group.wait();
    }

    /// Clears the histories of all threads.
    pub fn new_game(&mut self) {
        self.send_to_all(Task::NewGame);
        self.wait_until_idle();
    }

    /// Has every search thread call a function with its number, and waits until all have.
    pub fn broadcast(&mut self, function: impl Fn(usize) + Send + Sync + 'static) {
        self.send_to_all(Task::Broadcast(Arc::new(function)));
        self.wait_until_idle();
    }

    /// Sends a task to the root of the tree.
    fn send_to_all(&self, task: Task) {
        if let Some(root) = self.tasks.first() {
            // Search threads live as long as the pool.
            let _ = root.send(task);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            job.signals.request_stop();
        }
        // The coordinator ends when its channel is closed. Each search thread gets its own message: the tree has gaps if
        // the system refused some of them.
        self.jobs = None;
        for thread in self.tasks.iter() {
            let _ = thread.send(Task::Quit);
        }
        for thread in self.threads.drain(..).chain(self.coordinator.take()) {
            let _ = thread.join();
        }
    }
}

/// What the search threads of a NUMA node share.
struct NumaShared {
    /// How many threads share it.
    threads: usize,
    /// The number of the thread that clears it.
    owner: Option<usize>,
    /// Allocated by the first thread that needs it, in the memory of the node.
    correction: OnceLock<Arc<Correction>>,
}

impl NumaShared {
    fn new(placement: &Placement, numa_node: usize) -> NumaShared {
        let on_node = |place: &&ThreadPlacement| place.numa_node == numa_node;
        NumaShared {
            threads: placement.threads.iter().filter(on_node).count(),
            owner: placement.threads.iter().position(|place| on_node(&place)),
            correction: OnceLock::new(),
        }
    }
}

/// The state of a search thread.
struct SearchThread {
    id: usize,
    /// It clears what the threads of its NUMA node share.
    owns_shared: bool,
    worker: Worker,
}

impl SearchThread {
    /// Binds the calling thread to its processors and allocates its memory there.
    fn new(id: usize, yields_at_start: u32, place: &ThreadPlacement, shared: &NumaShared) -> SearchThread {
        schedule::request_slice(Slice::Usual);
        // If the system refuses, the thread runs on any processor.
        topology::bind(place);
        let correction = shared.correction.get_or_init(|| Arc::new(Correction::new(shared.threads)));
        let worker = Worker { yields_at_start, ..Worker::new(id, place.numa_node, Arc::clone(correction)) };
        SearchThread { id, owns_shared: shared.owner == Some(id), worker }
    }

    /// Does one task after the other until [`Task::Quit`].
    fn run(&mut self, inbox: &Receiver<Task>, tasks: &[Sender<Task>]) {
        while let Ok(task) = inbox.recv() {
            if !matches!(task, Task::Quit) {
                for child in tasks.iter().skip(2 * self.id + 1).take(2) {
                    // A thread that has quit needs no task.
                    let _ = child.send(task.clone());
                }
            }
            match task {
                Task::Search(job) => search::run(&mut self.worker, &job),
                Task::NewGame => {
                    self.worker.new_game();
                    if self.owns_shared {
                        self.worker.correction.clear();
                    }
                }
                Task::Broadcast(function) => function(self.id),
                Task::Sync(group) => drop(group),
                Task::Quit => break,
            }
        }
    }
}
