//! Packets, and what every way to the other machines does with them.

use caesura::util::sync::Receiver;

/// Whom a packet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// The leader.
    ToLeader,
    /// All followers.
    ToFollowers,
    /// Everyone: table entries.
    Entries,
}

impl Topic {
    /// All topics.
    pub const ALL: [Topic; 3] = [Topic::ToLeader, Topic::ToFollowers, Topic::Entries];
}

/// A packet that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Whom it was for.
    pub topic: Topic,
    /// What it says.
    pub bytes: Vec<u8>,
}

/// Packets that wait to be read at most; more are lost.
pub(super) const INBOX_PACKETS: usize = 4096;

/// A way to the other machines.
pub trait Transport {
    /// Sends a packet to all other machines that listen to the topic. Never waits for any of them.
    fn send(&self, topic: Topic, bytes: Vec<u8>);

    /// The packets of the topics that this machine listens to.
    fn packets(&self) -> &Receiver<Packet>;
}
