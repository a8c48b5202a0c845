//! Table 2: the nodes of searches to fixed depths.

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
pub const FILE: &str = "nodes.jsonl";
/// The contenders if none are named.
pub const CONTENDERS: [&str; 7] =
    ["extended", "fixed:r=1", "fixed:r=2", "fixed:r=3", "fixed:r=4", "adaptive", "verified"];

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Who searched.
    pub contender: String,
    /// Without modern prunings.
    pub plain: bool,
    /// The position.
    pub position: String,
    /// By how much its depth was raised.
    pub raise: Depth,
    /// The depth.
    pub depth: Depth,
    /// The nodes it took.
    pub nodes: u64,
    /// The time it took, in milliseconds.
    pub milliseconds: u64,
    /// What became of the null moves.
    #[serde(with = "NullCountsDef")]
    pub counts: NullCounts,
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The positions with their depths.
    pub positions: Vec<FixedDepthPosition>,
    /// By how much all depths are raised.
    pub raise: Depth,
    /// Without modern prunings.
    pub plain: bool,
    /// The table of each search, in megabytes.
    pub hash: usize,
    /// How many searches at a time.
    pub threads: usize,
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
    let mut tasks = Vec::new();
    for contender in &options.contenders {
        for position in &options.positions {
            let depth = (position.depth + options.raise).max(1);
            let mode = mode_name(options.plain);
            let key = format!("{contender} {mode} {} depth {depth} hash {}", position.id, options.hash);
            tasks.push((key, (contender.clone(), position.clone(), depth)));
        }
    }
    let worker = || {
        let mut searcher = Searcher::new(options.hash)?;
        Ok(move |(contender, position, depth): &(Contender, FixedDepthPosition, Depth)| {
            let board = position.board()?;
            searcher.new_game()?;
            let limits = Limits { depth: Some(*depth), ..Limits::default() };
            let found = searcher.search(contender, options.plain, &board, limits)?;
            Ok(Some(Record {
                contender: contender.to_string(),
                plain: options.plain,
                position: position.id.clone(),
                raise: options.raise,
                depth: *depth,
                nodes: found.nodes,
                milliseconds: found.time.as_millis() as u64,
                counts: found.counts,
            }))
        })
    };
    runner::run(&mut store, tasks, options.threads, control, worker, runner::run_all)
}
