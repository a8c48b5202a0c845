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
use cluster::transport::{Faults, Inbox, MemoryNetwork, MemoryTransport, Topic, Transport};
use cluster::wire::{Message, NodeId, Report};

const BYTES_PER_SECOND: u64 = 1 << 20;

/// The name of the cluster of the first leader.
pub const NAME: &str = "";

/// Positions with three legal moves, and next to nothing below them.
const POSITIONS: [(&str, [&str; 3]); 3] = [
    ("8/8/8/8/8/k7/p7/K7 b - - 0 1", ["a3b3", "a3a4", "a3b4"]),
    ("8/8/8/8/8/7k/7p/7K b - - 0 1", ["h3g3", "h3h4", "h3g4"]),
    ("7k/8/8/8/8/8/8/K7 w - - 0 1", ["a1b1", "a1a2", "a1b2"]),
];

/// The command that sets the position of this number, from 1.
fn position(number: u64) -> String {
    format!("position fen {}", POSITIONS[number as usize - 1].0)
}

/// What followers may show people.
const FOLLOWER_NOTES: [&str; 3] = ["a leader is there", LEADER_IS_SILENT, LEADER_HAS_LEFT];
const LEADER_IS_SILENT: &str = "the leader does not answer";
const LEADER_HAS_LEFT: &str = "the leader has left";

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

    fn inbox(&self) -> &Inbox {
        self.transport.inbox()
    }
}

/// What a node is in its cluster.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Leader,
    Follower,
}

/// A program that runs.
struct Node {
    kind: Kind,
    commands: Sender<String>,
    /// What it has shown people.
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

/// A leader, which has the number 0, and other nodes, which are numbered from 1 in the order in which they are added.
pub struct Cluster {
    pub network: MemoryNetwork,
    sent: Watched<Vec<Message>>,
    nodes: Vec<Node>,
}

/// What the leader of this number is called among nodes.
fn leader_id(number: usize) -> NodeId {
    1000 + number as NodeId
}

fn identity() -> Identity {
    Identity { version: "1".into(), signature: 2, network: "net".into() }
}

impl Cluster {
    /// A leader that waits for commands, on a network with faults.
    pub fn new(faults: Faults) -> Cluster {
        let network = MemoryNetwork::new(1, faults, Instant::now());
        let mut cluster = Cluster { network, sent: Watched::new(Vec::new()), nodes: Vec::new() };
        cluster.add_leader(NAME);
        cluster
    }

    /// Starts another leader, of a cluster of this name. Returns its number.
    pub fn add_leader(&mut self, name: &'static str) -> usize {
        let node = leader_id(self.nodes.len());
        self.add((Kind::Leader, name), move |port, lines, _, commands| {
            let output = Arc::new(Output::new(Screen(lines), |error| panic!("{error}")));
            let leader = Leader::new(node, identity());
            node::lead(leader, port, BYTES_PER_SECOND, CommandReader::new(commands), output).expect("memory");
        })
    }

    /// Starts another follower.
    pub fn add_follower(&mut self) {
        self.add_follower_of(NAME);
    }

    /// Starts another follower, of a cluster of this name. Returns its number.
    pub fn add_follower_of(&mut self, name: &'static str) -> usize {
        let number = self.nodes.len() as NodeId;
        self.add((Kind::Follower, name), move |port, notes, sender, commands| {
            let follower = Follower::new(number, format!("f{number}"), identity(), Vec::new());
            let note = Arc::new(move |text: &str| notes.change(|notes| notes.push(text.to_string())));
            node::follow(follower, (sender, commands), port, BYTES_PER_SECOND, note).expect("memory");
        })
    }

