//! The endgame tables that tests look into.

use std::env;
use std::path::{Path, PathBuf};

/// A folder of endgame tables for tests, and whether it has all of up to four pieces: that of the environment variable
/// `CAESURA_SYZYGY`, or `shared/syzygy` beside the repository; else that of the few small tables of the repository (`KBvK`,
/// `KNNvK`, `KPvK`, `KQvK`, and the results of `KRvK`).
pub fn folder() -> (PathBuf, bool) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/syzygy");
    match env::var_os("CAESURA_SYZYGY") {
        Some(folder) => (folder.into(), true),
        None if beside.is_dir() => (beside, true),
        None => (root.join("tools/fuzz/tables"), false),
    }
}
