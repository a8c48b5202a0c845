//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, value_parser};

use crate::bench;
use crate::engine::MAX_THREADS;
use crate::perft::MAX_DEPTH;
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
    Bench(Bench),
    /// Count the leaves of the tree of legal moves, or check the counts of a suite
    Perft(Perft),
    /// Search a position and show how the search went
    Search(Search),
    /// Solve the positions of an EPD file
    Suite(Suite),
    /// Show the static evaluation of a position
    Eval {
        /// The position as a FEN; the start position if there is none
        #[arg(value_name = "FEN", num_args = 0..)]
        fen: Vec<String>,
        #[command(flatten)]
        network: Network,
    },
}

#[derive(Debug, Args)]
pub(super) struct Bench {
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
    pub network: Network,
}

#[derive(Debug, Args)]
pub(super) struct Perft {
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
pub(super) struct Search {
    /// The position as a FEN; the start position if there is none
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub limit: Limit,
    #[command(flatten)]
    pub machine: Machine,
    /// How many lines to show
    #[arg(long, default_value_t = 1, value_parser = lines)]
    pub multipv: usize,
    /// Write castling as the king taking its rook
    #[arg(long)]
    pub chess960: bool,
}

#[derive(Debug, Args)]
pub(super) struct Suite {
    /// The positions, with bm, am, dm, or graded moves in c8 and c9
    #[arg(value_name = "FILE.epd")]
    pub file: PathBuf,
    #[command(flatten)]
    pub limit: Limit,
    #[command(flatten)]
    pub machine: Machine,
}

/// How long to search; a second if nothing is said.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct Limit {
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
pub(super) struct Machine {
    /// Search threads
    #[arg(long, default_value_t = DEFAULT_THREADS, value_parser = threads)]
    pub threads: usize,
    /// Transposition table, in megabytes
    #[arg(long, default_value_t = DEFAULT_HASH, value_parser = hash)]
    pub hash: usize,
    #[command(flatten)]
    pub network: Network,
}

/// What to evaluate with.
#[derive(Debug, Args)]
pub(super) struct Network {
    /// Evaluate by the network in this file
    #[arg(long, value_name = "FILE.nnue")]
    pub eval_file: Option<PathBuf>,
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
