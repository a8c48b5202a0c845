//! What the results come from: the engine's signature and the machine.

use std::fs;
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

/// The processor's name, where the system gives one.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "unknown processor".to_string(), |(_, name)| name.trim().to_string())
}
