//! What is wrong with tables.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use shakmaty_syzygy::{Metric, ProbeError, SyzygyError};

use crate::util::quote::path_excerpt;

/// Why a directory, a file or a table is not used. Everything else still is.
#[derive(Debug)]
pub enum TablebaseError {
    /// A directory cannot be listed.
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A file has the name of a table and cannot be one: it is cut off, say, or no file.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: io::Error,
    },
    /// A table was opened and turned out to be damaged, or could not be read.
    Table(SyzygyError),
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::Directory { path, cause } => {
                write!(f, "no tablebases from {}: {cause}", path_excerpt(path))
            }
            TablebaseError::File { path, cause } => {
                write!(f, "tablebase {} is not used: {cause}", path_excerpt(path))
            }
            TablebaseError::Table(SyzygyError::ProbeFailed { metric, material, error }) => {
                let extension = match metric {
                    Metric::Wdl => "rtbw",
                    Metric::Dtz => "rtbz",
                };
                write!(f, "tablebase {material}.{extension} ")?;
                match &**error {
                    // What the system says, not what is missing in the file.
                    ProbeError::Read { error } if error.raw_os_error().is_some() => {
                        write!(f, "cannot be read: {error}")
                    }
                    _ => write!(f, "is damaged or cannot be read"),
                }
            }
            TablebaseError::Table(cause) => write!(f, "tablebases: {cause}"),
        }
    }
}

impl Error for TablebaseError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TablebaseError::Directory { cause, .. } | TablebaseError::File { cause, .. } => Some(cause),
            TablebaseError::Table(cause) => Some(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_the_system_says_of_a_table_is_named() {
        let message = |error| {
            let material = shakmaty_syzygy::Material::from_board(&shakmaty::Board::new());
            let error = Box::new(ProbeError::Read { error });
            TablebaseError::Table(SyzygyError::ProbeFailed { metric: Metric::Wdl, material, error })
                .to_string()
        };
        let too_many = message(io::Error::from_raw_os_error(24));
        assert!(too_many.contains(".rtbw cannot be read: Too many open files"), "{too_many}");
        let cut_off = message(io::ErrorKind::UnexpectedEof.into());
        assert!(cut_off.ends_with(".rtbw is damaged or cannot be read"), "{cut_off}");
    }

    #[test]
    fn a_message_about_a_path_is_short_and_printable() {
        let path = || PathBuf::from(format!("{}\u{1b}[2J/KQvK.rtbw", "x".repeat(1 << 20)));
        let cause = || io::Error::from(io::ErrorKind::NotFound);
        for error in [
            TablebaseError::Directory { path: path(), cause: cause() },
            TablebaseError::File { path: path(), cause: cause() },
        ] {
            let message = error.to_string();
            assert!(message.len() < 500 && !message.contains(char::is_control), "{} bytes", message.len());
            assert!(message.contains("KQvK.rtbw"), "{message}");
        }
    }
}
