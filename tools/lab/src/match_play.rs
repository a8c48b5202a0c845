//! Table 6: a match between two contenders.

use std::ops::ControlFlow;

use caesura::board::{Board, Setup};
use caesura::util::random::shuffle;
use datagen::opening::GameRng;
use serde::{Deserialize, Serialize};
use toolkit::elo::Pentanomial;
use toolkit::sequential::{Sprt, Verdict};

use crate::LabError;
use crate::contender::Contender;
use crate::experiment::{CommonOptions, RunContext, default_hash, one_thread};
use crate::game::{EnginePair, GameRecord, half_points};
use crate::limit::Limit;
use crate::mode::Mode;
use crate::runner::{self, Summary};
use crate::store::Store;

/// The file of results.
pub const FILE: &str = "match.jsonl";

/// The two games of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The first side.
    pub first: String,
    /// The second side.
    pub second: String,
    /// The search mode of all contenders.
    #[serde(alias = "plain")]
    pub mode: Mode,
    /// The transposition table of each player, in megabytes.
    #[serde(default = "default_hash")]
    pub hash: usize,
    /// The threads of each player.
    #[serde(default = "one_thread")]
    pub search_threads: usize,
    /// The limit of each move.
    pub limit: String,
    /// The name of the book.
    pub book: String,
    /// The seed of the order of the openings.
    pub seed: u64,
    /// The number of the pair, from 0.
    pub pair: u32,
    /// The opening.
    pub opening: String,
    /// The half points of the first side: 0 to 4.
    pub half_points: usize,
    /// The games, first with the first side White.
    pub games: [GameRecord; 2],
}

/// What to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The first side.
    pub first: Contender,
    /// The second side.
    pub second: Contender,
    /// The openings.
    pub book: Vec<Setup>,
    /// The name of the book.
    pub book_name: String,
    /// The seed of the order of the openings.
    pub seed: u64,
    /// The number of games, two for each opening: an odd number is rounded down, 1 up.
    pub games: u32,
    /// The sequential test that may end the match early.
    pub sprt: Option<Sprt>,
    /// The limit of each move.
    pub limit: Limit,
    /// Options of every experiment.
    pub common: CommonOptions,
}

impl Options {
    /// The part of the key that all pairs of this match share.
    fn name(&self) -> String {
        format!(
            "{} against {} {} {} {} seed {} hash {}{}",
            self.first,
            self.second,
            self.common.mode,
            self.limit,
            self.book_name,
            self.seed,
            self.common.hash,
            self.common.threads_suffix()
        )
    }

    fn is_of(&self, record: &Record) -> bool {
        record.first == self.first.to_string()
            && record.second == self.second.to_string()
            && record.mode == self.common.mode
            && record.hash == self.common.hash
            && record.search_threads == self.common.search_threads
            && record.limit == self.limit.to_string()
            && record.book == self.book_name
            && record.seed == self.seed
    }
}

/// The openings in random order by the seed.
pub(crate) fn shuffled(book: &[Setup], seed: u64) -> Vec<&Setup> {
    let mut rng = GameRng::new(seed, u32::MAX);
    let mut order: Vec<&Setup> = book.iter().collect();
    shuffle(&mut order, |end| rng.below(end));
    order
}

/// The pairs of this many games, at least one.
pub(crate) fn pairs_of(games: u32) -> u32 {
    (games / 2).max(1)
}

/// How many pairs of games there are to play: with a limit of nodes no more than openings, since one that came again would be
/// the same games again, and no evidence.
pub(crate) fn pairs_to_play(games: u32, limit: Limit, openings: usize) -> u32 {
    let pairs = pairs_of(games);
    if limit.is_deterministic() { pairs.min(openings.try_into().unwrap_or(u32::MAX)) } else { pairs }
}

