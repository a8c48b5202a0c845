//! How all contenders of an experiment search besides null moves.

use std::fmt;

use caesura::engine::NullMoveSwitches;
use serde::{Deserialize, Deserializer, Serialize};

/// How all contenders of an experiment search besides null moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// As the engine plays.
    #[default]
    Full,
    /// Without the techniques that came after the paper and hide the effect of a null move.
    Plain,
    /// [`Mode::Plain`], with what the paper's program had: multi-cut and extensions.
    Falcon,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Full, Mode::Plain, Mode::Falcon];

    /// The word in keys and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Full => "full",
            Mode::Plain => "plain",
            Mode::Falcon => "falcon",
        }
    }

    /// Makes searches with these switches search in this mode.
    pub fn set(self, switches: &mut NullMoveSwitches) {
        (switches.plain, switches.falcon) = (self == Mode::Plain, self == Mode::Falcon);
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<'de> Deserialize<'de> for Mode {
    /// Reads the word, or whether the mode is the plain one, as results from before there was another have it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mode, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored {
            IsPlain(bool),
            Name(String),
        }
        match Stored::deserialize(deserializer)? {
            Stored::IsPlain(false) => Ok(Mode::Full),
            Stored::IsPlain(true) => Ok(Mode::Plain),
            Stored::Name(name) => Mode::ALL
                .into_iter()
                .find(|mode| mode.name() == name)
                .ok_or_else(|| serde::de::Error::custom(format_args!("'{name}' is not a mode"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_stored_by_name_and_read_from_older_results() {
        for mode in Mode::ALL {
            let text = serde_json::to_string(&mode).unwrap();
            assert_eq!(text, format!("\"{mode}\""));
            assert_eq!(serde_json::from_str::<Mode>(&text).unwrap(), mode);
        }
        let read = |text: &str| serde_json::from_str::<Mode>(text);
        assert_eq!((read("true").unwrap(), read("false").unwrap()), (Mode::Plain, Mode::Full));
        assert!(read("\"quick\"").is_err() && read("1").is_err());
    }

    #[test]
    fn a_mode_replaces_the_one_before() {
        let mut switches = NullMoveSwitches { mate_threat: true, ..NullMoveSwitches::default() };
        for (mode, plain, falcon) in
            [(Mode::Plain, true, false), (Mode::Falcon, false, true), (Mode::Full, false, false)]
        {
            mode.set(&mut switches);
            assert_eq!((switches.plain, switches.falcon, switches.mate_threat), (plain, falcon, true));
        }
    }
}
