//! Machines whose engines only pretend to search, on a simulated network whose clock is turned by hand.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use caesura::board::Board;
use caesura::engine::{Others, SharedEntry, SharedResult};
use caesura::types::Depth;
use caesura::util::sync::{Instant, Mutex, Receiver, Sender, unbounded};
use cluster::follower::Follower;
use cluster::identity::Identity;
use cluster::leader::Leader;
use cluster::link::{Link, Role};
use cluster::local_search::{LocalSearch, Subject};
use cluster::observer::Event;
use cluster::transport::{Faults, MemoryNetwork, MemoryTransport, Topic};

/// How far the clock goes at a time.
const STEP: Duration = Duration::from_millis(1);

/// An engine that only pretends to search.
#[derive(Clone, Default)]
pub struct Engine(pub Rc<RefCell<EngineState>>);

#[derive(Default)]
pub struct EngineState {
    pub subject: Option<Subject>,
    /// Where it says that its search has ended when it is asked for its subject.
    pub ends_when_asked: Option<Sender<Event>>,
    pub nodes: u64,
    pub result: Option<SharedResult>,
    pub others: Others,
    /// How often it was told of the others.
    pub told_of_others: usize,
    pub min_depth: Depth,
    pub queued: Vec<SharedEntry>,
    pub stored: Vec<SharedEntry>,
}

impl LocalSearch for Engine {
    fn subject(&self) -> Option<Subject> {
        if let Some(events) = self.0.borrow_mut().ends_when_asked.take() {
            events.send(Event::SearchEnded).expect("open");
        }
        self.0.borrow().subject.clone()
    }

    fn counts(&self) -> (u64, u64) {
        (self.0.borrow().nodes, 0)
    }

    fn result(&self) -> Option<SharedResult> {
        self.0.borrow().result.clone()
    }

    fn set_others(&self, _key: u64, others: Others) {
        let mut state = self.0.borrow_mut();
        state.others = others;
        state.told_of_others += 1;
    }

    fn set_min_depth(&self, depth: Depth) {
        self.0.borrow_mut().min_depth = depth;
    }

    fn take_entries(&self, most: usize) -> Vec<SharedEntry> {
        let queued = &mut self.0.borrow_mut().queued;
        let count = most.min(queued.len());
        queued.drain(..count).collect()
    }

    fn lost_entries(&self) -> u64 {
        0
    }

    fn store(&self, entries: Vec<SharedEntry>) -> usize {
        self.0.borrow_mut().stored.extend(entries);
        0
    }
}

/// A machine of the simulation.
pub struct Machine {
    pub link: Link<MemoryTransport, Engine>,
    pub engine: Engine,
    pub events: Sender<Event>,
    /// What its session is told, on a follower.
    pub commands: Option<Receiver<String>>,
    /// Commands that were read.
    pub told: Vec<String>,
    pub notes: Arc<Mutex<Vec<String>>>,
    pub alive: bool,
}

/// What a follower's session knows of positions: a key for each `position` line.
pub fn key(position: &str) -> u64 {
    position.bytes().fold(7, |key: u64, byte| key.wrapping_mul(31) + u64::from(byte))
}

impl Machine {
    pub fn new(role: Role, commands: Option<Receiver<String>>, transport: MemoryTransport) -> Machine {
        let (engine, (sender, events)) = (Engine::default(), unbounded());
        let notes = Arc::new(Mutex::new(Vec::new()));
        let link = {
            let notes = Arc::clone(&notes);
            let note = Arc::new(move |text: &str| notes.lock().push(text.to_string()));
            Link::new(role, transport, (engine.clone(), events), 1 << 20, note)
        };
        Machine { link, engine, events: sender, commands, told: Vec::new(), notes, alive: true }
    }

    /// Does what the session of a follower would do.
    pub fn execute_commands(&mut self) {
        let Some(commands) = &self.commands else { return };
        for line in commands.try_iter() {
            let mut state = self.engine.0.borrow_mut();
            if line.starts_with("position") {
                let (key, network) = (key(&line), "net".to_string());
                state.subject = Some(Subject { key, search_moves: Vec::new(), network });
            } else if line.starts_with("go infinite") {
                state.nodes = 0;
                self.events.send(Event::SearchStarted).expect("open");
            } else if line == "stop" {
                self.events.send(Event::SearchEnded).expect("open");
            }
            self.told.push(line);
        }
    }

    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().clone()
    }
}

/// A leader and its followers.
pub struct Cluster {
    pub network: MemoryNetwork,
    pub now: Instant,
    pub machines: Vec<Machine>,
}

pub fn identity() -> Identity {
    Identity { version: "1".into(), signature: 2, network: "net".into() }
}

impl Cluster {
    pub fn new(seed: u64, faults: Faults, followers: usize) -> Cluster {
        let now = Instant::now();
        let network = MemoryNetwork::new(seed, faults, now);
        let transport = network.join(&[Topic::ToLeader, Topic::Entries]);
        let leader = Machine::new(Role::Leader(Leader::new(1000, identity())), None, transport);
        let mut cluster = Cluster { network, now, machines: vec![leader] };
        (0..followers).for_each(|_| cluster.add_follower(identity(), &[]));
        cluster
    }

    pub fn add_follower(&mut self, identity: Identity, own_options: &[&str]) {
        let number = self.machines.len() as u64;
        let own_options = own_options.iter().map(ToString::to_string).collect();
        let follower = Follower::new(number, format!("f{number}"), identity, own_options);
        let transport = self.network.join(&[Topic::ToFollowers, Topic::Entries]);
        let (sender, commands) = unbounded();
        self.machines.push(Machine::new(Role::Follower(follower, sender), Some(commands), transport));
    }

    pub fn run(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += STEP;
            self.network.advance(self.now);
            for machine in self.machines.iter_mut().filter(|machine| machine.alive) {
                machine.engine.0.borrow_mut().nodes += 1;
                machine.link.step(self.now);
                machine.execute_commands();
            }
        }
    }

    pub fn leader(&self) -> &Machine {
        &self.machines[0]
    }

    pub fn go(&mut self, position: &str) {
        let leader = self.leader();
        let subject = Subject { key: key(position), search_moves: Vec::new(), network: "net".into() };
        leader.engine.0.borrow_mut().subject = Some(subject);
        leader.events.send(Event::Position(position.to_string())).expect("open");
        leader.events.send(Event::SearchStarted).expect("open");
    }

    pub fn stop(&mut self) {
        self.leader().events.send(Event::SearchEnded).expect("open");
    }

    /// The followers that search now what the leader searches.
    pub fn searching(&self) -> Vec<usize> {
        let Role::Leader(leader) = self.leader().link.role() else { unreachable!() };
        let order = leader.search().map(|search| (leader.node(), search));
        let is_at = |&number: &usize| match self.machines[number].link.role() {
            Role::Follower(follower, _) => order.is_some() && follower.search() == order,
            Role::Leader(_) => false,
        };
        (1..self.machines.len()).filter(is_at).collect()
    }

    /// How many results the leader would let vote.
    pub fn votes(&self) -> usize {
        self.leader().engine.0.borrow().others.results.len()
    }

    pub fn set_result(&self, machine: usize, depth: Depth) {
        let board = Board::start();
        let result = SharedResult { depth, score: 5, pv: vec![board.legal_moves()[0]] };
        self.machines[machine].engine.0.borrow_mut().result = Some(result);
    }
}
