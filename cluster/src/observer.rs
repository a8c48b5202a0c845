//! What the engine of a node reports to the thread that talks to the other machines.

use caesura::engine::SearchObserver;
use caesura::uci::{StateChange, StateObserver};
use caesura::util::sync::Sender;

/// Something that happened on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An option was set: its name, and the line.
    Option(&'static str, String),
    /// The position was set, by this line.
    Position(String),
    /// A new game began.
    NewGame,
    /// A search begins.
    SearchStarted,
    /// The search has ended.
    SearchEnded,
}

/// Passes on what happens, without waiting for anything.
pub struct EventSender(Sender<Event>);

impl EventSender {
    /// Passes events on into a channel, which should have no bound.
    pub fn new(events: Sender<Event>) -> EventSender {
        EventSender(events)
    }

    fn send(&self, event: Event) {
        // After the end of the link, no thread needs it.
        let _ = self.0.send(event);
    }
}

impl SearchObserver for EventSender {
    fn search_started(&self) {
        self.send(Event::SearchStarted);
    }

    fn search_ended(&self) {
        self.send(Event::SearchEnded);
    }
}

impl StateObserver for EventSender {
    fn state_changed(&self, change: StateChange<'_>) {
        self.send(match change {
            StateChange::Option(name, line) => Event::Option(name, line.to_string()),
            StateChange::Position(line) => Event::Position(line.to_string()),
            StateChange::NewGame => Event::NewGame,
        });
    }
}
