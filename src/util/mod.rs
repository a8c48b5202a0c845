//! Tools that know nothing of chess: zeroed memory on huge pages and how much of it there is to be had, counters
//! that threads do not fight over, speeds, and how soon a thread gets a processor.

pub mod counter;
pub mod huge;
pub mod memory;
pub mod rate;
pub mod schedule;