    fn add(
        &mut self,
        (kind, cluster): (Kind, &'static str),
        run: impl FnOnce(Port, Lines, Sender<String>, Receiver<String>) + Send + 'static,
    ) -> usize {
        let messages = if kind == Kind::Leader { Topic::ToLeader } else { Topic::ToFollowers };
        let (sender, commands) = unbounded();
        let (notes, gate) = (Watched::new(Vec::new()), Arc::default());
        let port = Port {
            transport: self.network.join_cluster(cluster, &[messages, Topic::Entries]),
            network: self.network.clone(),
            sent: self.sent.clone(),
            gate: Arc::clone(&gate),
        };
        let (lines, link) = (notes.clone(), sender.clone());
        let thread = Builder::new().spawn(move || run(port, lines, link, commands)).expect("a thread");
        self.nodes.push(Node { kind, commands: sender, notes, gate, thread: Some(thread) });
        self.nodes.len() - 1
    }

    /// Sends the first leader a line.
    pub fn send(&self, line: &str) {
        self.send_to(0, line);
    }

    /// Sends a leader a line.
    pub fn send_to(&self, leader: usize, line: &str) {
        self.nodes[leader].send(line);
    }

    /// Has the first leader search the position of this number.
    pub fn go(&self, number: u64, limits: &str) {
        self.go_at(0, number, limits);
    }

    /// Has a leader search the position of this number.
    pub fn go_at(&self, leader: usize, number: u64, limits: &str) {
        self.send_to(leader, &position(number));
        self.send_to(leader, &format!("go {limits}"));
    }

    /// Has the first leader stop.
    pub fn stop(&self) {
        self.send("stop");
    }

    /// Ends a node.
    pub fn quit(&mut self, node: usize) {
        self.nodes[node].end();
    }

    /// Keeps a node from sending anything, and so from going on, until the guard is dropped.
    pub fn freeze(&self, node: usize) -> MutexGuard<'_, ()> {
        self.nodes[node].gate.lock()
    }

    /// Waits until the first leader has written a line.
    pub fn wait_for_line(&self, line: &str) {
        self.wait_for_note(0, line);
    }

    /// Waits until a node has shown people a text.
    pub fn wait_for_note(&self, node: usize, text: &str) {
        self.wait_for_notes(node, text, 1);
    }

    /// Waits until a node has shown people a text this many times.
    pub fn wait_for_notes(&self, node: usize, text: &str, count: usize) {
        let is_there = |lines: &Vec<String>| lines.iter().filter(|&line| line == text).count() >= count;
        self.nodes[node].notes.wait_until(is_there);
    }

    /// Waits until the first leader has answered this many times.
    pub fn wait_for_answers(&self, count: usize) {
        self.wait_for_answers_of(0, count);
    }

    /// Waits until a leader has answered this many times.
    pub fn wait_for_answers_of(&self, leader: usize, count: usize) {
        self.nodes[leader].notes.wait_until(|lines| answers(lines).count() >= count);
    }

    /// Waits until a leader has ordered the search of the position of this number.
    pub fn wait_for_order(&self, number: u64) {
        self.sent.wait_until(|sent| ordered_search(sent, number).is_some());
    }

    /// Waits until a follower has reported on the search of the position of this number.
    pub fn wait_for_report(&self, follower: NodeId, number: u64) {
        self.sent.wait_until(|sent| has_report(sent, follower, number));
    }

    /// [`Cluster::wait_for_report`], or until the first leader does without the follower, where it has searched the positions in
    /// the order of their numbers: the network may have lost all orders, and who does not answer is out until the next search.
    pub fn wait_for_report_or_silence(&self, follower: NodeId, number: u64) {
        let silence = format!("info string cluster: f{follower} does not answer");
        let is_out = |lines: &Vec<String>| {
            let mut searches = lines.split(|line| line.starts_with("bestmove "));
            searches.nth(number as usize - 1).is_some_and(|lines| lines.contains(&silence))
        };
        // Nodes send something again and again, after which this is looked at.
        self.sent.wait_until(|sent| has_report(sent, follower, number) || self.nodes[0].notes.with(is_out));
    }

    /// What is wanted of all messages that have been sent.
    pub fn messages<T>(&self, wanted: impl Fn(&Message) -> Option<T>) -> Vec<T> {
        self.sent.with(|sent| sent.iter().filter_map(wanted).collect())
    }

    /// [`Cluster::end_all`] with one leader, which has answered this many times, each time by a move of the position of
    /// that number.
    pub fn end(self, count: u64) {
        self.end_all(&[(0, &(1..=count).collect::<Vec<_>>())]);
    }

    /// Ends all nodes, in the order in which they came, and looks whether each leader has answered by moves of the
    /// positions of these numbers and no others, whether each search that it has ordered was ended once, whether no node
    /// has joined it twice, and whether the followers have obeyed.
    pub fn end_all(mut self, answered: &[(usize, &[u64])]) {
        self.nodes.iter_mut().for_each(Node::end);
        let followers = (0..self.nodes.len()).filter(|&node| self.nodes[node].kind == Kind::Follower);
        followers.for_each(|follower| self.check_follower(follower));
        assert_eq!(answered.len(), self.nodes.iter().filter(|node| node.kind == Kind::Leader).count());
        for &(leader, numbers) in answered {
            self.check_leader(leader, numbers);
        }
    }

