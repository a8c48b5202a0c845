//! Networks by name: the embedded one, the one that counts material, and those in files.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::material;
use super::network::{Network, NetworkError};
use super::weights::WeightsError;

/// The name of the network that is embedded in the program.
pub const EMBEDDED: &str = "<embedded>";
/// The name of the network that counts material and nothing else.
pub const MATERIAL: &str = "<material>";

/// The bytes of the embedded network's file.
const EMBEDDED_FILE: &[u8] = include_bytes!(env!("EMBEDDED_NET"));

/// True if the build script has verified the SHA-256 of that file; false if the file was named from outside.
const IS_VERIFIED: bool = matches!(env!("EMBEDDED_NET_IS_VERIFIED").as_bytes(), b"true");

static EMBEDDED_NETWORK: LazyLock<Result<Arc<Network>, WeightsError>> = LazyLock::new(|| {
    let parse = if IS_VERIFIED { Network::parse_verified } else { Network::parse };
    parse(EMBEDDED_FILE).map(Arc::new)
});

/// The embedded network. It is parsed once, and all callers share it.
///
/// # Errors
/// If there is no memory for it, or if the file that `CAESURA_EVALFILE` named at build time is no network of this architecture.
pub fn try_embedded() -> Result<Arc<Network>, WeightsError> {
    EMBEDDED_NETWORK.clone()
}

/// The embedded network. It is parsed once, and all callers share it.
///
/// # Panics
/// Where [`try_embedded`] has an error.
pub fn embedded() -> Arc<Network> {
    try_embedded().unwrap_or_else(|error| panic!("the embedded network: {error}"))
}

/// The network with the name [`EMBEDDED`] or [`MATERIAL`]; any other name is the path of a file.
///
/// # Errors
/// If the file cannot be read, does not hold a network of this program's architecture, or there is no memory.
pub fn load(name: &Path) -> Result<Arc<Network>, NetworkError> {
    if name == Path::new(EMBEDDED) {
        return try_embedded().map_err(NetworkError::Weights);
    }
    if name == Path::new(MATERIAL) {
        return Network::parse_verified(&material::network_file())
            .map(Arc::new)
            .map_err(NetworkError::Weights);
    }
    Network::open(name).map(Arc::new)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;

    use super::*;
    use crate::nnue::format::HEADER_BYTES;
    use crate::nnue::simd::Native;
    use crate::util::hex::hex;

    #[test]
    fn the_embedded_network_is_the_embedded_file_and_shared() {
        let network = load(Path::new(EMBEDDED)).expect("memory");
        assert!(Arc::ptr_eq(&network, &embedded()));
        let hash = &EMBEDDED_FILE[HEADER_BYTES - 32..][..6];
        assert_eq!(network.name(), hex(hash));
    }

    #[test]
    fn the_material_network_counts_material() {
        let network = load(Path::new(MATERIAL)).expect("memory");
        let value = |fen: &str| network.evaluate::<Native>(&fen.parse().expect("a position"));
        assert_eq!(value("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0);
        assert!(value("3qk3/8/8/8/8/8/8/4K3 b - - 0 1") > 800);
    }

    #[test]
    fn networks_give_back_the_bytes_of_their_files() {
        assert!(embedded().file() == EMBEDDED_FILE);
        let material = load(Path::new(MATERIAL)).expect("memory");
        assert!(material.file() == material::network_file());
    }

    #[test]
    fn other_names_are_paths() {
        let path = std::env::temp_dir().join(format!("caesura-load-{}.nnue", std::process::id()));
        fs::write(&path, material::network_file()).expect("written");
        let network = load(&path);
        fs::remove_file(&path).expect("removed");
        assert_eq!(network.expect("a network").name(), load(Path::new(MATERIAL)).expect("memory").name());
        match load(&path) {
            Err(NetworkError::Read(error)) => assert_eq!(error.kind(), io::ErrorKind::NotFound),
            other => panic!("{other:?}"),
        }
    }
}
