//! Large zeroed blocks of memory, on huge pages where the system grants them.
//!
//! A table of gigabytes on pages of 4 KiB misses the translation cache at nearly every probe; on pages of 2 MiB
//! far less often. On Linux a block is mapped on pages of 1 GiB or 2 MiB if enough of them are preallocated
//! (`hugetlbfs`); else anonymously, aligned to 2 MiB, with advice to the kernel to use huge pages. On Windows it is on large
//! pages if the user may lock memory. Small blocks, refused mappings and other systems use the heap. A block that the machine
//! could not back is refused before it is made (see [`super::memory`]).
//!
//! Where several NUMA nodes use a block, its pages are interleaved over them (see [`super::numa`]).
//!
//! [`HugeBox`] owns a block, `mapping` maps and unmaps pages, `limits` says what may still be allocated,
//! `error` holds the refusals.

mod error;
mod huge_box;
mod limits;
mod mapping;

pub use error::AllocError;
pub use huge_box::HugeBox;
pub use limits::{check_address_space, check_available};
pub use mapping::{HUGE_PAGE, Pages};
