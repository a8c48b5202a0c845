//! The command line: one subcommand a file, read by `clap`.
//!
//! `arguments` defines subcommands and flags, `scheme_value` reads null-move schemes, `option_arguments` makes flags of
//! the options of the engine, `inputs` reads what arguments name, `error` has the errors, `run` runs a subcommand: `search`
//! searches a position, `explain` shows what became of its null moves, `perft` counts, `suite` solves test positions,
//! `speedtest` measures, `doctor` describes the machine. `uci_lines` takes arguments that are UCI commands.
//! Results go to the standard output, errors and remarks to the standard error output. The exit code is 0, 1 if a check
//! failed, and 2 for an error.

mod arguments;
mod doctor;
mod error;
mod explain;
mod inputs;
mod option_arguments;
mod perft;
mod run;
mod scheme_value;
mod search;
mod speedtest;
mod suite;
mod uci_lines;

pub use perft::{PerftLine, PerftLineError, parse_perft_line};
pub use run::{main, uci};
