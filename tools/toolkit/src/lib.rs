//! What the tools have in common.
//!
//! Command lines and messages ([`cli`]), files that are whole or not there ([`mod@file`], [`FileError`]) and which they are
//! ([`file_identity`]); work in many threads whose results come in order ([`ordered`]), and how far it is ([`progress`]);
//! the options of a UCI engine in another process ([`uci_options`]) and the scores that it shows ([`uci_score`]); samples of
//! streams ([`reservoir`]), statistics ([`statistics`]), what games are worth ([`elo`]) and sequential tests ([`sequential`]);
//! the endgame tables of tests ([`test_tables`]).

pub mod cli;
pub mod elo;
mod error;
pub mod file;
pub mod file_identity;
pub mod ordered;
pub mod progress;
pub mod reservoir;
pub mod sequential;
pub mod statistics;
pub mod test_tables;
pub mod uci_options;
pub mod uci_score;

pub use error::FileError;
