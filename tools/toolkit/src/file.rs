//! Files that are whole or not there.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::FileError;

/// The file in which work that takes long grows before it takes its place.
pub fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// Creates a file beside another one, with a name that no file has.
fn create_beside(path: &Path) -> Result<(File, PathBuf), FileError> {
    let mut number = 0u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.part", std::process::id()));
        let temporary = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX => number += 1,
            created => return created.map(|file| (file, temporary)).map_err(FileError::at(path)),
        }
    }
}

/// Tries whether [`replace`] will be able to write; touches no file that is there, and leaves none behind.
///
/// # Errors
/// If it is a directory, or the system does not let it.
pub fn writable(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Err(FileError::at(path)(io::ErrorKind::IsADirectory.into()));
    }
    // Closed at once: some systems remove no file that is open.
    let (_, temporary) = create_beside(path)?;
    fs::remove_file(&temporary).map_err(FileError::at(&temporary))
}

/// Keeps a file for this process until it is closed. On Unix others may read it, and may write it if they do not ask; on
/// Windows they can do neither.
///
/// # Errors
/// If another process keeps it, or the system cannot say; not where the file system has no locks.
pub fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing it"))
        }
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Writes a file beside its place and then puts it there in one step, so that at any time, also after a crash or a power
/// failure, either the old file or the new one is whole. The parts of the content follow each other without anything
/// between them.
///
/// # Errors
/// If the system cannot do it.
pub fn replace(path: &Path, content: &[&[u8]]) -> Result<(), FileError> {
    let (file, temporary) = create_beside(path)?;
    let write = |mut file: File| {
        for bytes in content {
            file.write_all(bytes)?;
        }
        file.sync_all()
    };
    write(file).and_then(|()| fs::rename(&temporary, path)).map_err(|error| {
        // The error that led here says more than one that follows it.
        let _ = fs::remove_file(&temporary);
        FileError::at(path)(error)
    })?;
    // The new name is safe once the directory is; where directories cannot be synced, nothing is lost but that.
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<std::ffi::OsString> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .expect("it is there")
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.txt");
        for content in [&[b"one".as_slice(), b"two"][..], &[b"three".as_slice()], &[]] {
            writable(&path).expect("writable");
            replace(&path, content).expect("written");
            assert_eq!(fs::read(&path).expect("readable"), content.concat());
            assert_eq!(names(directory.path()), ["a.txt"]);
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.txt");
        let process = std::process::id();
        // The unfinished file of other work, and what a process of the same number left when it was killed.
        let others = ["a.txt.part".to_string(), format!("a.txt.{process}-0.part")];
        for name in &others {
            fs::write(directory.path().join(name), name).expect("written");
        }
        writable(&path).expect("writable");
        assert!(!path.exists());
        replace(&path, &[b"text"]).expect("written");
        for name in &others {
            assert_eq!(fs::read_to_string(directory.path().join(name)).expect("there"), *name);
        }
        assert_eq!(names(directory.path()).len(), 3);
    }

    #[test]
    fn what_cannot_be_written_is_named_and_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let error = writable(directory.path()).expect_err("a directory");
        assert_eq!(error.path, directory.path());
        let inner = directory.path().join("inner");
        fs::create_dir(&inner).expect("created");
        assert!(replace(&inner, &[b"text"]).is_err());
        assert!(inner.is_dir());
        assert_eq!(names(directory.path()), ["inner"]);
        let missing = directory.path().join("missing/a.txt");
        assert!(writable(&missing).is_err());
        assert!(replace(&missing, &[b"text"]).is_err());
    }
}
