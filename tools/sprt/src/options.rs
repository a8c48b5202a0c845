//! The UCI options that an engine lists, since fastchess sets no others, and takes.

use std::path::{self, Path};

use datagen::FileError;
use datagen::uci_options::{PATIENCE, UciOption, listed, refusals};

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
/// Options for paths are those whose names end in `File` or `Path`.
///
/// # Errors
/// If the folder of this process is not known.
pub fn with_absolute_paths(options: Vec<String>) -> Result<Vec<String>, SprtError> {
    let absolute = |option: String| {
        let is_path = |name: &str| name.ends_with("File") || name.ends_with("Path");
        match option.split_once('=') {
            Some((name, value)) if is_path(name) && Path::new(value).exists() => {
                let absolute = path::absolute(value).map_err(FileError::at(Path::new(value)))?;
                Ok(format!("{name}={}", absolute.display()))
            }
            _ => Ok(option),
        }
    };
    options.into_iter().map(absolute).collect()
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
