//! Binds a thread to its processors.

use core_affinity::CoreId;

use super::placement::ThreadPlacement;
use super::read::this_machine;
use crate::util::{affinity, numa};

/// True if `core_affinity` knows the processor of this number: on Linux it has room for 1,024, on Windows for those of the
/// thread's own group alone.
fn is_known(id: usize) -> bool {
    !cfg!(windows) && id < 1024
}

/// Binds the calling thread to the processors of its place, and, if they are all on one NUMA node, sets its memory policy
/// to that node. False if the system refuses: then it runs anywhere.
pub fn bind(place: &ThreadPlacement) -> bool {
    let Some(set) = &place.processors else {
        return true;
    };
    let bound = match set.first() {
        Some(id) if set.len() == 1 && is_known(id) => core_affinity::set_for_current(CoreId { id }),
        _ => affinity::bind(set.iter()),
    };
    if bound && this_machine().numa_nodes_of(set).len() == 1 {
        // Refused, the kernel goes on moving memory after the thread.
        numa::prefer_local_memory();
    }
    bound
}
