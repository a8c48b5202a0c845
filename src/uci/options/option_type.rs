//! The types of UCI options, and their values.

use std::fmt;
use std::path::PathBuf;

/// How UCI writes an empty text.
pub const EMPTY: &str = "<empty>";

/// What an option can be, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// On or off.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value at the start.
        default: &'static str,
        /// All values.
        choices: Vec<&'static str>,
    },
    /// A text.
    String {
        /// The value at the start.
        default: &'static str,
        /// What values make sense, in words.
        values: &'static str,
    },
    /// The name of a file; a string in UCI.
    File {
        /// The value at the start.
        default: &'static str,
        /// What values make sense, in words.
        values: &'static str,
    },
    /// An action without a value.
    Button,
}

/// A value that fits the type and the range of its option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Of a check: on or off.
    Check(bool),
    /// Of a spin: a number within its range.
    Spin(i64),
    /// Of a combo: one of its choices.
    Choice(&'static str),
    /// Of a string: the text.
    String(String),
    /// Of a file: its name.
    File(PathBuf),
    /// Of a button: that it was pressed.
    Button,
}

impl OptionType {
    /// The value that a text means; `None` if it does not fit. Words may be written in any case. Strings and files go back
    /// to their default by an empty text or by [`EMPTY`].
    pub fn parse(&self, text: &str) -> Option<OptionValue> {
        match self {
            OptionType::Check { .. } if text.eq_ignore_ascii_case("true") => Some(OptionValue::Check(true)),
            OptionType::Check { .. } if text.eq_ignore_ascii_case("false") => Some(OptionValue::Check(false)),
            OptionType::Check { .. } => None,
            OptionType::Spin { min, max, .. } => {
                text.parse().ok().filter(|number| (min..=max).contains(&number)).map(OptionValue::Spin)
            }
            OptionType::Combo { choices, .. } => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(text))
                .copied()
                .map(OptionValue::Choice),
            OptionType::String { default, .. } => {
                Some(OptionValue::String(or_default(text, default).to_string()))
            }
            OptionType::File { default, .. } => Some(OptionValue::File(or_default(text, default).into())),
            OptionType::Button => Some(OptionValue::Button),
        }
    }

    /// What a value must be, in words that follow "must be".
    pub fn expected(&self) -> String {
        match self {
            OptionType::Check { .. } => "true or false".to_string(),
            OptionType::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            OptionType::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            OptionType::String { values, .. } | OptionType::File { values, .. } => (*values).to_string(),
            OptionType::Button => "no value".to_string(),
        }
    }

    /// The default as text; a button has none.
    pub fn default_text(&self) -> Option<String> {
        match self {
            OptionType::Check { default } => Some(default.to_string()),
            OptionType::Spin { default, .. } => Some(default.to_string()),
            OptionType::Combo { default, .. }
            | OptionType::String { default, .. }
            | OptionType::File { default, .. } => {
                Some(if default.is_empty() { EMPTY } else { default }.to_string())
            }
            OptionType::Button => None,
        }
    }

    /// True if an option can be set without a value: a button is pressed, a string or a file goes back to its default.
    pub fn may_lack_value(&self) -> bool {
        matches!(self, OptionType::String { .. } | OptionType::File { .. } | OptionType::Button)
    }
}

fn or_default<'a>(text: &'a str, default: &'a str) -> &'a str {
    if text.is_empty() || text == EMPTY { default } else { text }
}

impl fmt::Display for OptionType {
    /// As the answer to `uci` has it behind `type`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionType::Check { default } => write!(f, "check default {default}"),
            OptionType::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionType::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionType::String { .. } | OptionType::File { .. } => {
                write!(f, "string default {}", self.default_text().unwrap_or_default())
            }
            OptionType::Button => write!(f, "button"),
        }
    }
}

impl OptionValue {
    /// True for a check that is on.
    pub fn is_on(&self) -> bool {
        *self == OptionValue::Check(true)
    }

    /// The number of a spin; 0 for other types.
    pub fn number(&self) -> i64 {
        if let OptionValue::Spin(number) = self { *number } else { 0 }
    }

    /// The number of a spin that is not below zero; 0 for others.
    pub fn size(&self) -> usize {
        usize::try_from(self.number()).unwrap_or(0)
    }

    /// The word of a combo or the text of a string; nothing for other types.
    pub fn text(&self) -> &str {
        match self {
            OptionValue::Choice(word) => word,
            OptionValue::String(text) => text,
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_fit_are_refused() {
        let spin = OptionType::Spin { default: 3, min: 1, max: 8 };
        assert_eq!(spin.parse("8"), Some(OptionValue::Spin(8)));
        for text in ["0", "9", "-1", "99999999999999999999", "3 MB", "", "x"] {
            assert_eq!(spin.parse(text), None, "{text}");
        }
        let check = OptionType::Check { default: false };
        assert_eq!((check.parse("TRUE"), check.parse("yes")), (Some(OptionValue::Check(true)), None));
        let combo = OptionType::Combo { default: "auto", choices: vec!["auto", "off"] };
        assert_eq!((combo.parse("Off"), combo.parse("maybe")), (Some(OptionValue::Choice("off")), None));
        let file = OptionType::File { default: "x", values: "a path" };
        assert_eq!(file.parse("a b"), Some(OptionValue::File("a b".into())));
        for empty in ["", "<empty>"] {
            assert_eq!(file.parse(empty), Some(OptionValue::File("x".into())));
        }
    }

    #[test]
    fn types_are_written_as_in_the_uci_protocol() {
        let types = [
            (OptionType::Spin { default: 3, min: 1, max: 8 }, "spin default 3 min 1 max 8"),
            (OptionType::Button, "button"),
            (OptionType::Check { default: false }, "check default false"),
            (
                OptionType::Combo { default: "auto", choices: vec!["auto", "off"] },
                "combo default auto var auto var off",
            ),
            (OptionType::File { default: "<x>", values: "a path" }, "string default <x>"),
            (OptionType::String { default: "", values: "a text" }, "string default <empty>"),
        ];
        for (option_type, text) in types {
            assert_eq!(option_type.to_string(), text);
        }
    }
}
