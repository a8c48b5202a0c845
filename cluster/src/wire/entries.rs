//! Table entries in bulk: 16 bytes each behind a short head, little-endian.

use caesura::engine::SharedEntry;

use super::packet_header::{MARK, WireError, body};
use crate::wire::NodeId;

/// Entries that one packet holds at most: 16 kB, so that it goes through any queue at once.
pub const ENTRIES_PER_PACKET: usize = 1024;

/// Bytes of who has found the entries, and in which search.
const HEAD_BYTES: usize = 24;

/// Bytes of an entry.
const ENTRY_BYTES: usize = 16;

/// The bytes of the longest packet of entries.
pub const MAX_ENTRIES_BYTES: usize = MARK.len() + HEAD_BYTES + bytes(ENTRIES_PER_PACKET);

/// Table entries that one node has found in a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPacket {
    /// Who has found them.
    pub node: NodeId,
    /// The leader of the search.
    pub leader: NodeId,
    /// The search.
    pub search: u64,
    /// The entries.
    pub entries: Vec<SharedEntry>,
}

impl EntryPacket {
    /// The packet in bytes.
    pub fn packet(&self) -> Vec<u8> {
        let mut packet = Vec::with_capacity(MARK.len() + HEAD_BYTES + bytes(self.entries.len()));
        packet.extend(MARK);
        let words = self.entries.iter().flat_map(|entry| [entry.key, entry.word]);
        for word in [self.node, self.leader, self.search].into_iter().chain(words) {
            packet.extend_from_slice(&word.to_le_bytes());
        }
        packet
    }

    /// The entries of a packet.
    ///
    /// # Errors
    /// If the packet is malformed. What the entries say is left to the table.
    pub fn read(packet: &[u8]) -> Result<EntryPacket, WireError> {
        let (words, rest) = body(packet)?.as_chunks::<8>();
        let [node, leader, search, pairs @ ..] = words else { return Err(WireError::Entries) };
        let (pairs, single) = pairs.as_chunks::<2>();
        if !rest.is_empty() || !single.is_empty() || pairs.len() > ENTRIES_PER_PACKET {
            return Err(WireError::Entries);
        }
        let [node, leader, search] = [*node, *leader, *search].map(u64::from_le_bytes);
        let entry = |pair: &[[u8; 8]; 2]| {
            let [key, word] = pair.map(u64::from_le_bytes);
            SharedEntry { key, word }
        };
        let entries = pairs.iter().map(entry).collect();
        Ok(EntryPacket { node, leader, search, entries })
    }
}

/// The bytes that this many entries take on the way, heads not counted.
pub const fn bytes(entries: usize) -> usize {
    entries * ENTRY_BYTES
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn entries_arrive_as_they_were_sent(head: [u64; 3], words: Vec<[u64; 2]>) {
            let [node, leader, search] = head;
            let entries: Vec<_> = words.iter().map(|&[key, word]| SharedEntry { key, word }).collect();
            let packet = EntryPacket { node, leader, search, entries };
            let sent = packet.packet();
            prop_assert_eq!(sent.len(), MARK.len() + HEAD_BYTES + bytes(words.len()));
            prop_assert_eq!(EntryPacket::read(&sent), Ok(packet));
            prop_assert_eq!(EntryPacket::read(&sent[..sent.len() - 1]), Err(WireError::Entries));
        }

        #[test]
        fn no_packet_has_more_entries_than_one_holds(more in 0..3usize) {
            let entries = vec![SharedEntry { key: 1, word: 2 }; ENTRIES_PER_PACKET + more];
            let packet = EntryPacket { node: 1, leader: 2, search: 3, entries };
            prop_assert_eq!(EntryPacket::read(&packet.packet()).is_ok(), more == 0);
        }

        #[test]
        fn any_bytes_are_entries_or_an_error(mut bytes: Vec<u8>, marked: bool) {
            if marked {
                bytes.splice(0..0, MARK);
            }
            let _ = EntryPacket::read(&bytes);
        }
    }
}
