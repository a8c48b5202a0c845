//! Reads the words of a line: numbers, the words of a position, and what is wrong with others.

use std::fmt;

use crate::perft::MAX_DEPTH;
use crate::util::quote::quote;

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The line is empty.
    Empty,
    /// The first word is no command.
    Unknown(String),
    /// A word that must follow is missing.
    Missing {
        /// The word that needs a successor.
        after: &'static str,
        /// What should stand there.
        what: &'static str,
    },
    /// A word is there, but not of the right kind.
    Malformed {
        /// The word before.
        after: &'static str,
        /// What should stand there.
        what: &'static str,
        /// What stands there.
        found: String,
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Empty => write!(f, "empty line ignored"),
            CommandError::Unknown(word) => {
                write!(f, "unknown command {}; type help for a list of commands", quote(word))
            }
            CommandError::Missing { after, what } => write!(f, "'{after}' needs {what}"),
            CommandError::Malformed { after, what, found } => {
                write!(f, "'{after}' needs {what}, not {}", quote(found))
            }
        }
    }
}

impl std::error::Error for CommandError {}

const A_NUMBER: &str = "a number";

/// `word` as a number: digits with an optional sign. What does not fit into an `i64` saturates.
pub(super) fn integer(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// Takes the number after `after` from `words`; it saturates as [`integer`] does.
pub(super) fn number<'a>(
    after: &'static str,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<i64, CommandError> {
    let word = words.next().ok_or(CommandError::Missing { after, what: A_NUMBER })?;
    integer(word).ok_or_else(|| CommandError::Malformed { after, what: A_NUMBER, found: word.to_string() })
}

/// A number that is at least `least`: smaller ones are raised to it.
pub(super) fn at_least(number: i64, least: u64) -> u64 {
    u64::try_from(number).unwrap_or(0).max(least)
}

/// Takes the depth after `perft` from `words`.
pub(super) fn perft_depth<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<u32, CommandError> {
    let depth = number("perft", words)?;
    if let Some(word) = words.next() {
        return Err(CommandError::Malformed {
            after: "perft",
            what: "a depth and nothing behind it",
            found: word.to_string(),
        });
    }
    u32::try_from(depth).ok().filter(|depth| (1..=MAX_DEPTH).contains(depth)).ok_or_else(|| {
        CommandError::Malformed { after: "perft", what: "a depth from 1 to 64", found: depth.to_string() }
    })
}

/// What follows the first word of a line, if anything does.
pub(super) fn after_first_word(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_ascii().split_once(|c: char| c.is_ascii_whitespace())?;
    Some(rest.trim_ascii()).filter(|rest| !rest.is_empty())
}

/// What stands before and after the first `word` that stands alone.
pub(super) fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).map(|(start, _)| (&text[..start], &text[start + word.len()..])).find(
        |(before, after)| {
            before.chars().next_back().is_none_or(|c| c.is_ascii_whitespace())
                && after.chars().next().is_none_or(|c| c.is_ascii_whitespace())
        },
    )
}

/// The fields of a FEN, separated by single spaces, and the moves behind them, before which `moves` stands.
pub fn fen_and_moves<'a>(mut words: impl Iterator<Item = &'a str>) -> (String, Vec<&'a str>) {
    let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    (fields.join(" "), words.collect())
}
