//! Sets of processors, as lists such as `0-15,32-47`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::util::affinity::MAX_PROCESSORS;
use crate::util::quote::quote;

/// A set of processors, by their numbers in the system.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Processors(BTreeSet<usize>);

/// Why a text is no list of processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListError(String);

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no processor or range of processors", quote(&self.0))
    }
}

impl std::error::Error for ListError {}

impl Processors {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if this one is among them.
    pub fn contains(&self, number: usize) -> bool {
        self.0.contains(&number)
    }

    /// Their numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }

    /// The least number.
    pub fn first(&self) -> Option<usize> {
        self.0.first().copied()
    }

    /// The processors that are in both sets.
    pub fn intersection(&self, other: &Processors) -> Processors {
        Processors(&self.0 & &other.0)
    }

    /// The processors of this set that are not in `other`.
    pub fn difference(&self, other: &Processors) -> Processors {
        Processors(&self.0 - &other.0)
    }

    /// The processors that are in any of the sets.
    pub fn union<'a>(sets: impl IntoIterator<Item = &'a Processors>) -> Processors {
        sets.into_iter().flat_map(Processors::iter).collect()
    }
}

impl FromIterator<usize> for Processors {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Processors {
        Processors(numbers.into_iter().collect())
    }
}

impl FromStr for Processors {
    type Err = ListError;

    /// Reads numbers and ranges with commas between them, none twice; an empty text is the empty set.
    fn from_str(text: &str) -> Result<Processors, ListError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Processors::default());
        }
        let mut numbers = BTreeSet::new();
        for word in text.split(',') {
            let error = || ListError(word.to_string());
            let number = |text: &str| {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let number = text.parse().ok().filter(|&number: &usize| digits && number < MAX_PROCESSORS);
                number.ok_or_else(error)
            };
            let (first, last) = word.trim().split_once('-').unwrap_or((word.trim(), word.trim()));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(error());
            }
            // A number twice is a slip, and a long text of wide ranges would take minutes.
            if (first..=last).any(|number| !numbers.insert(number)) {
                return Err(error());
            }
        }
        Ok(Processors(numbers))
    }
}

impl fmt::Display for Processors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ranges(self.iter()))
    }
}

/// Numbers in their order, runs of neighbours as ranges.
pub(super) fn ranges(numbers: impl Iterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let word = |&(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    runs.iter().map(word).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_written() {
        for text in ["", "0", "0-15,32-47", "3,5,7-9", "65535"] {
            assert_eq!(text.parse::<Processors>().expect("a list").to_string(), text);
        }
        assert_eq!("4, 2-3 ,0,1\n".parse::<Processors>().expect("a list").to_string(), "0-4");
        for text in [
            ",",
            "1,",
            "-1",
            "1-",
            "2-1",
            "+1",
            "a",
            "1--2",
            "65536",
            "0-99999999999999999999",
            "0-3,2",
            "7,7",
        ] {
            assert!(text.parse::<Processors>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_message_about_a_list_is_short_and_printable() {
        for text in ["0-\u{1b}[2J", "0,\u{7}", &"9".repeat(1 << 20)] {
            let message = text.parse::<Processors>().expect_err("no list").to_string();
            assert!(message.len() < 200 && !message.contains(char::is_control), "{message:?}");
        }
        let message = "1000000000000000000000000".parse::<Processors>().expect_err("no list").to_string();
        assert!(message.starts_with("'1000000000000000000000000' "), "what was typed is shown: {message}");
        let message = "9".repeat(100).parse::<Processors>().expect_err("no list").to_string();
        assert!(message.contains("9...'"), "what is left out is marked: {message}");
    }
}
