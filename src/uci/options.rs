//! The options: one table, from which they are listed, read and applied.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::engine::{Engine, MAX_THREADS};
use crate::nnue;
use crate::nnue::load::EMBEDDED;
use crate::search::null_move::SchemeName;
use crate::search::null_move::settings::{MAX_NULL_MOVE_PLIES, NullMoveSettings as NullSettings};
use crate::topology::{NumaPolicy, Pin};
use crate::types::Depth;

use crate::util::quote::quote;

/// Size of the transposition table at the start, in megabytes.
pub const DEFAULT_HASH: usize = 16;
/// Search threads at the start.
pub const DEFAULT_THREADS: usize = 1;
/// The largest table that can be asked for, in megabytes.
pub const MAX_HASH: usize = 1 << 25;

/// What an option can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// On or off.
    Check {
        /// At the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// At the start.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// At the start.
        default: &'static str,
        /// All of them.
        choices: Vec<&'static str>,
    },
    /// Any text.
    String {
        /// At the start.
        default: &'static str,
    },
    /// Something that is done once.
    Button,
}

/// What an option shall become: fits its kind and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// A number within the range.
    Spin(i64),
    /// One of the choices.
    Choice(&'static str),
    /// The text.
    Text(String),
    /// Do it.
    Button,
}

impl OptionValue {
    fn on(&self) -> bool {
        *self == OptionValue::Check(true)
    }

    fn number(&self) -> i64 {
        if let OptionValue::Spin(number) = self { *number } else { 0 }
    }

    fn size(&self) -> usize {
        usize::try_from(self.number()).unwrap_or(0)
    }

    fn word(&self) -> &str {
        match self {
            OptionValue::Choice(word) => word,
            OptionValue::Text(text) => text,
            _ => "",
        }
    }
}

/// What the protocol itself must remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionSettings {
    /// Castling is written as the king taking its rook.
    pub chess960: bool,
    /// Chances of win, draw and loss are told.
    pub show_wdl: bool,
    /// Only the last lines before the best move are told.
    pub minimal: bool,
}

/// What options are applied to.
pub struct OptionContext<'a> {
    /// The engine, which must not be searching.
    pub engine: &'a mut Engine,
    /// What the protocol remembers.
    pub settings: &'a mut SessionSettings,
    /// What there is to say about the new value.
    pub notes: &'a mut Vec<String>,
}

impl OptionContext<'_> {
    /// Notes where the threads have got their places, if that is not as everybody expects.
    fn report_placement(&mut self) {
        let plan = self.engine.placement();
        self.notes.extend(plan.remarks.iter().cloned());
        if plan.is_bound() {
            self.notes.push(plan.to_string());
        }
    }
}

type Apply = fn(&mut OptionContext<'_>, &'static str, &OptionValue) -> Result<(), String>;

/// An option: its name, what it can be, and what a new value does.
pub struct UciOption {
    /// The name, as it is listed.
    pub name: &'static str,
    /// What it can be.
    pub option_type: OptionType,
    apply: Apply,
}

impl fmt::Display for UciOption {
    /// The line that answers `uci`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.option_type {
            OptionType::Check { default } => write!(f, "check default {default}"),
            OptionType::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionType::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionType::String { default } => write!(f, "string default {default}"),
            OptionType::Button => write!(f, "button"),
        }
    }
}

impl UciOption {
    /// The value that a text means.
    ///
    /// # Errors
    /// If it is missing, of another kind or out of range: what it should be.
    pub fn read(&self, text: Option<&str>) -> Result<OptionValue, String> {
        if self.option_type == OptionType::Button {
            return Ok(OptionValue::Button);
        }
        let text = text.ok_or_else(|| format!("option '{}' needs a value", self.name))?;
        let value = match &self.option_type {
            OptionType::Check { .. } if text.eq_ignore_ascii_case("true") => Some(OptionValue::Check(true)),
            OptionType::Check { .. } if text.eq_ignore_ascii_case("false") => Some(OptionValue::Check(false)),
            OptionType::Spin { min, max, .. } => {
                text.parse().ok().filter(|number| (min..=max).contains(&number)).map(OptionValue::Spin)
            }
            OptionType::String { .. } => {
                Some(text).filter(|text| !text.is_empty()).map(|text| OptionValue::Text(text.to_string()))
            }
            OptionType::Combo { choices, .. } => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(text))
                .copied()
                .map(OptionValue::Choice),
            _ => None,
        };
        value.ok_or_else(|| {
            let wanted = match &self.option_type {
                OptionType::Spin { min, max, .. } => format!("a number from {min} to {max}"),
                OptionType::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
                OptionType::String { .. } => "a text".to_string(),
                _ => "true or false".to_string(),
            };
            format!("option '{}' must be {wanted}, not {}", self.name, quote(text))
        })
    }

    /// Makes the new value count.
    ///
    /// # Errors
    /// If the machine cannot do it; everything is then as before.
    pub fn apply(&self, target: &mut OptionContext<'_>, value: &OptionValue) -> Result<(), String> {
        (self.apply)(target, self.name, value)
    }
}

