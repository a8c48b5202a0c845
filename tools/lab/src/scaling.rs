//! How the price of reducing instead of cutting grows with depth.

use caesura::engine::{Limits, NullCounts};
use caesura::types::Depth;
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::experiment::{CommonOptions, RunContext, SearchTask, default_hash, no_message, search_all};
use crate::mode::Mode;
use crate::positions::FixedDepthPosition;
use crate::runner::Summary;
use crate::searcher::{NullCountsDef, SearchPoint, SearchTrace};

/// The file of results.
pub const FILE: &str = "scaling.jsonl";
/// The contenders if none are named.
pub const CONTENDERS: [&str; 2] = ["extended", "guarded"];

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
    /// The greatest depth asked for.
    pub depth: Depth,
    /// The most nodes of the search; 0 in results that do not say.
    #[serde(default)]
    pub nodes: u64,
    /// Every depth that was completed.
    pub steps: Vec<SearchPoint>,
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
    /// Options of every experiment.
    pub common: CommonOptions,
}

/// Does the searches that are not stored yet: one for each contender and position, recorded depth by depth.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    let (common, depth, nodes) = (&options.common, options.depth, options.nodes);
    let mut tasks = Vec::new();
    for position in &options.positions {
        for contender in &options.contenders {
            let (mode, id, hash) = (common.mode, &position.id, common.hash);
            tasks.push(SearchTask {
                key: format!("{contender} {mode} {id} depth {depth} nodes {nodes} hash {hash}"),
                contender: contender.clone(),
                board: position.board()?,
                limits: Limits { depth: Some(depth), nodes: Some(nodes), ..Limits::default() },
                subject: id,
            });
        }
    }
    let record = |task: &SearchTask<&String>, trace: &SearchTrace| Record {
        contender: task.contender.to_string(),
        mode: common.mode,
        hash: common.hash,
        position: task.subject.clone(),
        depth,
        nodes,
        steps: completed_depths(trace, nodes),
        counts: trace.counts,
    };
    search_all(context, FILE, common, tasks, record, no_message)
}

/// The depths that a search with these limits completed, once each. Of a search that ran out of nodes, a depth behind which
/// nothing was reported is not complete.
fn completed_depths(trace: &SearchTrace, nodes: u64) -> Vec<SearchPoint> {
    // A search that ends by its depth has fewer nodes.
    let whole = if trace.nodes >= nodes { trace.followed } else { trace.iterations.len() };
    let mut steps: Vec<SearchPoint> = Vec::new();
    for iteration in &trace.iterations[..whole] {
        let step = SearchPoint::of(iteration);
        match steps.last_mut() {
            Some(before) if before.depth == step.depth => *before = step,
            _ => steps.push(step),
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searcher::Iteration;

    #[test]
    fn a_depth_that_ran_out_of_nodes_is_left_out() {
        let iteration = |(depth, nodes)| Iteration { depth, nodes, ..Iteration::default() };
        let iterations: Vec<Iteration> = [(1, 10), (2, 30), (2, 40), (3, 90)].map(iteration).into();
        let trace = SearchTrace { iterations, followed: 3, nodes: 100, ..SearchTrace::default() };
        let depths = |trace: &SearchTrace, nodes| -> Vec<(Depth, u64)> {
            completed_depths(trace, nodes).iter().map(|step| (step.depth, step.nodes)).collect()
        };
        assert_eq!(depths(&trace, 100), [(1, 10), (2, 40)]);
        assert_eq!(depths(&trace, 101), [(1, 10), (2, 40), (3, 90)]);
        assert_eq!(depths(&trace, 1000), [(1, 10), (2, 40), (3, 90)]);
        let repeated = SearchTrace { followed: 4, ..trace };
        assert_eq!(depths(&repeated, 100), [(1, 10), (2, 40), (3, 90)]);
    }
}
