//! Table 7: which contenders recognise zugzwang, and when.

use caesura::board::notation;
use caesura::engine::Limits;
use caesura::suite::TestPosition;
use caesura::types::Score;
use serde::{Deserialize, Serialize};

use crate::contender::Contender;
use crate::experiment::{
    CommonOptions, RunContext, SearchTask, default_hash, no_message, one_thread, search_all,
};
use crate::limit::Limit;
use crate::mode::Mode;
use crate::positions::is_solved;
use crate::runner::Summary;
use crate::searcher::{Iteration, SearchPoint, SearchTrace};
use crate::{LabError, paper};

/// The file of results.
pub const FILE: &str = "zugzwang.jsonl";

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
    /// The threads of the search.
    #[serde(default = "one_thread")]
    pub search_threads: usize,
    /// The suite.
    pub suite: String,
    /// The position.
    pub position: String,
    /// The limit of the search.
    pub limit: String,
    /// The move chosen, in SAN.
    pub best: String,
    /// The move is right.
    pub solved: bool,
    /// From when on it was the best move.
    pub since: Option<SearchPoint>,
    /// The mate announced at the end, in moves.
    pub mate: Option<i32>,
    /// From when on the mate was not longer than the paper's, in the paper's position.
    pub mate_since: Option<SearchPoint>,
    /// The score at the end, in centipawns or mate distance.
    pub score: i32,
    /// The depth of the last iteration.
    pub depth: i32,
    /// The nodes searched.
    pub nodes: u64,
    /// The time of the search in milliseconds.
    pub milliseconds: u64,
}

impl Record {
    /// The nodes from which on its best move was right; all nodes of the search where no move was right before its end.
    pub fn nodes_to_solve(&self) -> u64 {
        self.since.map_or(self.nodes, |since| since.nodes).max(1)
    }
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The suites by name; the paper's position comes before them.
    pub suites: Vec<(String, Vec<TestPosition>)>,
    /// The limit of each search.
    pub limit: Limit,
    /// Options of every experiment.
    pub common: CommonOptions,
}

/// The paper's position as a test position.
///
/// # Errors
/// If it cannot be parsed.
pub fn paper_task() -> Result<TestPosition, LabError> {
    let fields: Vec<&str> = paper::ZUGZWANG.split(' ').take(4).collect();
    let line = format!("{} bm h3; id \"{}\";", fields.join(" "), paper::ZUGZWANG_ID);
    TestPosition::parse(1, &line)
        .map_err(|error| LabError::Position { id: paper::ZUGZWANG_ID.into(), source: error.into() })
}

/// Does the searches that are not stored yet.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    run_into(context, FILE, options)
}

/// Does the searches that this file of results does not have yet.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn run_into(context: &RunContext, file: &str, options: &Options) -> Result<Summary, LabError> {
    let (common, limit) = (&options.common, options.limit);
    let paper = paper_task()?;
    let of_suites =
        options.suites.iter().flat_map(|(suite, tasks)| tasks.iter().map(|task| (suite.as_str(), task)));
    let mut tasks = Vec::new();
    for (suite, task) in [("paper", &paper)].into_iter().chain(of_suites) {
        // The search of the paper's position may end as soon as it finds the paper's mate.
        let mate = (task.id == paper::ZUGZWANG_ID).then_some(paper::ZUGZWANG_MATE as u32);
        for contender in &options.contenders {
            let (mode, hash, threads) = (common.mode, common.hash, common.threads_suffix());
            tasks.push(SearchTask {
                key: format!("{contender} {mode} {suite} {} {limit} hash {hash}{threads}", task.id),
                contender: contender.clone(),
                board: task.board.clone(),
                limits: Limits { mate, ..limit.search() },
                subject: (suite, task),
            });
        }
    }
    search_all(context, file, common, tasks, |task, trace| record_of(task, trace, options), no_message)
}

fn record_of(task: &SearchTask<(&str, &TestPosition)>, trace: &SearchTrace, options: &Options) -> Record {
    let (suite, position) = task.subject;
    let score = trace.iterations.last().map_or(0, |last| last.score);
    let solved = is_solved(position, trace.best, score);
    let right = |step: &&Iteration| is_solved(position, step.best, step.score);
    let kept = trace.iterations.iter().rev().take_while(right).last();
    let mate = |score| match Score::from(score) {
        Score::Mate(moves) => Some(moves),
        Score::Centipawns(_) => None,
    };
    let near = |score| mate(score).is_some_and(|moves| (1..=paper::ZUGZWANG_MATE).contains(&moves));
    let mate_step =
        trace.iterations.iter().find(|step| position.id == paper::ZUGZWANG_ID && near(step.score));
    Record {
        contender: task.contender.to_string(),
        mode: options.common.mode,
        hash: options.common.hash,
        search_threads: options.common.search_threads,
        suite: suite.to_string(),
        position: position.id.clone(),
        limit: options.limit.to_string(),
        best: trace.best.map_or_else(|| "none".into(), |m| notation::to_san(&task.board, m)),
        solved,
        since: kept.filter(|_| solved).map(SearchPoint::of),
        mate: mate(score),
        mate_since: mate_step.map(SearchPoint::of),
        score,
        depth: trace.iterations.last().map_or(0, |last| last.depth),
        nodes: trace.nodes,
        milliseconds: trace.time.as_millis() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_position_is_a_task() {
        let task = paper_task().unwrap();
        assert_eq!((task.id.as_str(), task.wanted.as_str()), (paper::ZUGZWANG_ID, "bm h3"));
    }
}
