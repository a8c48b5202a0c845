//! Mixed schemes: helper threads with another null-move scheme than the main thread, on positions of zugzwang.
//!
//! Threads learn from one another through the transposition table alone. If null moves hide something from one scheme, a
//! thread without them may find it and leave it there for the others. Here, too, threads take turns, so that with a limit
//! in nodes the results repeat.

use crate::LabError;
use crate::experiment::RunContext;
use crate::runner::Summary;
use crate::zugzwang::{self, Options};

/// The file of results, which are [`zugzwang::Record`]s.
pub const FILE: &str = "helpers.jsonl";
/// The contenders if none are named: those alone first that the mixed ones are compared with.
pub const CONTENDERS: [&str; 5] = ["tuned", "tuned+off", "extended", "extended+off", "off"];
/// The threads of each search, if nothing else is said.
pub const SEARCH_THREADS: usize = 2;

/// Does the searches that are not stored yet.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    zugzwang::run_into(context, FILE, options)
}
