//! Table 7: which contenders recognise zugzwang, and when.

use std::path::Path;

use caesura::board::Board;
use caesura::board::notation;
use caesura::engine::Info;
use caesura::engine::Limits;
use caesura::engine::SearchResult;
use caesura::suite::TestPosition;
use caesura::types::Score;
use datagen::ordered::Control;
use serde::{Deserialize, Serialize};

use crate::contender::Contender;
use crate::limit::Limit;
use crate::origin::Origin;
use crate::runner::{self, Summary};
use crate::searcher::{SearchTrace, Searcher, mode_name};
use crate::store::Store;
use crate::{LabError, paper};

/// The file of results.
pub const FILE: &str = "zugzwang.jsonl";
/// The name of the paper's position.
pub const PAPER_POSITION: &str = "figure 3";

/// The iteration from which the solution stayed the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedAt {
    /// The depth, in plies.
    pub depth: i32,
    /// The nodes.
    pub nodes: u64,
    /// The time, in milliseconds.
    pub milliseconds: u64,
}

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Who searched.
    pub contender: String,
    /// Without modern prunings.
    pub plain: bool,
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
    pub since: Option<SolvedAt>,
    /// The mate announced at the end, in moves.
    pub mate: Option<i32>,
    /// From when on the mate was not longer than the paper's, in the paper's position.
    pub mate_since: Option<SolvedAt>,
    /// The score at the end, in centipawns or mate distance.
    pub score: i32,
    /// The depth of the last iteration.
    pub depth: i32,
    /// The nodes searched.
    pub nodes: u64,
    /// The time of the search in milliseconds.
    pub milliseconds: u64,
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
    /// Without modern prunings.
    pub plain: bool,
    /// The table of each search, in megabytes.
    pub hash: usize,
    /// How many searches at a time.
    pub threads: usize,
}

/// The paper's position as a test position.
///
/// # Errors
/// If it cannot be parsed.
pub fn paper_task() -> Result<TestPosition, LabError> {
    let fields: Vec<&str> = paper::ZUGZWANG.split(' ').take(4).collect();
    let line = format!("{} bm h3; id \"{PAPER_POSITION}\";", fields.join(" "));
    TestPosition::parse(1, &line)
        .map_err(|error| LabError::Position { id: PAPER_POSITION.into(), source: error.into() })
}

/// Searches what has not been searched yet.
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
    let paper = paper_task()?;
    let mut positions: Vec<(&str, &TestPosition)> = vec![("paper", &paper)];
    positions.extend(
        options.suites.iter().flat_map(|(name, tasks)| tasks.iter().map(move |task| (name.as_str(), task))),
    );
    let mut tasks = Vec::new();
    for (suite, task) in positions {
        for contender in &options.contenders {
            let (mode, limit) = (mode_name(options.plain), options.limit);
            let key = format!("{contender} {mode} {suite} {} {limit} hash {}", task.id, options.hash);
            tasks.push((key, (contender.clone(), suite.to_string(), task.clone())));
        }
    }
    let worker = || {
        let mut searcher = Searcher::new(options.hash)?;
        Ok(move |(contender, suite, task): &(Contender, String, TestPosition)| {
            searcher.new_game()?;
            let is_paper = task.id == PAPER_POSITION;
            // The search may end as soon as it finds the mate of the paper.
            let mate = is_paper.then_some(paper::ZUGZWANG_MATE as u32);
            let limits = Limits { mate, ..options.limit.search() };
            let found = searcher.search(contender, options.plain, &task.board, limits)?;
            Ok(Some(record_of(contender, options, suite, task, &found)))
        })
    };
    runner::run(&mut store, tasks, options.threads, control, worker, runner::run_all)
}

fn record_of(
    contender: &Contender,
    options: &Options,
    suite: &str,
    task: &TestPosition,
    found: &SearchTrace,
) -> Record {
    let right = |best, score| {
        let lines = vec![Info { score, ..Info::default() }];
        task.judge(&SearchResult { best, lines, ..SearchResult::default() }).solved
    };
    let score = found.iterations.last().map_or(0, |last| last.score);
    let solved = right(found.best, score);
    let kept = found.iterations.iter().rev().take_while(|step| right(step.best, step.score)).last();
    let at = |step: &crate::searcher::Iteration| SolvedAt {
        depth: step.depth,
        nodes: step.nodes,
        milliseconds: step.time.as_millis() as u64,
    };
    let mate = |score| match Score::from(score) {
        Score::Mate(moves) => Some(moves),
        Score::Centipawns(_) => None,
    };
    let near = |score| mate(score).is_some_and(|moves| (1..=paper::ZUGZWANG_MATE).contains(&moves));
    let mate_step = found.iterations.iter().find(|step| task.id == PAPER_POSITION && near(step.score));
    Record {
        contender: contender.to_string(),
        plain: options.plain,
        suite: suite.to_string(),
        position: task.id.clone(),
        limit: options.limit.to_string(),
        best: found.best.map_or_else(|| "none".into(), |m| notation::to_san(&task.board as &Board, m)),
        solved,
        since: kept.filter(|_| solved).map(at),
        mate: mate(score),
        mate_since: mate_step.map(at),
        score,
        depth: found.iterations.last().map_or(0, |last| last.depth),
        nodes: found.nodes,
        milliseconds: found.time.as_millis() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_position_is_a_task() {
        let task = paper_task().unwrap();
        assert_eq!((task.id.as_str(), task.wanted.as_str()), (PAPER_POSITION, "bm h3"));
    }
}
