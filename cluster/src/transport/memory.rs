//! A network within one process, with faults that a seed repeats.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use caesura::engine::SplitMix;
use caesura::util::sync::{BoundedSender, Instant, Mutex, Receiver, bounded};

use super::packets::{INBOX_PACKETS, Packet, Topic, Transport};

/// What goes wrong in a network.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// How many of a thousand packets are lost.
    pub lost_per_mille: usize,
    /// How many of a thousand packets come twice.
    pub doubled_per_mille: usize,
    /// The longest delay of a packet: each has one at random, so that they overtake each other.
    pub delay: Duration,
}

/// A network whose clock is turned by hand.
#[derive(Clone)]
pub struct MemoryNetwork(Arc<Mutex<State>>);

struct State {
    now: Instant,
    faults: Faults,
    random: SplitMix,
    ports: Vec<Port>,
    /// Packets on their way, by the time of their arrival and a number that no other has.
    under_way: BTreeMap<(Instant, u64), (usize, Packet)>,
    sent: u64,
}

struct Port {
    topics: Vec<Topic>,
    inbox: BoundedSender<Packet>,
    /// What it sends and what is sent to it is lost.
    cut_off: bool,
}

/// One machine's end of the network.
pub struct MemoryTransport {
    network: MemoryNetwork,
    port: usize,
    packets: Receiver<Packet>,
}

impl MemoryNetwork {
    /// A network without machines whose clock shows `now`.
    pub fn new(seed: u64, faults: Faults, now: Instant) -> MemoryNetwork {
        let random = SplitMix(seed);
        let (ports, under_way) = (Vec::new(), BTreeMap::new());
        MemoryNetwork(Arc::new(Mutex::new(State { now, faults, random, ports, under_way, sent: 0 })))
    }

    /// Adds a machine that listens to some topics.
    pub fn join(&self, topics: &[Topic]) -> MemoryTransport {
        let (inbox, packets) = bounded(INBOX_PACKETS);
        let ports = &mut self.0.lock().ports;
        ports.push(Port { topics: topics.to_vec(), inbox, cut_off: false });
        MemoryTransport { network: self.clone(), port: ports.len() - 1, packets }
    }

    /// Cuts a machine off, by the order in which they joined, or connects it again.
    pub fn cut_off(&self, machine: usize, cut_off: bool) {
        self.0.lock().ports[machine].cut_off = cut_off;
    }

    /// Turns the clock forward, and delivers what arrives until then.
    pub fn advance(&self, now: Instant) {
        let mut state = self.0.lock();
        state.now = now;
        let later = state.under_way.split_off(&(now, u64::MAX));
        for (port, packet) in std::mem::replace(&mut state.under_way, later).into_values() {
            let port = &state.ports[port];
            if !port.cut_off {
                // A full inbox loses the packet, as a machine does.
                let _ = port.inbox.try_send(packet);
            }
        }
    }
}

impl State {
    fn chance(&mut self, per_mille: usize) -> bool {
        self.random.below(1000) < per_mille
    }

    fn send(&mut self, from: usize, topic: Topic, bytes: &[u8]) {
        if self.ports[from].cut_off {
            return;
        }
        for to in 0..self.ports.len() {
            if to == from || !self.ports[to].topics.contains(&topic) {
                continue;
            }
            let copies = if self.chance(self.faults.lost_per_mille) {
                0
            } else {
                1 + usize::from(self.chance(self.faults.doubled_per_mille))
            };
            for _ in 0..copies {
                let delay = self.faults.delay * self.random.below(1001) as u32 / 1000;
                self.sent += 1;
                let packet = Packet { topic, bytes: bytes.to_vec() };
                self.under_way.insert((self.now + delay, self.sent), (to, packet));
            }
        }
    }
}

impl Transport for MemoryTransport {
    fn send(&self, topic: Topic, bytes: Vec<u8>) {
        self.network.0.lock().send(self.port, topic, &bytes);
    }

    fn packets(&self) -> &Receiver<Packet> {
        &self.packets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a machine receives of a hundred packets.
    fn received(seed: u64, faults: Faults) -> Vec<u8> {
        let start = Instant::now();
        let network = MemoryNetwork::new(seed, faults, start);
        let (sender, receiver) = (network.join(&[]), network.join(&[Topic::Entries]));
        (0..100).for_each(|byte| sender.send(Topic::Entries, vec![byte]));
        sender.send(Topic::ToLeader, vec![200]);
        network.advance(start + faults.delay);
        receiver.packets().try_iter().map(|packet| packet.bytes[0]).collect()
    }

    #[test]
    fn faults_are_as_many_as_asked_for_and_repeat() {
        assert_eq!(received(1, Faults::default()), (0..100).collect::<Vec<u8>>());
        let faults = Faults { lost_per_mille: 200, doubled_per_mille: 100, delay: Duration::from_millis(5) };
        let first = received(1, faults);
        assert_eq!(first, received(1, faults));
        assert_ne!(first, received(2, faults));
        let distinct: std::collections::BTreeSet<_> = first.iter().collect();
        assert!((60..100).contains(&distinct.len()) && distinct.len() < first.len(), "{first:?}");
        assert!(!first.is_sorted());
    }

    #[test]
    fn a_machine_that_is_cut_off_neither_sends_nor_receives() {
        let start = Instant::now();
        let network = MemoryNetwork::new(1, Faults::default(), start);
        let ports = [network.join(&Topic::ALL), network.join(&Topic::ALL)];
        let exchange = || {
            ports.iter().for_each(|port| port.send(Topic::Entries, vec![1]));
            network.advance(start);
            ports.each_ref().map(|port| port.packets().try_iter().count())
        };
        assert_eq!(exchange(), [1, 1]);
        network.cut_off(1, true);
        assert_eq!(exchange(), [0, 0]);
        network.cut_off(1, false);
        assert_eq!(exchange(), [1, 1]);
    }
}
