//! The search threads: started on their processors, given tasks, and joined at the end.
//!
//! Tasks go down a binary tree: thread *n* passes them on to threads 2*n* + 1 and 2*n* + 2 before it begins. A thread
//! that woke hundreds of others alone would use up its share of the processors, and notice a stop late. With more threads
//! than processors, a helper thread yields its processor as soon as it has begun, as often as the tree has levels:
//! otherwise the threads that it has woken would wait until its time slice is over, and theirs in turn. On two processors
//! all of 16 threads then search after 8 ms instead of 28, and all of 512 after 31 instead of 1,548.

use std::error::Error;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use super::coordinator::{PoolPhase, Status, coordinate};
use super::current_job::CurrentJob;
use crate::search::history::SharedHistories;
use crate::search::job::STACK_SIZE;
use crate::search::worker::WORKER_BYTES;
use crate::search::{self, Job, Worker};
use crate::topology::{self, Placement, ThreadPlacement};
use crate::util::huge;
use crate::util::schedule::{self, Slice};
use crate::util::sync::{AtomicBool, Builder, JoinHandle, Receiver, Sender, WaitGroup, unbounded};

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
    /// The most threads that there have been at once: the allocator keeps what it reserved for them.
    most_threads: usize,
    coordinator: Option<JoinHandle<()>>,
    /// The channel to the coordinator. None only while the pool is dropped.
    jobs: Option<Sender<Arc<Job>>>,
    status: Arc<Status>,
    /// The present search, or the last one.
    job: Option<Arc<Job>>,
    /// The present search, for threads outside the pool.
    current_job: CurrentJob,
}

impl Pool {
    /// A pool without search threads.
    ///
    /// # Errors
    /// If the system refuses a thread for the coordinator.
    pub fn new() -> io::Result<Pool> {
        let status = Arc::new(Status::new());
        let (jobs, inbox) = unbounded();
        let coordinator = {
            let status = Arc::clone(&status);
            Builder::new().name("coordinator".into()).spawn(move || coordinate(&inbox, &status))?
        };
        let (coordinator, jobs) = (Some(coordinator), Some(jobs));
        Ok(Pool {
            tasks: Arc::new([]),
            threads: Vec::new(),
            most_threads: 0,
            coordinator,
            jobs,
            status,
            job: None,
            current_job: CurrentJob::default(),
        })
    }

    /// Ends all search threads, then starts those of a placement, each on its processors, and waits until all have
    /// allocated their memory. Old and new threads do not exist at once: together they may not fit into the memory.
    ///
    /// # Errors
    /// If it is plain that there is no room for the threads: then those that there are stay. If the system refuses a thread or its
    /// memory after that: then there is no search thread.
    pub fn replace_threads(&mut self, placement: &Placement) -> io::Result<()> {
        let more = placement.threads.len().saturating_sub(self.len());
        huge::check_available(more * WORKER_BYTES).map_err(out_of_memory)?;
        if !self.threads.is_empty() {
            let beyond_most = placement.threads.len().saturating_sub(self.most_threads);
            let stacks = more * (STACK_SIZE + WORKER_BYTES) + STACK_SIZE;
            let addresses = stacks + allocator_addresses(beyond_most) + SPARE_BYTES;
            huge::check_address_space(addresses).map_err(out_of_memory)?;
        }
        self.end_threads();
        self.most_threads = self.most_threads.max(placement.threads.len());
        let result = self.start_threads(placement);
        if result.is_err() {
            self.end_threads();
        }
        result
    }

    fn start_threads(&mut self, placement: &Placement) -> io::Result<()> {
        let count = placement.threads.len();
        huge::check_available(count * WORKER_BYTES).map_err(out_of_memory)?;
        let (tasks, inboxes): (Vec<_>, Vec<_>) = placement.threads.iter().map(|_| unbounded()).unzip();
        self.tasks = tasks.into();
        let shared: Arc<[GroupShared]> =
            (0..placement.cache_groups()).map(|group| GroupShared::new(placement, group)).collect();
        let ((alive, is_alive), (ready, are_ready)) = (unbounded(), unbounded());
        let (all_started, all_fit) = (WaitGroup::new(), Arc::new(AtomicBool::new(false)));
        for (id, (inbox, place)) in inboxes.into_iter().zip(&placement.threads).enumerate() {
            // Where the address space ends, the start of a thread would end the process. So no other thread may allocate
            // meanwhile: the new one has to be alive before the next is started, and allocates once all are.
            huge::check_address_space(STACK_SIZE + SPARE_BYTES).map_err(out_of_memory)?;
            let (tasks, place, shared) = (Arc::clone(&self.tasks), place.clone(), Arc::clone(&shared));
            let (alive, ready) = (alive.clone(), ready.clone());
            let (all_started, all_fit) = (all_started.clone(), Arc::clone(&all_fit));
            let yields_at_start = if placement.oversubscribed && id > 0 { count.ilog2() } else { 0 };
            let run = move || {
                // The pool waits for these messages.
                let _ = alive.send(());
                all_started.wait();
                if !all_fit.load(Ordering::Acquire) {
                    return;
                }
                let thread = SearchThread::new(id, yields_at_start, &place, &shared[place.cache_group]);
                let (thread, result) = match thread {
                    Ok(thread) => (Some(thread), Ok(())),
                    Err(error) => (None, Err(error)),
                };
                let _ = ready.send(result);
                if let Some(mut thread) = thread {
                    thread.run(&inbox, &tasks);
                }
            };
            self.threads.push(Builder::new().name(format!("search {id}")).stack_size(STACK_SIZE).spawn(run)?);
            let _ = is_alive.recv();
        }
        // Not all that a thread allocates can fail without ending the process.
        huge::check_address_space(count * WORKER_BYTES + SPARE_BYTES).map_err(out_of_memory)?;
        all_fit.store(true, Ordering::Release);
        all_started.wait();
        for _ in 0..count {
            are_ready.recv().map_err(io::Error::other)??;
        }
        huge::check_address_space(SPARE_BYTES).map_err(out_of_memory)
    }

