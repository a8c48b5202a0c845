//! Why an engine refused a request.

use std::error::Error;
use std::fmt;
use std::io;

use crate::tt::ResizeError;

/// Why an engine refused a request.
#[derive(Debug)]
pub enum EngineError {
    /// A search is running.
    Searching,
    /// The transposition table could not get its size, or its place.
    Hash(ResizeError),
    /// The number of threads is out of range.
    ThreadCount {
        /// The number that was asked for.
        requested: usize,
        /// The most that an engine can have.
        max: usize,
    },
    /// The system refused to start the threads.
    StartThreads {
        /// How many were asked for.
        requested: usize,
        /// What the system says.
        cause: io::Error,
    },
    /// The system refused to start the threads, and then the former ones, too.
    LoseThreads {
        /// How many were asked for.
        requested: usize,
        /// How many there are now: 1 or 0.
        left: usize,
        /// What the system says.
        cause: io::Error,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Searching => write!(f, "a search is running"),
            EngineError::Hash(cause) => write!(f, "hash: {cause}"),
            EngineError::ThreadCount { requested, max } => {
                write!(f, "threads: {requested} is not between 1 and {max}")
            }
            EngineError::StartThreads { requested, cause } => {
                write!(f, "threads: {requested} cannot be started: {cause}")
            }
            EngineError::LoseThreads { requested, left, cause } => write!(
                f,
                "threads: {requested} cannot be started, and the former ones not again, {left} left: {cause}"
            ),
        }
    }
}

impl Error for EngineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EngineError::Searching | EngineError::ThreadCount { .. } => None,
            EngineError::Hash(cause) => Some(cause),
            EngineError::StartThreads { cause, .. } | EngineError::LoseThreads { cause, .. } => Some(cause),
        }
    }
}

impl From<ResizeError> for EngineError {
    fn from(cause: ResizeError) -> EngineError {
        EngineError::Hash(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::TranspositionTable;
    use crate::util::huge::AllocError;

    #[test]
    fn an_error_keeps_its_whole_chain_of_causes() {
        let cause = TranspositionTable::new(1 << 40).expect_err("too large");
        let error = EngineError::from(cause);
        let resize = error.source().expect("a cause");
        assert_eq!(resize.downcast_ref::<ResizeError>(), Some(&cause));
        assert!(resize.source().is_some_and(|alloc| alloc.is::<AllocError>()));
        let error = EngineError::StartThreads { requested: 9, cause: io::ErrorKind::OutOfMemory.into() };
        assert!(error.source().is_some_and(|cause| cause.is::<io::Error>()));
    }
}