fn check(name: &'static str, default: bool, apply: Apply) -> UciOption {
    UciOption { name, option_type: OptionType::Check { default }, apply }
}

fn spin(name: &'static str, default: usize, min: usize, max: usize, apply: Apply) -> UciOption {
    UciOption {
        name,
        option_type: OptionType::Spin { default: default as i64, min: min as i64, max: max as i64 },
        apply,
    }
}

fn combo(
    name: &'static str,
    default: &'static str,
    choices: impl IntoIterator<Item = &'static str>,
    apply: Apply,
) -> UciOption {
    UciOption {
        name,
        option_type: OptionType::Combo { default, choices: choices.into_iter().collect() },
        apply,
    }
}

/// All options.
pub fn table() -> Vec<UciOption> {
    let mut table = vec![
        spin("Hash", DEFAULT_HASH, 1, MAX_HASH, |target, _, value| {
            target.engine.set_hash(value.size()).map_err(|error| error.to_string())?;
            if let (_, Some(backing)) = target.engine.hash() {
                target.notes.push(format!("table: {backing}"));
            }
            Ok(())
        }),
        UciOption {
            name: "Clear Hash",
            option_type: OptionType::Button,
            apply: |target, _, _| target.engine.clear_hash().map_err(|error| error.to_string()),
        },
        spin("Threads", DEFAULT_THREADS, 1, MAX_THREADS, |target, _, value| {
            target.engine.set_threads(value.size()).map_err(|error| error.to_string())?;
            target.report_placement();
            Ok(())
        }),
        spin("MultiPV", 1, 1, 256, |target, _, value| {
            target.engine.options_mut().multi_pv = value.size();
            Ok(())
        }),
        // Only says that the interface may ponder; it then does so with `go ponder`.
        check("Ponder", false, |_, _, _| Ok(())),
        check("UCI_Chess960", false, |target, _, value| {
            target.settings.chess960 = value.on();
            let mut board = target.engine.board().clone();
            board.set_chess960(value.on() || !board.castles_as_standard());
            target.engine.set_position(board);
            Ok(())
        }),
        check("UCI_ShowWDL", false, |target, _, value| {
            target.settings.show_wdl = value.on();
            Ok(())
        }),
        spin("Move Overhead", 10, 0, 5000, |target, _, value| {
            target.engine.options_mut().move_overhead = Duration::from_millis(value.size() as u64);
            Ok(())
        }),
        combo("Pin", Pin::default().name(), Pin::ALL.iter().map(|pin| pin.name()), |target, _, value| {
            if let Some(pin) = Pin::parse(value.word()) {
                target.engine.set_pin(pin).map_err(|error| error.to_string())?;
                target.report_placement();
            }
            Ok(())
        }),
        UciOption {
            name: "NumaPolicy",
            option_type: OptionType::String { default: "auto" },
            apply: |target, name, value| {
                let policy = NumaPolicy::parse(value.word(), target.engine.machine())
                    .map_err(|error| format!("option '{name}': {error}; it stays as it was"))?;
                target.engine.set_numa_policy(policy).map_err(|error| error.to_string())?;
                target.report_placement();
                Ok(())
            },
        },
        UciOption {
            name: "EvalFile",
            option_type: OptionType::String { default: EMBEDDED },
            apply: |target, _, value| {
                let name = value.word();
                let network = nnue::load(Path::new(name)).map_err(|error| {
                    format!("network {}: {error}; the evaluation stays as it was", quote(name))
                })?;
                target.engine.set_network(network).map_err(|error| error.to_string())
            },
        },
        check("Minimal", false, |target, _, value| {
            target.settings.minimal = value.on();
            Ok(())
        }),
    ];
    table.extend(null_move_options());
    #[cfg(feature = "tune")]
    let table = with_params(table);
    table
}

