//! The command line of the tuner.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use caesura::engine::TUNABLE_PARAMS;
use clap::{Parser, value_parser};
use datagen::opening;
use datagen::ordered::Control;
use spsa::perturbation::{GainSchedule, TunedParam};
use spsa::run::{self, TuningSetup};
use spsa::state::{MatchSetup, TuningState};
use spsa::uci_engine::UciEngine;

/// Find better values for the numbers of the search, by games
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    /// The engine, built with `--features tune`
    #[arg(long)]
    engine: PathBuf,
    /// The openings, a position a line
    #[arg(long)]
    book: PathBuf,
    /// The directory of the state
    #[arg(long)]
    out: PathBuf,
    /// Nodes a move
    #[arg(long, default_value_t = 8000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Pairs of games in the whole run
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u64).range(1..))]
    pairs: u64,
    /// Tune only the numbers whose names begin so
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Leave the numbers alone whose names begin so
    #[arg(long, value_delimiter = ',', default_value = "null_,guarded_,tuned_,variable_")]
    except: Vec<String>,
    /// By how many of its steps a number is moved to either side
    #[arg(long, default_value_t = 1.5)]
    spread: f64,
    /// What a game won moves a number at the end, as a share of that distance
    #[arg(long, default_value_t = 0.006)]
    rate: f64,
    /// Pairs played at the same time; as many as there are processors if not given
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The table of each player, in megabytes
    #[arg(long, default_value_t = 4)]
    hash: u32,
    /// What the directions depend on
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn begins(name: &str, with: &[String]) -> bool {
    with.iter().any(|start| name.starts_with(start.as_str()))
}

fn tune(cli: &Cli) -> Result<(), Box<dyn Error>> {
    let pace = GainSchedule { spread: cli.spread, rate: cli.rate, pairs: cli.pairs };
    if !(pace.spread > 0.0 && pace.spread <= 100.0 && pace.rate > 0.0 && pace.rate <= 1.0) {
        return Err("spread must be above 0 and at most 100, rate above 0 and at most 1".into());
    }
    let wanted = |name| (cli.only.is_empty() || begins(name, &cli.only)) && !begins(name, &cli.except);
    let coordinates: Vec<TunedParam> =
        TUNABLE_PARAMS.iter().filter(|param| wanted(param.name)).map(TunedParam::of).collect();
    if coordinates.is_empty() {
        return Err("no number has such a name".into());
    }
    let fresh = TuningState {
        pace,
        nodes: cli.nodes,
        contest: Some(MatchSetup {
            engine: cli.engine.clone(),
            book: cli.book.clone(),
            hash: cli.hash,
            seed: cli.seed,
        }),
        played: 0,
        averaged: 0,
        balance: (0, 0),
        dice: cli.seed,
        coordinates,
    };
    let state = TuningState::load_or(&cli.out, fresh)?;
    let processors = std::thread::available_parallelism().map_or(1, |number| number.get());
    let setting = TuningSetup {
        start_engine: || UciEngine::start(&cli.engine, cli.hash),
        book: opening::read_book(&cli.book)?,
        threads: cli.threads.map_or(processors, usize::from),
    };
    let control = Arc::new(Control::default());
    let handler = Arc::clone(&control);
    ctrlc::set_handler(move || handler.interrupt())?;
    let state = run::run(state, &setting, &cli.out, &control)?;
    writeln!(io::stdout(), "{} pairs; changed:\n{}", state.played, state.changed_values())?;
    Ok(())
}

fn main() -> ExitCode {
    match tune(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
