//! The first node: it has the clock and the interface, and orders what the others search.
//!
//! It waits for no other node. What the others report is there when its own search ends, or does not count. A follower
//! that is silent for [`TIMEOUT`] is out for the rest of the search, and may be back at the next `go`, or earlier if it was
//! forgotten and joins again.
//!
//! All of this is a pure machine: events and messages come in with their time, messages and notes go out.

use std::collections::BTreeMap;
use std::time::Duration;

use caesura::engine::Others;
use caesura::util::quote::excerpt;
use caesura::util::sync::Instant;

use crate::identity::Identity;
use crate::local_search::Subject;
use crate::replicated_state::ReplicatedState;
use crate::wire::{Message, NodeId, Order, Report};

/// How often the leader shows that it is there.
pub const BEAT: Duration = Duration::from_millis(200);
/// How long a follower may report nothing until the order is repeated, and how often it is.
const REPEAT: Duration = Duration::from_millis(250);
/// A leader that has done nothing for this long was not there itself.
const AWAY: Duration = Duration::from_millis(350);
/// How long a follower may be silent until it is out for this search.
pub const TIMEOUT: Duration = Duration::from_millis(700);
/// How long a follower may be silent until it is forgotten.
const FORGET: Duration = Duration::from_secs(10);
/// Followers that a leader knows at most.
const MAX_FOLLOWERS: usize = 1024;

/// What the leader does next.
#[derive(Clone, Debug, PartialEq)]
pub enum LeaderAction {
    /// Sends a message to all followers.
    Send(Message),
    /// Shows people a text.
    Note(String),
}

/// What a follower is in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It may take part in searches.
    Member,
    /// It is another program.
    Refused,
    /// It has said goodbye. Packets that it sent before may come after that.
    Left,
}

/// A follower as the leader knows it.
#[derive(Clone, Debug)]
struct Follower {
    name: String,
    heard: Instant,
    standing: Standing,
    /// It was silent, or cannot search this: its votes no longer count in this search.
    out: bool,
    /// What it has found in the present search.
    report: Option<Report>,
    /// When it last reported on the present search.
    reported: Option<Instant>,
}

impl Follower {
    fn takes_part(&self) -> bool {
        self.standing == Standing::Member && !self.out
    }
}

/// The leader of a cluster.
pub struct Leader {
    node: NodeId,
    identity: Identity,
    state: ReplicatedState,
    followers: BTreeMap<NodeId, Follower>,
    /// What followers had counted in the present search, by follower and start, before they began again or were forgotten: nodes
    /// and tablebase hits.
    earlier: BTreeMap<(NodeId, u64), (u64, u64)>,
    /// Counts searches.
    search: u64,
    /// The order for the present search.
    order: Option<Box<Order>>,
    /// When the last search began.
    started: Option<Instant>,
    last_tick: Option<Instant>,
    last_beat: Option<Instant>,
    last_order: Option<Instant>,
}

impl Leader {
    /// A leader without followers.
    pub fn new(node: NodeId, identity: Identity) -> Leader {
        let (state, followers) = (ReplicatedState::default(), BTreeMap::new());
        Leader {
            node,
            identity,
            state,
            followers,
            earlier: BTreeMap::new(),
            search: 0,
            order: None,
            started: None,
            last_tick: None,
            last_beat: None,
            last_order: None,
        }
    }

    /// The state that followers take over.
    pub fn state_mut(&mut self) -> &mut ReplicatedState {
        &mut self.state
    }

    /// Who leads: itself.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// The search that runs.
    pub fn search(&self) -> Option<u64> {
        self.order.as_ref().map(|order| order.search)
    }

    /// The key of the position that is searched.
    pub fn key(&self) -> Option<u64> {
        self.order.as_ref().map(|order| order.key)
    }

    /// The last search that has ended; 0 before there is one.
    fn ended(&self) -> u64 {
        self.search - u64::from(self.order.is_some())
    }

    /// True if some follower may take part in searches.
    pub fn has_followers(&self) -> bool {
        self.followers.values().any(|follower| follower.standing == Standing::Member)
    }

    /// A search of this subject has begun here.
    pub fn search_started(&mut self, subject: Subject, now: Instant) -> Vec<LeaderAction> {
        self.search += 1;
        self.earlier.clear();
        for follower in self.followers.values_mut() {
            (follower.out, follower.report, follower.reported) = (false, None, None);
        }
        let ReplicatedState { game, options, position, .. } = self.state.clone();
        let Subject { key, search_moves, network } = subject;
        let (leader, identity, search) = (self.node, self.identity.clone(), self.search);
        let order =
            Box::new(Order { leader, identity, search, game, options, position, key, search_moves, network });
        self.order = Some(order.clone());
        (self.started, self.last_order) = (Some(now), Some(now));
        vec![LeaderAction::Send(Message::Go(order))]
    }

    /// The search has ended here.
    pub fn search_ended(&mut self) -> Vec<LeaderAction> {
        let stop = self.order.take().map(|order| Message::Stop { leader: self.node, search: order.search });
        stop.into_iter().map(LeaderAction::Send).collect()
    }

