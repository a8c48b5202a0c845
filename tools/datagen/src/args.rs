//! What the command lines of the tools share.

use std::thread;

use clap::Args;

/// How many threads a tool uses.
#[derive(Clone, Copy, Debug, Args)]
pub struct Threads {
    /// How many threads; as many as there are processors if not given.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number: what was said, or as many as can run at once.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}
