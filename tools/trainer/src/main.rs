//! The trainer's program: parses the command line and runs the command.

mod arguments;
mod commands;
mod judge_commands;

use std::process::ExitCode;

use toolkit::cli::{self, print_error};

use arguments::{Cli, Command};
use commands::{average, compare, hold, prepare, scale, show, train};
use judge_commands::{judge, judge_endings, judge_scores};

fn main() -> ExitCode {
    let result = match cli::parse::<Cli>().command {
        Command::Prepare(args) => prepare(&args),
        Command::Hold(args) => hold(&args),
        Command::Compare(args) => compare(&args),
        Command::Train(args) => train(&args),
        Command::Judge(args) => judge(&args),
        Command::JudgeEndings(args) => judge_endings(&args),
        Command::JudgeScores(args) => judge_scores(&args),
        Command::Scale(args) => scale(&args),
        Command::Average(args) => average(&args),
        Command::Show { file, fen } => show(&file, &fen),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error("error", &*error);
            ExitCode::FAILURE
        }
    }
}
