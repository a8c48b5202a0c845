//! What the command line can say. Options of the engine are not here: they come from the table of UCI options.

use std::path::PathBuf;

use clap::builder::{RangedI64ValueParser, RangedU64ValueParser};
use clap::{Args, Parser, value_parser};

use crate::bench;
use crate::engine::{MAX_HASH, SchemeName, max_threads};
use crate::perft::MAX_DEPTH;
use crate::speedtest;
use crate::types::{Depth, MAX_SEARCH_DEPTH};

use super::error::SecondsError;
use super::option_arguments::{FlagSet, OptionArguments};

/// A chess engine. Without arguments it waits for UCI commands: type help there for a list.
#[derive(Parser)]
#[command(name = "caesura", version, disable_help_subcommand = true, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// List the options of null-move experiments, too, in the answer to `uci`
    #[arg(long)]
    pub experiments: bool,
    #[command(subcommand)]
    pub subcommand: Option<Subcommand>,
}

const EXAMPLES: &str = "\
Examples:
  caesura                                    UCI, typed or from a GUI
  caesura \"position startpos\" \"go depth 20\"  UCI commands as arguments
  caesura bench                              node count and speed
  caesura search --movetime 5000 \"FEN\"       analyse a position
  caesura speedtest --threads 8              speed of whole games on this machine";

#[derive(clap::Subcommand)]
pub(super) enum Subcommand {
    /// Search fixed positions to a fixed depth; the last line has the node count and the speed
    Bench(BenchArguments),
    /// Count the leaf nodes of the tree of legal moves, or check the counts of a suite
    Perft(PerftArguments),
    /// Search a position and print a table of the iterations
    Search(SearchArguments),
    /// Search a position and show what became of its null moves, node by node
    Explain(ExplainArguments),
    /// Solve the test positions of an EPD file
    Suite(SuiteArguments),
    /// Measure speed and latency on this machine, over whole games
    Speedtest(SpeedtestArguments),
    /// Print what the program finds on this machine: instructions, processors, NUMA nodes, huge pages, limits
    Doctor(DoctorArguments),
    /// Print the static evaluation of a position
    Eval(EvalArguments),
}

/// What an engine searches with.
const ENGINE_FLAGS: &[&str] = &[
    "threads",
    "hash",
    "numa-policy",
    "eval-file",
    "syzygy-path",
    "syzygy-probe-depth",
    "syzygy-50-move-rule",
    "syzygy-probe-limit",
];

/// Options of `bench` and `suite`.
pub(super) struct PositionsFlags;

