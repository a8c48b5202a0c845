//! Why tuning cannot continue.

use std::io;
use std::path::PathBuf;

use toolkit::FileError;

/// Why tuning cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// An engine failed.
    #[error("the engine {} failed", path.display())]
    Engine {
        /// The program.
        path: PathBuf,
        /// What is wrong.
        source: EngineFault,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A stored state does not belong to this run.
    #[error("{} cannot be continued; choose another directory", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: StateFault,
    },
    /// There is no opening.
    #[error("tuning needs an opening book")]
    NoOpenings,
}

/// How an engine failed.
#[derive(Debug, thiserror::Error)]
pub enum EngineFault {
    /// The program cannot be started.
    #[error("it cannot be started")]
    Start(#[source] io::Error),
    /// The program neither answers nor ends.
    #[error("it does not answer 'uci'")]
    NoAnswer,
    /// The program ended, or its pipes were closed.
    #[error("it has ended")]
    Ended,
    /// The engine has no spin option of this name.
    #[error("it has no spin option '{0}'; was it built with `--features tune`?")]
    NoOption(String),
    /// A value is outside the range of an option.
    #[error("its option '{name}' takes {min} to {max}, not {value}")]
    OutOfRange {
        /// The option.
        name: String,
        /// Its least value.
        min: i64,
        /// Its greatest value.
        max: i64,
        /// The value that was to be set.
        value: i64,
    },
    /// The engine answered `go` without a move.
    #[error("its answer names no move")]
    NoMove,
    /// The engine played an illegal move.
    #[error("'{best_move}' is not a legal move in {position}")]
    IllegalMove {
        /// The move, in UCI notation.
        best_move: String,
        /// The position, as UCI writes it.
        position: String,
    },
}

/// Why factors make no experiment.
#[derive(Debug, thiserror::Error)]
pub enum FactorError {
    /// It is not written as a factor.
    #[error("'{0}' is not 'name:parameter=value,parameter=value'")]
    Syntax(String),
    /// There is no such parameter.
    #[error("the search has no parameter '{0}'")]
    Unknown(String),
    /// Two factors set one parameter.
    #[error("the parameter '{0}' is named twice")]
    Twice(String),
    /// The value is out of range or changes nothing.
    #[error("the parameter '{name}' takes {min} to {max}, and not its default {default}; not {value}")]
    Value {
        /// The parameter.
        name: String,
        /// The value that was to be set.
        value: i32,
        /// Its least value.
        min: i32,
        /// Its greatest value.
        max: i32,
        /// What it is while the factor is off.
        default: i32,
    },
    /// There is no factor.
    #[error("there is no factor")]
    None,
}

/// Why a stored state cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum StateFault {
    /// The file cannot be parsed, or a state cannot be written as JSON.
    #[error("it is not a state")]
    Json(#[from] serde_json::Error),
    /// The state tunes other parameters or ranges.
    #[error("it tunes other parameters")]
    Parameters,
    /// The state has another gain schedule or node limit.
    #[error("it has another gain schedule or node limit")]
    Schedule,
    /// The state has another engine, book, table or seed.
    #[error("it has another engine, book, table or seed")]
    Match,
    /// The sums of the state are not numbers, or not as many as its factors need.
    #[error("its sums are damaged")]
    Sums,
    /// A value of the state is out of its range.
    #[error("a parameter is out of its range")]
    OutOfRange,
}
