//! What the user wants of the placement of threads.

use std::error::Error;
use std::fmt;

use super::machine::Machine;
use super::processors::{ListError, Processors};
use crate::util::quote::excerpt;

/// Why a text is no NUMA policy of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyError {
    /// The text is neither the name of a policy nor a list of processors.
    Unknown,
    /// A part of the list cannot be read.
    List(ListError),
    /// A node of the list has no processors.
    EmptyNode,
    /// The machine does not have these processors.
    Missing(Processors),
    /// These processors are in two nodes of the list.
    Duplicate(Processors),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Unknown => {
                write!(f, "must be auto, system, hardware, none or lists like 0-15,32-47:16-31,48-63")
            }
            PolicyError::List(error) => error.fmt(f),
            PolicyError::EmptyNode => write!(f, "a node without processors"),
            PolicyError::Missing(processors) => {
                write!(f, "there are no processors {}", excerpt(&processors.to_string()))
            }
            PolicyError::Duplicate(processors) => {
                write!(f, "processors {} in two nodes", excerpt(&processors.to_string()))
            }
        }
    }
}

impl Error for PolicyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PolicyError::List(error) => Some(error),
            _ => None,
        }
    }
}

/// To which NUMA nodes threads are bound. The values are those of Stockfish's option of the same name. Under `auto`
/// no more threads search than there are processors to run them; under the others all do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NumaPolicy {
    /// To the nodes of the machine, or to its last-level caches, where there are several, with four threads or more for each and
    /// none with small cores only.
    #[default]
    Auto,
    /// To the nodes of the machine, as far as the affinity mask allows.
    System,
    /// To the nodes of the machine, whatever the affinity mask says.
    Hardware,
    /// To none: threads run on any processor.
    Off,
    /// To these sets of processors, whatever the affinity mask says.
    Sets(Vec<Processors>),
}

impl NumaPolicy {
    /// Reads one of the names `auto`, `system`, `hardware`, `none`, in any case, or lists of processors with colons
    /// between the nodes: `0-15,32-47:16-31,48-63`.
    ///
    /// # Errors
    /// If it is neither, or names processors that the machine does not have, or one of them twice.
    pub fn parse(text: &str, machine: &Machine) -> Result<NumaPolicy, PolicyError> {
        for policy in [NumaPolicy::Auto, NumaPolicy::System, NumaPolicy::Hardware, NumaPolicy::Off] {
            if policy.to_string().eq_ignore_ascii_case(text.trim()) {
                return Ok(policy);
            }
        }
        if !text.trim().starts_with(|c: char| c.is_ascii_digit()) {
            return Err(PolicyError::Unknown);
        }
        let all = machine.all();
        let mut sets: Vec<Processors> = Vec::new();
        let mut taken = Processors::default();
        for part in text.split(':') {
            let set: Processors = part.parse().map_err(PolicyError::List)?;
            if set.is_empty() {
                return Err(PolicyError::EmptyNode);
            }
            let missing = set.difference(&all);
            if !missing.is_empty() {
                return Err(PolicyError::Missing(missing));
            }
            let twice = set.intersection(&taken);
            if !twice.is_empty() {
                return Err(PolicyError::Duplicate(twice));
            }
            taken = Processors::union([&taken, &set]);
            sets.push(set);
        }
        Ok(NumaPolicy::Sets(sets))
    }
}

impl fmt::Display for NumaPolicy {
    /// The text that [`NumaPolicy::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumaPolicy::Auto => write!(f, "auto"),
            NumaPolicy::System => write!(f, "system"),
            NumaPolicy::Hardware => write!(f, "hardware"),
            NumaPolicy::Off => write!(f, "none"),
            NumaPolicy::Sets(sets) => {
                let sets: Vec<String> = sets.iter().map(Processors::to_string).collect();
                write!(f, "{}", sets.join(":"))
            }
        }
    }
}

/// When to pin search threads to single processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// Only when there are as many threads as processors: then each thread has one to itself, and moving it
    /// would only cost. With fewer threads, two engines on one machine would fight for the same processors.
    #[default]
    Auto,
    /// Always, round and round.
    On,
    /// Never.
    Off,
}

impl Pin {
    /// All values.
    pub const ALL: [Pin; 3] = [Pin::Auto, Pin::On, Pin::Off];

    /// The name, as options have it.
    pub const fn name(self) -> &'static str {
        match self {
            Pin::Auto => "auto",
            Pin::On => "on",
            Pin::Off => "off",
        }
    }

    /// The value of this name, in any case.
    pub fn parse(name: &str) -> Option<Pin> {
        Pin::ALL.into_iter().find(|pin| pin.name().eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_about_many_processors_is_short() {
        let many = || (0..60_000).step_by(2).collect::<Processors>();
        for error in [PolicyError::Missing(many()), PolicyError::Duplicate(many())] {
            let message = error.to_string();
            assert!(message.len() < 200 && message.contains("0,2,4"), "{message}");
        }
    }
}
