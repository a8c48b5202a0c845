//! Binds a thread to its processors.

use core_affinity::CoreId;

use super::placement::ThreadPlacement;
use super::read::this_machine;
use crate::util::{affinity, numa};

/// Numbers of processors that `core_affinity` supports lie below this.
const SMALL: usize = 1024;

/// Binds the calling thread to the processors of its place, and, if they are all on one NUMA node, sets its memory policy
/// to that node. False if the system refuses: then it runs anywhere.
pub fn bind(place: &ThreadPlacement) -> bool {
    let Some(set) = &place.processors else {
        return true;
    };
    let bound = match set.first() {
        Some(id) if set.len() == 1 && id < SMALL => core_affinity::set_for_current(CoreId { id }),
        _ => affinity::bind(set.iter()),
    };
    if bound && this_machine().numa_nodes_of(set).len() == 1 {
        // Refused, the kernel goes on moving memory after the thread.
        numa::prefer_local_memory();
    }
    bound
}
