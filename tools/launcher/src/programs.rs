//! Which programs a processor can run, and in which order they are tried.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use caesura::util::cpu::{Feature, release_builds};

/// The programs in `folder` that a processor with these features can run, fastest first. They need not exist.
pub fn programs(folder: &Path, has: impl Fn(&Feature) -> bool) -> Vec<PathBuf> {
    release_builds(has).map(|build| folder.join(format!("caesura-{build}{EXE_SUFFIX}"))).collect()
}
