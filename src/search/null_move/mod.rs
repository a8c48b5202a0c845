//! The null-move family: what to do when passing is already good enough.
//!
//! A [`Scheme`] answers four questions from a [`NodeView`](super::node::NodeView) and touches nothing else: may a
//! null move be tried here, how much shallower is its search, what does its fail-high mean, and what does it mean
//! when the search below a reduction then fails low. The search alone makes the null move, searches, takes it back
//! and looks at the stop flag. One file holds one published scheme, with the numbers that its authors gave it.

pub mod adaptive;
pub mod adaptive34;
pub mod counts;
pub mod double;
pub mod extended;
pub mod fhr;
pub mod fixed;
pub mod formula;
pub mod fruit;
pub mod guarded;
pub mod name;
pub mod off;
pub mod once;
pub mod reduce;
pub mod scheme;
pub mod settings;
pub mod switched;
pub mod tuned;
pub mod variable;
pub mod verified;

pub use counts::NullCounts;
pub use name::SchemeName;
pub use scheme::{FailHigh, FailLow, Scheme};
pub use settings::{NullMoveSettings, NullMoveSwitch, NullMoveSwitches};
pub use tuned::Tuning;
