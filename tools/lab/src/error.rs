//! Why an experiment cannot run.

use std::path::PathBuf;

use caesura::engine::{EngineError, NetworkError, TablebaseError};
use toolkit::FileError;

/// Why an experiment cannot run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The engine cannot start or search.
    #[error("the engine failed")]
    Engine(#[from] EngineError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system refuses every thread.
    #[error(transparent)]
    NoThread(#[from] toolkit::ordered::NoThread),
    /// A line of a file of results cannot be parsed.
    #[error("{}:{line}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The error of the parser.
        source: serde_json::Error,
    },
    /// A result cannot be written as JSON.
    #[error("a result cannot be written as JSON")]
    Encode(#[from] serde_json::Error),
    /// A test suite has a line that is not a test position.
    #[error("{}", path.display())]
    Suite {
        /// The file.
        path: PathBuf,
        /// The line and what is wrong with it.
        source: caesura::suite::test_position::TestPositionError,
    },
    /// A built-in position cannot be parsed.
    #[error("the position '{id}' cannot be set up")]
    Position {
        /// The name of the position.
        id: String,
        /// The error of the parser.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The results in a file come from another engine or machine.
    #[error("{}: these results come from another {what}; choose another directory", path.display())]
    Mixed {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// An opening book cannot be read.
    #[error("the opening book cannot be read")]
    Book(#[from] datagen::opening::BookError),
    /// A network cannot be used.
    #[error("{}", path.display())]
    Network {
        /// The file, or the name of a network of the engine.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<NetworkError>,
    },
    /// Two evaluations have the same name, so that their results could not be told apart.
    #[error("there are two evaluations with the name '{0}'; rename a file")]
    SameName(String),
    /// A match has no openings.
    #[error("a match needs an opening book")]
    NoOpenings,
    /// An engine returned no move although there is one.
    #[error("the engine returned no move in {0}")]
    NoMove(String),
    /// An endgame table cannot be used.
    #[error(transparent)]
    Table(#[from] TablebaseError),
    /// Endgame tables of captures and promotions are missing or damaged.
    #[error("{material}: {positions} positions lead to endings whose tables are missing or damaged")]
    MissingTables {
        /// The pieces of the ending.
        material: String,
        /// The positions that cannot be judged.
        positions: u64,
    },
    /// A directory has no endgame tables.
    #[error("{}: no endgame tables", .0.display())]
    NoTables(PathBuf),
    /// A directory has no results to report.
    #[error("{}: no results yet", .0.display())]
    NoResults(PathBuf),
}
