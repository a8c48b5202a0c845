//! The UCI options that an engine lists: fastchess sets no others.

use std::path::Path;

use datagen::uci_options::{PATIENCE, UciOption, listed};

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
