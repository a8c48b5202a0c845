//! The command line, for everything but the UCI conversation: read by [`clap`], one subcommand a file.
//!
//! Results go to the standard output line by line, complaints to the standard error. The exit code is 0, 1 if
//! what was to be proved turned out wrong, and 2 for an error.

mod analyse;
mod arguments;
mod perft;
mod suite;

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

pub use perft::{PerftLine, parse_perft_line};

use crate::bench;
use crate::board::Board;
use crate::uci::Output;
use crate::uci::session::evaluation_line;

use arguments::{Arguments, Subcommand};

/// What went wrong, in words for people.
#[derive(Debug)]
struct Failure(String);

impl<E: fmt::Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

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
    match obey(arguments.subcommand, &output) {
        Ok(code) => code,
        Err(Failure(reason)) => {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "caesura: {reason}");
            ExitCode::from(2)
        }
    }
}

fn obey(subcommand: Subcommand, output: &Output) -> Result<ExitCode, Failure> {
    match subcommand {
        Subcommand::Bench(arguments) => {
            let setup =
                bench::Setup { depth: arguments.depth, threads: arguments.threads, hash: arguments.hash };
            let total = bench::run(&setup, |position| output.line(position))?;
            output.line(total);
            Ok(ExitCode::SUCCESS)
        }
        Subcommand::Perft(arguments) => perft::run(&arguments, output),
        Subcommand::Search(arguments) => analyse::run(&arguments, output),
        Subcommand::Suite(arguments) => suite::run(&arguments, output),
        Subcommand::Eval { fen } => {
            output.line(evaluation_line(&board(&fen, false)?));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The position of a FEN that may be spread over several arguments; of none, the start.
fn board(fen: &[String], chess960: bool) -> Result<Board, Failure> {
    let fen = fen.join(" ");
    let mut board = match fen.trim() {
        "" | "startpos" => Board::start(),
        fen => fen.parse().map_err(|error| Failure(format!("bad FEN: {error}")))?,
    };
    board.set_chess960(chess960 || !board.castles_as_standard());
    Ok(board)
}

/// The text of a file; bytes that are not UTF-8 are marked.
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
