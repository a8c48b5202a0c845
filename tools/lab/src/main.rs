//! The command line of the laboratory.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use caesura::engine::{EMBEDDED_NETWORK, MATERIAL_NETWORK};
use caesura::types::Depth;
use clap::{Args, Parser, Subcommand, value_parser};
use datagen::cli::{available_processors, print_error, print_line, print_message, stop_or_exit};
use datagen::opening;

use lab::contender::{self, Contender};
use lab::elo::Sprt;
use lab::experiment::{CommonOptions, DEFAULT_HASH, RunContext};
use lab::file_identity::identify;
use lab::limit::Limit;
use lab::mode::Mode;
use lab::origin::Origin;
use lab::plan::{self, PlanSettings};
use lab::runner::{self, Summary};
use lab::{
    all, atlas, audit, helpers, match_play, nodes, positions, report, scaling, tactics, worth, zugzwang,
};

/// Experiments with null-move schemes, and their report
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    /// Nodes of searches to fixed depths, on six positions
    Nodes {
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        contenders: Contenders,
        /// Plies to add to the depths of the paper
        #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = value_parser!(Depth).range(-14..=40))]
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
        /// Number of games, two for each opening; with a limit of nodes no more than two for each opening of the book
        #[arg(long, default_value_t = 1000, value_parser = value_parser!(u32).range(2..))]
        games: u32,
        /// The limit of each move: 20000n, 100ms, or a clock, 8000+80ms
        #[arg(long, default_value = "8000+80ms")]
        limit: Limit,
        /// Seed of the order of the openings
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Stop when a sequential probability ratio test has decided between these two Elo differences
        #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
        sprt: Option<Vec<f64>>,
        /// Threads of each player; with a limit in nodes they take turns
        #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
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
        #[arg(long, default_value_t = helpers::SEARCH_THREADS as u16, value_parser = value_parser!(u16).range(1..=1024))]
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
        #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
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
struct AuditArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    contenders: Contenders,
    /// The openings of the games that positions are taken from, in FEN or EPD; several books take turns
    #[arg(long, required = true)]
    book: Vec<PathBuf>,
    /// Number of games; four positions of each are searched
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    games: u32,
    /// Depth of each search, in plies
    #[arg(long, default_value_t = 10, value_parser = value_parser!(Depth).range(1..=30))]
    depth: Depth,
    /// How many fail-highs of a search are judged from each of the four classes of depth
    #[arg(long, default_value_t = audit::DEFAULT_PER_CLASS as u16, value_parser = value_parser!(u16).range(1..=1000))]
    per_class: u16,
    /// Seed of everything that is chosen at random
    #[arg(long, default_value_t = audit::DEFAULT_SEED)]
    seed: u64,
}

#[derive(Debug, Args)]
struct WorthArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The first side
    #[arg(long, default_value = worth::SIDES[0])]
    first: Contender,
    /// The second side
    #[arg(long, default_value = worth::SIDES[1])]
    second: Contender,
    /// What both sides evaluate by, may be repeated: the file of a network, `<embedded>` or `<material>`; by default the
    /// latter two
    #[arg(long = "eval-file", value_name = "FILE")]
    evaluations: Vec<PathBuf>,
    /// The limit of each move, may be repeated: 500n, 100ms, 8000+80ms
    #[arg(long = "limit", default_values_t = worth::LIMITS)]
    limits: Vec<Limit>,
    /// The openings, in FEN or EPD
    #[arg(long)]
    book: PathBuf,
    /// Number of games with each evaluation at each limit, two for each opening; with nodes no more than two for each
    #[arg(long, default_value_t = 400, value_parser = value_parser!(u32).range(2..))]
    games: u32,
    /// Seed of the order of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Args)]
struct AtlasArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    contenders: Contenders,
    /// The folder of the Syzygy tables
    #[arg(long)]
    tables: PathBuf,
    /// How many placements of the pieces are looked at for each material and side to move: all, if there are no more
    #[arg(long, default_value_t = atlas::Placements::default().most, value_parser = value_parser!(u64).range(1..))]
    placements: u64,
    /// How many zugzwangs of each material and side to move are searched, at most
    #[arg(long, default_value_t = atlas::Searches::default().most)]
    searched: usize,
    /// Depth of the searches, in plies; may be repeated
    #[arg(long = "depth", value_parser = value_parser!(Depth).range(1..=40), default_values_t = atlas::DEPTHS)]
    depths: Vec<Depth>,
    /// Seed of the placements that are drawn
    #[arg(long, default_value_t = atlas::Placements::default().seed)]
    seed: u64,
}