impl FlagSet for PositionsFlags {
    const FLAGS: &'static [&'static [&'static str]] = &[ENGINE_FLAGS];

    fn takes_null_move_flag(_name: &str) -> bool {
        true
    }
}

#[derive(Args)]
pub(super) struct BenchArguments {
    /// Depth of every search, in plies; with three arguments or more, which are Stockfish's, the table in megabytes
    #[arg(value_name = "DEPTH", conflicts_with = "depth")]
    pub first: Option<String>,
    /// Search threads
    #[arg(value_name = "THREADS", conflicts_with = "threads")]
    pub second: Option<String>,
    /// Limit of every search, a depth where KIND says nothing else
    #[arg(value_name = "LIMIT", conflicts_with = "hash")]
    pub third: Option<String>,
    /// Positions: default, current, or a file of them
    #[arg(value_name = "POSITIONS")]
    pub fourth: Option<String>,
    /// What the limit is: depth, nodes, movetime, mate, perft or eval
    #[arg(value_name = "KIND")]
    pub fifth: Option<String>,
    /// Depth of every search, in plies
    #[arg(long, default_value_t = bench::DEFAULT_DEPTH, value_parser = depth())]
    pub depth: Depth,
    /// Report how many null moves were tried and what they returned, before the last line
    #[arg(long)]
    pub verbose: bool,
    #[command(flatten)]
    pub options: OptionArguments<PositionsFlags>,
}

impl BenchArguments {
    /// The arguments without a flag.
    pub(super) fn words(&self) -> Vec<&str> {
        let words = [&self.first, &self.second, &self.third, &self.fourth, &self.fifth];
        words.into_iter().flatten().map(String::as_str).collect()
    }
}

#[derive(Args)]
pub(super) struct PerftArguments {
    /// Depth to count to, in plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite",
          value_parser = value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Position to count from
    #[arg(long, conflicts_with = "suite")]
    pub fen: Option<String>,
    /// Write castling as the king capturing its own rook
    #[arg(long, conflicts_with = "suite")]
    pub chess960: bool,
    /// Print the count of each move
    #[arg(long, conflicts_with = "suite")]
    pub divide: bool,
    /// Threads to count with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// Store counts in a hash table of this many megabytes
    #[arg(long, value_name = "MB", value_parser = hash())]
    pub hash: Option<usize>,
    /// Check every line of this file (`FEN ;D1 20 ;D2 400 ...`)
    #[arg(long, value_name = "FILE.epd")]
    pub suite: Option<PathBuf>,
    /// Skip depths with more leaf nodes than this
    #[arg(long, value_name = "N", requires = "suite")]
    pub max_nodes: Option<u64>,
}

/// Options of `search`.
pub(super) struct SearchFlags;

impl FlagSet for SearchFlags {
    const FLAGS: &'static [&'static [&'static str]] = &[ENGINE_FLAGS, &["multipv", "chess960"]];

    fn takes_null_move_flag(_name: &str) -> bool {
        true
    }
}

#[derive(Args)]
pub(super) struct SearchArguments {
    /// Position to search, as a FEN; by default the start position
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub limit: LimitArguments,
    #[command(flatten)]
    pub options: OptionArguments<SearchFlags>,
}

/// Options of `explain`: those of null moves, but for the schemes, which are compared, and the counts, which the trace has.
pub(super) struct ExplainFlags;

impl FlagSet for ExplainFlags {
    const FLAGS: &'static [&'static [&'static str]] = &[];

    fn takes_null_move_flag(name: &str) -> bool {
        !["null-move", "null-move-helpers", "null-counts"].contains(&name)
    }
}

#[derive(Args)]
pub(super) struct ExplainArguments {
    /// Position to search, as a FEN; by default the start position
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    /// Null-move scheme; may be given twice, for two trees side by side
    #[arg(long = "scheme", value_name = "SCHEME", ignore_case = true)]
    pub schemes: Vec<SchemeName>,
    /// Depth to search to, in plies
    #[arg(long, default_value_t = 8, value_parser = value_parser!(Depth).range(1..=24))]
    pub depth: Depth,
    /// Greatest distance from the root of the nodes that are shown, in plies
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = RangedU64ValueParser::<usize>::new().range(0..=24))]
    pub plies: usize,
    /// Greatest number of nodes that are shown of each tree
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = RangedU64ValueParser::<usize>::new().range(1..=200_000))]
    pub max_nodes: usize,
    /// Write a web page to this file; without it each node is a line of JSON on the standard output
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write castling as the king capturing its own rook
    #[arg(long)]
    pub chess960: bool,
    /// Transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = hash())]
    pub hash: usize,
    #[command(flatten)]
    pub options: OptionArguments<ExplainFlags>,
}

#[derive(Args)]
pub(super) struct SuiteArguments {
    /// Test positions, with bm, am, dm, or graded moves in c8 and c9
    #[arg(value_name = "FILE.epd")]
    pub file: PathBuf,
    #[command(flatten)]
    pub limit: LimitArguments,
    #[command(flatten)]
    pub options: OptionArguments<PositionsFlags>,
}

/// Options of `speedtest`.
pub(super) struct SpeedtestFlags;

