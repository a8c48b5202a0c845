//! The options of the engine: one table, from which the answer to `uci`, `setoption`, the flags of the command line and
//! the table in README come.
//!
//! [`option_type`] says what an option can be and reads values, [`uci_option`] is an entry of the table and what it is
//! applied to, [`table`] has the entries, [`aliases`] other names that users know
//! options by.

pub mod aliases;
pub mod option_type;
pub mod table;
mod tablebases;
pub mod uci_option;

pub use option_type::{EMPTY, OptionType, OptionValue};
pub use table::{all, find};
pub use uci_option::{Flag, OptionContext, OptionError, SessionSettings, UciOption};
