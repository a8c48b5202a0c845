//! Runs the tasks whose results are not stored yet, on several threads, with a progress bar.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toolkit::ordered::{self, Control};
use toolkit::progress::StepProgress;

use crate::LabError;
use crate::store::Store;

/// How many tasks a run had and did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many tasks there are.
    pub tasks: usize,
    /// How many had been done before.
    pub before: usize,
    /// How many were done now.
    pub now: usize,
}

impl Summary {
    /// The summary of a run that went on where an earlier one of the same tasks had stopped.
    pub fn since(earlier: Option<Summary>, later: Summary) -> Summary {
        match earlier {
            Some(earlier) => Summary { before: earlier.before, now: earlier.now + later.now, ..later },
            None => later,
        }
    }

    /// True if nothing is left.
    pub const fn is_complete(&self) -> bool {
        self.before + self.now == self.tasks
    }
}

impl std::iter::Sum for Summary {
    fn sum<I: Iterator<Item = Summary>>(all: I) -> Summary {
        all.fold(Summary::default(), |sum, one| Summary {
            tasks: sum.tasks + one.tasks,
            before: sum.before + one.before,
            now: sum.now + one.now,
        })
    }
}

/// Does all tasks whose keys the store does not have, each once whatever the number of tasks with its key, and stores their
/// results in the order of the tasks, on any number of threads.
///
/// `worker` is called once in each thread; the function that it returns returns `None` for a task that it abandoned.
/// `enough` is called with all results after each one; it returns whether to continue, and what the bar shows.
///
/// # Errors
/// If a worker fails or a result cannot be written. What was written before stays.
pub fn run<T, R, W>(
    store: &mut Store<R>,
    tasks: Vec<(String, T)>,
    threads: usize,
    control: &Control,
    worker: impl Fn() -> Result<W, LabError> + Sync,
    mut enough: impl FnMut(&[R]) -> (ControlFlow<()>, String),
) -> Result<Summary, LabError>
where
    T: Send,
    R: Serialize + DeserializeOwned + Clone + Send,
    W: FnMut(&T) -> Result<Option<R>, LabError>,
{
    let mut keys = HashSet::new();
    let (done, left): (Vec<_>, Vec<(String, T)>) =
        tasks.into_iter().filter(|(key, _)| keys.insert(key.clone())).partition(|(key, _)| store.has(key));
    let mut summary = Summary { tasks: done.len() + left.len(), before: done.len(), now: 0 };
    let mut progress = StepProgress::new("tasks", summary.tasks as u64, summary.before as u64);
    if summary.before > 0 && enough(store.records()).0.is_break() {
        return Ok(summary);
    }
    let make = || {
        let mut work = worker()?;
        Ok(move |(key, task): (String, T)| -> Result<Option<(String, R)>, LabError> {
            Ok(work(&task)?.map(|record| (key, record)))
        })
    };
    let end = ordered::run(threads, left.into_iter(), control, make, |result| {
        let Some((key, record)) = result else { return Ok(ControlFlow::Continue(())) };
        store.append(&key, record)?;
        summary.now += 1;
        let (flow, message) = enough(store.records());
        progress.show((summary.before + summary.now) as u64, &message);
        Ok(flow)
    });
    progress.finish();
    end?;
    Ok(summary)
}

/// Writes how many tasks were done now, before, and are left.
///
/// # Errors
/// If it cannot be written.
pub fn print_summary(out: &mut impl io::Write, summary: &Summary) -> io::Result<()> {
    let Summary { tasks, before, now } = summary;
    writeln!(out, "{now} done, {before} done before, {} left", tasks - before - now)
}
