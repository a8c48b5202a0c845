//! The file of a run's state, and files beside it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use toolkit::{FileError, file};

use crate::{StateFault, TuneError};

/// The path of the state file.
pub fn path(directory: &Path) -> PathBuf {
    directory.join("state.json")
}

/// Keeps a directory, which is created if necessary, for one run: until the file that is returned is closed.
///
/// # Errors
/// If another process has it, or it cannot be written.
pub fn lock(directory: &Path) -> Result<File, TuneError> {
    fs::create_dir_all(directory).map_err(FileError::at(directory))?;
    // The state's own file is replaced each time.
    let path = directory.join("lock");
    let file = File::create(&path).map_err(FileError::at(&path))?;
    file::lock(&file).map_err(FileError::at(&path))?;
    Ok(file)
}

/// Loads the state in a directory; `None` if there is none.
///
/// # Errors
/// If it cannot be read or is not such a state.
pub fn load<S: DeserializeOwned>(directory: &Path) -> Result<Option<S>, TuneError> {
    let path = path(directory);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::at(&path)(error).into()),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| fault(directory, StateFault::Json(error)))
}

/// The error that the state in a directory has this fault.
pub fn fault(directory: &Path, source: StateFault) -> TuneError {
    TuneError::State { path: path(directory), source }
}

/// Writes the state, and a text for people in the file `name` beside it. Each file is replaced in one step, so that a crash
/// or a power failure leaves the previous one.
///
/// # Errors
/// If a file cannot be written.
pub fn store(directory: &Path, state: &impl Serialize, name: &str, text: &str) -> Result<(), TuneError> {
    fs::create_dir_all(directory).map_err(FileError::at(directory))?;
    let json = serde_json::to_string_pretty(state).map_err(|error| fault(directory, error.into()))?;
    file::replace(&path(directory), &[json.as_bytes()])?;
    Ok(file::replace(&directory.join(name), &[text.as_bytes()])?)
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn a_directory_belongs_to_one_run_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("a/b");
        let first = lock(&out).unwrap();
        let second = lock(&out).unwrap_err();
        assert!(matches!(second, TuneError::File(error) if error.source.kind() == ErrorKind::ResourceBusy));
        drop(first);
        lock(&out).unwrap();
    }
}
