//! Finds the network to be embedded, verifies it, and describes the build.
//!
//! `nets/embedded.sha256` names it, as `sha256sum` writes it: the hash, and the name of a file in `nets/`. The environment
//! variable `CAESURA_EVALFILE` names another file, whose hash is shown. Nothing is written.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

const LIST: &str = "nets/embedded.sha256";
/// The variable that names another network.
const OTHER: &str = "CAESURA_EVALFILE";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LIST}");
    println!("cargo::rerun-if-env-changed={OTHER}");
    describe_build();
    let other = env::var_os(OTHER).filter(|path| !path.is_empty());
    println!("cargo::rustc-env=EMBEDDED_NET_IS_VERIFIED={}", other.is_none());
    match other.map_or_else(|| find(Path::new(LIST)), |path| from_environment(Path::new(&path))) {
        Ok(net) => {
            println!("cargo::rerun-if-changed={}", net.display());
            println!("cargo::rustc-env=EMBEDDED_NET={}", net.display());
        }
        Err(error) => println!("cargo::error={error}"),
    }
}

/// Why there is no network to embed.
enum NetError {
    /// The list is not one hash and one name.
    List,
    /// This file cannot be read.
    Read(PathBuf, io::Error),
    /// This file has another SHA-256 than the list says.
    Hash { net: PathBuf, found: String, expected: String },
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::List => {
                write!(f, "{LIST}: expected one line with a SHA-256 and the name of a file in nets/")
            }
            NetError::Read(path, error) => write!(f, "{}: {error}", path.display()),
            NetError::Hash { net, found, expected } => {
                write!(f, "{}: its SHA-256 is {found}, not {expected}", net.display())
            }
        }
    }
}

/// Sets what the program says of its compiler and system.
fn describe_build() {
    let variable = |name: &str| env::var(name).unwrap_or_else(|_| "unknown".to_string());
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    let version = version.as_deref().map_or("rustc of unknown version", str::trim);
    println!("cargo::rustc-env=CAESURA_COMPILER={version}");
    println!("cargo::rustc-env=CAESURA_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=CAESURA_OPT_LEVEL={}", variable("OPT_LEVEL"));
    println!("cargo::rustc-env=CAESURA_TARGET_FEATURES={}", variable("CARGO_CFG_TARGET_FEATURE"));
}

/// The network of the environment variable. The program itself finds out whether it can use it.
fn from_environment(net: &Path) -> Result<PathBuf, NetError> {
    let at = |error| NetError::Read(net.to_path_buf(), error);
    let net = net.canonicalize().map_err(at)?;
    let hash = sha256(&fs::read(&net).map_err(at)?);
    println!("cargo::warning=the embedded network is {}, SHA-256 {hash}", net.display());
    Ok(net)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The network that the list names, once its hash is verified.
fn find(list: &Path) -> Result<PathBuf, NetError> {
    let at = |path: &Path| {
        let path = path.to_path_buf();
        move |error| NetError::Read(path, error)
    };
    let text = fs::read_to_string(list).map_err(at(list))?;
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [expected, name] = words[..] else { return Err(NetError::List) };
    let net = Path::new("nets").join(name.trim_start_matches('*'));
    let net = net.canonicalize().map_err(at(&net))?;
    let found = sha256(&fs::read(&net).map_err(at(&net))?);
    if found == expected {
        Ok(net)
    } else {
        Err(NetError::Hash { net, found, expected: expected.to_string() })
    }
}
