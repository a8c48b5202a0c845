//! The command line of the data generator.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use caesura::engine::{self, EMBEDDED_NETWORK, Network};
use clap::{Args, Parser, Subcommand};

use datagen::args::Threads;
use datagen::opening::{self, Openings};
use datagen::ordered::Control;
use datagen::progress::{Goal, thousands};
use datagen::rescore::RescoreOptions;
use datagen::run::{self, RunOptions};
use datagen::selfplay::Rules;
use datagen::stats::Stats;
use datagen::{GameReader, ReadError, check, game_files, merge, rescore, sample};

/// Games of the engine against itself, as data to learn from.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games.
    Run(RunArgs),
    /// Say what there is in files of games.
    Stats(Inputs),
    /// Play every game again and tell what is wrong.
    Check(Inputs),
    /// Write the games of many files to one, each once.
    Merge {
        /// The new file.
        #[arg(long)]
        out: PathBuf,
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Draw at random: games to a new file, or positions to the screen as EPD.
    Sample {
        /// The new file; without it, positions are shown.
        #[arg(long)]
        out: Option<PathBuf>,
        /// How many games or positions.
        #[arg(long, default_value_t = 20)]
        number: usize,
        /// What the choice depends on.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Give every position a new score from the present engine.
    Rescore {
        /// The new file.
        #[arg(long)]
        out: PathBuf,
        #[command(flatten)]
        threads: Threads,
        /// Nodes a position.
        #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
        /// Evaluate by the network in this file, or by `<material>`, which sees nothing else.
        #[arg(long, value_name = "FILE.nnue", default_value = EMBEDDED_NETWORK)]
        eval_file: PathBuf,
        /// A word for the file's header; the name of the network is put behind it.
        #[arg(long, default_value = "")]
        label: String,
        #[command(flatten)]
        inputs: Inputs,
    },
}

#[derive(Debug, Args)]
struct Inputs {
    /// Files of games, or directories with such files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
struct RunArgs {
    /// The directory of the files.
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    threads: Threads,
    /// Nodes a move.
    #[arg(long, default_value_t = Rules::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop at so many positions.
    #[arg(long, group = "goal")]
    positions: Option<u64>,
    /// Stop at so many games.
    #[arg(long, group = "goal")]
    games: Option<u64>,
    /// Stop after so many hours.
    #[arg(long, group = "goal", value_parser = parse_hours)]
    hours: Option<Duration>,
    /// What the openings depend on; chosen at random if not given. With the same seed and directory, the run goes
    /// on after the last game there.
    #[arg(long)]
    seed: Option<u64>,
    /// Positions to begin with, in FEN or EPD.
    #[arg(long)]
    book: Option<PathBuf>,
    /// The share of standard games that begin with a book position.
    #[arg(long, default_value_t = 0.5, value_parser = parse_share)]
    book_share: f64,
    /// The share of games from Chess960 and double Chess960 starts, half of it each.
    #[arg(long, default_value_t = 0.0, value_parser = parse_share)]
    chess960: f64,
    /// Openings with a greater score are drawn again, in centipawns.
    #[arg(long, default_value_t = Rules::default().opening_score)]
    opening_score: i32,
    /// Nodes of the search that judges an opening: next to games of few nodes a move, it should cost little.
    #[arg(long, default_value_t = Rules::default().opening_nodes, value_parser = clap::value_parser!(u64).range(1..))]
    opening_nodes: u64,
    /// A game is won at this score, in centipawns.
    #[arg(long, default_value_t = Rules::default().win_score)]
    win_score: i32,
    /// ... for so many plies in a row.
    #[arg(long, default_value_t = Rules::default().win_plies)]
    win_plies: u32,
    /// A game is drawn at this score or less, in centipawns.
    #[arg(long, default_value_t = Rules::default().draw_score)]
    draw_score: i32,
    /// ... for so many plies in a row.
    #[arg(long, default_value_t = Rules::default().draw_plies)]
    draw_plies: u32,
    /// ... from this ply of the game on.
    #[arg(long, default_value_t = Rules::default().draw_from)]
    draw_from: u32,
    /// A game of so many plies is drawn.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    max_plies: u16,
    /// Evaluate by the network in this file, or by `<material>`, which sees nothing else.
    #[arg(long, value_name = "FILE.nnue", default_value = EMBEDDED_NETWORK)]
    eval_file: PathBuf,
    /// A word for the file's header; the name of the network is put behind it.
    #[arg(long, default_value = "")]
    label: String,
    /// Write a block when it has so many bytes ...
    #[arg(long, default_value_t = datagen::writer::BLOCK_BYTES)]
    block_bytes: usize,
    /// ... or is so many seconds old.
    #[arg(long, default_value_t = datagen::writer::BLOCK_AGE.as_secs())]
    block_seconds: u64,
}

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share @ 0.0..=1.0) => Ok(share),
        _ => Err("a number from 0 to 1 is wanted".into()),
    }
}

