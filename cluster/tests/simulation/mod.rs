//! Nodes that run as they do on machines of their own, with a network in memory between them, under a model checker.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::Arc;

use caesura::board::notation::to_uci;
use caesura::uci::Output;
use caesura::util::sync::{
    Builder, Condvar, Instant, JoinHandle, Mutex, MutexGuard, Receiver, Sender, unbounded,
};
use cluster::commands::CommandReader;
use cluster::follower::Follower;
use cluster::identity::Identity;
use cluster::leader::Leader;
use cluster::node;
use cluster::transport::{Faults, MemoryNetwork, MemoryTransport, Packet, Topic, Transport};
use cluster::wire::{Message, NodeId};

const BYTES_PER_SECOND: u64 = 1 << 20;

/// Positions with three legal moves, and next to nothing below them.
const POSITIONS: [(&str, [&str; 3]); 3] = [
    ("8/8/8/8/8/k7/p7/K7 b - - 0 1", ["a3b3", "a3a4", "a3b4"]),
    ("8/8/8/8/8/7k/7p/7K b - - 0 1", ["h3g3", "h3h4", "h3g4"]),
    ("k7/P7/K7/8/8/8/8/8 w - - 0 1", ["a6b6", "a6a5", "a6b5"]),
];

/// The command that sets the position of this number, from 1.
fn position(number: u64) -> String {
    format!("position fen {}", POSITIONS[number as usize - 1].0)
}

/// What followers may tell people.
const FOLLOWER_NOTES: [&str; 3] = ["a leader is there", LEADER_IS_SILENT, "the leader has left"];
const LEADER_IS_SILENT: &str = "the leader does not answer";

/// A value that threads wait for.
struct Watched<T>(Arc<(Mutex<T>, Condvar)>);

impl<T> Clone for Watched<T> {
    fn clone(&self) -> Watched<T> {
        Watched(Arc::clone(&self.0))
    }
}

impl<T> Watched<T> {
    fn new(value: T) -> Watched<T> {
        Watched(Arc::new((Mutex::new(value), Condvar::new())))
    }

    fn change(&self, change: impl FnOnce(&mut T)) {
        let (value, changed) = &*self.0;
        change(&mut value.lock());
        changed.notify_all();
    }

    fn wait_until(&self, condition: impl Fn(&T) -> bool) {
        let (value, changed) = &*self.0;
        let mut value = value.lock();
        while !condition(&value) {
            changed.wait(&mut value);
        }
    }

    fn with<R>(&self, function: impl FnOnce(&T) -> R) -> R {
        function(&self.0.0.lock())
    }
}

/// Lines that a program has written.
type Lines = Watched<Vec<String>>;

/// The standard output of the leader.
struct Screen(Lines);

impl Write for Screen {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let text_lines = String::from_utf8_lossy(text);
        self.0.change(|lines| lines.extend(text_lines.lines().map(str::to_string)));
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A machine's end of the network, which shows what it sends and can be frozen.
struct Port {
    transport: MemoryTransport,
    network: MemoryNetwork,
    sent: Watched<Vec<Message>>,
    gate: Arc<Mutex<()>>,
}

impl Transport for Port {
    fn send(&self, topic: Topic, bytes: Vec<u8>) {
        drop(self.gate.lock());
        let message = Message::read(&bytes);
        self.network.advance(Instant::now());
        self.transport.send(topic, bytes);
        self.network.advance(Instant::now());
        if topic != Topic::Entries {
            self.sent.change(|sent| sent.push(message.expect("a message")));
        }
    }

