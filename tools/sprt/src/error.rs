//! Why a test cannot be played.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use toolkit::FileError;
use toolkit::uci_options::ListError;

/// Why a test cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SprtError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A program cannot be started.
    #[error("cannot run {}", path.display())]
    Run {
        /// The program.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A command has failed.
    #[error("'{command}' failed ({status}){}{message}", if message.is_empty() { "" } else { ": " })]
    Failed {
        /// The command.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote to standard error, if that was read.
        message: String,
    },
    /// A name is neither a program nor a revision.
    #[error("'{0}' is neither a program nor a git revision")]
    Unknown(String),
    /// A book has no opening.
    #[error("no openings in {}", .0.display())]
    EmptyBook(PathBuf),
    /// A book is compressed, so that its openings cannot be counted.
    #[error("{} is compressed; unpack it first", .0.display())]
    CompressedBook(PathBuf),
    /// A book of positions has a line that is a comment.
    #[error("{} has a comment, which fastchess would take for an opening; take out the lines that begin with #", .0.display())]
    CommentInBook(PathBuf),
    /// A book of positions has a line of nothing but blanks.
    #[error("{} has a line of blanks, which fastchess would take for an opening; take it out", .0.display())]
    BlanksInBook(PathBuf),
    /// The folder for temporary files lies in the repository, whose settings of cargo would hold there.
    #[error("the folder for temporary files, {}, lies in the repository: set TMPDIR to another", .0.display())]
    TemporaryFolder(PathBuf),
    /// An engine lists no option of this name, so that fastchess would not set it.
    #[error("{} lists no option '{name}' in its answer to 'uci'", path.display())]
    NoOption {
        /// The program.
        path: PathBuf,
        /// The option.
        name: String,
    },
    /// An engine refuses the value of an option.
    #[error("{} says '{message}'", path.display())]
    Refused {
        /// The program.
        path: PathBuf,
        /// What it says.
        message: String,
    },
    /// An engine does not answer once its options are set.
    #[error("{} does not take its options", path.display())]
    NotReady {
        /// The program.
        path: PathBuf,
        /// Why.
        source: ListError,
    },
    /// The options of an engine are not known.
    #[error("{} lists no options", path.display())]
    Options {
        /// The program.
        path: PathBuf,
        /// Why.
        source: ListError,
    },
    /// fastchess has not set an option, and would have played without it.
    #[error("an option was not set: '{message}'; see {}", log.display())]
    OptionNotSet {
        /// What fastchess says.
        message: String,
        /// All that it wrote.
        log: PathBuf,
    },
    /// The directory for a test holds another one.
    #[error("{} holds another test; name another directory", .0.display())]
    Occupied(PathBuf),
    /// fastchess has ended before the match was over, without being asked to.
    #[error("fastchess ended before the match was over ({status}); see {}", log.display())]
    Ended {
        /// How it ended.
        status: ExitStatus,
        /// What it wrote.
        log: PathBuf,
    },
    /// fastchess has ended without a result.
    #[error("fastchess ended without a result; see {}", .0.display())]
    NoResult(PathBuf),
}
