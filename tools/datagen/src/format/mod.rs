//! The binary format of game files.
//!
//! A file is a [`FileHeader`], then blocks: a [`BlockHeader`] and a payload of whole games. Headers are little-endian
//! structures, and every header and payload has a checksum (CRC-32), so that damage is noticed, and what is whole behind it
//! is found again. The games of a block are written as an arithmetic code ([`coded`]); those of version 1 of the format
//! ([`packed`]) are still read.

pub mod block_header;
pub mod coded;
pub mod error;
pub mod file_header;
pub mod packed;

pub use block_header::{BlockHeader, Encoding, MAX_PAYLOAD};
pub use coded::BlockEncoder;
pub use error::{BlockHeaderError, Damage, GameError};
pub use file_header::{EXTENSION, FILE_MAGIC, FileHeader, LABEL_BYTES, VERSION, label};
