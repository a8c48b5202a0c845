//! What a null move is worth in games: one contender against another, by the evaluation and by the limit.
//!
//! A null move stands or falls with the evaluation that it is judged by, and with the depth at which it saves. So the same
//! pair of contenders plays with each evaluation at each limit, from the same openings.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use caesura::board::{Board, Setup};
use caesura::engine::{EMBEDDED_NETWORK, MATERIAL_NETWORK, Network, load_network};
use serde::{Deserialize, Serialize};
use toolkit::file_identity::with_hash;

use crate::LabError;
use crate::contender::Contender;
use crate::experiment::{CommonOptions, RunContext, default_hash, no_message};
use crate::game::{EnginePair, GameRecord, half_points};
use crate::limit::Limit;
use crate::match_play::{pairs_of, pairs_to_play, shuffled};
use crate::mode::Mode;
use crate::runner::{self, Summary};

/// The file of results.
pub const FILE: &str = "worth.jsonl";
/// Who plays whom, if nothing else is said.
pub const SIDES: [&str; 2] = ["tuned", "off"];
/// The limits of a move, if none are given.
pub const LIMITS: [Limit; 3] = [Limit::Nodes(500), Limit::Nodes(2000), Limit::Nodes(8000)];

/// What positions are evaluated by.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Its name in results: `<material>`, `<embedded>`, or that of the file, without directories, and the network's.
    pub name: String,
    /// The network.
    pub network: Arc<Network>,
}

impl Evaluation {
    /// The network in a file, or one of those that the engine has.
    ///
    /// # Errors
    /// If the file cannot be read or does not hold a network of the engine's architecture.
    pub fn load(path: &Path) -> Result<Evaluation, LabError> {
        let network = load_network(path)
            .map_err(|source| LabError::Network { path: path.to_path_buf(), source: Box::new(source) })?;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let is_built_in = [EMBEDDED_NETWORK, MATERIAL_NETWORK].iter().any(|name| path == Path::new(name));
        let name = if is_built_in { name } else { with_hash(&name, &network.name()) };
        Ok(Evaluation { name, network })
    }
}

/// The two games of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The first side.
    pub first: String,
    /// The second side.
    pub second: String,
    /// What both evaluated by.
    pub evaluation: String,
    /// The search mode of all contenders.
    pub mode: Mode,
    /// The transposition table of each player, in megabytes.
    #[serde(default = "default_hash")]
    pub hash: usize,
    /// The limit of each move.
    pub limit: String,
    /// The name of the book.
    pub book: String,
    /// The seed of the order of the openings.
    pub seed: u64,
    /// The number of the pair, from 0.
    pub pair: u32,
    /// The half points of the first side: 0 to 4.
    pub half_points: usize,
    /// The games, first with the first side White.
    pub games: [GameRecord; 2],
}

/// What to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sides.
    pub sides: [Contender; 2],
    /// What both evaluate by, one after the other; each name once.
    pub evaluations: Vec<Evaluation>,
    /// The limits of a move, one after the other.
    pub limits: Vec<Limit>,
    /// The openings.
    pub book: Vec<Setup>,
    /// The name of the book.
    pub book_name: String,
    /// The seed of the order of the openings.
    pub seed: u64,
    /// The number of games with each evaluation at each limit, two for each opening.
    pub games: u32,
    /// Options of every experiment.
    pub common: CommonOptions,
}

/// Plays the pairs that are not stored yet: one with each evaluation at each limit, then the next opening, so that a run
/// that is cut short has as many of each.
///
/// # Errors
/// If the book is empty, two evaluations have the same name, an engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    if options.book.is_empty() {
        return Err(LabError::NoOpenings);
    }
    let mut names = HashSet::new();
    if let Some(twice) = options.evaluations.iter().find(|one| !names.insert(&one.name)) {
        return Err(LabError::SameName(twice.name.clone()));
    }
    let (common, [first, second]) = (&options.common, &options.sides);
    let mut tasks = Vec::new();
    for pair in 0..pairs_of(options.games) {
        for evaluation in &options.evaluations {
            for &limit in &options.limits {
                if pair >= pairs_to_play(options.games, limit, options.book.len()) {
                    continue;
                }
                let key = format!(
                    "{first} against {second} with {} {} {limit} {} seed {} hash {}{} pair {pair}",
                    evaluation.name,
                    common.mode,
                    options.book_name,
                    options.seed,
                    common.hash,
                    common.threads_suffix()
                );
                tasks.push((key, (pair, evaluation, limit)));
            }
        }
    }
    let book = shuffled(&options.book, options.seed);
    let worker = || {
        let mut table = EnginePair::new(common.hash, common.search_threads)?;
        let book = &book;
        Ok(move |&(pair, evaluation, limit): &(u32, &Evaluation, Limit)| {
            table.set_network(&evaluation.network)?;
            let opening = Board::from_setup(book[pair as usize % book.len()]);
            let games =
                table.play_pair(&opening, [first, second], common.mode, limit, &context.control.abandon)?;
            Ok(games.map(|games| Record {
                first: first.to_string(),
                second: second.to_string(),
                evaluation: evaluation.name.clone(),
                mode: common.mode,
                hash: common.hash,
                limit: limit.to_string(),
                book: options.book_name.clone(),
                seed: options.seed,
                pair,
                half_points: half_points(&games),
                games,
            }))
        })
    };
    let mut store = context.store(FILE)?;
    runner::run(&mut store, tasks, common.threads, &context.control, worker, |records| {
        (ControlFlow::Continue(()), no_message(records))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn evaluations_are_named_without_directories_and_by_their_contents() {
        let material = Evaluation::load(Path::new("<material>")).unwrap();
        assert_eq!(material.name, "<material>");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("best.nnue");
        let name_of_file = |network: &Network| {
            fs::write(&path, network.file()).unwrap();
            Evaluation::load(&path).unwrap().name
        };
        let name = name_of_file(&material.network);
        assert!(name.starts_with("best.nnue@"), "{name}");
        assert_ne!(name, name_of_file(&load_network(Path::new("<embedded>")).unwrap()));
        let missing = Evaluation::load(Path::new("no/such/net.nnue"));
        assert!(matches!(missing, Err(LabError::Network { .. })));
    }
}
