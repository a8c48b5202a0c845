//! The command line, for everything but the UCI conversation: read by `clap`, one subcommand a file.
//!
//! `arguments` says what can be said, `given` reads what is named there, `dispatch` does it: `analyse`
//! searches a position, `perft` counts, `suite` solves, `speedtest` measures, `doctor` tells of the machine. `refuse`
//! is for processors on which the program cannot run. Results go to the standard output line by line,
//! complaints to the standard error. The exit code is 0, 1 if what was to be proved turned out wrong, and 2
//! for an error.

mod arguments;
mod doctor;
mod inputs;
mod perft;
mod run;
mod search;
mod speedtest;
mod suite;
mod unsupported_cpu;

pub use perft::{PerftLine, parse_perft_line};
pub use run::main;
pub use unsupported_cpu::unsupported_cpu;