fn parse_hours(text: &str) -> Result<Duration, String> {
    let hours: f64 = text.parse().map_err(|_| "a number of hours is wanted".to_string())?;
    Duration::try_from_secs_f64(hours * 3600.0).map_err(|error| error.to_string())
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match command(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn command(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Run(args) => play(args)?,
        Command::Stats(inputs) => stats(&inputs)?,
        Command::Check(inputs) => return check_all(&inputs),
        Command::Merge { out, inputs } => {
            let report = merge::merge(&game_files(&inputs.paths)?, &out, warn)?;
            let (games, repeated) = (thousands(report.games), thousands(report.repeated));
            say(&format!("{}: {games} games; {repeated} repeated games left out", out.display()))?;
        }
        Command::Sample { out, number, seed, inputs } => {
            let files = game_files(&inputs.paths)?;
            match out {
                Some(out) => {
                    let games = sample::games(&files, &out, number, seed, warn)?;
                    say(&format!("{}: {} games", out.display(), thousands(games as u64)))?;
                }
                None => {
                    for line in sample::positions(&files, number, seed, warn) {
                        say(&line)?;
                    }
                }
            }
        }
        Command::Rescore { out, threads, nodes, eval_file, label, inputs } => {
            let files = game_files(&inputs.paths)?;
            let control = interruptible()?;
            let network = network(&eval_file)?;
            let options = RescoreOptions { threads: threads.count(), nodes, network, label };
            let done = rescore::rescore(&files, &out, &options, &control, warn)?;
            if done.games_skipped > 0 {
                eprintln!(
                    "warning: {} games cannot be replayed and were left out",
                    thousands(done.games_skipped)
                );
            }
            say(&format!("{}: {} positions", out.display(), thousands(done.positions)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

fn warn(error: ReadError) {
    eprintln!("warning: {error}");
}

/// A control that Ctrl-C and the system's polite wish to end act on.
fn interruptible() -> Result<Arc<Control>, Failure> {
    let control = Arc::new(Control::default());
    let handler = Arc::clone(&control);
    ctrlc::set_handler(move || handler.interrupt())?;
    Ok(control)
}

/// The network of a name.
fn network(name: &Path) -> Result<Arc<Network>, Failure> {
    engine::load_network(name).map_err(|error| format!("{}: {error}", name.display()).into())
}

fn play(args: RunArgs) -> Result<(), Failure> {
    let book = args.book.as_deref().map(opening::read_book).transpose()?.unwrap_or_default();
    let goal = match (args.positions, args.games, args.hours) {
        (Some(positions), _, _) => Goal::Positions(positions),
        (_, Some(games), _) => Goal::Games(games),
        (_, _, Some(time)) => Goal::Time(time),
        _ => Goal::Unlimited,
    };
    let options = RunOptions {
        out: args.out,
        threads: args.threads.count(),
        rules: Rules {
            nodes: args.nodes,
            opening_nodes: args.opening_nodes,
            opening_score: args.opening_score,
            win_score: args.win_score,
            win_plies: args.win_plies,
            draw_score: args.draw_score,
            draw_plies: args.draw_plies,
            draw_from: args.draw_from,
            max_plies: usize::from(args.max_plies),
        },
        openings: Openings { chess960: args.chess960, book, book_share: args.book_share },
        seed: args.seed,
        goal,
        network: network(&args.eval_file)?,
        label: args.label,
        block_bytes: args.block_bytes,
        block_age: Duration::from_secs(args.block_seconds),
    };
    let summary = run::run(&options, &*interruptible()?)?;
    let (games, positions) = (thousands(summary.games), thousands(summary.positions));
    say(&format!("{}: {games} games, {positions} positions", summary.path.display()))?;
    Ok(())
}

fn stats(inputs: &Inputs) -> Result<(), Failure> {
    let mut stats = Stats::default();
    for path in game_files(&inputs.paths)? {
        let reader = match GameReader::open(&path) {
            Ok(reader) => reader,
            Err(error) => {
                warn(error);
                continue;
            }
        };
        let header = *reader.header();
        eprintln!(
            "{}: {}, seed {}, {} nodes, label '{}'",
            path.display(),
            header.engine(),
            header.seed,
            header.nodes,
            header.label()
        );
        stats.add_bytes(std::fs::metadata(&path)?.len());
        for item in reader {
            match item {
                Ok(game) => {
                    if let Err(error) = stats.add(&game) {
                        eprintln!("warning: {}: {error}", path.display());
                    }
                }
                Err(error) => warn(error),
            }
        }
    }
    write!(io::stdout(), "{stats}")?;
    Ok(())
}

fn check_all(inputs: &Inputs) -> Result<ExitCode, Failure> {
    let mut good = true;
    let (mut games, mut positions) = (0, 0);
    for path in game_files(&inputs.paths)? {
        let report = check::file(&path);
        good &= report.passed();
        games += report.games;
        positions += report.positions;
        let word = if report.passed() { "good" } else { "BAD" };
        let counts = format!("{} games, {} positions", thousands(report.games), thousands(report.positions));
        say(&format!("{}: {word}, {counts}", path.display()))?;
        for fault in report.faults.iter().take(10) {
            say(&format!("  {fault}"))?;
        }
        if let Some(damage) = &report.damage {
            say(&format!("  {damage}"))?;
        }
    }
    say(&format!("{} games, {} positions", thousands(games), thousands(positions)))?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
