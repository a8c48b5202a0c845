//! An entry of the table of options, and what it is applied to.

use std::error::Error;
use std::fmt;

use crate::engine::{Engine, TablebaseError};
use crate::util::quote::quote;

use super::option_type::{OptionType, OptionValue};
use crate::uci::output::Output;
use crate::uci::strength::Strength;

/// What the UCI session itself must know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionSettings {
    /// Castling is written as the king capturing its rook.
    pub chess960: bool,
    /// The probabilities of win, draw and loss are reported.
    pub show_wdl: bool,
    /// Only the last lines before the best move are reported.
    pub minimal: bool,
    /// A comment for game records is reported before the best move.
    pub pgn_comment: bool,
    /// How strong the engine plays.
    pub strength: Strength,
}

/// What options are applied to.
pub struct OptionContext<'a> {
    /// The engine, which must not be searching.
    pub engine: &'a mut Engine,
    /// The settings of the session.
    pub settings: &'a mut SessionSettings,
    /// Gets what the user should know about the new value.
    pub notes: &'a mut Vec<String>,
    /// The output of a UCI session; the command line has none whose log could be kept.
    pub output: Option<&'a Output>,
}

impl OptionContext<'_> {
    /// Notes what was found of endgame tables, and a few of the errors.
    pub(super) fn report_tablebases(&mut self, errors: &[TablebaseError]) {
        const SHOWN: usize = 3;
        self.notes.extend(self.engine.tablebases());
        self.notes.extend(errors.iter().take(SHOWN).map(TablebaseError::to_string));
        if errors.len() > SHOWN {
            self.notes.push(format!("{} more directories or tablebases are not used", errors.len() - SHOWN));
        }
    }

    /// Notes on which processors the threads run, where that is not the obvious.
    pub(super) fn report_placement(&mut self) {
        let placement = self.engine.placement();
        self.notes.extend(placement.remarks.iter().cloned());
        if placement.is_bound() {
            self.notes.push(placement.to_string());
        }
    }
}

/// Why an option cannot have a value.
#[derive(Debug)]
pub enum OptionError {
    /// There is no value, and the option needs one.
    MissingValue {
        /// The option.
        option: &'static str,
    },
    /// The value is of another type or out of range.
    BadValue {
        /// The option.
        option: &'static str,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The engine could not do it; the option keeps its value, or has what the reason says.
    NotApplied {
        /// The option.
        option: &'static str,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::MissingValue { option } => write!(f, "option '{option}' needs a value"),
            OptionError::BadValue { option, expected, found } => {
                write!(f, "option '{option}' must be {expected}, not {}", quote(found))
            }
            OptionError::NotApplied { option, source } => {
                write!(f, "option '{option}' is refused: {source}")
            }
        }
    }
}

impl Error for OptionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OptionError::NotApplied { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

/// The flag of an option on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The name, without the hyphens before it.
    pub name: &'static str,
    /// What its value is called in the help.
    pub value_name: &'static str,
    /// What it does, where that is less or other than what the option does in UCI.
    pub doc: Option<&'static str>,
}

impl Flag {
    /// A flag that does what its option does.
    pub(super) fn new(name: &'static str, value_name: &'static str) -> Flag {
        Flag { name, value_name, doc: None }
    }

    /// The flag with a text of its own in the help.
    pub(super) fn with_doc(self, doc: &'static str) -> Flag {
        Flag { doc: Some(doc), ..self }
    }
}

pub(super) type Apply =
    dyn Fn(&mut OptionContext<'_>, &OptionValue) -> Result<(), Box<dyn Error + Send + Sync>> + Send + Sync;

/// An option: its names, its type, what it does.
pub struct UciOption {
    /// The name in UCI.
    pub name: &'static str,
    /// The flag on the command line, if it has one.
    pub flag: Option<Flag>,
    /// What it can be.
    pub option_type: OptionType,
    /// The option concerns null moves.
    pub null_move: bool,
    /// What it does, as README has it, and the help of its flag if that has no text of its own.
    pub doc: &'static str,
    pub(super) apply: Box<Apply>,
}

impl fmt::Display for UciOption {
    /// The line that answers `uci`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", self.name, self.option_type)
    }
}

impl UciOption {
    /// True for the settings of null-move experiments, which `uci` lists only if asked to: `NullMove`, which chooses the
    /// scheme, is none.
    pub fn is_experiment(&self) -> bool {
        self.null_move && self.name != "NullMove"
    }

    /// The value that a text means.
    ///
    /// # Errors
    /// If it is missing, of another type or out of range.
    pub fn parse(&self, text: Option<&str>) -> Result<OptionValue, OptionError> {
        if self.option_type == OptionType::Button {
            return Ok(OptionValue::Button);
        }
        let text = match text {
            None if !self.option_type.may_lack_value() => {
                return Err(OptionError::MissingValue { option: self.name });
            }
            text => text.unwrap_or_default(),
        };
        self.option_type.parse(text).ok_or_else(|| OptionError::BadValue {
            option: self.name,
            expected: self.option_type.expected(),
            found: text.to_string(),
        })
    }

    /// Makes the engine and the session use a value.
    ///
    /// # Errors
    /// If the engine cannot do it: then the option keeps its value, or has what the error says.
    pub fn apply(&self, context: &mut OptionContext<'_>, value: &OptionValue) -> Result<(), OptionError> {
        (self.apply)(context, value).map_err(|source| OptionError::NotApplied { option: self.name, source })
    }
}
