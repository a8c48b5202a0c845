//! The state changes of a session that another engine must follow to search the same.

/// A change of the state of a session that its searches depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateChange<'a> {
    /// An option was set: its name in the table of options, and the line that set it.
    Option(&'static str, &'a str),
    /// The position was set, by this line.
    Position(&'a str),
    /// A new game began, or the table was emptied.
    NewGame,
}

/// Called for every change of the state of a session before the next search begins: for an option when it takes effect, for a
/// position or a new game when it is asked for, also during a search. It must not block.
pub trait StateObserver: Send + Sync {
    /// The state of the session has changed.
    fn state_changed(&self, change: StateChange<'_>);
}
