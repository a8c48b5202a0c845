//! Fits the numbers of the hand-written evaluation to games of the engine against itself.
//!
//! The evaluation is linear in its numbers, so that each position becomes a short list of counts, and the fit a
//! logistic regression (the method is Osterlund's, 2014, "Texel's tuning method"; here by gradient, not by
//! trial). The target blends the game's result with the score that the search gave. What is written is the
//! source file of the weights.

mod samples;
mod solve;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    /// Files of games, or folders of them.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The most positions to use.
    #[arg(long, default_value_t = 3_000_000)]
    positions: usize,
    /// How often to go through them.
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// The weight of the game's result against the search's score, 0 to 1.
    #[arg(long, default_value_t = 0.5)]
    result: f32,
    /// The first step, in centipawns.
    #[arg(long, default_value_t = 1.0)]
    step: f32,
    /// Worker threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fit: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let samples = samples::read(&arguments.games, arguments.positions, arguments.result)?;
    if samples.len() < 1000 {
        return Err(format!("{} positions are too few", samples.len()));
    }
    let weights = solve::solve(&samples, arguments.epochs, arguments.step, arguments.threads.max(1));
    std::fs::write(&arguments.out, write::source(&weights))
        .map_err(|error| format!("{}: {error}", arguments.out.display()))
}