    /// Ends all search threads. The coordinator goes on.
    fn end_threads(&mut self) {
        self.wait_until_idle();
        // One by one: the tree has gaps if the system refused some of them.
        for thread in self.tasks.iter() {
            let _ = thread.send(Task::Quit);
        }
        self.tasks = Arc::new([]);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
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
        self.status.set(PoolPhase::Searching);
        self.current_job.set(Some(Arc::clone(&job)));
        if let Some(sharing) = &job.sharing {
            sharing.observer().search_started();
        }
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

    /// The present search, for threads that are none of the pool.
    pub fn current_job(&self) -> &CurrentJob {
        &self.current_job
    }

    /// True until the best move is being announced.
    pub fn is_searching(&self) -> bool {
        self.status.phase() == PoolPhase::Searching
    }

    /// Waits until the best move has been announced. Threads may still be on their way out of the search.
    pub fn wait(&self) {
        self.status.wait_until_idle();
    }

    /// Waits until the best move has been announced, but no longer than `time`. False if it has not.
    pub fn wait_for(&self, time: Duration) -> bool {
        self.status.wait_for_idle(time)
    }

    /// Waits until no thread is at work and none of them holds the transposition table, then drops the last search.
    pub fn wait_until_idle(&mut self) {
        self.wait();
        self.current_job.set(None);
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
        self.end_threads();
        // The coordinator ends when its channel is closed.
        self.jobs = None;
        if let Some(coordinator) = self.coordinator.take() {
            let _ = coordinator.join();
        }
    }
}

/// What the search threads of a group share.
struct GroupShared {
    /// How many threads share it.
    threads: usize,
    /// The number of the thread that clears it.
    owner: Option<usize>,
    /// Allocated by the first thread that needs it, in the memory of its NUMA node.
    histories: OnceLock<Option<Arc<SharedHistories>>>,
}

/// Bytes of addresses that must be left when all threads have started, and while one starts, on top of its stack: for
/// what a thread needs before its first line, and for the small allocations of a search.
const SPARE_BYTES: usize = 32 << 20;

/// How many bytes of addresses the allocator may reserve for this many threads more, and keep when they end: that of glibc has an
/// arena of 64 MB for each, up to eight for each processor.
fn allocator_addresses(threads: usize) -> usize {
    const ARENA: usize = 64 << 20;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    if cfg!(all(target_os = "linux", target_env = "gnu")) { threads.min(8 * processors) * ARENA } else { 0 }
}

fn out_of_memory(cause: impl Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, cause)
}

impl GroupShared {
    fn new(placement: &Placement, group: usize) -> GroupShared {
        let is_member = |place: &&ThreadPlacement| place.cache_group == group;
        GroupShared {
            threads: placement.threads.iter().filter(is_member).count(),
            owner: placement.threads.iter().position(|place| is_member(&place)),
            histories: OnceLock::new(),
        }
    }
}

/// The state of a search thread.
struct SearchThread {
    id: usize,
    /// The thread clears what the threads of its group share.
    owns_shared: bool,
    worker: Worker,
}

impl SearchThread {
    /// Binds the calling thread to its processors and allocates its memory there.
    ///
    /// # Errors
    /// If there is no memory.
    fn new(
        id: usize,
        yields_at_start: u32,
        place: &ThreadPlacement,
        shared: &GroupShared,
    ) -> io::Result<SearchThread> {
        schedule::request_slice(Slice::Usual);
        // If the system refuses, the thread runs on any processor.
        topology::bind(place);
        let histories =
            shared.histories.get_or_init(|| SharedHistories::new(shared.threads).ok().map(Arc::new));
        let histories = histories.as_ref().ok_or(io::ErrorKind::OutOfMemory)?;
        let worker = Worker::new(id, place.numa_node, Arc::clone(histories)).map_err(out_of_memory)?;
        let worker = Worker { yields_at_start, ..worker };
        Ok(SearchThread { id, owns_shared: shared.owner == Some(id), worker })
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
                        self.worker.histories.shared.clear();
                    }
                }
                Task::Broadcast(function) => function(self.id),
                Task::Sync(group) => drop(group),
                Task::Quit => break,
            }
        }
    }
}
