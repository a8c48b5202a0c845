//! Table entries on their way out of and into the table of this machine.

use std::time::Duration;

use caesura::types::Depth;
use caesura::util::sync::Instant;

use crate::local_search::LocalSearch;
use crate::throttle::Throttle;
use crate::transport::{Topic, Transport};
use crate::wire::entries::{ENTRIES_PER_PACKET, bytes};
use crate::wire::{EntryPacket, NodeId};

/// How often entries are sent and stored: those that arrive wake no thread.
pub const TICK: Duration = Duration::from_millis(10);
/// Packets that are sent in a row at most where the bandwidth asks for no more, so that messages need not wait: 25 MB a
/// second.
const PACKETS_IN_A_ROW: usize = 16;

/// A search that several machines are at: its leader, and its number.
pub type SearchId = (NodeId, u64);

/// What has gone through an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryCounts {
    /// Entries that were sent.
    pub sent: u64,
    /// Entries that were received and stored.
    pub stored: u64,
    /// Entries that were received and not stored, because no search can have found them.
    pub refused: u64,
}

/// The exchange of one machine.
pub struct EntryExchange {
    node: NodeId,
    throttle: Throttle,
    /// Packets that are sent in a row at most.
    packets_in_a_row: usize,
    /// The depth from which the present search queues entries, in plies, once it has been told.
    min_depth: Option<Depth>,
    /// Entries that the present search has lost so far.
    lost: u64,
    counts: EntryCounts,
}

impl EntryExchange {
    /// The exchange of a node that sends at most this many bytes a second to each other machine.
    pub fn new(node: NodeId, bytes_per_second: u64, now: Instant) -> EntryExchange {
        let throttle = Throttle::new(bytes_per_second, now);
        let bytes_per_tick = bytes_per_second as f64 * TICK.as_secs_f64();
        let packets = (bytes_per_tick / bytes(ENTRIES_PER_PACKET) as f64).ceil() as usize;
        let packets_in_a_row = packets.max(PACKETS_IN_A_ROW);
        EntryExchange {
            node,
            throttle,
            packets_in_a_row,
            min_depth: None,
            lost: 0,
            counts: EntryCounts::default(),
        }
    }

    /// A search has begun on this machine.
    pub fn search_started(&mut self, now: Instant) {
        (self.min_depth, self.lost) = (None, 0);
        self.throttle.search_started(now);
    }

    /// Sends what the search has found, if others are at it, too; without them it is told to queue nothing.
    pub fn send(
        &mut self,
        search: &impl LocalSearch,
        shared: Option<SearchId>,
        transport: &impl Transport,
        now: Instant,
    ) {
        let min_depth = if shared.is_some() { self.throttle.depth() } else { Depth::MAX };
        if self.min_depth.replace(min_depth) != Some(min_depth) {
            search.set_min_depth(min_depth);
        }
        let Some((leader, number)) = shared else { return };
        let mut sent = 0;
        for _ in 0..self.packets_in_a_row {
            let entries = search.take_entries(ENTRIES_PER_PACKET);
            let count = entries.len();
            if count > 0 {
                let packet = EntryPacket { node: self.node, leader, search: number, entries };
                transport.send(Topic::Entries, packet.packet());
            }
            sent += count;
            if count < ENTRIES_PER_PACKET {
                break;
            }
        }
        self.counts.sent += sent as u64;
        let lost = search.lost_entries();
        self.throttle.sent(sent, lost > self.lost, now);
        self.lost = lost;
    }

    /// Stores entries of another machine, if they are of the search that this one is at.
    pub fn receive(&mut self, packet: EntryPacket, search: &impl LocalSearch, shared: Option<SearchId>) {
        if packet.node == self.node || Some((packet.leader, packet.search)) != shared {
            return;
        }
        let count = packet.entries.len();
        let refused = search.store(packet.entries);
        self.counts.refused += refused as u64;
        self.counts.stored += count.saturating_sub(refused) as u64;
    }

    /// What has gone through so far.
    pub fn counts(&self) -> EntryCounts {
        self.counts
    }

    /// The depth from which entries are sent at present, in plies.
    pub fn depth(&self) -> Depth {
        self.throttle.depth()
    }
}
