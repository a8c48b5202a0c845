//! What can be said on the command line.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, value_parser};

use crate::bench;
use crate::engine::MAX_THREADS;
use crate::nnue::load::EMBEDDED;
use crate::perft::MAX_DEPTH;
use crate::search::null_move::settings::MAX_NULL_MOVE_PLIES;
use crate::search::null_move::{NullMoveSettings, NullMoveSwitches, SchemeName};
use crate::types::{Depth, MAX_PLY};
use crate::uci::options::{DEFAULT_HASH, DEFAULT_THREADS, MAX_HASH};

/// A chess engine. Without arguments it talks UCI.
#[derive(Debug, Parser)]
#[command(name = "caesura", version, about, disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub subcommand: Subcommand,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Subcommand {
    /// Search fixed positions to a fixed depth; the last line is the count of nodes and the speed
    Bench(BenchArguments),
    /// Count the leaves of the tree of legal moves, or check the counts of a suite
    Perft(PerftArguments),
    /// Search a position and show how the search went
    Search(SearchArguments),
    /// Solve the positions of an EPD file
    Suite(SuiteArguments),
    /// Measure speed and latency on this machine, over whole games
    Speedtest(SpeedtestArguments),
    /// Tell what the program finds on this machine: instructions, processors, places of threads, pages, limits
    Doctor(DoctorArguments),
    /// Show the static evaluation of a position
    Eval {
        /// The position as a FEN; the start position if there is none
        #[arg(value_name = "FEN", num_args = 0..)]
        fen: Vec<String>,
        #[command(flatten)]
        network: NetworkArguments,
    },
}

#[derive(Debug, Args)]
pub(super) struct BenchArguments {
    /// Depth of every search, in plies
    #[arg(long, default_value_t = bench::DEFAULT_DEPTH, value_parser = depth())]
    pub depth: Depth,
    /// Search threads; with more than one the count of nodes varies
    #[arg(long, default_value_t = bench::DEFAULT_THREADS, value_parser = threads)]
    pub threads: usize,
    /// Transposition table, in megabytes
    #[arg(long, default_value_t = bench::DEFAULT_HASH, value_parser = hash)]
    pub hash: usize,
    #[command(flatten)]
    pub network: NetworkArguments,
    #[command(flatten)]
    pub null_move: NullMoveArguments,
    /// Say what became of the null moves, before the last line
    #[arg(long)]
    pub verbose: bool,
}

#[derive(Debug, Args)]
pub(super) struct PerftArguments {
    /// How deep to count, in plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite",
          value_parser = value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Start from this position
    #[arg(long, conflicts_with = "suite")]
    pub fen: Option<String>,
    /// Write castling as the king taking its rook
    #[arg(long)]
    pub chess960: bool,
    /// Show the count below each move
    #[arg(long, conflicts_with = "suite")]
    pub divide: bool,
    /// Threads to count with
    #[arg(long, default_value_t = 1, value_parser = threads)]
    pub threads: usize,
    /// Remember counts in a table of so many megabytes
    #[arg(long, value_parser = hash)]
    pub hash: Option<usize>,
    /// Check every line of this file (`FEN ;D1 20 ;D2 400 ...`)
    #[arg(long, value_name = "FILE.epd")]
    pub suite: Option<PathBuf>,
    /// Leave out depths with more nodes than this
    #[arg(long, value_name = "N", requires = "suite")]
    pub max_nodes: Option<u64>,
}

#[derive(Debug, Args)]
pub(super) struct SearchArguments {
    /// The position as a FEN; the start position if there is none
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub limit: LimitArguments,
    #[command(flatten)]
    pub engine: EngineArguments,
    #[command(flatten)]
    pub null_move: NullMoveArguments,
    /// How many lines to show
    #[arg(long, default_value_t = 1, value_parser = lines)]
    pub multipv: usize,
    /// Write castling as the king taking its rook
    #[arg(long)]
    pub chess960: bool,
}

#[derive(Debug, Args)]
pub(super) struct SuiteArguments {
    /// The positions, with bm, am, dm, or graded moves in c8 and c9
    #[arg(value_name = "FILE.epd")]
    pub file: PathBuf,
    #[command(flatten)]
    pub limit: LimitArguments,
    #[command(flatten)]
    pub machine: EngineArguments,
    #[command(flatten)]
    pub null_move: NullMoveArguments,
}

#[derive(Debug, Args)]
pub(super) struct SpeedtestArguments {
    /// Search threads; as many as can run at once if there is nothing else said
    #[arg(long, value_parser = threads)]
    pub threads: Option<usize>,
    /// Transposition table, in megabytes; 128 for each thread, if there is room
    #[arg(long, value_parser = hash)]
    pub hash: Option<usize>,
    /// Seconds to search, in all
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub seconds: f64,
    /// How many searches to start and stop, to time that
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = rounds)]
    pub rounds: usize,
    /// Before that measure 1, 2, 4, ... threads, for so many seconds each
    #[arg(long)]
    pub scaling: bool,
    /// Write the figures to this file as well, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Draw the table of threads to this file
    #[arg(long, value_name = "FILE.svg", requires = "scaling")]
    pub plot: Option<PathBuf>,
    /// How to bind threads, as the UCI option; `none` also lets more search than there are processors
    #[arg(long, value_name = "POLICY", default_value = "auto")]
    pub numa_policy: String,
    #[command(flatten)]
    pub network: NetworkArguments,
}

