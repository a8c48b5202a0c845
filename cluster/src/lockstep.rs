//! Simulated machines in one process whose searches repeat exactly: what sharing is worth, measured on any machine.
//!
//! Each machine is an engine with a table of its own. All their threads search in strict turns of a few nodes, and after a
//! round of turns the network has one: then table entries are sent, delivered and stored, by the program's own exchange and
//! throttle. Time is counted in nodes: a round takes as long as a thread of a stated speed needs for its turn. The
//! followers search until the leader ends, and what they reported last has a vote; orders and options take no time. Nothing
//! is said about speed.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use caesura::board::Board;
use caesura::engine::{
    Engine, EngineError, EngineTurns, Limits, NoSearchObserver, NullListener, NumaPolicy, Others,
    SearchResult, SharedSearch, Turns,
};
use caesura::util::sync::Instant;

use crate::entry_exchange::{EntryCounts, EntryExchange, SearchId};
use crate::follower::REPORT;
use crate::transport::{Faults, MemoryNetwork, MemoryTransport, Topic, Transport};
use crate::wire::EntryPacket;

/// Nodes that each follower but those before it searches before a game: machines that are equal in everything would search
/// the same tree for ever, and have nothing to share.
const HEAD_START: u64 = 64;

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    /// Machines, the leader included.
    pub machines: usize,
    /// Search threads of each machine.
    pub threads: usize,
    /// Megabytes of the table of each machine.
    pub hash: usize,
    /// Nodes of a turn.
    pub turn_nodes: u64,
    /// Nodes that a thread searches a second.
    pub nodes_per_second: u64,
    /// How often entries are sent and stored.
    pub tick: Duration,
    /// How long a packet is under way at most.
    pub delay: Duration,
    /// Bytes of entries that a machine sends a second to each other machine; `None` if no entries are shared.
    pub bytes_per_second: Option<u64>,
    /// The results of the followers have votes.
    pub votes: bool,
}

/// A machine's connection to the others.
struct Port {
    search: SharedSearch,
    exchange: EntryExchange,
    transport: MemoryTransport,
}

/// Machines that search together, the first of which leads.
pub struct LockstepCluster {
    simulation: Simulation,
    engines: Vec<Engine>,
    ports: Vec<Port>,
    network: MemoryNetwork,
    started: Instant,
    /// The time that has passed in the simulation.
    time: Duration,
    searches: u64,
    /// What the followers have reported, on its way to the leader, and when it arrives.
    reports: VecDeque<(Duration, Others)>,
}

impl LockstepCluster {
    /// Machines that have searched nothing.
    ///
    /// # Errors
    /// If there is no memory or no thread.
    pub fn new(simulation: Simulation) -> Result<LockstepCluster, EngineError> {
        let started = Instant::now();
        let engine = |_| {
            let mut engine = Engine::new(simulation.threads, simulation.hash)?;
            // All threads search, however few processors there are.
            engine.set_numa_policy(NumaPolicy::Off)?;
            Ok(engine)
        };
        let engines = (0..simulation.machines).map(engine).collect::<Result<_, EngineError>>()?;
        let network = MemoryNetwork::new(1, Faults::default(), started);
        Ok(LockstepCluster {
            simulation,
            engines,
            ports: Vec::new(),
            network,
            started,
            time: Duration::ZERO,
            searches: 0,
            reports: VecDeque::new(),
        })
    }

    /// Forgets all that was searched, so that what follows depends on nothing before. The followers get a head start of a
    /// few nodes from a position, each another one.
    ///
    /// # Errors
    /// If a search is running.
    pub fn new_game(&mut self, board: &Board) -> Result<(), EngineError> {
        let faults = Faults { delay: self.simulation.delay, ..Faults::default() };
        let now = self.now();
        self.network = MemoryNetwork::new(1, faults, now);
        self.ports.clear();
        for (number, engine) in self.engines.iter_mut().enumerate() {
            engine.new_game()?;
            if number > 0 {
                engine.options_mut().shared_turns = None;
                engine.set_position(board.clone());
                let nodes = Some(number as u64 * HEAD_START);
                engine.search(Limits { nodes, ..Limits::default() })?;
            }
            let bytes_per_second = self.simulation.bytes_per_second.unwrap_or(0);
            self.ports.push(Port {
                search: engine.share_searches(Arc::new(NoSearchObserver)),
                exchange: EntryExchange::new(number as u64, bytes_per_second, now),
                transport: self.network.join(&[Topic::Entries]),
            });
        }
        Ok(())
    }

