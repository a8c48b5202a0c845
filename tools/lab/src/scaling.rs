//! How the price of reducing instead of cutting grows with depth.

use std::path::Path;

use caesura::engine::Limits;
use caesura::engine::NullCounts;
use caesura::types::Depth;
use datagen::ordered::Control;
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::origin::Origin;
use crate::positions::FixedDepthPosition;
use crate::runner::{self, Summary};
use crate::searcher::{NullCountsDef, Searcher, mode_name};
use crate::store::Store;

/// The file of results.
pub const FILE: &str = "scaling.jsonl";
/// The contenders if none are named.
pub const CONTENDERS: [&str; 2] = ["extended", "guarded"];

/// What it took to complete a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The depth, in plies.
    pub depth: Depth,
    /// The nodes since the start.
    pub nodes: u64,
    /// The milliseconds since the start.
    pub milliseconds: u64,
}

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Who searched.
    pub contender: String,
    /// Without modern prunings.
    pub plain: bool,
    /// The position.
    pub position: String,
    /// The greatest depth asked for.
    pub depth: Depth,
    /// Every depth that was completed.
    pub steps: Vec<Step>,
    /// What became of the null moves.
    #[serde(with = "NullCountsDef")]
    pub counts: NullCounts,
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The positions.
    pub positions: Vec<FixedDepthPosition>,
    /// The greatest depth.
    pub depth: Depth,
    /// The most nodes of a search.
    pub nodes: u64,
    /// Without modern prunings.
    pub plain: bool,
    /// The table of each search, in megabytes.
    pub hash: usize,
    /// How many searches at a time.
    pub threads: usize,
}

/// Searches what has not been searched yet: one search for each contender and position, recorded depth by depth.
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
    let mut tasks = Vec::new();
    for position in &options.positions {
        for contender in &options.contenders {
            let key = format!(
                "{contender} {} {} depth {} nodes {} hash {}",
                mode_name(options.plain),
                position.id,
                options.depth,
                options.nodes,
                options.hash
            );
            tasks.push((key, (contender.clone(), position.clone())));
        }
    }
    let worker = || {
        let mut searcher = Searcher::new(options.hash)?;
        Ok(move |(contender, position): &(Contender, FixedDepthPosition)| {
            let board = position.board()?;
            searcher.new_game()?;
            let limits =
                Limits { depth: Some(options.depth), nodes: Some(options.nodes), ..Limits::default() };
            let found = searcher.search(contender, options.plain, &board, limits)?;
            // The last depth may have run out of nodes.
            let whole = |depth| depth < options.depth && found.nodes >= options.nodes;
            let last = found.iterations.last().map_or(0, |last| last.depth);
            let mut steps: Vec<Step> = Vec::new();
            for iteration in &found.iterations {
                if iteration.depth == last && whole(last) {
                    continue;
                }
                let step = Step {
                    depth: iteration.depth,
                    nodes: iteration.nodes,
                    milliseconds: iteration.time.as_millis() as u64,
                };
                match steps.last_mut() {
                    Some(before) if before.depth == step.depth => *before = step,
                    _ => steps.push(step),
                }
            }
            Ok(Some(Record {
                contender: contender.to_string(),
                plain: options.plain,
                position: position.id.clone(),
                depth: options.depth,
                steps,
                counts: found.counts,
            }))
        })
    };
    runner::run(&mut store, tasks, options.threads, control, worker, runner::run_all)
}