#[derive(Debug, Args)]
pub(super) struct DoctorArguments {
    /// Plan the places of so many threads; of as many as can run at once if there is nothing else said
    #[arg(long, value_parser = threads)]
    pub threads: Option<usize>,
    /// Try to get a table of so many megabytes
    #[arg(long, default_value_t = 64, value_parser = hash)]
    pub hash: usize,
    /// How to bind threads, as the UCI option
    #[arg(long, value_name = "POLICY", default_value = "auto")]
    pub numa_policy: String,
}

/// How long to search; a second if nothing is said.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct LimitArguments {
    /// Plies to search
    #[arg(long, value_parser = depth())]
    pub depth: Option<Depth>,
    /// Nodes to search
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds to search
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
}

/// What to search with.
#[derive(Debug, Args)]
pub(super) struct EngineArguments {
    /// Search threads
    #[arg(long, default_value_t = DEFAULT_THREADS, value_parser = threads)]
    pub threads: usize,
    /// Transposition table, in megabytes
    #[arg(long, default_value_t = DEFAULT_HASH, value_parser = hash)]
    pub hash: usize,
    #[command(flatten)]
    pub network: NetworkArguments,
}

/// What to evaluate with.
#[derive(Debug, Args)]
pub(super) struct NetworkArguments {
    /// Evaluate by the network in this file, or by `<material>`, which sees nothing else
    #[arg(long, value_name = "FILE.nnue", default_value = EMBEDDED)]
    pub eval_file: PathBuf,
}

/// What a null move means.
#[derive(Debug, Args)]
#[command(next_help_heading = "Null moves")]
pub(super) struct NullMoveArguments {
    /// The scheme
    #[arg(long, value_name = "SCHEME", default_value_t = SchemeName::default().name().to_string(),
          value_parser = PossibleValuesParser::new(SchemeName::ALL.map(SchemeName::name)), ignore_case = true)]
    pub null_move: String,
    /// The plies by which a null move is searched shallower, in once, fixed, double, variable, reduce
    #[arg(long, value_name = "PLIES", default_value_t = NullMoveSettings::default().r, value_parser = plies())]
    pub null_move_r: Depth,
    /// The plies by which a fail-high reduces, in reduce
    #[arg(long, value_name = "PLIES", default_value_t = NullMoveSettings::default().dr, value_parser = plies())]
    pub null_move_dr: Depth,
    /// Extend where a null move is answered by a mate
    #[arg(long)]
    pub mate_threat: bool,
    /// Extend where the same move refutes null moves two plies apart
    #[arg(long)]
    pub botvinnik_markoff: bool,
    /// Move earlier what the refutation of a null move takes
    #[arg(long)]
    pub refutation_order: bool,
    /// Put a layer of null-move quiescence before quiescence
    #[arg(long)]
    pub null_quiescence: bool,
    /// Leave out what hides the effect of null moves: prunings, late-move reductions, singular extensions
    #[arg(long)]
    pub plain: bool,
}

impl NullMoveArguments {
    /// The scheme, and what else was set.
    pub(super) fn settings(&self) -> (SchemeName, NullMoveSettings) {
        let switches = NullMoveSwitches {
            mate_threat: self.mate_threat,
            botvinnik_markoff: self.botvinnik_markoff,
            refutation_order: self.refutation_order,
            null_quiescence: self.null_quiescence,
            plain: self.plain,
        };
        let settings = NullMoveSettings {
            r: self.null_move_r,
            dr: self.null_move_dr,
            switches,
            ..NullMoveSettings::default()
        };
        (SchemeName::parse(&self.null_move).unwrap_or_default(), settings)
    }
}

fn plies() -> clap::builder::RangedI64ValueParser<Depth> {
    value_parser!(Depth).range(1..=i64::from(MAX_NULL_MOVE_PLIES))
}

fn depth() -> clap::builder::RangedI64ValueParser<Depth> {
    value_parser!(Depth).range(1..=MAX_PLY as i64)
}

fn between(text: &str, most: usize) -> Result<usize, String> {
    let wanted = || format!("must be a number from 1 to {most}");
    text.parse().ok().filter(|number| (1..=most).contains(number)).ok_or_else(wanted)
}

fn threads(text: &str) -> Result<usize, String> {
    between(text, MAX_THREADS)
}

fn hash(text: &str) -> Result<usize, String> {
    between(text, MAX_HASH)
}

fn rounds(text: &str) -> Result<usize, String> {
    between(text, 1_000_000)
}

fn seconds(text: &str) -> Result<f64, String> {
    let wanted = || "must be a number from 0.1 to 1000000".to_string();
    text.parse().ok().filter(|seconds| (0.1..=1e6).contains(seconds)).ok_or_else(wanted)
}

fn lines(text: &str) -> Result<usize, String> {
    between(text, 256)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_description_is_sound() {
        Arguments::command().debug_assert();
    }
}
