//! The command `export_net`: writes the network in use to a file.

use std::fs::{self, File};
use std::io::Write;

use crate::engine::Network;
use crate::util::quote::quote;

/// Writes a network to a new file, named after the network if no path is given, and says what came of it. A file that is
/// there already stays as it is.
pub(super) fn export(network: &Network, path: Option<&str>) -> String {
    let path = path.map_or_else(|| format!("{}.nnue", network.name()), str::to_string);
    let written = File::options().write(true).create_new(true).open(&path).and_then(|mut file| {
        file.write_all(&network.file()).inspect_err(|_| {
            // Half a network would be in the way of the next attempt.
            let _ = fs::remove_file(&path);
        })
    });
    let (path, name) = (quote(&path), network.name());
    match written {
        Ok(()) => format!("network {name} is in {path}"),
        Err(error) => format!("network {name} is not in {path}: {error}"),
    }
}
