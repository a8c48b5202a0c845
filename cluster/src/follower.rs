//! Every node but the first: it obeys the leader, and reports what it finds.
//!
//! An order has all that a search needs, so that it does not matter what a follower has missed. A follower whose leader is
//! silent for [`TIMEOUT`] stops searching and waits for an order, of this leader or of another.
//!
//! All of this is a pure machine: events and messages come in with their time, messages and UCI commands go out.

use std::collections::BTreeSet;
use std::time::Duration;

use caesura::engine::SharedResult;
use caesura::uci::options;
use caesura::util::quote::excerpt;
use caesura::util::sync::Instant;

use crate::identity::Identity;
use crate::local_search::Subject;
use crate::replicated_state::is_shared_option;
use crate::wire::{Message, NodeId, Order, ReplicatedOption, Report, WireResult};

/// How often a follower shows that it is there.
const HELLO: Duration = Duration::from_millis(250);
/// How often it reports what it has found.
pub const REPORT: Duration = Duration::from_millis(20);
/// How long the leader may be silent until its search is given up.
pub const TIMEOUT: Duration = Duration::from_secs(3);
/// Leaders that a follower complains about at most.
const MAX_REFUSED: usize = 16;
/// The searches that the engine may be behind. The leader repeats an order that is left out, as it does where a follower reports
/// nothing.
const MAX_PENDING_STARTS: usize = 8;

/// What a follower does next.
#[derive(Clone, Debug, PartialEq)]
pub enum FollowerAction {
    /// Sends a message to the leader.
    Send(Message),
    /// Has the engine on its machine execute a UCI command.
    Command(String),
    /// Shows people a text.
    Note(String),
}

/// How far a follower is with the search that was ordered last.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// Not begun, over, or not possible here.
    Idle,
    /// `go` was sent to the engine, which has not begun yet.
    Starting(Box<Order>),
    /// The engine searches.
    Searching(u64),
}

/// The leader as a follower knows it.
#[derive(Clone, Copy, Debug)]
struct LeaderSeen {
    node: NodeId,
    heard: Instant,
    /// The last search that it has ordered, or that has ended.
    search: u64,
}

/// A follower.
pub struct Follower {
    node: NodeId,
    name: String,
    identity: Identity,
    /// Options whose orders are not obeyed, because they were set for this machine.
    own_options: Vec<String>,
    leader: Option<LeaderSeen>,
    /// The leaders that were complained about.
    refused: BTreeSet<NodeId>,
    /// The leader that left last, and when. Orders that it sent before may come after that.
    departed: Option<(NodeId, Instant)>,
    /// The game, by leader and number.
    game: Option<(NodeId, u64)>,
    options: Vec<ReplicatedOption>,
    /// Whose options these are: the changes of another leader are counted anew.
    options_of: Option<NodeId>,
    phase: Phase,
    /// Why it cannot do the last search that it was ordered.
    unfit: Option<String>,
    /// How many times the engine was sent `go` and has not begun yet.
    pending_starts: usize,
    /// How many searches have begun here, those that began again counted anew.
    starts: u64,
    last_hello: Option<Instant>,
    last_report: Option<Instant>,
}

impl Follower {
    /// A follower that knows no leader; people know it by `name`. It keeps the values of `own_options` whatever the leader
    /// says.
    pub fn new(node: NodeId, name: String, identity: Identity, own_options: Vec<String>) -> Follower {
        Follower {
            node,
            name,
            identity,
            own_options,
            leader: None,
            refused: BTreeSet::new(),
            departed: None,
            game: None,
            options: Vec::new(),
            options_of: None,
            phase: Phase::Idle,
            unfit: None,
            pending_starts: 0,
            starts: 0,
            last_hello: None,
            last_report: None,
        }
    }

    /// Who follows: itself.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// The search that the engine is at, and its leader.
    pub fn search(&self) -> Option<(NodeId, u64)> {
        match (&self.phase, self.leader) {
            (Phase::Searching(search), Some(leader)) => Some((leader.node, *search)),
            _ => None,
        }
    }

