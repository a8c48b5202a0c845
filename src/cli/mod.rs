//! The command line, for everything but the UCI conversation: read by `clap`, one subcommand a file.
//!
//! `arguments` says what can be said, `given` reads what is named there, `dispatch` does it: `analyse`
//! searches a position, `perft` counts, `suite` solves. Results go to the standard output line by line,
//! complaints to the standard error. The exit code is 0, 1 if what was to be proved turned out wrong, and 2
//! for an error.

mod analyse;
mod arguments;
mod dispatch;
mod given;
mod perft;
mod suite;

pub use dispatch::main;
pub use perft::{PerftLine, parse_perft_line};
