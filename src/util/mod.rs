//! What does not depend on chess: zeroed memory on huge pages ([`huge`]), how much memory is available ([`memory`]) and on
//! which pages and NUMA nodes it lies ([`pages`], [`numa`]); counters without contention ([`counter`]), pseudo-random
//! numbers ([`random`]), bytes in hexadecimal digits ([`hex`]), numbers that a tuner may change ([`param`]), rates
//! ([`rate`]), synchronization ([`sync`]); time slices and affinity of threads ([`schedule`], [`affinity`]), the instruction set of the processor ([`cpu`]), the
//! end of a program that needs another ([`unsupported_cpu`]), prefetching ([`mod@prefetch`]) and, for some processors, the
//! members of a set in a row (`vbmi2`); how the program was built ([`build`]); files that outside input names ([`regular_file`]) and how
//! many may be open ([`open_files`]); signals that ask a process to end ([`signals`]); standard streams ([`streams`]) and text in
//! quotes ([`quote`]); the files in which Linux describes itself ([`files`], [`cgroup`]), and what Windows says of itself
//! (`windows`).

pub mod affinity;
pub mod build;
pub mod cgroup;
pub mod counter;
pub mod cpu;
pub mod files;
pub mod hex;
pub mod huge;
pub mod memory;
pub mod numa;
pub mod open_files;
pub mod pages;
pub mod param;
pub mod prefetch;
pub mod quote;
pub mod random;
pub mod rate;
pub mod regular_file;
pub mod schedule;
pub mod signals;
pub mod streams;
pub mod sync;
pub mod unsupported_cpu;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512vbmi2"))]
pub mod vbmi2;
#[cfg(windows)]
pub mod windows;
