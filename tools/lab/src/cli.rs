//! What the command line of the laboratory can say.

use std::path::PathBuf;
use std::time::Duration;

use caesura::types::Depth;
use clap::{ArgAction, Args, Parser, Subcommand, value_parser};
use toolkit::cli::{available_processors, thread_count};

use crate::contender::Contender;
use crate::experiment::{CommonOptions, DEFAULT_HASH};
use crate::limit::Limit;
use crate::mode::Mode;
use crate::{atlas, audit, helpers, worth};

/// Experiments with null-move schemes, and their report
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    #[command(subcommand)]
    pub experiment: Experiment,
}

#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Nodes of searches to fixed depths, on six positions
    Nodes {
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        contenders: Contenders,
        /// Plies to add to the depths of the paper
        #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = value_parser!(Depth).range(-10..=40))]
        raise: Depth,
    },
    /// Positions of a suite solved within a limit
    Tactics {
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        contenders: Contenders,
        /// The positions
        #[arg(long)]
        suite: PathBuf,
        /// Search only this many of them
        #[arg(long)]
        first: Option<usize>,
        /// The limit of each search: 100ms, 50000n
        #[arg(long, default_value = "100ms", value_parser = Limit::parse_single)]
        limit: Limit,
        /// Number of runs, with a limit in time
        #[arg(long, default_value_t = 2, value_parser = value_parser!(u32).range(1..=100))]
        runs: u32,
    },
    /// Games of one scheme against another
    Match {
        #[command(flatten)]
        common: CommonArgs,
        /// The first side
        #[arg(long, default_value = "extended")]
        first: Contender,
        /// The second side
        #[arg(long, default_value = "adaptive")]
        second: Contender,
        /// The openings, in FEN or EPD
        #[arg(long)]
        book: PathBuf,
        /// Number of games, two for each opening: an odd number is rounded down; with a limit of nodes no more than two for
        /// each opening of the book
        #[arg(long, default_value_t = 1000, value_parser = value_parser!(u32).range(2..))]
        games: u32,
        /// The limit of each move: 20000n, 100ms, or a clock, 8000+80ms
        #[arg(long, default_value = "8000+80ms")]
        limit: Limit,
        /// Seed of the order of the openings
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Stop when a sequential probability ratio test has decided between these two Elo differences
        #[arg(long, num_args = 2, action = ArgAction::Set, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
        sprt: Option<Vec<f64>>,
        /// Threads of each player; with a limit in nodes they take turns
        #[arg(long, default_value_t = 1, value_parser = thread_count())]
        search_threads: u16,
    },
    /// Positions of zugzwang: the paper's, and suites
    Zugzwang {
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        contenders: Contenders,
        /// Suites besides the paper's position
        #[arg(long)]
        suite: Vec<PathBuf>,
        /// The limit of each search: 10000ms, 5000000n
        #[arg(long, default_value = "10000ms", value_parser = Limit::parse_single)]
        limit: Limit,
    },
    /// Helper threads with another scheme than the main thread, on positions of zugzwang
    Helpers {
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        contenders: Contenders,
        /// Suites besides the paper's position
        #[arg(long)]
        suite: Vec<PathBuf>,
        /// The limit of each search, for all its threads together: 1000000n, 5000ms
        #[arg(long, default_value = "1000000n", value_parser = Limit::parse_single)]
        limit: Limit,
        /// Threads of each search; with a limit in nodes they take turns
        #[arg(long, default_value_t = helpers::SEARCH_THREADS as u16, value_parser = thread_count())]
        search_threads: u16,
    },
    /// Games of a scheme against none, by the evaluation and by the limit
    Worth(WorthArgs),
    /// Nodes and time to each depth
    Scaling {
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        contenders: Contenders,
        /// The greatest depth
        #[arg(long, default_value_t = 24, value_parser = value_parser!(Depth).range(1..=100))]
        depth: Depth,
        /// The most nodes of a search
        #[arg(long, default_value_t = 2_000_000_000, value_parser = value_parser!(u64).range(1..))]
        nodes: u64,
    },
    /// Null moves that failed high, judged by searches without null moves
    Audit(AuditArgs),
    /// Zugzwang by material, from endgame tables, and what schemes do there
    Atlas(AtlasArgs),
    /// All experiments within a time budget, and their report; the same command goes on where it stopped
    All {
        /// The time that it may take: 90m, 45s, 2h
        #[arg(long, default_value = "90m", value_parser = parse_duration)]
        budget: Duration,
        /// The folder of ecm879.epd, zugts.epd and cpw_nullmove_zugzwang.epd
        #[arg(long, default_value = ".")]
        suites: PathBuf,
        /// The openings of the matches, in FEN or EPD
        #[arg(long, default_value = "8moves_v3_sample3000.epd")]
        book: PathBuf,
        /// Searches or games at the same time; by default one for each processor
        #[arg(long, value_parser = thread_count())]
        threads: Option<u16>,
        /// Transposition table of each search, in megabytes
        #[arg(long, default_value_t = DEFAULT_HASH as u32, value_parser = value_parser!(u32).range(1..=65_536))]
        hash: u32,
        #[command(flatten)]
        files: ReportFiles,
    },
    /// Write the report of all results
    Report {
        #[command(flatten)]
        files: ReportFiles,
    },
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(flatten)]
    pub contenders: Contenders,
    /// The openings of the games that positions are taken from, in FEN or EPD; several books take turns
    #[arg(long, required = true)]
    pub book: Vec<PathBuf>,
    /// Number of games; four positions of each are searched
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    pub games: u32,
    /// Depth of each search, in plies
    #[arg(long, default_value_t = 10, value_parser = value_parser!(Depth).range(1..=30))]
    pub depth: Depth,
    /// How many fail-highs of a search are judged from each of the four classes of depth
    #[arg(long, default_value_t = audit::DEFAULT_PER_CLASS as u16, value_parser = value_parser!(u16).range(1..=1000))]
    pub per_class: u16,
    /// Seed of everything that is chosen at random
    #[arg(long, default_value_t = audit::DEFAULT_SEED)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct WorthArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The first side
    #[arg(long, default_value = worth::SIDES[0])]
    pub first: Contender,
    /// The second side
    #[arg(long, default_value = worth::SIDES[1])]
    pub second: Contender,
    /// What both sides evaluate by, may be repeated: the file of a network, `<embedded>` or `<material>`; by default the
    /// latter two
    #[arg(long = "eval-file", value_name = "FILE")]
    pub evaluations: Vec<PathBuf>,
    /// The limit of each move, may be repeated: 500n, 100ms, 8000+80ms
    #[arg(long = "limit", default_values_t = worth::LIMITS)]
    pub limits: Vec<Limit>,
    /// The openings, in FEN or EPD
    #[arg(long)]
    pub book: PathBuf,
    /// Number of games with each evaluation at each limit, two for each opening: an odd number is rounded down; with nodes
    /// no more than two for each opening of the book
    #[arg(long, default_value_t = 400, value_parser = value_parser!(u32).range(2..))]
    pub games: u32,
    /// Seed of the order of the openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct AtlasArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(flatten)]
    pub contenders: Contenders,
    /// The folder of the Syzygy tables
    #[arg(long)]
    pub tables: PathBuf,
    /// How many placements of the pieces are looked at for each material and side to move: all, if there are no more
    #[arg(long, default_value_t = atlas::Placements::default().most, value_parser = value_parser!(u64).range(1..))]
    pub placements: u64,
    /// How many zugzwangs of each material and side to move are searched, at most
    #[arg(long, default_value_t = atlas::Searches::default().most)]
    pub searched: usize,
    /// Depth of the searches, in plies; may be repeated
    #[arg(long = "depth", value_parser = value_parser!(Depth).range(1..=40), default_values_t = atlas::DEPTHS)]
    pub depths: Vec<Depth>,
    /// Seed of the placements that are drawn
    #[arg(long, default_value_t = atlas::Placements::default().seed)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct ReportFiles {
    /// The directory of the results
    #[arg(long, default_value = "lab-results")]
    pub out: PathBuf,
    /// The file of the Markdown version; by default null-move.md in that directory
    #[arg(long)]
    pub markdown: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CommonArgs {
    /// The directory of the results
    #[arg(long, default_value = "lab-results")]
    pub out: PathBuf,
    /// Search without the techniques that came after the paper and hide the effect of a null move
    #[arg(long)]
    plain: bool,
    /// Search as with --plain, and with what the paper's program had: multi-cut and extensions
    #[arg(long, conflicts_with = "plain")]
    falcon: bool,
    /// Searches or games at the same time; by default one if time is the limit, otherwise one for each processor
    #[arg(long, value_parser = thread_count())]
    threads: Option<u16>,
    /// Transposition table of each search, in megabytes
    #[arg(long, default_value_t = DEFAULT_HASH as u32, value_parser = value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

#[derive(Debug, Args)]
pub struct Contenders {
    /// Contender, may be repeated: extended, fixed:r=2, reduce:r=3,dr=2
    #[arg(long = "contender", value_name = "SCHEME")]
    named: Vec<Contender>,
}

impl Contenders {
    pub fn or_default(self, usual: Vec<Contender>) -> Vec<Contender> {
        if self.named.is_empty() { usual } else { self.named }
    }
}

impl CommonArgs {
    /// The options of a run. By default one thread if time is the limit, because searches disturb each other.
    pub fn options(&self, timed: bool) -> CommonOptions {
        let threads =
            self.threads.map_or_else(|| if timed { 1 } else { available_processors() }, usize::from);
        CommonOptions { mode: self.mode(), hash: self.hash as usize, threads, search_threads: 1 }
    }

    fn mode(&self) -> Mode {
        match (self.plain, self.falcon) {
            (_, true) => Mode::Falcon,
            (true, _) => Mode::Plain,
            (false, false) => Mode::Full,
        }
    }

    /// The options of a run with this limit, in which each search has this many threads.
    pub fn with_threads(&self, limit: Limit, search_threads: u16) -> CommonOptions {
        let search_threads = usize::from(search_threads);
        CommonOptions { search_threads, ..self.options(!limit.is_deterministic()) }
    }
}

/// Why a duration cannot be parsed.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is not a time; write 90m, 45s or 2h")]
struct DurationError(String);

/// Parses a number of seconds, minutes or hours.
fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let units = [('s', 1), ('m', 60), ('h', 3600)];
    let parsed = units.iter().find_map(|&(unit, seconds): &(char, u64)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(seconds).filter(|&seconds| seconds <= MAX_SECONDS).map(Duration::from_secs)
    });
    parsed.ok_or_else(|| DurationError(text.into()))
}

/// The longest budget: a year.
const MAX_SECONDS: u64 = 365 * 24 * 3600;