    /// Takes in what a follower says.
    pub fn receive(&mut self, message: Message, now: Instant) -> Vec<LeaderAction> {
        match message {
            Message::Hello { node, name, identity } => self.register_follower(node, &name, &identity, now),
            Message::Report(report) => {
                if Some(report.search) == self.search()
                    && report.leader == self.node
                    && let Some(follower) = self.followers.get_mut(&report.node)
                {
                    (follower.heard, follower.reported) = (now, Some(now));
                    let is_newer = |old: &Report| (old.start, old.nodes) <= (report.start, report.nodes);
                    if follower.takes_part() && follower.report.as_ref().is_none_or(is_newer) {
                        // Where it was forgotten and not stopped, its report has those nodes, too.
                        self.earlier.remove(&(report.node, report.start));
                        let start = report.start;
                        if let Some(old) = follower.report.replace(report).filter(|old| old.start < start) {
                            keep(&mut self.earlier, &old);
                        }
                    }
                }
                Vec::new()
            }
            Message::Unfit { node, leader, search, reason } => match self.followers.get_mut(&node) {
                Some(follower)
                    if follower.takes_part()
                        && leader == self.node
                        && Some(search) == self.order.as_ref().map(|o| o.search) =>
                {
                    follower.out = true;
                    vec![note(&follower.name, format_args!("cannot search this: {}", excerpt(&reason)))]
                }
                _ => Vec::new(),
            },
            Message::Bye { node } => match self.followers.get_mut(&node) {
                Some(follower) if follower.standing != Standing::Left => {
                    follower.standing = Standing::Left;
                    vec![note(&follower.name, "has left")]
                }
                _ => Vec::new(),
            },
            // Another leader's.
            Message::Beat { .. } | Message::Go(_) | Message::Stop { .. } => Vec::new(),
        }
    }

    /// What is due by now: signs of life, repeated orders, and notes on followers that are silent.
    pub fn tick(&mut self, now: Instant) -> Vec<LeaderAction> {
        let mut actions = Vec::new();
        let since = |time: Option<Instant>| time.map(|time| now.saturating_duration_since(time));
        if since(self.last_tick.replace(now)).is_some_and(|time| time >= AWAY) {
            // It was this machine that stood still: what the others said meanwhile may still be on its way.
            self.followers.values_mut().for_each(|follower| follower.heard = now);
        }
        if since(self.last_beat).is_none_or(|time| time >= BEAT) {
            self.last_beat = Some(now);
            actions.push(LeaderAction::Send(Message::Beat { leader: self.node, ended: self.ended() }));
        }
        let running = since(self.started).filter(|_| self.order.is_some());
        self.followers.retain(|_, follower| {
            let silence = now.saturating_duration_since(follower.heard);
            // Before a search there is nothing that a follower could be late for.
            let is_late = running.is_some_and(|time| time.min(silence) >= TIMEOUT);
            if is_late && follower.takes_part() {
                follower.out = true;
                actions.push(note(&follower.name, "does not answer"));
            }
            if silence >= FORGET
                && let Some(report) = &follower.report
            {
                keep(&mut self.earlier, report);
            }
            silence < FORGET
        });
        // It may have begun and given up since: a follower does where it does not hear its leader.
        let is_missing = |follower: &Follower| {
            follower.takes_part() && since(follower.reported).is_none_or(|time| time >= REPEAT)
        };
        if let Some(order) = &self.order
            && since(self.last_order).is_none_or(|time| time >= REPEAT)
            && self.followers.values().any(is_missing)
        {
            self.last_order = Some(now);
            actions.push(LeaderAction::Send(Message::Go(order.clone())));
        }
        actions
    }

    /// What the followers have counted and found in the present search.
    pub fn others(&self) -> Others {
        let mut others = Others::default();
        for &(nodes, tb_hits) in self.earlier.values() {
            others.nodes = others.nodes.saturating_add(nodes);
            others.tb_hits = others.tb_hits.saturating_add(tb_hits);
        }
        for follower in self.followers.values() {
            let Some(report) = &follower.report else { continue };
            others.nodes = others.nodes.saturating_add(report.nodes);
            others.tb_hits = others.tb_hits.saturating_add(report.tb_hits);
            if follower.takes_part() {
                others.results.extend(report.result.as_ref().map(|result| result.result()));
            }
        }
        others
    }

    fn register_follower(
        &mut self,
        node: NodeId,
        name: &str,
        identity: &Identity,
        now: Instant,
    ) -> Vec<LeaderAction> {
        if let Some(follower) = self.followers.get_mut(&node) {
            // One that is still there although it seems to have left is forgotten, and joins again.
            if follower.standing != Standing::Left {
                follower.heard = now;
            }
            return Vec::new();
        }
        if self.followers.len() >= MAX_FOLLOWERS {
            return Vec::new();
        }
        let name = excerpt(name);
        let (standing, text) = match self.identity.check(identity) {
            Ok(()) => (Standing::Member, note(&name, "has joined")),
            Err(mismatch) => (Standing::Refused, note(&name, format_args!("refused: {mismatch}"))),
        };
        let follower = Follower { name, heard: now, standing, out: false, report: None, reported: None };
        self.followers.insert(node, follower);
        vec![text]
    }
}

/// Keeps what a follower has counted since a start that it will report no more of.
fn keep(earlier: &mut BTreeMap<(NodeId, u64), (u64, u64)>, report: &Report) {
    if earlier.len() < MAX_FOLLOWERS {
        earlier.insert((report.node, report.start), (report.nodes, report.tb_hits));
    }
}

fn note(name: &str, text: impl std::fmt::Display) -> LeaderAction {
    LeaderAction::Note(format!("{name} {text}"))
}
