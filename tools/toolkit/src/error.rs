//! The error of file access that all tools share.

use std::io;
use std::path::{Path, PathBuf};

/// A file or directory that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot access {}", path.display())]
pub struct FileError {
    /// The file or directory.
    pub path: PathBuf,
    /// The error of the operating system.
    pub source: io::Error,
}

impl FileError {
    /// A function that adds the path to an error of the operating system, for `map_err`.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> FileError + '_ {
        |source| FileError { path: path.to_path_buf(), source }
    }
}
