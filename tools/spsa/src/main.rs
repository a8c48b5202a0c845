//! The command line of tuning and of factorial experiments.

use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use caesura::board::Setup;
use caesura::engine::TUNABLE_PARAMS;
use clap::{Args, Parser, Subcommand};
use datagen::opening;
use spsa::cli::{GameOptions, ParamChoice};
use spsa::experiment::Experiment;
use spsa::factorial::{Factor, Factorial};
use spsa::factorial_run::{FactorialRun, shuffled};
use spsa::perturbation::{GainSchedule, TunedParam};
use spsa::run::{self, TuningSetup};
use spsa::state::{MatchSetup, TuningState};
use spsa::state_file;
use spsa::uci_engine::UciEngine;
use toolkit::cli::{self, handle_interrupts, print_error, print_line, print_message};

/// Games with other values of the search's parameters
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tune parameters (SPSA)
    Tune(TuneOptions),
    /// Measure many changes of parameters at once (factorial experiment)
    Factorial(FactorialOptions),
}

#[derive(Debug, Args)]
struct FactorialOptions {
    /// A change to measure, as `name:parameter=value,parameter=value`; may be repeated
    #[arg(long = "factor", required = true)]
    factors: Vec<Factor>,
    #[command(flatten)]
    games: GameOptions,
}

#[derive(Debug, Args)]
struct TuneOptions {
    #[command(flatten)]
    games: GameOptions,
    #[command(flatten)]
    choice: ParamChoice,
    /// Size of a perturbation, in steps of each parameter
    #[arg(long, default_value_t = 1.5)]
    spread: f64,
    /// Update for one win at the end of the run, as a share of the perturbation
    #[arg(long, default_value_t = 0.006)]
    rate: f64,
}

/// Plays until all pairs are played or Ctrl-C ends the run.
fn play<E: Experiment>(experiment: E, games: &GameOptions, book: Vec<Setup>) -> Result<E, Box<dyn Error>> {
    let program = games.program()?;
    let setup = TuningSetup {
        start_engine: || UciEngine::start(&program, games.hash),
        book,
        threads: games.threads.count(),
    };
    let control = handle_interrupts(|control| {
        if control.abandon.load(Ordering::Relaxed) {
            // An engine that does not answer would be waited for.
            std::process::exit(130);
        }
        print_message(if control.is_interrupted() {
            "abandoning the games in play; press Ctrl-C again to end at once"
        } else {
            "finishing the games in play; press Ctrl-C again to abandon them"
        });
        control.interrupt();
    })?;
    Ok(run::run(experiment, &setup, &games.out, &control)?)
}

/// Adds the hashes of engine and book to the conditions in a state that has none.
fn complete(kept: &mut MatchSetup, now: MatchSetup) {
    if !kept.has_hashes() && now.has_hashes() {
        print_message("the state does not say which engine and book it began with: it is taken to be these");
        *kept = now;
    }
}

fn tune(options: &TuneOptions) -> Result<(), Box<dyn Error>> {
    let games = &options.games;
    let schedule = GainSchedule { spread: options.spread, rate: options.rate, pairs: games.pairs };
    if !(schedule.spread > 0.0 && schedule.spread <= 100.0 && schedule.rate > 0.0 && schedule.rate <= 1.0) {
        return Err("spread must be above 0 and at most 100, rate above 0 and at most 1".into());
    }
    let wanted = TUNABLE_PARAMS.iter().filter(|param| options.choice.contains(param.name));
    let params: Vec<TunedParam> = wanted.map(TunedParam::of).collect();
    if params.is_empty() {
        return Err("no parameter has such a name".into());
    }
    let match_setup = games.match_setup()?;
    let fresh = TuningState {
        schedule,
        nodes: games.nodes,
        match_setup: Some(match_setup.clone()),
        played: 0,
        averaged: 0,
        balance: (0, 0),
        random: games.seed,
        params,
    };
    let _lock = state_file::lock(&games.out)?;
    let mut state = TuningState::load_or(&games.out, fresh)?;
    let unknown = MatchSetup { engine_sha256: None, book_sha256: None, ..match_setup.clone() };
    complete(state.match_setup.get_or_insert(unknown), match_setup);
    let state = play(state, games, opening::read_distinct(&games.book)?)?;
    let (played, (_, decided)) = (state.played, state.balance);
    print_line(format_args!(
        "{played} pairs, {decided} of their games decided; changed:\n{}",
        state.changed_values()
    ))?;
    all_played(state.played, games.pairs)
}

fn measure(options: FactorialOptions) -> Result<(), Box<dyn Error>> {
    let games = options.games;
    let match_setup = games.match_setup()?;
    let book = shuffled(opening::read_distinct(&games.book)?, games.seed);
    let pairs = games.pairs.min(book.len() as u64);
    if pairs < games.pairs {
        print_message(format_args!(
            "{pairs} pairs are played, one for each opening of {}",
            games.book.display()
        ));
    }
    let fresh = FactorialRun {
        nodes: games.nodes,
        pairs,
        match_setup: match_setup.clone(),
        random: games.seed,
        openings_used: 0,
        factorial: Factorial::new(options.factors, TUNABLE_PARAMS)?,
    };
    let _lock = state_file::lock(&games.out)?;
    let mut experiment = FactorialRun::load_or(&games.out, fresh)?;
    complete(&mut experiment.match_setup, match_setup);
    let openings = book.len();
    let experiment = play(experiment, &games, book)?;
    print_line(format_args!("{}", experiment.table().trim_end()))?;
    if experiment.played() < pairs && experiment.openings_used >= openings {
        let missing = pairs - experiment.played();
        return Err(
            format!("{missing} pairs are missing: they were abandoned, and no opening is left").into()
        );
    }
    all_played(experiment.played(), pairs)
}

/// An error for a run that was ended before all pairs were played: what follows it should not take its values for final ones.
fn all_played(played: u64, pairs: u64) -> Result<(), Box<dyn Error>> {
    if played < pairs {
        return Err(format!("interrupted after {played} of {pairs} pairs; the same command goes on").into());
    }
    Ok(())
}

fn main() -> ExitCode {
    let done = match cli::parse::<Cli>().command {
        Command::Tune(options) => tune(&options),
        Command::Factorial(options) => measure(options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error("error", &*error);
            ExitCode::FAILURE
        }
    }
}
