//! The command line of the sequential test.

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{self, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgAction, Parser, value_parser};
use sprt::SprtError;
use sprt::book::{self, Openings};
use sprt::build;
use sprt::fastchess::{self, Interrupt, Limit, Match, MatchSettings, Side};
use toolkit::FileError;
use toolkit::cli::{
    self, available_processors, handle_interrupts, print_error, print_line, print_message, thread_count,
};
use toolkit::sequential::{Sprt, Verdict};

/// Test a change by games: a sequential probability ratio test of two builds, played by fastchess
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    /// The changed program, or the git revision to build it from
    #[arg(long)]
    new: String,
    /// The program to compare it with, or its git revision
    #[arg(long)]
    old: String,
    /// The openings: positions in EPD, or games in PGN
    #[arg(long)]
    book: PathBuf,
    /// The Elo differences of the two hypotheses
    #[arg(long, num_args = 2, action = ArgAction::Set, value_names = ["ELO0", "ELO1"], default_values_t = [0.0, 5.0], allow_negative_numbers = true)]
    bounds: Vec<f64>,
    /// Play all games without a test
    #[arg(long, conflicts_with = "bounds")]
    no_sprt: bool,
    /// Nodes a move
    #[arg(long, default_value_t = 8000, conflicts_with = "tc", value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// A time control for each side, such as 8+0.08, instead of nodes a move
    #[arg(long, value_name = "MINUTES:SECONDS+INCREMENT")]
    tc: Option<String>,
    /// Nodes that count as a millisecond of the time control
    #[arg(long, requires = "tc", value_parser = value_parser!(u64).range(1..=10_000))]
    nodestime: Option<u64>,
    /// The most games, which are played in pairs: an odd number is rounded down. Where nodes limit one thread, or several in
    /// turns, no more than two for each opening of the book
    #[arg(long, default_value_t = 40_000, value_parser = value_parser!(u64).range(2..))]
    games: u64,
    /// Games at the same time; by default as many as there are processors for their threads
    #[arg(long, value_parser = thread_count())]
    concurrency: Option<u16>,
    /// Transposition table of each side, in megabytes
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// Search threads of each side
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    threads: u32,
    /// Seed of the order of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A UCI option of the changed program; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    new_option: Vec<String>,
    /// A UCI option of the other program; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    old_option: Vec<String>,
    /// The program fastchess
    #[arg(long, default_value = "fastchess")]
    fastchess: PathBuf,
    /// The directory of the log, the games and the result, without another test; by default the first of
    /// target/sprt/NEW-OLD, target/sprt/NEW-OLD-2 and so on that does not exist
    #[arg(long)]
    out: Option<PathBuf>,
}

/// A text that is no option with a value.
#[derive(Clone, Copy, Debug)]
struct OptionSyntaxError;

impl fmt::Display for OptionSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected NAME=VALUE")
    }
}

impl Error for OptionSyntaxError {}

/// Parses an option and its value.
fn option(text: &str) -> Result<String, OptionSyntaxError> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() => Ok(text.to_string()),
        _ => Err(OptionSyntaxError),
    }
}

/// Creates the first of the directories `NAME`, `NAME-2`, `NAME-3` and so on that does not exist.
fn new_directory(first: PathBuf) -> Result<PathBuf, FileError> {
    if let Some(parent) = first.parent() {
        fs::create_dir_all(parent).map_err(FileError::at(parent))?;
    }
    let mut directory = first.clone();
    let mut number = 1_u64;
    loop {
        match fs::create_dir(&directory) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|()| directory.clone()).map_err(FileError::at(&directory)),
        }
        number += 1;
        let mut name = first.clone().into_os_string();
        name.push(format!("-{number}"));
        directory = name.into();
    }
}

/// How many games of this many search threads the processors carry: in a game one side searches at a time.
fn games_at_once(threads: u32) -> usize {
    (available_processors() / threads as usize).max(1)
}

/// Plays the match and returns whether it shows what it was played for.
fn test(cli: Cli) -> Result<bool, Box<dyn Error>> {
    let new = Side::new(build::find(&cli.new)?, cli.new_option)?;
    let old = Side::new(build::find(&cli.old)?, cli.old_option)?;
    let limit = match (cli.tc, cli.nodestime) {
        (None, _) => Limit::Nodes(cli.nodes),
        (Some(control), None) => Limit::Clock(control),
        (Some(control), Some(rate)) => Limit::NodesAsTime(control, rate),
    };
    let sprt = (!cli.no_sprt).then(|| Sprt::between(cli.bounds[0], cli.bounds[1])).transpose()?;
    let most_threads = fastchess::most_threads(cli.threads, [&new, &old]);
    let mut settings = MatchSettings {
        limit,
        sprt,
        book: fs::canonicalize(&cli.book).map_err(FileError::at(&cli.book))?,
        seed: cli.seed,
        games: cli.games,
        concurrency: cli.concurrency.map_or_else(|| games_at_once(most_threads), usize::from),
        hash: cli.hash,
        threads: cli.threads,
    };
    let Openings { count: openings, repeated } = book::openings(&settings.book)?;
    if repeated > 0 && settings.repeats_games(&new, &old) {
        print_message(format_args!(
            "{repeated} lines of {} have a position that came before: their games are the same again, and count all the same",
            cli.book.display()
        ));
    }
    if settings.bound_by(openings, &new, &old) {
        print_message(format_args!(
            "{} has {openings} openings, of which each would be the same two games again: at most {} games are played",
            cli.book.display(),
            settings.games
        ));
    }
    let names = format!("{}-{}", new.program.name, old.program.name);
    let out = match cli.out {
        Some(out) => out,
        None => new_directory(build::repository()?.join("target/sprt").join(names))?,
    };
    // A path, unlike a name to be found in PATH, must hold in the directory of the match too.
    let is_name = cli.fastchess.components().count() == 1;
    let program = if is_name { cli.fastchess } else { path::absolute(cli.fastchess)? };
    let interrupt = Arc::new(Interrupt::default());
    let interrupted = Arc::clone(&interrupt);
    // fastchess gets no signal but the one that is sent here. A second one changes nothing.
    let _control = handle_interrupts(move |_| {
        print_message("ending the games");
        interrupted.request();
    })?;
    let arguments = settings.arguments(&new, &old);
    print_message(format_args!("writing to {}", out.display()));
    let played = fastchess::play(&program, &arguments, &out, &interrupt, |line| print_message(line));
    let Match { report, status } = played.inspect_err(|_| {
        // Only if it is empty: if nothing was played.
        let _ = fs::remove_dir(&out);
    })?;
    let line = report.line(&settings.limit, settings.sprt);
    let result = out.join("result.txt");
    fs::write(&result, format!("{line}\n")).map_err(FileError::at(&result))?;
    print_line(line)?;
    if !status.success() && !interrupt.is_requested() {
        return Err(SprtError::Ended { status, log: out.join(fastchess::LOG) }.into());
    }
    Ok(match settings.sprt {
        Some(_) => report.verdict == Verdict::AcceptH1,
        None => report.games >= 2 * settings.pairs(),
    })
}

fn main() -> ExitCode {
    match test(cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            print_error("error", &*error);
            ExitCode::from(2)
        }
    }
}