    /// Takes in what a leader says.
    pub fn receive(&mut self, message: Message, now: Instant) -> Vec<FollowerAction> {
        match message {
            Message::Go(order) => self.execute_order(order, now),
            Message::Beat { leader, ended } | Message::Stop { leader, search: ended } => {
                self.end_searches(leader, ended, now)
            }
            Message::Bye { node } if self.is_current_leader(node) => {
                (self.leader, self.departed) = (None, Some((node, now)));
                let mut actions = self.stop();
                actions.push(FollowerAction::Note("the leader has left".to_string()));
                actions
            }
            // Another follower's.
            Message::Bye { .. } | Message::Hello { .. } | Message::Report(_) | Message::Unfit { .. } => {
                Vec::new()
            }
        }
    }

    /// The engine has begun to search this subject; `None` if the search is over and gone.
    pub fn search_started(&mut self, subject: Option<&Subject>) -> Vec<FollowerAction> {
        self.pending_starts = self.pending_starts.saturating_sub(1);
        if self.pending_starts > 0 {
            // An earlier search, which was stopped before it had begun.
            return Vec::new();
        }
        let Phase::Starting(order) = std::mem::replace(&mut self.phase, Phase::Idle) else {
            return Vec::new();
        };
        let Some(subject) = subject else { return Vec::new() };
        let reason = if subject.key != order.key {
            "the position differs".to_string()
        } else if subject.network != order.network {
            format!("network {} instead of {}", subject.network, excerpt(&order.network))
        } else {
            self.phase = Phase::Searching(order.search);
            self.starts += 1;
            return Vec::new();
        };
        self.unfit = Some(reason.clone());
        let mut actions = vec![FollowerAction::Command("stop".to_string()), FollowerAction::Note(reason)];
        actions.extend(self.unfit_message(&order));
        actions
    }

    /// What is due by now: signs of life, and reports of what the engine has counted (nodes and tablebase hits) and found.
    pub fn tick(
        &mut self,
        now: Instant,
        found: impl FnOnce() -> ((u64, u64), Option<SharedResult>),
    ) -> Vec<FollowerAction> {
        let mut actions = Vec::new();
        let is_due = |last: Option<Instant>, interval| {
            last.is_none_or(|last| now.saturating_duration_since(last) >= interval)
        };
        if is_due(self.last_hello, HELLO) {
            self.last_hello = Some(now);
            let (node, name, identity) = (self.node, self.name.clone(), self.identity.clone());
            actions.push(FollowerAction::Send(Message::Hello { node, name, identity }));
        }
        if self.leader.is_some_and(|leader| now.saturating_duration_since(leader.heard) >= TIMEOUT) {
            self.leader = None;
            actions.extend(self.stop());
            actions.push(FollowerAction::Note("the leader does not answer".to_string()));
        }
        if let Some((leader, search)) = self.search()
            && is_due(self.last_report, REPORT)
        {
            self.last_report = Some(now);
            let ((nodes, tb_hits), result) = found();
            let (node, result) = (self.node, result.as_ref().map(WireResult::from));
            actions.push(FollowerAction::Send(Message::Report(Report {
                node,
                leader,
                search,
                start: self.starts,
                nodes,
                tb_hits,
                result,
            })));
        }
        actions
    }

    /// Says why an order cannot be done, if that is so.
    fn unfit_message(&self, order: &Order) -> Option<FollowerAction> {
        let (node, leader, search) = (self.node, order.leader, order.search);
        let reason = self.unfit.clone()?;
        Some(FollowerAction::Send(Message::Unfit { node, leader, search, reason }))
    }

    fn is_current_leader(&self, leader: NodeId) -> bool {
        self.leader.is_some_and(|seen| seen.node == leader)
    }

    /// Ends the search that was ordered last, unless it is a later one than those that have ended. An order for one of
    /// those may still come, late or twice, and will be an old one.
    fn end_searches(&mut self, leader: NodeId, ended: u64, now: Instant) -> Vec<FollowerAction> {
        let Some(seen) = self.leader.as_mut().filter(|seen| seen.node == leader) else { return Vec::new() };
        // Who speaks of a search long past is not at the one here: its number may have been forged.
        if ended.saturating_add(1) >= seen.search {
            seen.heard = now;
        }
        if ended < seen.search {
            return Vec::new();
        }
        seen.search = ended;
        self.stop()
    }

