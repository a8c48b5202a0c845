//! Takes a seat.

use core_affinity::CoreId;

use super::plan::Seat;
use crate::util::affinity;

/// What `core_affinity` can count to.
const SMALL: usize = 1024;

/// Binds the calling thread to the processors of its seat. False if the system refuses: then it runs anywhere.
pub fn bind(seat: &Seat) -> bool {
    match &seat.processors {
        None => true,
        Some(set) => match set.first() {
            Some(id) if set.len() == 1 && id < SMALL => core_affinity::set_for_current(CoreId { id }),
            _ => affinity::bind(set.iter()),
        },
    }
}