/// The options on null moves.
fn null_move_options() -> [UciOption; 9] {
    fn settings<'a>(target: &'a mut OptionContext<'_>) -> &'a mut NullSettings {
        &mut target.engine.options_mut().null_move_settings
    }
    let plies =
        |name, default: Depth, apply| spin(name, default as usize, 1, MAX_NULL_MOVE_PLIES as usize, apply);
    let default = NullSettings::default();
    [
        combo(
            "NullMove",
            SchemeName::default().name(),
            SchemeName::ALL.iter().map(|scheme| scheme.name()),
            |target, _, value| {
                if let Some(scheme) = SchemeName::parse(value.word()) {
                    target.engine.options_mut().null_move = scheme;
                }
                Ok(())
            },
        ),
        plies("NullMoveR", default.r, |target, _, value| {
            settings(target).r = value.size() as Depth;
            Ok(())
        }),
        plies("NullMoveDR", default.dr, |target, _, value| {
            settings(target).dr = value.size() as Depth;
            Ok(())
        }),
        check("NullMoveMateThreat", false, |target, _, value| {
            settings(target).switches.mate_threat = value.on();
            Ok(())
        }),
        check("NullMoveBotvinnikMarkoff", false, |target, _, value| {
            settings(target).switches.botvinnik_markoff = value.on();
            Ok(())
        }),
        check("NullMoveRefutationOrder", false, |target, _, value| {
            settings(target).switches.refutation_order = value.on();
            Ok(())
        }),
        check("NullMoveQuiescence", false, |target, _, value| {
            settings(target).switches.null_quiescence = value.on();
            Ok(())
        }),
        check("NullMovePlain", false, |target, _, value| {
            settings(target).switches.plain = value.on();
            Ok(())
        }),
        check("NullMoveCounts", false, |target, _, value| {
            settings(target).report_counts = value.on();
            Ok(())
        }),
    ]
}

/// The options of a tuning build: every number of the search.
#[cfg(feature = "tune")]
fn with_params(mut table: Vec<UciOption>) -> Vec<UciOption> {
    use crate::params;
    table.extend(params::ALL.iter().map(|param| UciOption {
        name: param.name,
        kind: OptionType::Spin {
            default: i64::from(param.default),
            min: i64::from(param.min),
            max: i64::from(param.max),
        },
        apply: |_, name, value| {
            let number = i32::try_from(value.number()).map_err(|error| error.to_string())?;
            if params::set(name, number) { Ok(()) } else { Err(format!("'{name}' cannot be {number}")) }
        },
    }));
    table
}

/// The place of an option in a table; case does not matter.
pub fn find(table: &[UciOption], name: &str) -> Option<usize> {
    table.iter().position(|option| option.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_defaults_are_values() {
        let table = table();
        for (place, option) in table.iter().enumerate() {
            assert_eq!(find(&table, &option.name.to_uppercase()), Some(place));
            let default = match &option.option_type {
                OptionType::Check { default } => default.to_string(),
                OptionType::Spin { default, .. } => default.to_string(),
                OptionType::Combo { default, .. } | OptionType::String { default } => (*default).to_string(),
                OptionType::Button => continue,
            };
            assert!(option.read(Some(&default)).is_ok(), "{}", option.name);
        }
        assert_eq!(find(&table, "Hush"), None);
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let table = table();
        let read = |name: &str, value| table[find(&table, name).expect("listed")].read(value);
        assert_eq!(read("hash", Some("64")), Ok(OptionValue::Spin(64)));
        assert_eq!(read("ponder", Some("TRUE")), Ok(OptionValue::Check(true)));
        assert_eq!(read("pin", Some("Off")), Ok(OptionValue::Choice("off")));
        assert_eq!(read("clear hash", None), Ok(OptionValue::Button));
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("-1")),
            ("Hash", Some("99999999999999999999")),
            ("Hash", Some("64 MB")),
            ("Hash", None),
            ("Threads", Some("1025")),
            ("MultiPV", Some("")),
            ("Ponder", Some("yes")),
            ("Pin", Some("maybe")),
        ] {
            assert!(read(name, value).is_err(), "{name} {value:?}");
        }
    }

    #[test]
    fn lines_are_as_uci_wants_them() {
        let table = table();
        let line = |name: &str| table[find(&table, name).expect("listed")].to_string();
        assert_eq!(line("Hash"), "option name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(line("Clear Hash"), "option name Clear Hash type button");
        assert_eq!(line("Ponder"), "option name Ponder type check default false");
        assert_eq!(line("Pin"), "option name Pin type combo default auto var auto var on var off");
    }
}
