//! Files that are whole or not there.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::TrainerError;

/// The file that is written before it takes its place.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// Tries whether [`replace`] will be able to write; leaves nothing behind.
///
/// # Errors
/// If the system does not let it.
pub fn writable(path: &Path) -> Result<(), TrainerError> {
    if path.is_dir() {
        return Err(TrainerError::file(path, "a directory"));
    }
    let part = part(path);
    File::create(&part).and_then(|_| fs::remove_file(&part)).map_err(TrainerError::io(path))
}

/// Writes a file beside its place and then puts it there in one step, so that at any time either the old file or the
/// new one is whole.
///
/// # Errors
/// If the system cannot do it.
pub fn replace(path: &Path, bytes: &[&[u8]]) -> Result<(), TrainerError> {
    let part = part(path);
    let write = || {
        let mut file = File::create(&part)?;
        for bytes in bytes {
            file.write_all(bytes)?;
        }
        file.sync_all()
    };
    write().map_err(TrainerError::io(&part))?;
    fs::rename(&part, path).map_err(TrainerError::io(path))?;
    // The new name is safe once the directory is; where directories cannot be synced, nothing is lost but that.
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
    Ok(())
}
