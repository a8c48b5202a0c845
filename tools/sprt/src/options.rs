//! The UCI options that an engine lists, since fastchess sets no others, and takes.

use std::env;
use std::path::{self, Path, PathBuf};

use toolkit::FileError;
use toolkit::uci_options::{PATIENCE, UciOption, listed, refusals};

use crate::SprtError;

/// The argument with which Caesura lists the options of null-move experiments, too.
pub const EXPERIMENTS: &str = "--experiments";

/// Whether an engine must be started with [`EXPERIMENTS`] to list all of these options, each `NAME=VALUE`.
///
/// # Errors
/// If it does not list one of them either way, cannot be run, or does not answer.
pub fn needs_experiments(program: &Path, options: &[String]) -> Result<bool, SprtError> {
    let names: Vec<&str> = options.iter().map(|option| option.split('=').next().unwrap_or(option)).collect();
    let listed = |arguments: &[&str]| {
        listed(program, arguments, PATIENCE)
            .map_err(|source| SprtError::Options { path: program.to_path_buf(), source })
    };
    let lacks = |listed: &[UciOption]| {
        names.iter().copied().find(|name| !listed.iter().any(|option| option.name == *name))
    };
    if names.is_empty() || lacks(&listed(&[])?).is_none() {
        return Ok(false);
    }
    match lacks(&listed(&[EXPERIMENTS])?) {
        None => Ok(true),
        Some(name) => Err(SprtError::NoOption { path: program.to_path_buf(), name: name.to_string() }),
    }
}

/// The options, each `NAME=VALUE`, with an absolute path in the place of a relative one: fastchess runs in another folder.
/// Options for paths are those whose names end in `File`, or in `Path`, where several may stand, separated as the system separates
/// them. What is no file or folder stays as it is.
///
/// # Errors
/// If the folder of this process is not known.
pub fn with_absolute_paths(options: Vec<String>) -> Result<Vec<String>, SprtError> {
    let absolute = |option: String| {
        let Some((name, value)) = option.split_once('=') else { return Ok(option) };
        let paths = if name.ends_with("File") {
            absolute_if_there(value.into())?.into_os_string()
        } else if name.ends_with("Path") {
            let paths: Vec<PathBuf> =
                env::split_paths(value).map(absolute_if_there).collect::<Result<_, _>>()?;
            // The current folder may have the separator in its name.
            env::join_paths(paths).unwrap_or_else(|_| value.into())
        } else {
            return Ok(option);
        };
        Ok(format!("{name}={}", paths.display()))
    };
    options.into_iter().map(absolute).collect()
}

/// The path from the root to what this path leads to, if there is anything.
fn absolute_if_there(path: PathBuf) -> Result<PathBuf, SprtError> {
    if path.exists() { Ok(path::absolute(&path).map_err(FileError::at(&path))?) } else { Ok(path) }
}

/// Makes sure that an engine takes these options: fastchess would play on without one that is refused.
///
/// # Errors
/// If it refuses one, cannot be run, or does not answer.
pub fn must_take(program: &Path, options: &[String]) -> Result<(), SprtError> {
    let pairs: Vec<(&str, &str)> = options.iter().filter_map(|option| option.split_once('=')).collect();
    if pairs.is_empty() {
        return Ok(());
    }
    let path = || program.to_path_buf();
    let refusals =
        refusals(program, &pairs, PATIENCE).map_err(|source| SprtError::NotReady { path: path(), source })?;
    match refusals.into_iter().next() {
        None => Ok(()),
        Some(message) => Err(SprtError::Refused { path: path(), message }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_become_absolute_each_by_itself() {
        let absolute = |options: &[&str]| {
            with_absolute_paths(options.iter().map(ToString::to_string).collect()).unwrap()
        };
        let [source, manifest] =
            ["src", "Cargo.toml"].map(|name| path::absolute(name).unwrap().display().to_string());
        let list = |paths: &[&str]| env::join_paths(paths).unwrap().into_string().unwrap();
        let of_list = format!("SyzygyPath={}", list(&["src", "/nothing/here", "no-such-folder"]));
        let given = ["EvalFile=Cargo.toml", "EvalFile=<material>", "SyzygyPath=src", "Hash=16", &of_list];
        let expected = [
            format!("EvalFile={manifest}"),
            "EvalFile=<material>".into(),
            format!("SyzygyPath={source}"),
            "Hash=16".into(),
            format!("SyzygyPath={}", list(&[&source, "/nothing/here", "no-such-folder"])),
        ];
        assert_eq!(absolute(&given), expected);
    }
}
