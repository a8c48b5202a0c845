//! The machine, and which thread has its place where on it.
//!
//! `machine` describes processors: packages, memory nodes, caches, cores; and what of it this process may use.
//! `read` is the one place that asks the system, through files below a root directory that tests put elsewhere.
//! `policy` says what is wanted, and `plan` turns a description and a policy into a seat for every worker: a pure
//! function. `bind` takes a seat.

mod bind;
mod limit;
mod machine;
mod placement;
mod policy;
mod processors;
mod read;
#[cfg(test)]
mod tests;

pub use bind::bind;
pub use machine::{CoreKind, Machine, Processor};
pub use placement::{Placement, ThreadPlacement, place_threads};
pub use policy::{NumaPolicy, Pin};
pub use processors::{ListError, Processors};
pub use read::{read, this_machine};
