//! The search: alpha-beta by principal variation, in many threads over one table (Lazy SMP).
//!
//! [`node`] names the kinds of nodes and what policies may see of one. [`pruning`] says *may we*, [`reductions`]
//! says *how much*, [`null_move`] holds the schemes that decide what passing means; all three are pure. A node begins
//! with its [`plan`], which may pass ([`passing`]); [`pvs`] is the recursion over its moves, [`horizon`] and [`quiesce`]
//! its end, [`deepen`] its beginning, and [`learn`] what the histories take from it. A [`worker`] is one thread's own
//! state, [`shared`] is what threads share, and [`report`] is how a search speaks.

pub mod context;
pub mod deepen;
pub mod dispatch;
pub mod evaluate;
pub mod history;
pub mod horizon;
pub mod learn;
pub mod node;
pub mod null_move;
pub mod passes;
pub mod passing;
pub mod picker;
pub mod plan;
pub mod pruning;
pub mod pvs;
pub mod quiesce;
pub mod reductions;
pub mod reports;
pub mod root;
pub mod shared;
pub mod stack;
pub mod worker;

pub use shared::{Job, NetworkReplicas, SearchOptions, ThreadResult};
pub use worker::Worker;

#[cfg(test)]
mod tests;