    fn packets(&self) -> &Receiver<Packet> {
        self.transport.packets()
    }
}

/// A program that runs.
struct Node {
    commands: Sender<String>,
    /// What it tells people.
    notes: Lines,
    gate: Arc<Mutex<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Node {
    fn send(&self, line: &str) {
        // A program that has ended reads nothing.
        let _ = self.commands.send(line.to_string());
    }

    fn end(&mut self) {
        self.send("quit");
        if let Some(thread) = self.thread.take() {
            thread.join().expect("ends");
        }
    }
}

/// A leader and its followers, which are numbered from 1.
pub struct Cluster {
    pub network: MemoryNetwork,
    sent: Watched<Vec<Message>>,
    nodes: Vec<Node>,
}

fn identity() -> Identity {
    Identity { version: "1".into(), signature: 2, network: "net".into() }
}

impl Cluster {
    /// A leader that waits for commands, on a network with faults.
    pub fn new(faults: Faults) -> Cluster {
        let network = MemoryNetwork::new(1, faults, Instant::now());
        let mut cluster = Cluster { network, sent: Watched::new(Vec::new()), nodes: Vec::new() };
        cluster.add(&[Topic::ToLeader, Topic::Entries], |port, lines, _, commands| {
            let output = Arc::new(Output::new(Screen(lines), |error| panic!("{error}")));
            let leader = Leader::new(1000, identity());
            node::lead(leader, port, BYTES_PER_SECOND, CommandReader::new(commands), output).expect("memory");
        });
        cluster
    }

    /// Starts another node.
    pub fn add_follower(&mut self) {
        let number = self.nodes.len() as NodeId;
        self.add(&[Topic::ToFollowers, Topic::Entries], move |port, notes, sender, commands| {
            let follower = Follower::new(number, format!("f{number}"), identity(), Vec::new());
            let note = Box::new(move |text: &str| notes.change(|notes| notes.push(text.to_string())));
            node::follow(follower, (sender, commands), port, BYTES_PER_SECOND, note).expect("memory");
        });
    }

    fn add(
        &mut self,
        topics: &[Topic],
        run: impl FnOnce(Port, Lines, Sender<String>, Receiver<String>) + Send + 'static,
    ) {
        let (sender, commands) = unbounded();
        let (notes, gate) = (Watched::new(Vec::new()), Arc::default());
        let port = Port {
            transport: self.network.join(topics),
            network: self.network.clone(),
            sent: self.sent.clone(),
            gate: Arc::clone(&gate),
        };
        let (lines, link) = (notes.clone(), sender.clone());
        let thread = Builder::new().spawn(move || run(port, lines, link, commands)).expect("a thread");
        self.nodes.push(Node { commands: sender, notes, gate, thread: Some(thread) });
    }

    /// Sends the leader a line.
    pub fn send(&self, line: &str) {
        self.nodes[0].send(line);
    }

    /// Has the leader search the position of this number.
    pub fn go(&self, number: u64, limits: &str) {
        self.send(&position(number));
        self.send(&format!("go {limits}"));
    }

    /// Has the leader stop.
    pub fn stop(&self) {
        self.send("stop");
    }

    /// Ends a follower.
    pub fn quit_follower(&mut self, follower: usize) {
        self.nodes[follower].end();
    }

    /// Keeps a node from sending anything, and so from going on, until the guard is dropped.
    pub fn freeze(&self, node: usize) -> MutexGuard<'_, ()> {
        self.nodes[node].gate.lock()
    }

    /// Waits until the leader has written a line.
    pub fn wait_for_line(&self, line: &str) {
        self.wait_for_note(0, line);
    }

    /// Waits until a node has told people something.
    pub fn wait_for_note(&self, node: usize, text: &str) {
        self.wait_for_notes(node, text, 1);
    }

    /// Waits until a node has told people something this many times.
    pub fn wait_for_notes(&self, node: usize, text: &str, count: usize) {
        let is_there = |lines: &Vec<String>| lines.iter().filter(|&line| line == text).count() >= count;
        self.nodes[node].notes.wait_until(is_there);
    }

    /// Waits until the leader has answered this many times.
    pub fn wait_for_answers(&self, count: usize) {
        self.nodes[0].notes.wait_until(|lines| answers(lines).count() >= count);
    }

    /// Waits until the leader has ordered the search of the position of this number.
    pub fn wait_for_order(&self, number: u64) {
        self.sent.wait_until(|sent| ordered_search(sent, number).is_some());
    }

