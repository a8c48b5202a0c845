//! The errors and remarks of the command line.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::num::ParseFloatError;
use std::path::PathBuf;

use crate::board::fen::FenError;
use crate::engine::EngineError;
use crate::suite::TestPositionError;
use crate::uci::bench_command::BenchError;
use crate::uci::options::OptionValue;
use crate::uci::position_command::PositionError;
use crate::util::huge::AllocError;
use crate::util::quote::{quote, quote_path};

/// Why a subcommand could not be carried out.
#[derive(Debug)]
pub(super) enum CliError {
    /// The engine cannot do it.
    Engine(EngineError),
    /// The arguments of the benchmark make no sense, or the engine cannot do it.
    Bench(BenchError),
    /// The position is no FEN.
    Fen(FenError),
    /// The value of a flag cannot be used.
    Flag { flag: &'static str, value: OptionValue, source: Box<dyn Error + Send + Sync> },
    /// A file cannot be read or written.
    File { path: PathBuf, source: io::Error },
    /// A file has no position to check.
    Empty(PathBuf),
    /// A perft suite has no count that is at most this.
    NoCounts(PathBuf, u64),
    /// The moves behind the start position are not all legal.
    Moves(PositionError),
    /// A file of test positions has a line that is none.
    Suite { path: PathBuf, source: TestPositionError },
    /// There is no memory for a perft table of this many megabytes.
    PerftTable { megabytes: usize, source: AllocError },
    /// Arguments are missing, or too many.
    Usage(&'static str),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Engine(error) => write!(f, "{error}"),
            CliError::Bench(error) => write!(f, "{error}"),
            CliError::Fen(error) => write!(f, "bad FEN: {error}"),
            CliError::Flag { flag, value, source } => match value {
                OptionValue::Spin(number) => write!(f, "--{flag} {number}: {source}"),
                OptionValue::File(path) => write!(f, "--{flag} {}: {source}", quote_path(path)),
                value => write!(f, "--{flag} {}: {source}", quote(value.text())),
            },
            CliError::File { path, source } => write!(f, "{}: {source}", quote_path(path)),
            CliError::Empty(path) => write!(f, "{}: no positions", quote_path(path)),
            CliError::NoCounts(path, max) => {
                write!(f, "{}: no count is at most --max-nodes {max}", quote_path(path))
            }
            CliError::Moves(error) => write!(f, "{error}"),
            CliError::Suite { path, source } => write!(f, "{}: {source}", quote_path(path)),
            CliError::PerftTable { megabytes, source } => write!(f, "--hash {megabytes}: {source}"),
            CliError::Usage(text) => write!(f, "{text}"),
        }
    }
}

impl Error for CliError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            CliError::Engine(error) => Some(error),
            CliError::Bench(error) => Some(error),
            CliError::Fen(error) => Some(error),
            CliError::Flag { source, .. } => Some(&**source),
            CliError::File { source, .. } => Some(source),
            CliError::Suite { source, .. } => Some(source),
            CliError::PerftTable { source, .. } => Some(source),
            CliError::Moves(error) => Some(error),
            CliError::Empty(_) | CliError::NoCounts(..) | CliError::Usage(_) => None,
        }
    }
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> CliError {
        CliError::Engine(error)
    }
}

/// Why a text is no search time in seconds.
#[derive(Debug)]
pub(super) enum SecondsError {
    /// It is no number.
    NotANumber(ParseFloatError),
    /// It is too short or too long.
    OutOfRange,
}

impl fmt::Display for SecondsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be a number from 0.1 to 1000000")
    }
}

impl Error for SecondsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SecondsError::NotANumber(error) => Some(error),
            SecondsError::OutOfRange => None,
        }
    }
}

/// Writes what the user should know besides the results to the standard error output, where it does not disturb programs
/// that read the results.
pub(super) fn print_remarks(remarks: &[String]) {
    for remark in remarks {
        // A closed standard error is no reason to fail.
        let _ = writeln!(io::stderr(), "caesura: {remark}");
    }
}