    fn stop(&mut self) -> Vec<FollowerAction> {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Idle => Vec::new(),
            _ => vec![FollowerAction::Command("stop".to_string())],
        }
    }

    /// Does what has to be done for an order, unless it is an old one or another leader is there already.
    fn execute_order(&mut self, order: Box<Order>, now: Instant) -> Vec<FollowerAction> {
        let is_late =
            |(leader, time)| leader == order.leader && now.saturating_duration_since(time) < TIMEOUT;
        if self.departed.is_some_and(is_late) {
            return Vec::new();
        }
        if let Some(seen) = &mut self.leader {
            if seen.node != order.leader {
                return Vec::new();
            }
            if order.search >= seen.search {
                seen.heard = now;
            }
            if order.search <= seen.search {
                // Who repeats an order may not have heard that it cannot be done.
                let is_last = order.search == seen.search;
                return self.unfit_message(&order).filter(|_| is_last).into_iter().collect();
            }
        }
        if self.pending_starts >= MAX_PENDING_STARTS {
            return Vec::new();
        }
        if let Err(mismatch) = self.identity.check(&order.identity) {
            if self.refused.len() >= MAX_REFUSED || !self.refused.insert(order.leader) {
                return Vec::new();
            }
            return vec![FollowerAction::Note(format!("a leader is refused: {mismatch}"))];
        }
        let mut actions = self.stop();
        if !self.is_current_leader(order.leader) {
            actions.push(FollowerAction::Note("a leader is there".to_string()));
        }
        self.leader = Some(LeaderSeen { node: order.leader, heard: now, search: order.search });
        self.unfit = None;
        actions.extend(self.option_commands(&order).into_iter().map(FollowerAction::Command));
        if self.game.replace((order.leader, order.game)) != Some((order.leader, order.game)) {
            actions.push(FollowerAction::Command("ucinewgame".to_string()));
        }
        if is_command(&order.position, "position") {
            actions.push(FollowerAction::Command(order.position.clone()));
        }
        let moves: Vec<&str> = order.search_moves.iter().map(String::as_str).filter(|m| is_move(m)).collect();
        let words =
            if moves.is_empty() { String::new() } else { format!(" searchmoves {}", moves.join(" ")) };
        actions.push(FollowerAction::Command(format!("go infinite{words}")));
        self.phase = Phase::Starting(order);
        self.pending_starts += 1;
        actions
    }

    /// The commands that give the options the values of the leader: those that it has set since the last order, and those
    /// that it has not set, which go back to their defaults.
    fn option_commands(&mut self, order: &Order) -> Vec<String> {
        let is_ours = |name: &str| self.own_options.iter().any(|own| own == name);
        let is_wanted = |option: &ReplicatedOption| {
            let ReplicatedOption { name, line, .. } = option;
            is_shared_option(name) && !is_ours(name) && sets(line, name)
        };
        // The last value of each counts: an order from outside may have any number of them.
        let mut wanted: Vec<ReplicatedOption> = Vec::new();
        for option in order.options.iter().filter(|option| is_wanted(option)) {
            wanted.retain(|kept| kept.name != option.name);
            wanted.push(option.clone());
        }
        let former = std::mem::replace(&mut self.options, wanted);
        let is_gone = |name: &str| self.options.iter().all(|kept| kept.name != name);
        let reset = former.iter().map(|option| &option.name).filter(|name| is_gone(name));
        let default = |name: &String| {
            let value = options::find(name)?.option_type.default_text().unwrap_or_default();
            Some(format!("setoption name {name} value {value}"))
        };
        let same_leader = self.options_of.replace(order.leader) == Some(order.leader);
        let changed = self.options.iter().filter(|option| !same_leader || !former.contains(option));
        reset.filter_map(default).chain(changed.map(|option| option.line.clone())).collect()
    }
}

/// True if a line from outside is one command, with this word.
fn is_command(line: &str, word: &str) -> bool {
    line.split_ascii_whitespace().next() == Some(word) && !line.contains(['\n', '\r'])
}

/// True if a word from outside has the form of a move in UCI notation, and cannot be a word of `go`.
fn is_move(word: &str) -> bool {
    let is_square = |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *word.as_bytes() {
        [a, b, c, d] => is_square(a, b) && is_square(c, d),
        [a, b, c, d, promotion] => is_square(a, b) && is_square(c, d) && b"nbrq".contains(&promotion),
        _ => false,
    }
}

/// True if a line from outside sets the option of this name, and no other.
fn sets(line: &str, name: &str) -> bool {
    let mut words = line.split_ascii_whitespace().skip(2).take_while(|&word| word != "value");
    let named: String = words.by_ref().collect::<Vec<_>>().join(" ");
    is_command(line, "setoption") && options::find(&named).is_some_and(|option| option.name == name)
}
