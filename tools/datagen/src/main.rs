//! The command line of the data generator.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use caesura::engine::{EMBEDDED_NETWORK, load_network};
use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand};

use datagen::adjudication::AdjudicationRules;
use datagen::game_groups::RecordCounts;
use datagen::merge::{MergeError, Repeated, merged_header};
use datagen::opening::{self, BOOK_PLIES, Openings};
use datagen::rescore::RescoreOptions;
use datagen::run::{self, RunOptions};
use datagen::selfplay::SelfPlayRules;
use datagen::stats::Stats;
use datagen::{GameReader, ReadError, check, game_files, import, merge, rescore, sample};
use toolkit::cli::{
    self, ErrorChain, NumberError, Threads, handle_interrupts, parse_number, parse_share, print_error,
    print_line, print_message,
};
use toolkit::ordered::Control;
use toolkit::progress::{Goal, thousands};

/// Generates training data: games of the engine against itself
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games
    Run(RunArgs),
    /// Show statistics of game files
    Stats(Inputs),
    /// Replay every game and report what is wrong
    Check(Inputs),
    /// Merge many files into one in the present version of the format, each game once
    Merge {
        /// Keep games that are repeated
        #[arg(long)]
        all: bool,
        /// The new file
        #[arg(long)]
        out: PathBuf,
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Take a random sample: games to a new file, or positions printed as EPD
    Sample {
        /// The new file; without it, positions are printed
        #[arg(long)]
        out: Option<PathBuf>,
        /// Number of games or positions
        #[arg(long, default_value_t = 20)]
        number: usize,
        /// Seed of the random choice
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Take games of matches of this engine from PGN files with scores in their comments, as fastchess and cutechess write them
    Import {
        /// The new file
        #[arg(long)]
        out: PathBuf,
        /// PGN files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Score every position again with the present engine
    Rescore {
        /// The new file
        #[arg(long)]
        out: PathBuf,
        #[command(flatten)]
        threads: Threads,
        /// Soft node limit of a position
        #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
        /// Network file to evaluate with; `<material>` counts material only
        #[arg(long, value_name = "FILE.nnue", default_value = EMBEDDED_NETWORK)]
        eval_file: PathBuf,
        /// Label in the header of the file; the name of the network is appended to it
        #[arg(long, default_value = "")]
        label: String,
        #[command(flatten)]
        inputs: Inputs,
    },
}

#[derive(Debug, Args)]
struct Inputs {
    /// Game files, or directories with game files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

impl Inputs {
    /// The game files.
    ///
    /// # Errors
    /// If a path cannot be read, or there is no game file.
    fn files(&self) -> Result<Vec<PathBuf>, MergeError> {
        let files = game_files(&self.paths)?;
        if files.is_empty() { Err(MergeError::NoFiles) } else { Ok(files) }
    }
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Directory of the game files
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    threads: Threads,
    /// Soft node limit of a move
    #[arg(long, default_value_t = SelfPlayRules::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop after this many positions of this run, whatever an earlier one left
    #[arg(long, group = "goal", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Stop after this many games of this run, whatever an earlier one left
    #[arg(long, group = "goal", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Stop after this many hours of this run, whatever an earlier one left
    #[arg(long, group = "goal", value_parser = parse_hours)]
    hours: Option<Duration>,
    /// Seed of the openings; random if not given. With the seed and directory of an earlier run, the run continues
    /// after its last game
    #[arg(long)]
    seed: Option<u64>,
    /// Opening book: positions in FEN or EPD
    #[arg(long)]
    book: Option<PathBuf>,
    /// Share of standard games that begin with a book position
    #[arg(long, default_value_t = 0.5, value_parser = parse_share)]
    book_share: f64,
    /// Random moves behind a book position, or one more.
    #[arg(long, default_value_t = BOOK_PLIES, value_name = "PLIES")]
    book_plies: u8,
    /// Share of games from Chess960 and double Chess960 start positions, half of it each
    #[arg(long, default_value_t = 0.0, value_parser = parse_share)]
    chess960: f64,
    /// Greatest score of a balanced opening, in centipawns
    #[arg(long, default_value_t = SelfPlayRules::default().opening_score)]
    opening_score: i32,
    /// Soft node limit of the search that decides whether an opening is balanced
    #[arg(long, default_value_t = SelfPlayRules::default().opening_nodes, value_parser = clap::value_parser!(u64).range(1..))]
    opening_nodes: u64,
    /// Adjudicate a win at this score, in centipawns
    #[arg(long, default_value_t = SelfPlayRules::default().adjudication.win_score)]
    win_score: i32,
    /// Plies in a row with a winning score that decide a game
    #[arg(long, default_value_t = SelfPlayRules::default().adjudication.win_plies, value_parser = clap::value_parser!(u32).range(1..))]
    win_plies: u32,
    /// Adjudicate a draw at this score or less, in centipawns
    #[arg(long, default_value_t = SelfPlayRules::default().adjudication.draw_score)]
    draw_score: i32,
    /// Plies in a row with a drawn score that decide a game
    #[arg(long, default_value_t = SelfPlayRules::default().adjudication.draw_plies, value_parser = clap::value_parser!(u32).range(1..))]
    draw_plies: u32,
    /// First ply of the game that counts towards a draw
    #[arg(long, default_value_t = SelfPlayRules::default().adjudication.draw_from_ply)]
    draw_from: u32,
    /// Length at which a game is drawn, in plies
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    max_plies: u16,
    /// Draw this many of the positions that the search of each move evaluates, and record those with a quiet best move, too,
    /// as games of one ply without a result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    evaluated: usize,
    /// Soft node limit of the search of such a position
    #[arg(long, value_name = "NODES", default_value_t = SelfPlayRules::default().evaluated_nodes, value_parser = clap::value_parser!(u64).range(1..))]
    evaluated_nodes: u64,
    /// Network file to evaluate with; `<material>` counts material only
    #[arg(long, value_name = "FILE.nnue", default_value = EMBEDDED_NETWORK)]
    eval_file: PathBuf,
    /// Label in the header of the file; the name of the network is appended to it
    #[arg(long, default_value = "")]
    label: String,
    /// Payload size at which a block is written, in bytes
    #[arg(long, default_value_t = datagen::writer::BLOCK_BYTES)]
    block_bytes: usize,
    /// Age at which a block is written, in seconds
    #[arg(long, default_value_t = datagen::writer::BLOCK_AGE.as_secs())]
    block_seconds: u64,
}

/// Parses a time in hours, at most ten years.
fn parse_hours(text: &str) -> Result<Duration, NumberError> {
    parse_number(text, 0.0..=87_600.0).map(|hours| Duration::from_secs_f64(hours * 3600.0))
}

type AnyError = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match execute(cli::parse::<Cli>().command) {
        Ok(code) => code,
        Err(error) => {
            print_error("error", &*error);
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<ExitCode, AnyError> {
    match command {
        Command::Run(args) => run_games(args)?,
        Command::Stats(inputs) => stats(&inputs)?,
        Command::Check(inputs) => return check_all(&inputs),
        Command::Merge { all, out, inputs } => {
            let repeated = if all { Repeated::Keep } else { Repeated::Skip };
            let report = merge::merge(&inputs.files()?, &out, repeated, warn)?;
            let (written, skipped) = (report.written, report.skipped);
            print_line(format_args!("{}: {written}; {skipped} skipped as repeated", out.display()))?;
        }
        Command::Sample { out, number, seed, inputs } => {
            let files = inputs.files()?;
            match out {
                Some(out) => {
                    let written = sample::games(&files, &out, number, seed, warn)?;
                    print_line(format_args!("{}: {written}", out.display()))?;
                }
                None => {
                    for line in sample::positions(&files, number, seed, warn)? {
                        print_line(line)?;
                    }
                }
            }
        }
        Command::Import { out, files } => {
            let counts = import::import(&files, &out, |left_out| print_error("warning", &left_out))?;
            let [games, positions, left_out] =
                [counts.games, counts.positions, counts.left_out].map(thousands);
            print_line(format_args!(
                "{}: {games} games, {positions} positions; {left_out} games left out",
                out.display()
            ))?;
        }
        Command::Rescore { out, threads, nodes, eval_file, label, inputs } => {
            let files = inputs.files()?;
            let control = interruptible()?;
            let network = load_network(&eval_file)?;
            let options = RescoreOptions { threads: threads.count(), nodes, network, label };
            let done = rescore::rescore(&files, &out, &options, &control, warn)?;
            if done.skipped != RecordCounts::default() {
                let skipped = done.skipped;
                print_message(format_args!("warning: {skipped} cannot be replayed and were left out"));
            }
            print_line(format_args!("{}: {} positions", out.display(), thousands(done.positions)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn warn(error: ReadError) {
    print_error("warning", &error);
}

/// A control that stops the work on Ctrl-C and on termination signals.
fn interruptible() -> Result<Arc<Control>, ctrlc::Error> {
    handle_interrupts(Control::interrupt)
}

fn run_games(args: RunArgs) -> Result<(), AnyError> {
    let book = args.book.as_deref().map(opening::read_positions).transpose()?.unwrap_or_default();
    let goal = match (args.positions, args.games, args.hours) {
        (Some(positions), _, _) => Goal::Positions(positions),
        (_, Some(games), _) => Goal::Games(games),
        (_, _, Some(time)) => Goal::Time(time),
        _ => Goal::Unlimited,
    };
    let options = RunOptions {
        out: args.out,
        threads: args.threads.count(),
        rules: SelfPlayRules {
            nodes: args.nodes,
            opening_nodes: args.opening_nodes,
            opening_score: args.opening_score,
            adjudication: AdjudicationRules {
                win_score: args.win_score,
                win_plies: args.win_plies,
                win_at_first_mate_score: true,
                draw_score: args.draw_score,
                draw_plies: args.draw_plies,
                draw_from_ply: args.draw_from,
            },
            max_plies: usize::from(args.max_plies),
            evaluated: args.evaluated,
            evaluated_nodes: args.evaluated_nodes,
        },
        openings: Openings {
            chess960: args.chess960,
            book,
            book_share: args.book_share,
            book_plies: args.book_plies,
        },
        seed: args.seed,
        goal,
        network: load_network(&args.eval_file)?,
        label: args.label,
        block_bytes: args.block_bytes,
        block_age: Duration::from_secs(args.block_seconds),
    };
    let control = interruptible()?;
    let summary = run::run(&options, &control)?;
    let (games, positions) = (thousands(summary.games), thousands(summary.positions));
    print_line(format_args!("{}: {games} games, {positions} positions", summary.path.display()))?;
    Ok(())
}

fn stats(inputs: &Inputs) -> Result<(), AnyError> {
    let files = inputs.files()?;
    // An error where none can be read.
    merged_header(&files)?;
    let mut stats = Stats::default();
    for path in files {
        let reader = match GameReader::open(&path) {
            Ok(reader) => reader,
            Err(error) => {
                warn(error);
                continue;
            }
        };
        let header = *reader.header();
        print_message(format_args!(
            "{}: {}, seed {}, {} nodes, label '{}'",
            path.display(),
            header.engine(),
            header.seed,
            header.nodes,
            header.label()
        ));
        stats.add_bytes(std::fs::metadata(&path)?.len());
        for item in reader {
            match item {
                Ok(game) => {
                    if let Err(error) = stats.add(&game) {
                        print_message(format_args!("warning: {}: {error}", path.display()));
                    }
                }
                Err(error) => warn(error),
            }
        }
    }
    write!(io::stdout(), "{stats}")?;
    Ok(())
}

/// What was checked, in words.
fn counted(records: RecordCounts, positions: u64) -> String {
    format!("{records}, {} positions in all", thousands(positions))
}

fn check_all(inputs: &Inputs) -> Result<ExitCode, AnyError> {
    let mut good = true;
    let (mut records, mut positions) = (RecordCounts::default(), 0);
    for path in inputs.files()? {
        let report = check::file(&path);
        good &= report.passed();
        records += report.records;
        positions += report.positions;
        let word = if report.passed() { "good" } else { "BAD" };
        let counts = counted(report.records, report.positions);
        print_line(format_args!("{}: {word}, {counts}", path.display()))?;
        for fault in report.faults.iter().take(10) {
            print_line(format_args!("  {}", ErrorChain(fault)))?;
        }
        for damage in report.damage.iter().take(10) {
            print_line(format_args!("  {}", ErrorChain(damage)))?;
        }
    }
    print_line(counted(records, positions))?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
