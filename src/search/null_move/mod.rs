//! The null-move family: what it means that a side could pass and still stand well enough.
//!
//! A [`Scheme`] answers from a [`NodeView`](super::node::NodeView) and touches nothing else: may a null move be tried
//! here, how much shallower is its search, what does its fail-high mean, and what does it mean when the search below a
//! reduction then fails low. The search alone makes the null move, searches, unmakes it and looks at the stop flag.
//!
//! [`schemes`] is the registry: a new scheme is one file in its folder, with the numbers that its authors gave it (those
//! that are ours, or that may be tuned, are lines of `params.rs`), and one line in the list. From that line come its name,
//! its open numbers, the dispatch, the UCI option, the command line and its help, the laboratory and the tests that every
//! scheme must pass. What was measured of it, and a word of it in the README, is another matter.

#[cfg(test)]
pub(crate) mod abilities;
pub mod breakdown;
pub mod counts;
pub mod observer;
pub mod refusal;
pub mod scheme;
pub mod schemes;
pub mod settings;

pub use breakdown::NullBreakdown;
pub use counts::NullCounts;
pub use observer::NullMoveObserver;
pub use scheme::{FailHigh, FailLow, Scheme};
pub use schemes::{AnyScheme, SchemeName, SchemeVisitor};
pub use settings::{NullMoveSettings, NullMoveSwitch, NullMoveSwitches};
