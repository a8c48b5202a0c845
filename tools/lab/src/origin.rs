//! What the results come from: the engine's signature and the machine.

use std::fs;
use std::process::Command;
use std::thread;

use caesura::bench;
use caesura::engine::{DEFAULT_HASH, DEFAULT_THREADS, Engine};
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::fingerprint::fingerprint;

/// The head of every file of results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The engine's version.
    pub version: String,
    /// The nodes of its bench: equal numbers, equal searches of the default scheme.
    pub signature: u64,
    /// [The same](fingerprint) of all schemes, switches and modes; 0 in results that do not say.
    #[serde(default)]
    pub fingerprint: u64,
    /// The processor, as the system calls it.
    pub processor: String,
    /// How many threads it runs.
    pub threads: usize,
    /// Operating system and architecture.
    pub system: String,
}

impl Origin {
    /// This engine on this machine; runs the bench, and short searches with every scheme.
    ///
    /// # Errors
    /// If the engine cannot be started.
    pub fn here() -> Result<Origin, LabError> {
        let total =
            bench::run(&mut Engine::new(DEFAULT_THREADS, DEFAULT_HASH)?, bench::DEFAULT_DEPTH, |_| {})?;
        Ok(Origin { fingerprint: fingerprint()?, ..Origin::with_signature(total.nodes) })
    }

    /// True if searches of both engines come to the same.
    pub const fn is_same_engine(&self, other: &Origin) -> bool {
        self.signature == other.signature && self.fingerprint == other.fingerprint
    }

    /// This machine, with an engine of a known signature.
    pub fn with_signature(signature: u64) -> Origin {
        Origin {
            version: env!("CARGO_PKG_VERSION").to_string(),
            signature,
            fingerprint: 0,
            processor: processor(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// The processor's name, where the system gives one: Linux in a file (on ARM the number of its maker and its part), Windows in
/// the environment, macOS to a program.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = name_in(&text).or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok()).or_else(|| {
        let answer = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        String::from_utf8(answer.stdout).ok()
    });
    let name = name.map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "unknown processor".to_string())
}

/// The name of the first processor of `/proc/cpuinfo`.
fn name_in(text: &str) -> Option<String> {
    let field = |name: &str| {
        let value = |line: &str| Some(line.strip_prefix(name)?.split_once(':')?.1.trim().to_string());
        text.lines().find_map(value)
    };
    let arm = || Some(format!("implementer {} part {}", field("CPU implementer")?, field("CPU part")?));
    field("model name").or_else(arm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_names() {
        let x86 = "processor\t: 0\nmodel name\t: AMD EPYC 9B45\nmodel name\t: other\n";
        assert_eq!(name_in(x86).as_deref(), Some("AMD EPYC 9B45"));
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
        assert_eq!(name_in(arm).as_deref(), Some("implementer 0x41 part 0xd0c"));
        assert_eq!(name_in("processor\t: 0\n"), None);
        assert!(!processor().is_empty());
    }
}
