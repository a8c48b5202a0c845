//! The errors of the trainer; each keeps its cause.

use std::io;
use std::path::{Path, PathBuf};

use caesura::engine::TablebaseError;

use crate::arch::ArchitectureError;
use crate::checkpoint::CheckpointError;
use crate::network_file::NetworkFileError;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum TrainerError {
    /// The system cannot read or write.
    #[error(transparent)]
    Io(#[from] toolkit::FileError),
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
    /// The system refuses every thread.
    #[error(transparent)]
    NoThread(#[from] toolkit::ordered::NoThread),
    /// The thread that reads the positions has ended before their end.
    #[error("the thread that reads the positions has ended")]
    ReaderEnded,
    /// An endgame table is damaged or cannot be read.
    #[error("{}", directory.display())]
    Table {
        /// The directory of the tables.
        directory: PathBuf,
        /// What is wrong.
        source: TablebaseError,
    },
    /// A file is not a network.
    #[error("{}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: NetworkFileError,
    },
    /// A file is not a checkpoint.
    #[error("{}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: CheckpointError,
    },
    /// The description of prepared positions cannot be read.
    #[error("{}: not a description of prepared positions", path.display())]
    Description {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The network cannot have the architecture that is asked for.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// The threads cannot be started.
    #[error("the threads cannot be started")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The settings are impossible.
    #[error("{0}")]
    Settings(String),
    /// A signal ended the command.
    #[error("interrupted")]
    Interrupted,
}

impl TrainerError {
    /// A file that is not what it should be.
    pub fn file(path: &Path, reason: impl Into<String>) -> TrainerError {
        TrainerError::File { path: path.to_path_buf(), reason: reason.into() }
    }

    /// Adds the path of a file to an error of the system.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> TrainerError + '_ {
        |source| toolkit::FileError::at(path)(source).into()
    }
}
