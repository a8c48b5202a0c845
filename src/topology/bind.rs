//! Takes a seat.

use core_affinity::CoreId;

use super::plan::Seat;
use crate::util::affinity;

/// What `core_affinity` can count to.
const SMALL: usize = 1024;

/// Binds the calling thread to the processors of its seat, and its memory to their node. False if the system refuses:
/// then it runs anywhere.
pub fn bind(seat: &Seat) -> bool {
    let Some(set) = &seat.processors else {
        return true;
    };
    let bound = match set.first() {
        Some(id) if set.len() == 1 && id < SMALL => core_affinity::set_for_current(CoreId { id }),
        _ => affinity::bind(set.iter()),
    };
    if bound {
        // Refused, the system finds out for itself.
        affinity::keep_memory_near();
    }
    bound
}
