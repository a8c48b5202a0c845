//! Runs tasks on many threads and delivers their results in the order of the tasks.
//!
//! With this order, a run with a seed gives the same results on any number of threads, and the games of a file are an
//! unbroken sequence however the run ends.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use caesura::single_threaded::STACK_SIZE;
use crossbeam::channel::{self, RecvTimeoutError};

use crate::cli::print_message;

/// The longest time between two calls of the sink.
const TICK: Duration = Duration::from_millis(200);

/// Flags by which a run is stopped from outside. Use one for each run: its end sets `abandon`.
#[derive(Debug, Default)]
pub struct Control {
    /// No further task begins.
    pub finish: AtomicBool,
    /// Tasks in progress are abandoned.
    pub abandon: AtomicBool,
    /// The run was interrupted, which need not be what set `finish`.
    interrupted: AtomicBool,
}

impl Control {
    /// Stops the run: after the first call tasks in progress are finished, after the second they are abandoned.
    pub fn interrupt(&self) {
        self.finish.store(true, Ordering::Relaxed);
        if self.interrupted.swap(true, Ordering::Relaxed) {
            self.abandon.store(true, Ordering::Relaxed);
        }
    }

    /// True if [`Control::interrupt`] was called.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// True if no further task begins.
    pub fn is_finishing(&self) -> bool {
        self.finish.load(Ordering::Relaxed)
    }
}

/// The system refuses every thread.
#[derive(Debug, thiserror::Error)]
#[error("no thread can be started")]
pub struct NoThread(#[source] pub io::Error);

/// Distributes the tasks to `threads` workers and passes their results to `sink`, in the order of the tasks.
///
/// `worker` is called once in each thread and returns the function that does a task. That function returns `None` for a
/// task that it abandoned; results of later tasks are then dropped. `sink` gets every result, and `None` several times a
/// second so that it can look at the clock; it returns whether to continue.
///
/// # Errors
/// The first error of a task, in the order of the tasks, of the sink, or of the creation of a worker; [`NoThread`] if nothing can
/// be done. With fewer threads than were asked for, a message says so.
pub fn run<T, R, E, W>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    control: &Control,
    worker: impl Fn() -> Result<W, E> + Sync,
    mut sink: impl FnMut(Option<R>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
    E: Send + From<NoThread>,
    W: FnMut(T) -> Result<Option<R>, E>,
{
    let tasks = Mutex::new(tasks.enumerate());
    let (results, inbox) = channel::bounded(2 * threads);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for started in 0..threads {
            let results = results.clone();
            let (tasks, worker, over) = (&tasks, &worker, &over);
            let thread = thread::Builder::new().stack_size(STACK_SIZE);
            let spawned = thread.spawn_scoped(scope, move || {
                let mut work = match worker() {
                    Ok(work) => work,
                    Err(error) => {
                        // The receiver is gone if the run has ended.
                        let _ = results.send(Err(error));
                        return;
                    }
                };
                while !over.load(Ordering::Relaxed) && !control.is_finishing() {
                    let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, task)) = task else { return };
                    let Some(result) = work(task).transpose() else { return };
                    if results.send(Ok((number, result))).is_err() {
                        return;
                    }
                }
            });
            if let Err(error) = spawned {
                if started == 0 {
                    return Err(NoThread(error).into());
                }
                print_message(format_args!("started only {started} of {threads} threads: {error}"));
                break;
            }
        }
        drop(results);
        let mut early = BTreeMap::new();
        let mut next = 0;
        let end = loop {
            match inbox.recv_timeout(TICK) {
                Ok(Ok((number, result))) => {
                    early.insert(number, result);
                }
                Ok(Err(error)) => break Err(error),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            }
            let mut flow = sink(None);
            while let Ok(ControlFlow::Continue(())) = flow
                && let Some(result) = early.remove(&next)
            {
                next += 1;
                flow = result.and_then(|result| sink(Some(result)));
            }
            match flow {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        over.store(true, Ordering::Relaxed);
        // Results of tasks in progress are not needed: workers that check the flag abandon them.
        control.abandon.store(true, Ordering::Relaxed);
        drop(inbox);
        end
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[derive(Debug, PartialEq)]
    enum Failure {
        Task(u64),
        Worker,
        NoThread,
    }

    impl From<NoThread> for Failure {
        fn from(_: NoThread) -> Failure {
            Failure::NoThread
        }
    }

    fn squares(threads: usize, tasks: u64, enough: usize) -> Result<Vec<u64>, Failure> {
        let mut seen = Vec::new();
        run(
            threads,
            0..tasks,
            &Control::default(),
            || {
                Ok(|task: u64| {
                    // Uneven work, so that results arrive out of order.
                    let turns = if task.is_multiple_of(3) { 20_000 } else { 10 };
                    let noise = (0..turns).fold(task, |sum, turn| std::hint::black_box(sum ^ turn));
                    std::hint::black_box(noise);
                    if task == 77 { Err(Failure::Task(task)) } else { Ok(Some(task * task)) }
                })
            },
            |result| {
                seen.extend(result);
                Ok(if seen.len() >= enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )?;
        Ok(seen)
    }

    #[test]
    fn results_come_in_order_and_end_when_told() {
        for threads in [1, 2, 5] {
            let all: Vec<u64> = (0..70).map(|n| n * n).collect();
            assert_eq!(squares(threads, 70, usize::MAX).as_ref(), Ok(&all));
            assert_eq!(squares(threads, u64::MAX, 20).as_ref().map(Vec::len), Ok(20));
            assert_eq!(squares(threads, 100, usize::MAX), Err(Failure::Task(77)));
            assert_eq!(squares(threads, 0, 1), Ok(vec![]));
        }
    }

    #[test]
    fn a_worker_that_cannot_be_made_ends_the_work() {
        let made = AtomicUsize::new(0);
        let end = run(
            2,
            0u64..,
            &Control::default(),
            || match made.fetch_add(1, Ordering::Relaxed) {
                0 => Ok(|task| Ok(Some(task))),
                _ => {
                    // Fails only after the other worker has delivered results.
                    while made.load(Ordering::Relaxed) < 100 {
                        thread::yield_now();
                    }
                    Err(Failure::Worker)
                }
            },
            |result| {
                made.fetch_add(usize::from(result.is_some()), Ordering::Relaxed);
                Ok(ControlFlow::Continue(()))
            },
        );
        assert_eq!(end, Err(Failure::Worker));
    }

    #[test]
    fn the_first_interrupt_abandons_nothing_whatever_ended_the_run_before() {
        for is_over in [false, true] {
            let control = Control::default();
            control.finish.store(is_over, Ordering::Relaxed);
            for (interrupts, is_abandoned) in [(1, false), (2, true), (3, true)] {
                assert_eq!(control.is_interrupted(), interrupts > 1);
                control.interrupt();
                assert!(control.is_finishing() && control.is_interrupted());
                assert_eq!(control.abandon.load(Ordering::Relaxed), is_abandoned, "{is_over} {interrupts}");
            }
        }
    }

    #[test]
    fn an_interrupted_run_keeps_an_unbroken_beginning() {
        let control = Control::default();
        let mut seen = Vec::new();
        let end: Result<(), Failure> = run(
            3,
            0u64..,
            &control,
            || Ok(|task| Ok(Some(task))),
            |result| {
                seen.extend(result);
                if seen.len() == 50 {
                    control.interrupt();
                }
                Ok(ControlFlow::Continue(()))
            },
        );
        assert_eq!(end, Ok(()));
        assert!(seen.len() >= 50);
        assert!(seen.iter().copied().eq(0..seen.len() as u64));
    }
}
