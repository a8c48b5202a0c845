//! A network within one process, with faults that a seed repeats.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use caesura::engine::SplitMix;
use caesura::util::sync::{Instant, Mutex};

use super::packets::{Inbox, InboxSender, Packet, Topic, Transport, inbox};

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
    cluster: &'static str,
    topics: Vec<Topic>,
    inbox: InboxSender,
    /// What it sends and what is sent to it is lost.
    cut_off: bool,
}

/// One machine's end of the network.
pub struct MemoryTransport {
    network: MemoryNetwork,
    port: usize,
    inbox: Inbox,
}

impl MemoryNetwork {
    /// A network without machines whose clock shows `now`.
    pub fn new(seed: u64, faults: Faults, now: Instant) -> MemoryNetwork {
        let random = SplitMix(seed);
        let (ports, under_way) = (Vec::new(), BTreeMap::new());
        MemoryNetwork(Arc::new(Mutex::new(State { now, faults, random, ports, under_way, sent: 0 })))
    }

    /// Adds a machine of the cluster that has no name, which listens to some topics.
    pub fn join(&self, topics: &[Topic]) -> MemoryTransport {
        self.join_cluster("", topics)
    }

    /// Adds a machine of a cluster, which listens to some topics. It neither sends to machines of other clusters nor hears
    /// them.
    pub fn join_cluster(&self, cluster: &'static str, topics: &[Topic]) -> MemoryTransport {
        let (sender, inbox) = inbox();
        let ports = &mut self.0.lock().ports;
        ports.push(Port { cluster, topics: topics.to_vec(), inbox: sender, cut_off: false });
        MemoryTransport { network: self.clone(), port: ports.len() - 1, inbox }
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
                port.inbox.deliver(packet);
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
            let is_meant = to != from
                && self.ports[to].cluster == self.ports[from].cluster
                && self.ports[to].topics.contains(&topic);
            if !is_meant {
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

    fn inbox(&self) -> &Inbox {
        &self.inbox
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
        receiver.inbox().entries.try_iter().map(|packet| packet.bytes[0]).collect()
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
    fn clusters_of_other_names_do_not_hear_each_other() {
        let start = Instant::now();
        let network = MemoryNetwork::new(1, Faults::default(), start);
        let join = |cluster| network.join_cluster(cluster, &Topic::ALL);
        let (sender, same, other) = (join("a"), join("a"), join("b"));
        sender.send(Topic::Entries, vec![1]);
        network.advance(start);
        assert_eq!([same, other].map(|port| port.inbox().entries.try_iter().count()), [1, 0]);
    }

    #[test]
    fn a_machine_that_is_cut_off_neither_sends_nor_receives() {
        let start = Instant::now();
        let network = MemoryNetwork::new(1, Faults::default(), start);
        let ports = [network.join(&Topic::ALL), network.join(&Topic::ALL)];
        let exchange = || {
            ports.iter().for_each(|port| port.send(Topic::Entries, vec![1]));
            network.advance(start);
            ports.each_ref().map(|port| port.inbox().entries.try_iter().count())
        };
        assert_eq!(exchange(), [1, 1]);
        network.cut_off(1, true);
        assert_eq!(exchange(), [0, 0]);
        network.cut_off(1, false);
        assert_eq!(exchange(), [1, 1]);
    }
}
