//! Tables 3, 4 and 5: positions solved within a limit.

use std::path::Path;

use caesura::engine::SearchResult;
use caesura::suite::TestPosition;
use datagen::ordered::Control;
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::limit::Limit;
use crate::origin::Origin;
use crate::runner::{self, Summary};
use crate::searcher::{Searcher, mode_name};
use crate::store::Store;

/// The file of results.
pub const FILE: &str = "tactics.jsonl";

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Who searched.
    pub contender: String,
    /// Without modern prunings.
    pub plain: bool,
    /// The suite.
    pub suite: String,
    /// The limit of each search.
    pub limit: String,
    /// The number of the run, from 1.
    pub run: u32,
    /// The position.
    pub position: String,
    /// The move is right.
    pub solved: bool,
    /// The depth reached.
    pub depth: i32,
    /// The nodes it took.
    pub nodes: u64,
    /// The time it took, in milliseconds.
    pub milliseconds: u64,
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The name of the suite.
    pub suite: String,
    /// The positions.
    pub tasks: Vec<TestPosition>,
    /// The limit of each search.
    pub limit: Limit,
    /// How often each position is searched.
    pub runs: u32,
    /// Without modern prunings.
    pub plain: bool,
    /// The table of each search, in megabytes.
    pub hash: usize,
    /// How many searches at a time.
    pub threads: usize,
}

/// Searches what has not been searched yet. With a limit in nodes one run is as good as many.
///
/// # Errors
/// If the engine refuses or results cannot be stored.
pub fn run(
    directory: &Path,
    origin: &Origin,
    options: &Options,
    control: &Control,
) -> Result<Summary, LabError> {
    let mut store: Store<Record> = Store::open(&directory.join(FILE), origin)?;
    let runs = if options.limit.is_deterministic() { 1 } else { options.runs };
    let mut tasks = Vec::new();
    // Position by position, so that contenders share whatever slows the machine down.
    for run in 1..=runs {
        for (index, task) in options.tasks.iter().enumerate() {
            for contender in &options.contenders {
                let (mode, suite, limit) = (mode_name(options.plain), &options.suite, options.limit);
                let key = format!(
                    "{contender} {mode} {suite} {} {} {limit} hash {} run {run}",
                    index + 1,
                    task.id,
                    options.hash
                );
                tasks.push((key, (contender.clone(), index, run)));
            }
        }
    }
    let worker = || {
        let mut searcher = Searcher::new(options.hash)?;
        Ok(move |(contender, index, run): &(Contender, usize, u32)| {
            let task = &options.tasks[*index];
            searcher.new_game()?;
            let found = searcher.search(contender, options.plain, &task.board, options.limit.search())?;
            let outcome = SearchResult { best: found.best, ..SearchResult::default() };
            Ok(Some(Record {
                contender: contender.to_string(),
                plain: options.plain,
                suite: options.suite.clone(),
                limit: options.limit.to_string(),
                run: *run,
                position: task.id.clone(),
                solved: task.judge(&outcome).solved,
                depth: found.iterations.last().map_or(0, |last| last.depth),
                nodes: found.nodes,
                milliseconds: found.time.as_millis() as u64,
            }))
        })
    };
    runner::run(&mut store, tasks, options.threads, control, worker, |records| {
        let solved = records.iter().filter(|record| record.solved).count();
        (std::ops::ControlFlow::Continue(()), format!("{solved} solved"))
    })
}
