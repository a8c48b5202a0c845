//! Networks by name: the one that is part of the program, the one that counts material, and those in files.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::material;
use super::network::{Network, NetworkError};
use super::weights::WeightsError;

/// The name of the network that is part of the program.
pub const EMBEDDED: &str = "<embedded>";
/// The name of the network that counts material and sees nothing else.
pub const MATERIAL: &str = "<material>";

/// The file, whose hash the build has verified.
const FILE: &[u8] = include_bytes!(env!("EMBEDDED_NET"));

static NETWORK: LazyLock<Result<Arc<Network>, WeightsError>> =
    LazyLock::new(|| Network::parse(FILE).map(Arc::new));

/// The network that is part of the program; read once a process.
///
/// # Errors
/// If there is no memory for it.
pub fn try_embedded() -> Result<Arc<Network>, WeightsError> {
    NETWORK.clone()
}

/// The network that is part of the program; read once a process.
///
/// # Panics
/// If there is no memory for it: see [`try_embedded`].
pub fn embedded() -> Arc<Network> {
    try_embedded().unwrap_or_else(|error| panic!("the network that is part of the program: {error}"))
}

/// The network that is called [`EMBEDDED`] or [`MATERIAL`], or is in the file of another name.
///
/// # Errors
/// If there is no such file, it is no network of this program's shape, or there is no memory.
pub fn load(name: &Path) -> Result<Arc<Network>, NetworkError> {
    if name == Path::new(EMBEDDED) {
        return try_embedded().map_err(NetworkError::Weights);
    }
    if name == Path::new(MATERIAL) {
        return Network::parse(&material::network_file()).map(Arc::new).map_err(NetworkError::Weights);
    }
    Network::open(name).map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_is_embedded_is_a_network() {
        assert_eq!(try_embedded().map(|network| network.name()), Ok(embedded().name()));
    }

    #[test]
    fn names_lead_to_networks() {
        let name = |name: &str| load(Path::new(name)).map(|network| network.name()).ok();
        let (embedded, material) = (name(EMBEDDED), name(MATERIAL));
        assert!(embedded.is_some() && material.is_some() && embedded != material);
        assert_eq!(name("no/such/file.nnue"), None);
    }
}
