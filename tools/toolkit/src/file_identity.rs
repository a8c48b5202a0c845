//! What files are called in results: by their name and their contents, so that two of one name are not taken for one.

use std::fs;
use std::path::Path;

use caesura::util::hex::hex;
use sha2::{Digest, Sha256};

use crate::FileError;

/// The hexadecimal digits of a hash in a name.
const DIGITS: usize = 12;

/// A book or suite in results: its file name without directories and extension, and the beginning of the SHA-256 of its
/// contents, as in `ecm879@0123456789ab`.
///
/// # Errors
/// If the file cannot be read.
pub fn identify(path: &Path) -> Result<String, FileError> {
    let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(with_hash(&name, &sha256(path)?[..DIGITS]))
}

/// The SHA-256 of a file's contents, in hexadecimal digits.
///
/// # Errors
/// If the file cannot be read.
pub fn sha256(path: &Path) -> Result<String, FileError> {
    let hash = Sha256::digest(fs::read(path).map_err(FileError::at(path))?);
    Ok(hex(&hash))
}

/// A name with a hash, in hexadecimal digits, behind it.
pub fn with_hash(name: &str, hash: &str) -> String {
    format!("{name}@{hash}")
}

/// The name without its hash; all of it if it has none, as in results of earlier versions.
pub fn without_hash(identity: &str) -> &str {
    let is_hash = |hash: &str| hash.len() == DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    identity.rsplit_once('@').filter(|(_, hash)| is_hash(hash)).map_or(identity, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_told_apart_by_their_contents() {
        let directory = tempfile::tempdir().unwrap();
        let file = |folder: &str, text: &str| {
            fs::create_dir_all(directory.path().join(folder)).unwrap();
            let path = directory.path().join(folder).join("my@book.epd");
            fs::write(&path, text).unwrap();
            identify(&path).unwrap()
        };
        let (one, other) = (file("one", "a"), file("other", "b"));
        assert_ne!(one, other);
        assert_eq!(one, file("copy", "a"));
        assert_eq!(without_hash(&one), "my@book");
        assert_eq!((without_hash("my@book"), without_hash("<material>")), ("my@book", "<material>"));
        assert!(identify(&directory.path().join("none")).is_err());
    }
}
