//! The bytes of packets. Whatever arrives is either a packet of this format or an error, and never a panic.
//!
//! [`message`] holds what leader and followers say to each other, [`entries`] table entries in bulk. Each packet begins
//! with a mark and the number of the format.

pub mod entries;
pub mod message;
mod packet_header;

pub use entries::EntryPacket;
pub use message::{Message, NodeId, Order, ReplicatedOption, Report, WireResult};
pub use packet_header::{MARK, MAX_PACKET_BYTES, MAX_REPORT_BYTES, WireError};
