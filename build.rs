//! Finds the network to be embedded and verifies it.
//!
//! `nets/embedded.sha256` names it, as `sha256sum` writes it: the hash, and the name of a file in `nets/`. Nothing is
//! written.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

const LIST: &str = "nets/embedded.sha256";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=nets");
    match find(Path::new(LIST)) {
        Ok(net) => {
            println!("cargo::rerun-if-changed={}", net.display());
            println!("cargo::rustc-env=EMBEDDED_NET={}", net.display());
        }
        Err(reason) => println!("cargo::error={reason}"),
    }
}

/// The network that the list names, once its hash is verified.
fn find(list: &Path) -> Result<PathBuf, String> {
    let at = |path: &Path, reason: &dyn Display| format!("{}: {reason}", path.display());
    let text = fs::read_to_string(list).map_err(|error| at(list, &error))?;
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [hash, name] = words[..] else {
        return Err(at(list, &"one line is wanted: a SHA-256 and the name of a file"));
    };
    let net = Path::new("nets").join(name.trim_start_matches('*'));
    let net = net.canonicalize().map_err(|error| at(&net, &error))?;
    let bytes = fs::read(&net).map_err(|error| at(&net, &error))?;
    let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if found == hash { Ok(net) } else { Err(at(&net, &format!("its SHA-256 is {found}, not {hash}"))) }
}
