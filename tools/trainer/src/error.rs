//! What can go wrong.

use std::io;
use std::path::{Path, PathBuf};

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum TrainerError {
    /// The system cannot read or write.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Games cannot be read.
    #[error(transparent)]
    Games(#[from] datagen::ReadError),
    /// The command asks for what cannot be.
    #[error("{0}")]
    Settings(String),
    /// Somebody ended it.
    #[error("interrupted")]
    Interrupted,
}

impl TrainerError {
    /// A file that is not what it should be.
    pub fn file(path: &Path, reason: impl Into<String>) -> TrainerError {
        TrainerError::File { path: path.to_path_buf(), reason: reason.into() }
    }

    /// Adds the file's name to what the system says.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> TrainerError {
        let path = path.to_path_buf();
        move |error| TrainerError::Io { path, error }
    }
}
