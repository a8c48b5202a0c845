//! Tables 3, 4 and 5: positions solved within a limit.

use caesura::suite::TestPosition;
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::experiment::{CommonOptions, RunContext, SearchTask, default_hash, search_all};
use crate::limit::Limit;
use crate::mode::Mode;
use crate::positions::is_solved;
use crate::runner::Summary;
use crate::searcher::SearchTrace;

/// The file of results.
pub const FILE: &str = "tactics.jsonl";

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Who searched.
    pub contender: String,
    /// The search mode of all contenders.
    #[serde(alias = "plain")]
    pub mode: Mode,
    /// The transposition table of each search, in megabytes.
    #[serde(default = "default_hash")]
    pub hash: usize,
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
    /// Options of every experiment.
    pub common: CommonOptions,
}

/// Does the searches that are not stored yet. With a limit in nodes every run has the same result: there is only one.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    let (common, suite, limit) = (&options.common, &options.suite, options.limit);
    let runs = if limit.is_deterministic() { 1 } else { options.runs };
    let mut tasks = Vec::new();
    // Position by position, so that whatever slows the machine down meets all contenders.
    for run in 1..=runs {
        for (index, task) in options.tasks.iter().enumerate() {
            for contender in &options.contenders {
                let (mode, number, hash) = (common.mode, index + 1, common.hash);
                tasks.push(SearchTask {
                    key: format!(
                        "{contender} {mode} {suite} {number} {} {limit} hash {hash} run {run}",
                        task.id
                    ),
                    contender: contender.clone(),
                    board: task.board.clone(),
                    limits: limit.search(),
                    subject: (task, run),
                });
            }
        }
    }
    let record = |task: &SearchTask<(&TestPosition, u32)>, trace: &SearchTrace| {
        let (position, run) = task.subject;
        let last = trace.iterations.last();
        Record {
            contender: task.contender.to_string(),
            mode: common.mode,
            hash: common.hash,
            suite: suite.clone(),
            limit: limit.to_string(),
            run,
            position: position.id.clone(),
            solved: is_solved(position, trace.best, last.map_or(0, |last| last.score)),
            depth: last.map_or(0, |last| last.depth),
            nodes: trace.nodes,
            milliseconds: trace.time.as_millis() as u64,
        }
    };
    search_all(context, FILE, common, tasks, record, |records| {
        let here = |record: &&Record| {
            record.suite == *suite
                && record.limit == limit.to_string()
                && (record.mode, record.hash) == (common.mode, common.hash)
        };
        format!("{} solved", records.iter().filter(here).filter(|record| record.solved).count())
    })
}
