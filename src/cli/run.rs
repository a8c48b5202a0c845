//! Runs the subcommand that the arguments of the process name, and turns its result into an exit code.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;

use crate::bench;
use crate::uci::bench_command::BenchCommand;
use crate::uci::eval_table;
use crate::uci::help::BANNER;
use crate::uci::output::write_error_code;
use crate::uci::{Output, Session};
use crate::util::quote::excerpt;
use crate::util::streams;

use super::arguments::{Arguments, BenchArguments, EvalArguments, Subcommand};
use super::error::{CliError, print_remarks};
use super::inputs::board;
use super::{doctor, explain, perft, search, speedtest, suite, uci_lines};

/// Runs the subcommand that the arguments of the process name, or the UCI commands that they are. The exit code is 0, 1 if
/// a check failed, or 2 for an error, which is written to the standard error output.
pub fn main() -> ExitCode {
    if let Some(lines) = uci_lines::of_arguments(std::env::args_os().skip(1)) {
        return uci_lines::run(&lines);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            return show_usage(&error);
        }
    };
    let Some(subcommand) = arguments.subcommand else { return uci(arguments.experiments) };
    let output = Output::standard();
    match execute(subcommand, &output) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "caesura: {error}");
            ExitCode::from(2)
        }
    }
}

/// Greets, then executes UCI commands from the standard input until it ends or `quit` comes; the answer to `uci` lists the
/// options of experiments if that is wished. The exit code is 2 if there is no memory or no thread for an engine, or if the
/// input cannot be read.
pub fn uci(experiments: bool) -> ExitCode {
    let output = Arc::new(Output::standard());
    output.line(BANNER);
    match Session::new(Arc::clone(&output)) {
        Ok(session) => {
            let mut session = if experiments { session.listing_experiments() } else { session };
            match session.run(BufReader::new(streams::stdin())) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    print_remarks(&[format!("the input cannot be read: {error}")]);
                    ExitCode::from(2)
                }
            }
        }
        Err(error) => {
            output.info_string(error);
            ExitCode::from(2)
        }
    }
}

fn execute(subcommand: Subcommand, output: &Output) -> Result<ExitCode, CliError> {
    match subcommand {
        Subcommand::Bench(arguments) => bench(&arguments, output),
        Subcommand::Perft(arguments) => perft::run(&arguments, output),
        Subcommand::Search(arguments) => search::run(&arguments, output),
        Subcommand::Explain(arguments) => explain::run(&arguments, output),
        Subcommand::Suite(arguments) => suite::run(&arguments, output),
        Subcommand::Speedtest(arguments) => speedtest::run(&arguments, output),
        Subcommand::Doctor(arguments) => doctor::run(&arguments, output),
        Subcommand::Eval(arguments) => eval(&arguments, output),
    }
}

/// Prints the help, the version, or what is wrong with the arguments, and returns the exit code.
fn show_usage(error: &clap::Error) -> ExitCode {
    let is_error = error.use_stderr();
    // The message repeats arguments: what they have of control characters and of characters without end is not repeated.
    let is_repeatable =
        |word: OsString| word.len() <= MAX_REPEATED && !word.to_string_lossy().contains(char::is_control);
    let printed = if is_error && !std::env::args_os().all(is_repeatable) {
        let message = error.to_string();
        let lines = message.lines().take(MAX_LINES).map(excerpt).collect::<Vec<_>>();
        writeln!(io::stderr(), "{}", lines.join("\n"))
    } else {
        error.print()
    };
    match printed {
        Err(cause) if !is_error => ExitCode::from(write_error_code(&cause)),
        // A closed standard error is no other error.
        _ => {
            if is_error {
                ExitCode::from(2)
            } else {
                ExitCode::SUCCESS
            }
        }
    }
}

/// Arguments of more bytes are not repeated whole in a message.
const MAX_REPEATED: usize = 1000;
/// Lines of a message about arguments that are too long.
const MAX_LINES: usize = 10;

fn bench(arguments: &BenchArguments, output: &Output) -> Result<ExitCode, CliError> {
    let mut engine = arguments.options.engine()?;
    let report_counts = &mut engine.options_mut().null_move_settings.report_counts;
    *report_counts |= arguments.verbose;
    let report_counts = *report_counts;
    let words = arguments.words();
    let total = if words.is_empty() {
        let total = bench::run(&mut engine, arguments.depth, |position| output.line(position))?;
        print_remarks(&total.warnings);
        total
    } else {
        let command = BenchCommand::from_words(&words).map_err(CliError::Bench)?;
        let shown = engine.placement().remarks.clone();
        let print_new = |remarks: &[String]| {
            print_remarks(
                &remarks.iter().filter(|remark| !shown.contains(remark)).cloned().collect::<Vec<_>>(),
            );
        };
        match command.run_in(&mut engine, output, &print_new, &|| false).map_err(CliError::Bench)? {
            Some(total) => total,
            // The output was closed.
            None => return Ok(ExitCode::SUCCESS),
        }
    };
    if report_counts {
        output.line(total.null_counts);
    }
    output.line(total);
    Ok(ExitCode::SUCCESS)
}

fn eval(arguments: &EvalArguments, output: &Output) -> Result<ExitCode, CliError> {
    let mut engine = arguments.options.engine()?;
    engine.set_position(board(&arguments.fen, false)?);
    output.line(eval_table::table(&engine));
    Ok(ExitCode::SUCCESS)
}
