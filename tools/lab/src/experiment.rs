//! What all experiments have in common: where results go, how to search, and the loop over searches.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use caesura::board::Board;
use caesura::engine::Limits;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toolkit::ordered::Control;

use crate::LabError;
use crate::contender::Contender;
use crate::mode::Mode;
use crate::origin::Origin;
use crate::runner::{self, Summary};
use crate::searcher::{SearchTrace, Searcher};
use crate::store::Store;

/// Where the results of an experiment go, where they come from, and how it is interrupted.
#[derive(Clone, Debug)]
pub struct RunContext {
    /// The directory of the results.
    pub directory: PathBuf,
    /// The engine and the machine.
    pub origin: Origin,
    /// The flags by which the run is stopped.
    pub control: Arc<Control>,
}

impl RunContext {
    /// Opens the file of results of this name.
    ///
    /// # Errors
    /// If it cannot be read, parsed or written, or its results come from another engine or machine.
    pub fn store<R>(&self, file: &str) -> Result<Store<R>, LabError>
    where
        R: Serialize + DeserializeOwned + Clone,
    {
        Store::open(&self.directory.join(file), &self.origin)
    }
}

/// The transposition table of a search, in megabytes, if nothing else is said.
pub const DEFAULT_HASH: usize = 64;

/// The options that every experiment has.
#[derive(Clone, Copy, Debug)]
pub struct CommonOptions {
    /// The search mode of all contenders.
    pub mode: Mode,
    /// The transposition table of each search or engine, in megabytes.
    pub hash: usize,
    /// The number of searches or games at the same time.
    pub threads: usize,
    /// The threads of each search. If there are several and time is no limit, they take turns, so that searches repeat.
    pub search_threads: usize,
}

impl CommonOptions {
    /// What keys of results say of the threads of a search: nothing of a single one.
    pub fn threads_suffix(&self) -> String {
        if self.search_threads == 1 {
            String::new()
        } else {
            format!(" search threads {}", self.search_threads)
        }
    }
}

/// The threads of a search in results that do not say how many there were.
pub(crate) const fn one_thread() -> usize {
    1
}

/// The transposition table in results that do not say how large it was.
pub(crate) const fn default_hash() -> usize {
    DEFAULT_HASH
}

/// A search of one contender.
#[derive(Clone, Debug)]
pub struct SearchTask<T> {
    /// The key of its result in the store.
    pub key: String,
    /// The contender that searches.
    pub contender: Contender,
    /// The position.
    pub board: Board,
    /// The limits of the search.
    pub limits: Limits,
    /// What the experiment needs for the record besides.
    pub subject: T,
}

/// Does all searches whose results the file does not have, each with a cleared transposition table.
///
/// `record` makes the result of a search. `progress` is called with all results after each one and returns what the
/// progress bar shows.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn search_all<T, R>(
    context: &RunContext,
    file: &str,
    options: &CommonOptions,
    tasks: Vec<SearchTask<T>>,
    record: impl Fn(&SearchTask<T>, &SearchTrace) -> R + Sync,
    progress: impl Fn(&[R]) -> String,
) -> Result<Summary, LabError>
where
    T: Send,
    R: Serialize + DeserializeOwned + Clone + Send,
{
    let mut store = context.store(file)?;
    let tasks = tasks.into_iter().map(|task| (task.key.clone(), task)).collect();
    let worker = || {
        let mut searcher = Searcher::new(options.hash, options.search_threads)?;
        let record = &record;
        Ok(move |task: &SearchTask<T>| {
            searcher.new_game()?;
            let (contender, limits) = (&task.contender, task.limits.clone());
            let abandon = &context.control.abandon;
            let trace = searcher.search(contender, options.mode, &task.board, limits, abandon)?;
            Ok(trace.map(|trace| record(task, &trace)))
        })
    };
    runner::run(&mut store, tasks, options.threads, &context.control, worker, |records| {
        (ControlFlow::Continue(()), progress(records))
    })
}

/// For experiments whose progress bar shows only the count of searches.
pub fn no_message<R>(_records: &[R]) -> String {
    String::new()
}
