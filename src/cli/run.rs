//! From the arguments of the process to its exit code.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::bench;
use crate::uci::Output;
use crate::uci::session::evaluation_line;

use super::arguments::{Arguments, Subcommand};
use super::inputs::{CliError, board, network, print_remarks};
use super::{doctor, perft, search, speedtest, suite};

/// Reads the arguments of the process and does what they say.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Where nobody reads, nobody misses it.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let output = Output::standard();
    match execute(arguments.subcommand, &output) {
        Ok(code) => code,
        Err(CliError(reason)) => {
            let _ = writeln!(std::io::stderr(), "caesura: {reason}");
            ExitCode::from(2)
        }
    }
}

fn execute(subcommand: Subcommand, output: &Output) -> Result<ExitCode, CliError> {
    match subcommand {
        Subcommand::Bench(arguments) => {
            let (null_move, null_settings) = arguments.null_move.settings();
            let setup = bench::BenchConfig {
                depth: arguments.depth,
                threads: arguments.threads,
                hash: arguments.hash,
                network: network(&arguments.network.eval_file)?,
                null_move,
                null_move_settings: null_settings,
            };
            print_remarks(&bench::remarks(&setup));
            let total = bench::run(&setup, |position| output.line(position))?;
            if arguments.verbose {
                output.line(total.null_counts);
            }
            output.line(total);
            Ok(ExitCode::SUCCESS)
        }
        Subcommand::Perft(arguments) => perft::run(&arguments, output),
        Subcommand::Search(arguments) => search::run(&arguments, output),
        Subcommand::Suite(arguments) => suite::run(&arguments, output),
        Subcommand::Speedtest(arguments) => speedtest::run(&arguments, output),
        Subcommand::Doctor(arguments) => doctor::run(&arguments, output),
        Subcommand::Eval { fen, network: file } => {
            let network = network(&file.eval_file)?;
            output.line(evaluation_line(&board(&fen, false)?, &network));
            Ok(ExitCode::SUCCESS)
        }
    }
}
