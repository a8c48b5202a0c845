//! The Universal Chess Interface (Kahlen and Meyer-Kahlen 2000).
//!
//! [`input`] reads lines, whatever bytes they hold; `lines` reads ahead while a long command is executed; [`command`]
//! parses a line into a typed command or an error, with [`go_words`] for what follows `go` and [`words`] for numbers and
//! the like; [`position_command`] and [`go_command`] turn its words into a board and limits; [`position_line`] reads
//! files of positions; [`options`] is the one table from which options are listed, parsed and applied; [`info`] formats
//! what a search reports; [`reporter`] is the listener that the search calls; [`output`] writes whole lines, one at a
//! time; [`help`] lists the commands; [`genfens`] makes openings; [`bench_command`] and [`speedtest_command`] measure;
//! [`eval_table`] shows the evaluation; `export_network` writes the network to a file; `tuner` lists the numbers of the
//! search; [`strength`] chooses weaker moves; [`state_observer`] is for engines that follow a session; and [`session`]
//! is the loop. Only `quit`, the end of the input, an input that cannot be read, or an output that can no longer be written
//! ends it: a line that makes no sense is answered with an `info string`.

pub mod bench_command;
pub mod command;
pub mod diagram;
pub mod eval_table;
mod export_network;
pub mod genfens;
pub mod go_command;
pub mod go_words;
pub mod help;
pub mod info;
pub mod input;
mod lines;
pub mod options;
pub mod output;
pub mod position_command;
pub mod position_line;
pub mod reporter;
#[cfg(test)]
mod screen;
pub mod session;
pub mod speedtest_command;
pub mod state_observer;
pub mod strength;
mod tuner;
pub mod words;

pub use output::Output;
pub use session::Session;
pub use state_observer::{StateChange, StateObserver};
