//! The thread of a node that talks to the other machines: it carries messages between the engine and the transport, and
//! has table entries sent and stored.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use caesura::uci::StateChange;
use caesura::util::sync::{Instant, Receiver, Sender, TryRecvError, wait_for_either};

use crate::entry_exchange::{EntryExchange, SearchId, TICK};
use crate::follower::{Follower, FollowerAction};
use crate::leader::{Leader, LeaderAction};
use crate::local_search::LocalSearch;
use crate::observer::Event;
use crate::transport::{Topic, Transport};
use crate::wire::{EntryPacket, Message, WireError};

/// Packets that are read in a row at most, so that the engine's own events need not wait.
const PACKETS_IN_A_ROW: usize = 64;
/// How often malformed packets are complained about.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// What a node is in its cluster.
pub enum Role {
    /// The first node.
    Leader(Leader),
    /// Another node, and where its engine takes UCI commands from.
    Follower(Follower, Sender<String>),
}

/// Where texts for people go.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;

/// A node's connection to its cluster.
pub struct Link<T, S> {
    role: Role,
    transport: T,
    search: S,
    events: Receiver<Event>,
    /// Events that have been read and not been handled yet.
    unhandled: VecDeque<Event>,
    /// False once the engine is gone.
    is_open: bool,
    exchange: EntryExchange,
    /// More entries of others wait than were stored in a row.
    has_entries: bool,
    /// What the others have counted and found may have changed since the engine here was told.
    others_changed: bool,
    notes: Notes,
    last_tick: Option<Instant>,
    malformed: u64,
    /// The formats of other programs' packets that have been reported.
    formats: BTreeSet<u8>,
    last_report: Option<Instant>,
}

impl<T: Transport, S: LocalSearch> Link<T, S> {
    /// The link of a node whose engine reports events, and that sends at most this many bytes of entries a second.
    pub fn new(
        role: Role,
        transport: T,
        (search, events): (S, Receiver<Event>),
        bytes_per_second: u64,
        notes: Notes,
    ) -> Link<T, S> {
        let node = match &role {
            Role::Leader(leader) => leader.node(),
            Role::Follower(follower, _) => follower.node(),
        };
        Link {
            role,
            transport,
            search,
            events,
            unhandled: VecDeque::new(),
            is_open: true,
            exchange: EntryExchange::new(node, bytes_per_second, Instant::now()),
            has_entries: false,
            others_changed: false,
            notes,
            last_tick: None,
            malformed: 0,
            formats: BTreeSet::new(),
            last_report: None,
        }
    }

    /// Works until the engine of the node is gone.
    pub fn run(mut self) {
        while self.step(Instant::now()) {
            let time = if self.has_entries { Duration::ZERO } else { TICK };
            wait_for_either(&self.events, &self.transport.inbox().messages, time);
        }
    }

    /// Does all that there is to do at this time. False once the engine of the node is gone; then the others have been told.
    pub fn step(&mut self, now: Instant) -> bool {
        self.read_events();
        while let Some(event) = self.unhandled.pop_front() {
            self.handle_event(event, now);
        }
        for _ in 0..PACKETS_IN_A_ROW {
            let Ok(packet) = self.transport.inbox().messages.try_recv() else { break };
            let handled = Message::read(&packet.bytes).map(|message| self.handle_message(message, now));
            self.report_malformed_packet(handled, now);
        }
        self.has_entries = self.store_entries(now);
        if self.last_tick.is_none_or(|last| now.saturating_duration_since(last) >= TICK) {
            self.last_tick = Some(now);
            self.tick(now);
        }
        self.set_others();
        if !self.is_open {
            let (topic, node) = match &self.role {
                Role::Leader(leader) => (Topic::ToFollowers, leader.node()),
                Role::Follower(follower, _) => (Topic::ToLeader, follower.node()),
            };
            self.transport.send(topic, Message::Bye { node }.packet());
        }
        self.is_open
    }

    /// The role, for a look at its state.
    pub fn role(&self) -> &Role {
        &self.role
    }

    fn read_events(&mut self) {
        self.is_open = loop {
            match self.events.try_recv() {
                Ok(event) => self.unhandled.push_back(event),
                Err(error) => break error == TryRecvError::Empty,
            }
        };
    }

