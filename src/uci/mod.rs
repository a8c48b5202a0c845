//! The Universal Chess Interface (Kahlen and Meyer-Kahlen 2000): the engine as a conversation.
//!
//! [`input`] reads lines of whatever bytes come, [`command`] turns a line into a typed command or says why it
//! cannot, [`options`] is the one table from which options are listed, read and applied, [`info`] writes what a
//! search found, [`reporter`] passes it on from the search's threads, [`output`] lets whole lines out one at a
//! time, and [`session`] is the loop. Nothing that comes from outside can end it but `quit`, the end of the
//! input, or an output that nobody reads: what makes no sense is answered with an `info string`.

pub mod command;
pub mod diagram;
pub mod info;
pub mod input;
pub mod options;
pub mod output;
pub mod reporter;
pub mod session;

pub use output::Output;
pub use session::Session;
