//! Packets, and what every way to the other machines does with them.

use caesura::util::sync::{BoundedSender, Receiver, bounded};

use crate::wire::entries::MAX_ENTRIES_BYTES;
use crate::wire::{MAX_PACKET_BYTES, MAX_REPORT_BYTES};

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

/// Messages that wait to be read at most; more are lost.
const INBOX_MESSAGES: usize = 1024;
/// Packets of table entries that wait to be read at most; more are lost.
const INBOX_ENTRIES: usize = 4096;

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
    let (to_messages, messages) = bounded(INBOX_MESSAGES);
    let (to_entries, entries) = bounded(INBOX_ENTRIES);
    (InboxSender { messages: to_messages, entries: to_entries }, Inbox { messages, entries })
}

impl InboxSender {
    /// Puts a packet into the inbox. What finds it full is lost, and so is what is longer than any that a node sends: many of
    /// those would take much memory.
    pub(super) fn deliver(&self, packet: Packet) {
        let (sender, most) = match packet.topic {
            Topic::Entries => (&self.entries, MAX_ENTRIES_BYTES),
            Topic::ToLeader => (&self.messages, MAX_REPORT_BYTES),
            Topic::ToFollowers => (&self.messages, MAX_PACKET_BYTES),
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
        let limits = [
            (Topic::Entries, MAX_ENTRIES_BYTES),
            (Topic::ToLeader, MAX_REPORT_BYTES),
            (Topic::ToFollowers, MAX_PACKET_BYTES),
        ];
        for (topic, most) in limits {
            for length in [most, most + 1] {
                sender.deliver(Packet { topic, bytes: vec![0; length] });
            }
        }
        for (topic, most) in limits {
            let waiting = if topic == Topic::Entries { &inbox.entries } else { &inbox.messages };
            let packet = waiting.try_recv().expect("a packet");
            assert_eq!((packet.topic, packet.bytes.len()), (topic, most));
        }
        assert!(inbox.entries.try_recv().is_err() && inbox.messages.try_recv().is_err());
    }
}
