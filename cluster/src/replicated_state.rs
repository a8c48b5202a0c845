//! What followers have to be told of the leader's session so that they search what it searches.

use caesura::uci::StateChange;

use crate::wire::ReplicatedOption;

/// Options that followers do not take over: those of the leader's processors, clock, output and strength of play.
const OWN_OPTIONS: [&str; 13] = [
    "NumaPolicy",
    "Pin",
    "Debug Log File",
    "Move Overhead",
    "nodestime",
    "Ponder",
    "Minimal",
    "PgnComment",
    "Skill Level",
    "UCI_LimitStrength",
    "UCI_Elo",
    "UCI_ShowWDL",
    "NullMoveCounts",
];

/// The state of a session as far as searches depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicatedState {
    /// Counts games.
    pub game: u64,
    /// The options that have been set, in the order in which they were set last.
    pub options: Vec<ReplicatedOption>,
    /// The `position` line.
    pub position: String,
    /// How often an option was set.
    option_changes: u64,
}

impl Default for ReplicatedState {
    fn default() -> ReplicatedState {
        let position = "position startpos".to_string();
        ReplicatedState { game: 0, options: Vec::new(), position, option_changes: 0 }
    }
}

/// True if followers take an option over.
pub fn is_shared_option(name: &str) -> bool {
    !OWN_OPTIONS.contains(&name)
}

impl ReplicatedState {
    /// Takes in a change.
    pub fn change(&mut self, change: StateChange<'_>) {
        match change {
            StateChange::NewGame => self.game += 1,
            StateChange::Position(line) => self.position = line.to_string(),
            StateChange::Option(name, line) if is_shared_option(name) => {
                self.option_changes += 1;
                self.options.retain(|other| other.name != name);
                let (name, line) = (name.to_string(), line.to_string());
                self.options.push(ReplicatedOption { name, line, change: self.option_changes });
            }
            StateChange::Option(..) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use caesura::uci::options;

    use super::*;

    #[test]
    fn the_last_value_of_an_option_counts_and_own_options_stay_at_home() {
        let mut state = ReplicatedState::default();
        for (name, line) in [("Hash", "a"), ("Threads", "b"), ("Move Overhead", "c"), ("Hash", "d")] {
            state.change(StateChange::Option(name, line));
        }
        let option = |name: &str, line: &str, change| {
            let (name, line) = (name.to_string(), line.to_string());
            ReplicatedOption { name, line, change }
        };
        assert_eq!(state.options, [option("Threads", "b", 2), option("Hash", "d", 3)]);
        // The same line once more is another change.
        state.change(StateChange::Option("Hash", "d"));
        assert_eq!(state.options, [option("Threads", "b", 2), option("Hash", "d", 4)]);
        state.change(StateChange::NewGame);
        state.change(StateChange::Position("position fen x"));
        assert_eq!((state.game, state.position.as_str()), (1, "position fen x"));
    }

    #[test]
    fn own_options_are_options() {
        for name in OWN_OPTIONS {
            assert!(options::all().iter().any(|option| option.name == name), "{name}");
        }
    }
}
