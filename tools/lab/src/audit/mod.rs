//! The audit: null moves that failed high in real searches, each judged by searches that know better.
//!
//! [`roots`] plays games and takes positions from them, so that all phases occur as often as they do. `sampler` watches
//! the search of a position under a scheme and keeps some of its fail-highs, from each class of depth as many. `judge`
//! searches the node of each again, without any null move, at the full depth: what its moves are worth, and what the null
//! move is worth. Then the search of the whole position is repeated with only this one fail-high overruled. [`record`] is
//! what is stored of it.
//!
//! The scheme `off` has no null moves to judge. Its decisions are nodes whose moves failed high, among those where a null
//! move could have been tried: how often the judge disagrees with these is how often two searches of the same depth
//! disagree with each other.

mod judge;
pub mod record;
pub mod roots;
mod run;
mod sampler;

pub use record::{
    Action, DEFAULT_PER_CLASS, DEFAULT_SEED, DEPTH_CLASSES, Decision, Flip, Position, Record, Verdict,
};
pub use run::{CONTENDERS, FILE, Options, run};
