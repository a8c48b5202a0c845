//! Limits of searches and games.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use caesura::engine::Limits;

/// The limit of a search or game. `50000n`: nodes; `100ms`: milliseconds; `8000+80ms`: a clock with an increment, in
/// milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// This many nodes a search.
    Nodes(u64),
    /// This many milliseconds a search.
    Time(u64),
    /// A clock with this many milliseconds a game, and an increment of this many milliseconds a move.
    Clock(u64, u64),
}

/// Why a limit cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The text is not a limit.
    #[error("'{0}' is not a limit; write 50000n, 100ms or 8000+80ms")]
    Syntax(String),
    /// A clock was given where a single search needs a limit.
    #[error("a clock is for games; write 50000n or 100ms")]
    Clock,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "{nodes}n"),
            Limit::Time(time) => write!(f, "{time}ms"),
            Limit::Clock(base, increment) => write!(f, "{base}+{increment}ms"),
        }
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Limit, LimitError> {
        let number = |text: &str| text.parse().ok().filter(|&number: &u64| number > 0);
        let limit = if let Some(nodes) = text.strip_suffix('n') {
            number(nodes).map(Limit::Nodes)
        } else if let Some(time) = text.strip_suffix("ms") {
            match time.split_once('+') {
                Some((base, increment)) => {
                    number(base).zip(increment.parse().ok()).map(|(base, more)| Limit::Clock(base, more))
                }
                None => number(time).map(Limit::Time),
            }
        } else {
            None
        };
        limit.ok_or_else(|| LimitError::Syntax(text.to_string()))
    }
}

impl Limit {
    /// The limits of a search; no limits for a clock.
    pub fn search(self) -> Limits {
        match self {
            Limit::Nodes(nodes) => Limits::nodes(nodes),
            Limit::Time(time) => Limits { move_time: Some(Duration::from_millis(time)), ..Limits::default() },
            Limit::Clock(..) => Limits::default(),
        }
    }

    /// True if the same search always gives the same result.
    pub const fn is_deterministic(self) -> bool {
        matches!(self, Limit::Nodes(_))
    }

    /// The limit of a single search, from an argument.
    ///
    /// # Errors
    /// If it is a clock.
    pub fn parse_single(text: &str) -> Result<Limit, LimitError> {
        match text.parse()? {
            Limit::Clock(..) => Err(LimitError::Clock),
            limit => Ok(limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        for (text, limit) in [
            ("50000n", Limit::Nodes(50_000)),
            ("100ms", Limit::Time(100)),
            ("8000+80ms", Limit::Clock(8000, 80)),
            ("60000+0ms", Limit::Clock(60_000, 0)),
        ] {
            assert_eq!(text.parse(), Ok(limit));
            assert_eq!(limit.to_string(), text);
        }
        for wrong in ["", "n", "0n", "-1n", "10", "0ms", "+1ms", "8+0.08ms", "10s"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
        assert!(Limit::parse_single("8000+80ms").is_err() && Limit::parse_single("5n").is_ok());
    }
}
