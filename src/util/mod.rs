//! Tools that know nothing of chess: zeroed memory on huge pages, how much of it there is to be had and on what
//! pages and memory nodes it lies, counters that threads do not fight over, numbers that look random, speeds, what threads meet at, how
//! soon a thread gets a processor, and which, what instructions it has, and a hint to it of what is read next.

pub mod affinity;
pub mod cgroup;
pub mod counter;
pub mod cpu;
pub mod files;
pub mod huge;
pub mod memory;
pub mod numa;
pub mod pages;
pub mod prefetch;
pub mod quote;
pub mod random;
pub mod rate;
pub mod schedule;
pub mod sync;