    /// Waits until a follower has reported on the search of the position of this number.
    pub fn wait_for_report(&self, follower: NodeId, number: u64) {
        self.sent.wait_until(|sent| {
            ordered_search(sent, number).is_some_and(|search| {
                sent.iter().any(|message| {
                    matches!(message, Message::Report(report) if report.node == follower && report.search == search)
                })
            })
        });
    }

    /// What is wanted of all messages that have been sent.
    pub fn messages<T>(&self, wanted: impl Fn(&Message) -> Option<T>) -> Vec<T> {
        self.sent.with(|sent| sent.iter().filter_map(wanted).collect())
    }

    /// Ends all nodes, the leader first, and looks whether it has answered this many times, each time by a move of the
    /// position of that number, whether each search that it has ordered was ended once, whether no node has joined twice, and
    /// whether the followers have obeyed.
    pub fn end(mut self, count: usize) {
        self.nodes.iter_mut().for_each(Node::end);
        (1..self.nodes.len()).for_each(|follower| self.check_follower(follower));
        let ordered: BTreeSet<u64> = self
            .messages(|message| match message {
                Message::Go(order) => Some(order.search),
                _ => None,
            })
            .into_iter()
            .collect();
        let ended = self.messages(|message| match message {
            Message::Stop { search, .. } => Some(*search),
            _ => None,
        });
        assert!(ended.iter().eq(&ordered), "{ordered:?} {ended:?}");
        self.nodes[0].notes.with(|lines| {
            assert_eq!(answers(lines).count(), count, "{lines:#?}");
            let is_legal = |(best, (_, moves)): (&str, &(&str, [&str; 3]))| moves.contains(&best);
            assert!(answers(lines).zip(&POSITIONS).all(is_legal), "{lines:#?}");
            assert!(lines.iter().all(|line| !line.contains("cannot search")), "{lines:#?}");
            let joined: Vec<&String> = lines.iter().filter(|line| line.ends_with("has joined")).collect();
            assert_eq!(joined.iter().collect::<BTreeSet<_>>().len(), joined.len(), "{lines:#?}");
        });
    }

    /// Looks whether a follower has never searched what it was not told to, nor gone back to an earlier search or begun one
    /// anew, unless it had given the leader up.
    fn check_follower(&self, follower: usize) {
        let reports = self.messages(|message| match message {
            // An engine that has gone has no nodes.
            Message::Report(report) if report.node == follower as NodeId && report.nodes > 0 => {
                Some(report.clone())
            }
            _ => None,
        });
        let positions: BTreeMap<u64, String> = self
            .messages(|message| match message {
                Message::Go(order) => Some((order.search, order.position.clone())),
                _ => None,
            })
            .into_iter()
            .collect();
        for report in &reports {
            let number =
                (1..).zip(&POSITIONS).find(|&(number, _)| position(number) == positions[&report.search]);
            let (_, (_, moves)) = number.expect("a position of the scenario");
            let pv = report.result.as_ref().map(|result| result.result().pv).unwrap_or_default();
            assert!(
                pv.first().is_none_or(|&best| moves.contains(&&*to_uci(best, false).to_string())),
                "{report:?}"
            );
        }
        let restarts = reports.windows(2).filter(|pair| {
            let [earlier, later] = [&pair[0], &pair[1]].map(|report| (report.search, report.nodes));
            later < earlier
        });
        self.nodes[follower].notes.with(|notes| {
            assert!(notes.iter().all(|note| FOLLOWER_NOTES.contains(&&**note)), "{notes:?}");
            let given_up = notes.iter().filter(|&note| note == LEADER_IS_SILENT).count();
            assert!(restarts.count() <= given_up, "{reports:?}");
        });
    }
}

/// The search of the position of this number.
fn ordered_search(sent: &[Message], number: u64) -> Option<u64> {
    let wanted = position(number);
    sent.iter().find_map(|message| match message {
        Message::Go(order) if order.position == wanted => Some(order.search),
        _ => None,
    })
}

/// The best moves among the lines of a leader.
fn answers(lines: &[String]) -> impl Iterator<Item = &str> {
    lines.iter().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next())
}
