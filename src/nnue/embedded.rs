//! The network that is part of the program.

use std::sync::{Arc, LazyLock};

use super::network::Network;

/// The file, whose hash the build has verified.
#[cfg(embedded_net)]
const FILE: Option<&[u8]> = Some(include_bytes!(env!("EMBEDDED_NET")));
#[cfg(not(embedded_net))]
const FILE: Option<&[u8]> = None;

static NETWORK: LazyLock<Option<Arc<Network>>> =
    LazyLock::new(|| FILE.and_then(|bytes| Network::parse(bytes).ok()).map(Arc::new));

/// The network that is part of the program, if there is one; read once a process.
pub fn embedded() -> Option<Arc<Network>> {
    NETWORK.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_embedded_is_a_network() {
        assert_eq!(embedded().is_some(), FILE.is_some());
    }
}