#[derive(Debug, Args)]
struct ReportFiles {
    /// The directory of the results
    #[arg(long, default_value = "lab-results")]
    out: PathBuf,
    /// The file of the Markdown version; by default null-move.md in that directory
    #[arg(long)]
    markdown: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct CommonArgs {
    /// The directory of the results
    #[arg(long, default_value = "lab-results")]
    out: PathBuf,
    /// Search without the techniques that came after the paper and hide the effect of a null move
    #[arg(long)]
    plain: bool,
    /// Search as with --plain, and with what the paper's program had: multi-cut and extensions
    #[arg(long, conflicts_with = "plain")]
    falcon: bool,
    /// Searches or games at the same time; by default one if time is the limit, otherwise one for each processor
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Transposition table of each search, in megabytes
    #[arg(long, default_value_t = DEFAULT_HASH as u32, value_parser = value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

#[derive(Debug, Args)]
struct Contenders {
    /// Contender, may be repeated: extended, fixed:r=2, reduce:r=3,dr=2
    #[arg(long = "contender", value_name = "SCHEME")]
    named: Vec<Contender>,
}

impl Contenders {
    fn or_default(self, usual: Vec<Contender>) -> Vec<Contender> {
        if self.named.is_empty() { usual } else { self.named }
    }
}

impl CommonArgs {
    /// The options of a run. By default one thread if time is the limit, because searches disturb each other.
    fn options(&self, timed: bool) -> CommonOptions {
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
    fn with_threads(&self, limit: Limit, search_threads: u16) -> CommonOptions {
        let search_threads = usize::from(search_threads);
        CommonOptions { search_threads, ..self.options(!limit.is_deterministic()) }
    }

    fn context(&self) -> Result<RunContext, AnyError> {
        context(&self.out)
    }
}

/// Where the results go and come from; runs the bench. From now on Ctrl-C stops the run.
fn context(out: &Path) -> Result<RunContext, AnyError> {
    let control = stop_or_exit("finishing what has begun; press Ctrl-C again to end at once")?;
    Ok(RunContext { directory: out.to_path_buf(), origin: Origin::here()?, control })
}

type AnyError = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match execute(Cli::parse().experiment) {
        Ok(true) => ExitCode::SUCCESS,
        // Something is left to do: the same command continues.
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            print_error("error", &*error);
            ExitCode::from(2)
        }
    }
}

fn print_and_check(summary: Summary) -> Result<bool, AnyError> {
    runner::print_summary(&mut io::stdout(), &summary)?;
    Ok(summary.is_complete())
}

fn write_report(files: &ReportFiles, origin: &Origin) -> Result<(), AnyError> {
    let markdown = files.markdown.clone().unwrap_or_else(|| files.out.join(report::MARKDOWN));
    report::write(&files.out, &markdown, Some(origin))?;
    print_line(files.out.join(report::HTML).display())?;
    Ok(print_line(markdown.display())?)
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

fn audit(arguments: AuditArgs) -> Result<bool, AnyError> {
    let AuditArgs { common, contenders, book, games, depth, per_class, seed } = arguments;
    let options = audit::Options {
        contenders: contenders.or_default(contender::parse_list(&audit::CONTENDERS)),
        book_names: book.iter().map(|path| identify(path)).collect::<Result<_, _>>()?,
        books: book.iter().map(|path| opening::read_book(path)).collect::<Result<_, _>>()?,
        games,
        depth,
        per_class: usize::from(per_class),
        seed,
        common: common.options(false),
    };
    print_and_check(audit::run(&common.context()?, &options)?)
}

fn worth(arguments: WorthArgs) -> Result<bool, AnyError> {
    let WorthArgs { common, first, second, mut evaluations, limits, book, games, seed } = arguments;
    if evaluations.is_empty() {
        evaluations = [MATERIAL_NETWORK, EMBEDDED_NETWORK].map(PathBuf::from).into();
    }
    let timed = limits.iter().any(|limit| !limit.is_deterministic());
    let options = worth::Options {
        sides: [first, second],
        evaluations: evaluations
            .iter()
            .map(|path| worth::Evaluation::load(path))
            .collect::<Result<_, _>>()?,
        limits,
        book_name: identify(&book)?,
        book: opening::read_book(&book)?,
        seed,
        games,
        common: common.options(timed),
    };
    print_and_check(worth::run(&common.context()?, &options)?)
}

fn atlas(arguments: AtlasArgs) -> Result<bool, AnyError> {
    let AtlasArgs { common, contenders, tables, placements, searched, depths, seed } = arguments;
    let options = atlas::Options {
        tables,
        contenders: contenders.or_default(contender::parse_list(&atlas::CONTENDERS)),
        depths,
        placements: atlas::Placements { most: placements, seed },
        searched,
        common: common.options(false),
    };
    print_and_check(atlas::run(&common.context()?, &options)?)
}

fn zugzwang_options(
    contenders: Vec<Contender>,
    suites: &[PathBuf],
    limit: Limit,
    common: CommonOptions,
) -> Result<zugzwang::Options, lab::LabError> {
    let read = |path: &PathBuf| Ok((identify(path)?, positions::suite(path)?));
    let suites = suites.iter().map(read).collect::<Result<_, lab::LabError>>()?;
    Ok(zugzwang::Options { contenders, suites, limit, common })
}

fn execute(experiment: Experiment) -> Result<bool, AnyError> {
    match experiment {
        Experiment::Report { files } => {
            write_report(&files, &Origin::here()?)?;
            Ok(true)
        }
        Experiment::All { budget, suites, book, threads, hash, files } => {
            let threads = threads.map_or_else(available_processors, usize::from);
            let plan = plan::plan(&PlanSettings { suites, book, hash: hash as usize, threads })?;
            for path in &plan.missing {
                print_message(format_args!("{} is not there: what needs it is left out", path.display()));
            }
            let context = context(&files.out)?;
            let summary = all::run(&context, &plan.steps, budget, |name| print_message(name))?;
            write_report(&files, &context.origin)?;
            print_and_check(summary)
        }
        Experiment::Nodes { common, contenders, raise } => {
            let options = nodes::Options {
                contenders: contenders.or_default(contender::parse_list(&nodes::CONTENDERS)),
                positions: positions::bratko_kopec(),
                raise,
                common: common.options(false),
            };
            print_and_check(nodes::run(&common.context()?, &options)?)
        }
        Experiment::Tactics { common, contenders, suite, first, limit, runs } => {
            let mut tasks = positions::suite(&suite)?;
            tasks.truncate(first.unwrap_or(usize::MAX));
            let options = tactics::Options {
                contenders: contenders.or_default(contender::all_schemes()),
                suite: identify(&suite)?,
                tasks,
                limit,
                runs,
                common: common.options(!limit.is_deterministic()),
            };
            print_and_check(tactics::run(&common.context()?, &options)?)
        }
        Experiment::Match { common, first, second, book, games, limit, seed, sprt, search_threads } => {
            let options = match_play::Options {
                first,
                second,
                book_name: identify(&book)?,
                book: opening::read_book(&book)?,
                seed,
                games,
                sprt: sprt.map(|bounds| Sprt { elo0: bounds[0], elo1: bounds[1] }),
                limit,
                common: common.with_threads(limit, search_threads),
            };
            let (summary, pairs) = match_play::run(&common.context()?, &options)?;
            print_line(format_args!(
                "{} games: {}; pairs {:?}",
                2 * pairs.pairs(),
                pairs.estimate(),
                pairs.0
            ))?;
            let mut decided = false;
            if let Some(test) = options.sprt {
                let ratio = pairs.log_likelihood_ratio(test.elo0, test.elo1);
                let verdict = test.verdict(&pairs);
                decided = verdict != lab::elo::Verdict::Undecided;
                print_line(format_args!("LLR {ratio:.2} of ±{:.2}: {verdict:?}", Sprt::bound()))?;
            }
            Ok(print_and_check(summary)? || decided)
        }
        Experiment::Zugzwang { common, contenders, suite, limit } => {
            let contenders = contenders.or_default(contender::all_schemes());
            let options = zugzwang_options(contenders, &suite, limit, common.with_threads(limit, 1))?;
            print_and_check(zugzwang::run(&common.context()?, &options)?)
        }
        Experiment::Helpers { common, contenders, suite, limit, search_threads } => {
            let contenders = contenders.or_default(contender::parse_list(&helpers::CONTENDERS));
            let options =
                zugzwang_options(contenders, &suite, limit, common.with_threads(limit, search_threads))?;
            print_and_check(helpers::run(&common.context()?, &options)?)
        }
        Experiment::Worth(arguments) => worth(arguments),
        Experiment::Audit(arguments) => audit(arguments),
        Experiment::Atlas(arguments) => atlas(arguments),
        Experiment::Scaling { common, contenders, depth, nodes } => {
            let options = scaling::Options {
                contenders: contenders.or_default(contender::parse_list(&scaling::CONTENDERS)),
                positions: positions::bratko_kopec(),
                depth,
                nodes,
                common: common.options(false),
            };
            print_and_check(scaling::run(&common.context()?, &options)?)
        }
    }
}
