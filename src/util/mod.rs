//! Tools that know nothing of chess: zeroed memory on huge pages and how much of it there is to be had, and
//! counters that threads do not fight over, and speeds.

pub mod counter;
pub mod huge;
pub mod memory;
pub mod rate;
