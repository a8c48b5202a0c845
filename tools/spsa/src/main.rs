//! The command line of the tuner.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use caesura::engine::TUNABLE_PARAMS;
use clap::{Parser, value_parser};
use datagen::cli::{Threads, handle_interrupts, print_error, print_line};
use datagen::opening;
use datagen::ordered::Control;
use spsa::perturbation::{GainSchedule, TunedParam};
use spsa::run::{self, TuningSetup};
use spsa::state::{MatchSetup, TuningState};
use spsa::uci_engine::UciEngine;

/// Tune the parameters of the search by games (SPSA)
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
    /// Tune only parameters whose names begin with one of these prefixes
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Do not tune parameters whose names begin with one of these prefixes
    #[arg(long, value_delimiter = ',', default_value = "null_,guarded_,tuned_,variable_")]
    except: Vec<String>,
    /// Size of a perturbation, in steps of each parameter
    #[arg(long, default_value_t = 1.5)]
    spread: f64,
    /// Update for one win at the end of the run, as a share of the perturbation
    #[arg(long, default_value_t = 0.006)]
    rate: f64,
    #[command(flatten)]
    threads: Threads,
    /// Transposition table of each engine, in megabytes
    #[arg(long, default_value_t = 4)]
    hash: u32,
    /// Seed of the perturbations
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn begins(name: &str, with: &[String]) -> bool {
    with.iter().any(|start| name.starts_with(start.as_str()))
}

fn tune(cli: &Cli) -> Result<(), Box<dyn Error>> {
    let schedule = GainSchedule { spread: cli.spread, rate: cli.rate, pairs: cli.pairs };
    if !(schedule.spread > 0.0 && schedule.spread <= 100.0 && schedule.rate > 0.0 && schedule.rate <= 1.0) {
        return Err("spread must be above 0 and at most 100, rate above 0 and at most 1".into());
    }
    let wanted = |name| (cli.only.is_empty() || begins(name, &cli.only)) && !begins(name, &cli.except);
    let params: Vec<TunedParam> =
        TUNABLE_PARAMS.iter().filter(|param| wanted(param.name)).map(TunedParam::of).collect();
    if params.is_empty() {
        return Err("no parameter has such a name".into());
    }
    let fresh = TuningState {
        schedule,
        nodes: cli.nodes,
        match_setup: Some(MatchSetup {
            engine: cli.engine.clone(),
            book: cli.book.clone(),
            hash: cli.hash,
            seed: cli.seed,
        }),
        played: 0,
        averaged: 0,
        balance: (0, 0),
        random: cli.seed,
        params,
    };
    let state = TuningState::load_or(&cli.out, fresh)?;
    let setup = TuningSetup {
        start_engine: || UciEngine::start(&cli.engine, cli.hash),
        book: opening::read_book(&cli.book)?,
        threads: cli.threads.count(),
    };
    let control = handle_interrupts(Control::interrupt)?;
    let state = run::run(state, &setup, &cli.out, &control)?;
    print_line(format_args!("{} pairs; changed:\n{}", state.played, state.changed_values()))?;
    Ok(())
}

fn main() -> ExitCode {
    match tune(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error("error", &*error);
            ExitCode::FAILURE
        }
    }
}
