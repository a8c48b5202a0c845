//! Packets, and what every way to the other machines does with them.

use caesura::util::sync::{BoundedSender, Receiver, bounded};

use crate::wire::MAX_PACKET_BYTES;
use crate::wire::entries::MAX_ENTRIES_BYTES;

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

/// Packets of a kind that wait to be read at most; more are lost.
const INBOX_PACKETS: usize = 4096;

/// The packets that have arrived at a machine. Table entries wait apart from messages: there are many, and none is worth
/// waking a thread for.
#[derive(Debug)]
pub struct Inbox {
    /// Packets of all topics but [`Topic::Entries`].
    pub messages: Receiver<Packet>,
    /// Packets of [`Topic::Entries`].
    pub entries: Receiver<Packet>,
}

/// Where packets are put into an inbox.
#[derive(Clone)]
pub(super) struct InboxSender {
    messages: BoundedSender<Packet>,
    entries: BoundedSender<Packet>,
}

/// An empty inbox, and its other end.
pub(super) fn inbox() -> (InboxSender, Inbox) {
    let (to_messages, messages) = bounded(INBOX_PACKETS);
    let (to_entries, entries) = bounded(INBOX_PACKETS);
    (InboxSender { messages: to_messages, entries: to_entries }, Inbox { messages, entries })
}

impl InboxSender {
    /// Puts a packet into the inbox. What finds it full is lost, and so is what is longer than any that a node sends: many of
    /// those would take much memory.
    pub(super) fn deliver(&self, packet: Packet) {
        let (sender, most) = match packet.topic {
            Topic::Entries => (&self.entries, MAX_ENTRIES_BYTES),
            Topic::ToLeader | Topic::ToFollowers => (&self.messages, MAX_PACKET_BYTES),
        };
        if packet.bytes.len() <= most {
            let _ = sender.try_send(packet);
        }
    }
}

/// A way to the other machines.
pub trait Transport {
    /// Sends a packet to all other machines that listen to the topic. Never waits for any of them.
    fn send(&self, topic: Topic, bytes: Vec<u8>);

    /// The packets of the topics that this machine listens to.
    fn inbox(&self) -> &Inbox;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_that_no_node_sends_take_no_memory() {
        let (sender, inbox) = inbox();
        for (topic, most) in [(Topic::Entries, MAX_ENTRIES_BYTES), (Topic::ToLeader, MAX_PACKET_BYTES)] {
            for length in [most, most + 1] {
                sender.deliver(Packet { topic, bytes: vec![0; length] });
            }
        }
        for (waiting, most) in [(&inbox.entries, MAX_ENTRIES_BYTES), (&inbox.messages, MAX_PACKET_BYTES)] {
            assert_eq!(waiting.try_recv().map(|packet| packet.bytes.len()), Ok(most));
            assert!(waiting.try_recv().is_err());
        }
    }
}
