//! The null-move family: what to do when passing is already good enough.
//!
//! A scheme answers four questions from a [`NodeView`](super::node::NodeView) and touches nothing else: may a
//! null move be tried here, how much shallower is its search, what does its fail-high mean, and what does it
//! mean when the search below a reduction then fails low. The search alone makes the null move, searches, takes it back and looks at the
//! stop flag. One file holds one published scheme.

mod extended;
mod off;
mod scheme;

pub use extended::Extended;
pub use off::Off;
pub use scheme::{FailHigh, FailLow, Scheme, SchemeName};