    /// Searches a position on all machines until the leader has reached its limits. Returns what the leader announces; the
    /// nodes are its own.
    ///
    /// # Errors
    /// If a search is running.
    pub fn search(&mut self, board: &Board, limits: Limits) -> Result<SearchResult, EngineError> {
        if board.count_legal_moves() == 0 {
            // No thread would have a turn.
            return Ok(SearchResult::default());
        }
        self.searches += 1;
        self.reports.clear();
        let threads = self.simulation.threads;
        let turns = Arc::new(Turns::new(self.simulation.turn_nodes, self.engines.len() * threads + 1));
        for (number, engine) in self.engines.iter_mut().enumerate() {
            engine.set_position(board.clone());
            let places = EngineTurns::new(Arc::clone(&turns), number * threads);
            engine.options_mut().shared_turns = Some(places);
        }
        let now = self.now();
        for port in &mut self.ports {
            port.exchange.search_started(now);
        }
        let mut engines = std::mem::take(&mut self.engines);
        let result = thread::scope(|scope| {
            let [leader, followers @ ..] = &mut engines[..] else { return Ok(SearchResult::default()) };
            for follower in followers.iter_mut() {
                let limits = Limits { infinite: true, ..Limits::default() };
                follower.go(limits, Arc::new(NullListener))?;
            }
            let search = scope.spawn(|| leader.search(limits));
            self.deliver_until_end(&turns, board, || followers.iter().for_each(Engine::stop));
            followers.iter().for_each(Engine::wait);
            search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        self.engines = engines;
        result
    }

    /// The nodes of the leader's first thread in the last search.
    pub fn first_thread_nodes(&self) -> u64 {
        self.engines.first().and_then(|leader| leader.nodes_by_thread().first().copied()).unwrap_or(0)
    }

    /// What has gone through the exchanges of all machines in this game.
    pub fn counts(&self) -> EntryCounts {
        self.ports.iter().fold(EntryCounts::default(), |sum, port| {
            let counts = port.exchange.counts();
            EntryCounts {
                sent: sum.sent + counts.sent,
                stored: sum.stored + counts.stored,
                refused: sum.refused + counts.refused,
            }
        })
    }

    /// The turns of the network, until the leader has left; then the followers are stopped.
    fn deliver_until_end(&mut self, turns: &Turns, board: &Board, stop: impl Fn()) {
        let Simulation { turn_nodes, nodes_per_second, .. } = self.simulation;
        let round = Duration::from_nanos(turn_nodes * 1_000_000_000 / nodes_per_second.max(1));
        let place = self.simulation.machines * self.simulation.threads;
        let _guard = turns.enter(place);
        let (mut next_tick, mut next_report) = (self.time + self.simulation.tick, self.time + REPORT);
        while turns.is_present(0) {
            self.time += round;
            if self.time >= next_tick {
                next_tick += self.simulation.tick;
                self.exchange_entries();
            }
            if self.simulation.votes {
                self.deliver_reports(board, &mut next_report);
            }
            turns.pass(place);
        }
        // Before any follower has another turn.
        stop();
    }

    fn now(&self) -> Instant {
        self.started + self.time
    }

    fn exchange_entries(&mut self) {
        let now = self.now();
        let shared: Option<SearchId> = self.simulation.bytes_per_second.map(|_| (0, self.searches));
        for port in &mut self.ports {
            port.exchange.send(&port.search, shared, &port.transport, now);
        }
        self.network.advance(now);
        for port in &mut self.ports {
            for packet in port.transport.inbox().entries.try_iter() {
                if let Ok(packet) = EntryPacket::read(&packet.bytes) {
                    port.exchange.receive(packet, &port.search, shared);
                }
            }
        }
    }

    fn deliver_reports(&mut self, board: &Board, next_report: &mut Duration) {
        while let Some((_, others)) = self.reports.pop_front_if(|(arrival, _)| *arrival <= self.time) {
            self.ports[0].search.set_others(board.key(), others);
        }
        if self.time >= *next_report {
            *next_report += REPORT;
            let results = self.ports[1..].iter().filter_map(|port| port.search.result()).collect();
            let others = Others { results, ..Others::default() };
            self.reports.push_back((self.time + self.simulation.delay, others));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes of the leader in two searches, and the entries that were sent.
    fn searches(bytes_per_second: Option<u64>) -> ([u64; 2], u64) {
        let simulation = Simulation {
            machines: 3,
            threads: 1,
            hash: 1,
            turn_nodes: 50,
            nodes_per_second: 10_000,
            tick: Duration::from_millis(5),
            delay: Duration::from_millis(2),
            bytes_per_second,
            votes: true,
        };
        let mut cluster = LockstepCluster::new(simulation).expect("memory");
        let board = Board::start();
        cluster.new_game(&board).expect("idle");
        let nodes = [9, 10].map(|depth| {
            let limits = Limits::depth(depth);
            cluster.search(&board, limits).expect("idle").nodes
        });
        (nodes, cluster.counts().sent)
    }

    #[test]
    fn searches_repeat_and_depend_on_what_is_shared() {
        let (shared, alone) = (searches(Some(1 << 20)), searches(None));
        assert_eq!(shared, searches(Some(1 << 20)));
        assert_eq!(alone, searches(None));
        assert!(shared.1 > 0 && alone.1 == 0);
        assert_ne!(shared.0, alone.0);
    }
}