    fn check_leader(&self, leader: usize, numbers: &[u64]) {
        let id = leader_id(leader);
        let ordered: BTreeSet<u64> = self
            .messages(|message| match message {
                Message::Go(order) if order.leader == id => Some(order.search),
                _ => None,
            })
            .into_iter()
            .collect();
        let ended = self.messages(|message| match message {
            Message::Stop { leader, search } if *leader == id => Some(*search),
            _ => None,
        });
        assert!(ended.iter().eq(&ordered), "{ordered:?} {ended:?}");
        self.nodes[leader].notes.with(|lines| {
            assert_eq!(answers(lines).count(), numbers.len(), "{lines:#?}");
            let is_legal = |(best, &number): (&str, &u64)| POSITIONS[number as usize - 1].1.contains(&best);
            assert!(answers(lines).zip(numbers).all(is_legal), "{lines:#?}");
            assert!(lines.iter().all(|line| !line.contains("cannot search")), "{lines:#?}");
            let joined: Vec<&String> = lines.iter().filter(|line| line.ends_with("has joined")).collect();
            assert_eq!(joined.iter().collect::<BTreeSet<_>>().len(), joined.len(), "{lines:#?}");
        });
    }

    /// Looks whether a follower has never searched what it was not told to, nor gone back to an earlier search or begun one
    /// anew, nor to another leader, unless it had given its leader up or that had left.
    fn check_follower(&self, follower: usize) {
        let reports = self.messages(|message| match message {
            // An engine that has gone has no nodes.
            Message::Report(report) if report.node == follower as NodeId && report.nodes > 0 => {
                Some(report.clone())
            }
            _ => None,
        });
        let positions: BTreeMap<(NodeId, u64), String> = self
            .messages(|message| match message {
                Message::Go(order) => Some(((order.leader, order.search), order.position.clone())),
                _ => None,
            })
            .into_iter()
            .collect();
        for report in &reports {
            let number =
                (1..).zip(&POSITIONS).find(|&(number, _)| position(number) == positions[&search_of(report)]);
            let (_, (_, moves)) = number.expect("a position of the scenario");
            let pv = report.result.as_ref().map(|result| result.result().pv).unwrap_or_default();
            assert!(
                pv.first().is_none_or(|&best| moves.contains(&&*to_uci(best, false).to_string())),
                "{report:?}"
            );
        }
        let (of_others, of_one): (Vec<_>, Vec<_>) =
            reports.windows(2).partition(|pair| pair[0].leader != pair[1].leader);
        let restarts = of_one.iter().filter(|pair| {
            let [earlier, later] = [&pair[0], &pair[1]].map(|report| (report.search, report.nodes));
            later < earlier
        });
        self.nodes[follower].notes.with(|notes| {
            assert!(notes.iter().all(|note| FOLLOWER_NOTES.contains(&&**note)), "{notes:?}");
            let count = |wanted: &str| notes.iter().filter(|&note| note == wanted).count();
            assert!(restarts.count() <= count(LEADER_IS_SILENT), "{reports:?}");
            assert!(of_others.len() <= count(LEADER_IS_SILENT) + count(LEADER_HAS_LEFT), "{reports:?}");
        });
    }
}

/// The leader of a search, and its number.
fn search_of(report: &Report) -> (NodeId, u64) {
    (report.leader, report.search)
}

/// Whether a follower has reported on the search of the position of this number.
fn has_report(sent: &[Message], follower: NodeId, number: u64) -> bool {
    ordered_search(sent, number).is_some_and(|order| {
        sent.iter().any(|message| {
            matches!(message, Message::Report(report) if report.node == follower && search_of(report) == order)
        })
    })
}

/// The search of the position of this number.
fn ordered_search(sent: &[Message], number: u64) -> Option<(NodeId, u64)> {
    let wanted = position(number);
    sent.iter().find_map(|message| match message {
        Message::Go(order) if order.position == wanted => Some((order.leader, order.search)),
        _ => None,
    })
}

/// The best moves among the lines of a leader.
fn answers(lines: &[String]) -> impl Iterator<Item = &str> {
    lines.iter().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next())
}
