//! The machine, and which thread runs where on it.
//!
//! `machine` describes processors: packages, NUMA nodes, caches, cores, and which of them this process may use. `read` is
//! the one place that reads this from the system; `windows` knows how Windows describes itself. `policy` is what the user
//! wants, and `placement` turns a machine and a policy into a place for every thread: a pure function. `bind` moves a thread
//! to its place.

mod bind;
mod cache_groups;
mod limit;
mod machine;
mod placement;
mod policy;
mod processors;
mod read;
#[cfg(test)]
mod tests;
#[cfg(any(all(windows, target_pointer_width = "64"), test))]
mod windows;

pub use bind::bind;
pub use cache_groups::MAX_GROUP_THREADS;
pub use machine::{CoreKind, Machine, Processor};
pub use placement::{Placement, ThreadPlacement, parallelism_under, place_threads};
pub use policy::{NumaPolicy, Pin, PolicyError};
pub use processors::{ListError, Processors};
pub use read::{read, this_machine};
