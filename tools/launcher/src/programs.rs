//! Which programs a processor can run, and in which order they are tried.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use caesura::util::cpu::level_name;

/// The programs in `folder` that a processor of this level of the instruction set, 1 to 5, can run, fastest first.
/// They need not exist.
pub fn programs(folder: &Path, level: u32) -> Vec<PathBuf> {
    (1..=level).rev().map(|level| folder.join(format!("caesura-{}{EXE_SUFFIX}", level_name(level)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_come_first_and_none_is_above_the_processor() {
        let names = |level| {
            let name = |path: PathBuf| {
                let name = path.strip_prefix("folder").expect("in the folder").to_str().expect("text");
                name.strip_suffix(EXE_SUFFIX).expect("the suffix of programs").to_string()
            };
            programs(Path::new("folder"), level).into_iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(1), ["caesura-x86-64"]);
        assert_eq!(names(3), ["caesura-x86-64-v3", "caesura-x86-64-v2", "caesura-x86-64"]);
        assert_eq!(names(4)[0], "caesura-x86-64-v4");
        assert_eq!(names(5)[..2], ["caesura-x86-64-avx512icl", "caesura-x86-64-v4"]);
    }
}
