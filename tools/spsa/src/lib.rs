#![doc = include_str!("../README.md")]

pub mod perturbation;
pub mod state;
pub mod uci_engine;

pub mod pair;
pub mod run;

use std::io;
use std::path::PathBuf;

/// Why tuning cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// An engine cannot be started, or does not answer as it should.
    #[error("{}: {reason}", path.display())]
    Engine {
        /// The program.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The state is not one of these numbers and settings.
    #[error("{}: {reason}; choose another directory", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
}
