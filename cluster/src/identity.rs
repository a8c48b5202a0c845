//! What must be the same on two machines for their searches to be of use to each other.

use std::error::Error;
use std::fmt;
use std::path::Path;

use caesura::engine::{EMBEDDED_NETWORK, Engine, EngineError, Limits, NetworkError, load_network};
use caesura::util::quote::excerpt;
use serde::{Deserialize, Serialize};

/// The depth of the search whose nodes are the signature, in plies: some milliseconds.
const SIGNATURE_DEPTH: i32 = 9;

/// Version, network and search of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The version of Caesura.
    pub version: String,
    /// The nodes of a small search, which differ wherever the search does, and with them perhaps the meaning of table
    /// entries and keys.
    pub signature: u64,
    /// The name of the embedded network: a digest of its contents.
    pub network: String,
}

/// In what two programs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    what: &'static str,
    theirs: String,
    ours: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} instead of {}", self.what, self.theirs, self.ours)
    }
}

impl Error for Mismatch {}

/// Why a program has no identity.
#[derive(Debug)]
pub enum IdentityError {
    /// Its network cannot be used.
    Network(NetworkError),
    /// There is no engine for the search.
    Engine(EngineError),
}

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IdentityError::Network(cause) => write!(f, "network: {cause}"),
            IdentityError::Engine(cause) => cause.fmt(f),
        }
    }
}

impl Error for IdentityError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            IdentityError::Network(cause) => Some(cause),
            IdentityError::Engine(cause) => Some(cause),
        }
    }
}

impl From<EngineError> for IdentityError {
    fn from(cause: EngineError) -> IdentityError {
        IdentityError::Engine(cause)
    }
}

impl Identity {
    /// The identity of this program.
    ///
    /// # Errors
    /// If the embedded network cannot be used, or there is no memory or no thread for the search.
    pub fn of_this_program() -> Result<Identity, IdentityError> {
        // Before the engine, which cannot be without it.
        let network = load_network(Path::new(EMBEDDED_NETWORK)).map_err(IdentityError::Network)?.name();
        let mut engine = Engine::new(1, 1)?;
        let result = engine.search(Limits::depth(SIGNATURE_DEPTH))?;
        Ok(Identity {
            version: env!("CARGO_PKG_VERSION").to_string(),
            // Keys belong to it: entries of other keys are of no use.
            signature: result.nodes ^ engine.board().key(),
            network,
        })
    }

    /// Looks whether another program may search with this one.
    ///
    /// # Errors
    /// The first thing in which they differ.
    pub fn check(&self, other: &Identity) -> Result<(), Mismatch> {
        let pairs = [
            ("version", other.version.clone(), self.version.clone()),
            ("network", other.network.clone(), self.network.clone()),
            ("signature", format!("{:016x}", other.signature), format!("{:016x}", self.signature)),
        ];
        match pairs.into_iter().find(|(_, theirs, ours)| theirs != ours) {
            None => Ok(()),
            Some((what, theirs, ours)) => Err(Mismatch { what, theirs: excerpt(&theirs), ours }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_one_identity_and_another_is_refused_by_name() {
        let ours = Identity::of_this_program().expect("memory");
        assert_eq!(ours, Identity::of_this_program().expect("memory"), "the signature is no accident");
        assert_eq!(ours.check(&ours), Ok(()));
        let other = Identity { version: "0.1\n\u{202e}\u{1b}[2J".into(), ..ours.clone() };
        let mismatch = ours.check(&other).expect_err("another version").to_string();
        assert_eq!(mismatch, format!("version 0.1\\n\\u{{202e}}\\u{{1b}}[2J instead of {}", ours.version));
        let other = Identity { signature: ours.signature + 1, ..ours.clone() };
        assert!(ours.check(&other).expect_err("another search").to_string().starts_with("signature"));
        let other = Identity { network: "other".into(), ..ours.clone() };
        assert!(ours.check(&other).expect_err("another network").to_string().starts_with("network"));
    }
}
