//! How packets get from one machine to the others.
//!
//! A [`Transport`] promises nothing: a packet may be lost, come late, come twice, or come before one that was sent earlier.
//! [`MemoryNetwork`] does all that within one process, for tests; `ZenohTransport` sends over a network.

mod memory;
mod packets;
#[cfg(feature = "zenoh")]
mod zenoh;

#[cfg(feature = "zenoh")]
pub use self::zenoh::{Addresses, ZenohError, ZenohTransport};
pub use memory::{Faults, MemoryNetwork, MemoryTransport};
pub use packets::{Inbox, Packet, Topic, Transport};