/// Plays the pairs that are not stored yet, each opening with both colours. Pairs count in the order of their numbers, so
/// that a sequential test ends at the same pair on any number of threads.
///
/// # Errors
/// If the book is empty, an engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<(Summary, Pentanomial), LabError> {
    if options.book.is_empty() {
        return Err(LabError::NoOpenings);
    }
    let mut store: Store<Record> = context.store(FILE)?;
    let book = shuffled(&options.book, options.seed);
    let (name, mode) = (options.name(), options.common.mode);
    let pairs = pairs_to_play(options.games, options.limit, book.len());
    let tasks = (0..pairs).map(|pair| (format!("{name} pair {pair}"), pair)).collect();
    let worker = || {
        let mut table = EnginePair::new(options.common.hash, options.common.search_threads)?;
        let book = &book;
        Ok(move |pair: &u32| {
            let opening = Board::from_setup(book[*pair as usize % book.len()]);
            let (first, second) = (&options.first, &options.second);
            let abandon = &context.control.abandon;
            let games = table.play_pair(&opening, [first, second], mode, options.limit, abandon)?;
            Ok(games.map(|games| Record {
                first: first.to_string(),
                second: second.to_string(),
                mode,
                hash: options.common.hash,
                search_threads: options.common.search_threads,
                limit: options.limit.to_string(),
                book: options.book_name.clone(),
                seed: options.seed,
                pair: *pair,
                opening: opening.to_string(),
                half_points: half_points(&games),
                games,
            }))
        })
    };
    let is_decided =
        |pairs: &Pentanomial| options.sprt.is_some_and(|test| pairs.verdict(test) != Verdict::Undecided);
    // Of an earlier run, more may be stored than this one asks for.
    let counted = |records: &[Record]| -> Pentanomial {
        let mut here: Vec<&Record> =
            records.iter().filter(|record| options.is_of(record) && record.pair < pairs).collect();
        here.sort_by_key(|record| record.pair);
        let mut counted = Pentanomial::default();
        for record in here {
            counted.add(record.half_points.min(4));
            if is_decided(&counted) {
                break;
            }
        }
        counted
    };
    let summary =
        runner::run(&mut store, tasks, options.common.threads, &context.control, worker, |records| {
            let pairs = counted(records);
            let flow = if is_decided(&pairs) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            (flow, pairs.estimate().to_string())
        })?;
    Ok((summary, counted(store.records())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_opening_is_played_twice_with_the_same_nodes() {
        let clock: Limit = "1000+10ms".parse().unwrap();
        for (games, limit, openings, pairs) in [
            (7, Limit::Nodes(500), 3, 3),
            (6, Limit::Nodes(500), 4, 3),
            (8, Limit::Nodes(500), 4, 4),
            (8, Limit::Nodes(500), 3, 3),
            (8, clock, 3, 4),
            (8, Limit::Time(5), 3, 4),
            // No more games than were asked for, but one pair.
            (7, clock, 3, 3),
            (3, Limit::Nodes(500), 4, 1),
            (1, Limit::Nodes(500), 4, 1),
        ] {
            assert_eq!(pairs_to_play(games, limit, openings), pairs, "{games} {limit} {openings}");
        }
    }

    #[test]
    fn shuffling_keeps_every_opening() {
        let book: Vec<Setup> = (0..50)
            .map(|index| {
                let mut board = Board::start();
                for step in [index, index / 20] {
                    let moves = board.legal_moves();
                    board.make_move(moves[step % moves.len()], &mut ());
                }
                board.setup()
            })
            .collect();
        let key = |setup: &Setup| Board::from_setup(setup).key();
        let keys = |book: Vec<&Setup>| book.into_iter().map(key).collect::<Vec<_>>();
        let (one, two) = (keys(shuffled(&book, 1)), keys(shuffled(&book, 2)));
        assert_ne!(one, two);
        assert_eq!(one, keys(shuffled(&book, 1)));
        let sorted = |mut keys: Vec<u64>| {
            keys.sort_unstable();
            keys
        };
        assert_eq!(sorted(one), sorted(keys(book.iter().collect())));
    }
}