impl FlagSet for SpeedtestFlags {
    const FLAGS: &'static [&'static [&'static str]] = &[&["numa-policy", "eval-file"]];
}

#[derive(Args)]
pub(super) struct SpeedtestArguments {
    /// Search threads, as Stockfish has it
    #[arg(value_name = "THREADS", value_parser = threads(), conflicts_with = "threads")]
    pub threads_argument: Option<usize>,
    /// Transposition table in megabytes
    #[arg(value_name = "MB", value_parser = hash(), conflicts_with = "hash")]
    pub hash_argument: Option<usize>,
    /// Search time in seconds
    #[arg(value_name = "SECONDS", value_parser = seconds, conflicts_with = "seconds")]
    pub seconds_argument: Option<f64>,
    /// Search threads; by default as many as can run at once
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Transposition table in megabytes; by default 128 for each thread, up to a quarter of the available memory
    #[arg(long, value_name = "MB", value_parser = hash())]
    pub hash: Option<usize>,
    /// Search time in seconds
    #[arg(long, value_name = "S", default_value_t = speedtest::DEFAULT_SECONDS as f64, value_parser = seconds)]
    pub seconds: f64,
    /// Number of searches that are started and stopped to measure the latency
    #[arg(long, value_name = "N", default_value_t = speedtest::DEFAULT_ROUNDS, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub rounds: usize,
    /// After that measure 1, 2, 4, ... threads, for the same search time each
    #[arg(long)]
    pub scaling: bool,
    /// Write the figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Plot the speed over the number of threads to this file
    #[arg(long, value_name = "FILE.svg", requires = "scaling")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub options: OptionArguments<SpeedtestFlags>,
}

/// Options of `doctor`.
pub(super) struct DoctorFlags;

impl FlagSet for DoctorFlags {
    const FLAGS: &'static [&'static [&'static str]] = &[&["numa-policy"]];
}

#[derive(Args)]
pub(super) struct DoctorArguments {
    /// Number of threads to place; by default as many as can run at once
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Size in megabytes of a transposition table to allocate
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = hash())]
    pub hash: usize,
    #[command(flatten)]
    pub options: OptionArguments<DoctorFlags>,
}

/// Options of `eval`.
pub(super) struct EvalFlags;

impl FlagSet for EvalFlags {
    const FLAGS: &'static [&'static [&'static str]] = &[&["eval-file"]];
}

#[derive(Args)]
pub(super) struct EvalArguments {
    /// Position to evaluate, as a FEN; by default the start position
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub options: OptionArguments<EvalFlags>,
}

// The limit of a search; a second where there is none. No doc comment: clap would show it as that of the subcommand.
#[derive(Args)]
#[group(multiple = false)]
#[allow(missing_docs)]
pub(super) struct LimitArguments {
    /// Depth to search to, in plies
    #[arg(long, value_parser = depth())]
    pub depth: Option<Depth>,
    /// Nodes to search
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Time to search, in milliseconds; by default 1000 if there is no other limit
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
}

fn depth() -> RangedI64ValueParser<Depth> {
    value_parser!(Depth).range(1..=i64::from(MAX_SEARCH_DEPTH))
}

fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=max_threads() as u64)
}

fn hash() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_HASH as u64)
}

fn seconds(text: &str) -> Result<f64, SecondsError> {
    let seconds = text.parse().map_err(SecondsError::NotANumber)?;
    if speedtest::SECONDS.contains(&seconds) { Ok(seconds) } else { Err(SecondsError::OutOfRange) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn flags_of_engine_options_are_in_the_table() {
        let known = |set: &[&[&str]]| {
            set.concat().iter().all(|name| {
                crate::uci::options::all()
                    .iter()
                    .any(|option| option.flag.is_some_and(|flag| flag.name == *name))
            })
        };
        assert!(known(PositionsFlags::FLAGS) && known(SearchFlags::FLAGS));
        assert!(known(SpeedtestFlags::FLAGS) && known(DoctorFlags::FLAGS) && known(EvalFlags::FLAGS));
    }

    #[test]
    fn the_help_of_subcommands_has_nothing_of_uci_and_of_pages() {
        let mut command = Arguments::command();
        for subcommand in command.get_subcommands_mut() {
            let help = subcommand.render_long_help().to_string();
            for foreign in ["isready", "info string", "`go`", "](", "setoption"] {
                assert!(!help.contains(foreign), "{}: {foreign}\n{help}", subcommand.get_name());
            }
        }
    }

    #[test]
    fn headings_of_the_help_do_not_leak() {
        for name in ["bench", "search", "suite"] {
            let mut command = Arguments::command();
            let help = command.find_subcommand_mut(name).expect(name).render_long_help().to_string();
            let (_, null_moves) = help.split_once("Null moves:").expect("a heading");
            for flag in ["--verbose", "--multipv", "--depth", "--help", "--threads"] {
                assert!(!null_moves.contains(&format!("      {flag}")), "{name}: {flag}\n{help}");
            }
        }
    }
}
