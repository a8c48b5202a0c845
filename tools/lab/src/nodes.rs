//! Table 2: the nodes of searches to fixed depths.

use caesura::engine::{Limits, NullCounts};
use caesura::types::Depth;
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::experiment::{CommonOptions, RunContext, SearchTask, default_hash, no_message, search_all};
use crate::mode::Mode;
use crate::positions::FixedDepthPosition;
use crate::runner::Summary;
use crate::searcher::{NullCountsDef, SearchTrace};

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
    /// The search mode of all contenders.
    #[serde(alias = "plain")]
    pub mode: Mode,
    /// The transposition table of each search, in megabytes.
    #[serde(default = "default_hash")]
    pub hash: usize,
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
    /// Options of every experiment.
    pub common: CommonOptions,
}

/// Does the searches that are not stored yet.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    let common = &options.common;
    let mut tasks = Vec::new();
    // Position by position, so that a run that is cut short has searched the same ones for all.
    for position in &options.positions {
        for contender in &options.contenders {
            let depth = (position.depth + options.raise).max(1);
            tasks.push(SearchTask {
                key: format!(
                    "{contender} {} {} depth {depth} hash {}",
                    common.mode, position.id, common.hash
                ),
                contender: contender.clone(),
                board: position.board()?,
                limits: Limits::depth(depth),
                subject: (position, depth),
            });
        }
    }
    let record = |task: &SearchTask<(&FixedDepthPosition, Depth)>, trace: &SearchTrace| Record {
        contender: task.contender.to_string(),
        mode: common.mode,
        hash: common.hash,
        position: task.subject.0.id.clone(),
        raise: options.raise,
        depth: task.subject.1,
        nodes: trace.nodes,
        milliseconds: trace.time.as_millis() as u64,
        counts: trace.counts,
    };
    search_all(context, FILE, common, tasks, record, no_message)
}
