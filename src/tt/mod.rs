//! The transposition table: what the search already knows about a position, shared by all its threads.
//!
//! Clusters of six entries fill one cache line each, so that a probe costs one access to memory. There are no
//! locks: an entry is a word of data and 21 bits of its key, stored apart with relaxed atomics, and the key is XORed
//! with a fold of the data (after Robert Hyatt and Tim Mann, "A lock-less transposition table implementation
//! for parallel search", ICGA Journal, 2002). Parts of two different stores do not match, and read as a miss.
//!
//! Relaxed is enough because nothing else is published through the table: whatever [`TranspositionTable::probe`] returns is
//! a copy, and with 21 bits of a key it may belong to another position. A move from here is played only after it
//! was found legal; values and depths are hints whose range is bounded by the word that holds them.

mod cluster;
mod entry;
mod shared_entry;
mod table;
#[cfg(test)]
mod tests;

pub use entry::TableEntry;
pub use shared_entry::SharedEntry;
pub use table::{ResizeError, TranspositionTable};
