//! Sets of positions: suites with known answers, in EPD (Edwards 1994, "Portable Game Notation specification and
//! implementation guide", chapter 16).
//!
//! [`epd`] takes a line apart, [`test_position`] says what its operations ask for and whether a search's answer is right,
//! [`mod@run`] puts the tasks to an engine. [`random_moves`] makes openings.

pub mod epd;
pub mod random_moves;
pub mod run;
pub mod test_position;

pub use random_moves::after_random_moves;
pub use run::{SuiteReport, run};
pub use test_position::{Goal, Problem, TestPosition, TestPositionError};
