#![doc = include_str!("../README.md")]

pub mod contender;
pub mod limit;
pub mod origin;
pub mod paper;
pub mod positions;

pub mod store;

pub mod runner;
pub mod searcher;

pub mod elo;
pub mod game;

pub mod match_play;
pub mod nodes;
pub mod scaling;
pub mod tactics;
pub mod zugzwang;

pub mod report;

use std::io;
use std::path::PathBuf;

use caesura::engine::EngineError;

/// Why an experiment cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The engine refuses.
    #[error("the engine: {0}")]
    Engine(#[from] EngineError),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file says what makes no sense.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The results there are those of another engine or machine.
    #[error("{}: the results there are of another {what}; choose another directory", path.display())]
    Mixed {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// An argument makes no sense.
    #[error("{0}")]
    Argument(String),
}

impl LabError {
    /// For the errors of one file.
    pub(crate) fn file(path: &std::path::Path) -> impl Fn(io::Error) -> LabError + '_ {
        |error| LabError::File { path: path.to_path_buf(), error }
    }
}