    fn handle_event(&mut self, event: Event, now: Instant) {
        if event == Event::SearchStarted {
            self.exchange.search_started(now);
        }
        match (&mut self.role, event) {
            (Role::Leader(_), Event::SearchStarted) => {
                let subject = self.search.subject();
                // If the search is over by now, this may be the subject of the one after it.
                self.read_events();
                if !self.unhandled.contains(&Event::SearchEnded)
                    && let (Role::Leader(leader), Some(subject)) = (&mut self.role, subject)
                {
                    let actions = leader.search_started(subject, now);
                    // What was found in the search before may have come to this one, of the same position.
                    self.others_changed = true;
                    self.lead(actions);
                }
            }
            (Role::Leader(leader), Event::SearchEnded) => {
                let actions = leader.search_ended();
                self.lead(actions);
            }
            (Role::Leader(leader), event) => change(leader, &event),
            (Role::Follower(follower, _), Event::SearchStarted) => {
                let actions = follower.search_started(self.search.subject().as_ref());
                self.follow(actions);
            }
            (Role::Follower(..), _) => {}
        }
    }

    fn handle_message(&mut self, message: Message, now: Instant) {
        match &mut self.role {
            Role::Leader(leader) => {
                self.others_changed |=
                    matches!(message, Message::Report(_) | Message::Unfit { .. } | Message::Bye { .. });
                let actions = leader.receive(message, now);
                self.lead(actions);
            }
            Role::Follower(follower, _) => {
                let actions = follower.receive(message, now);
                self.follow(actions);
            }
        }
    }

    fn tick(&mut self, now: Instant) {
        match &mut self.role {
            Role::Leader(leader) => {
                let actions = leader.tick(now);
                // The votes of those that have fallen silent no longer count.
                self.others_changed |= !actions.is_empty();
                self.lead(actions);
            }
            Role::Follower(follower, _) => {
                let search = &self.search;
                let actions = follower.tick(now, || (search.counts(), search.result()));
                self.follow(actions);
            }
        }
        self.exchange.send(&self.search, shared(&self.role), &self.transport, now);
    }

    /// Makes known to the engine here what the others have counted and found, if that may have changed: once a step, for it
    /// is gathered from all of them.
    fn set_others(&mut self) {
        if std::mem::take(&mut self.others_changed)
            && let Role::Leader(leader) = &self.role
            && let Some(key) = leader.key()
        {
            self.search.set_others(key, leader.others());
        }
    }

    /// Stores the entries of others. True if more of them wait.
    fn store_entries(&mut self, now: Instant) -> bool {
        let shared = shared(&self.role);
        for _ in 0..PACKETS_IN_A_ROW {
            let Ok(packet) = self.transport.inbox().entries.try_recv() else { return false };
            let handled = EntryPacket::read(&packet.bytes)
                .map(|packet| self.exchange.receive(packet, &self.search, shared));
            self.report_malformed_packet(handled, now);
        }
        true
    }

    fn lead(&self, actions: Vec<LeaderAction>) {
        for action in actions {
            match action {
                LeaderAction::Send(message) => self.transport.send(Topic::ToFollowers, message.packet()),
                LeaderAction::Note(text) => (self.notes)(&text),
            }
        }
    }

    fn follow(&self, actions: Vec<FollowerAction>) {
        let Role::Follower(_, commands) = &self.role else { return };
        for action in actions {
            match action {
                FollowerAction::Send(message) => self.transport.send(Topic::ToLeader, message.packet()),
                FollowerAction::Note(text) => (self.notes)(&text),
                FollowerAction::Command(line) => {
                    // Once the engine is gone, the events end, too.
                    let _ = commands.send(line);
                }
            }
        }
    }

    /// Reports a malformed packet to people, but not each one in a flood, and another version's packets once.
    fn report_malformed_packet(&mut self, handled: Result<(), WireError>, now: Instant) {
        let Err(error) = handled else { return };
        if let WireError::Format(format) = error {
            if self.formats.insert(format) {
                (self.notes)(&format!("another version of the program is refused: its packets have {error}"));
            }
            return;
        }
        self.malformed += 1;
        if self.last_report.is_none_or(|last| now.saturating_duration_since(last) >= REPORT_INTERVAL) {
            self.last_report = Some(now);
            (self.notes)(&format!("malformed packet ignored ({} so far): {error}", self.malformed));
        }
    }
}

/// The search that this node and others are at.
fn shared(role: &Role) -> Option<SearchId> {
    match role {
        Role::Leader(leader) => {
            leader.search().filter(|_| leader.has_followers()).map(|search| (leader.node(), search))
        }
        Role::Follower(follower, _) => follower.search(),
    }
}

fn change(leader: &mut Leader, event: &Event) {
    let change = match event {
        Event::Option(name, line) => StateChange::Option(name, line),
        Event::Position(line) => StateChange::Position(line),
        Event::NewGame => StateChange::NewGame,
        Event::SearchStarted | Event::SearchEnded => return,
    };
    leader.state_mut().change(change);
}
