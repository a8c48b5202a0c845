//! Reads files that outside input names, and nothing else that a path may lead to.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// What the system says of a regular file. To be asked before the file is opened: opening a pipe would wait for its other
/// end.
///
/// # Errors
/// If the path leads nowhere, or to a directory, a device or a pipe ("not a file").
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    let metadata = path.metadata()?;
    if metadata.is_file() {
        Ok(metadata)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"))
    }
}

/// The text of a regular file; empty for files whose length is given as 0, as those of `/proc` are: reading some of them
/// would wait for ever.
///
/// # Errors
/// If the path leads nowhere, or to a directory, a device or a pipe, or if the file cannot be read or is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    if metadata(path)?.len() == 0 {
        return Ok(String::new());
    }
    fs::read_to_string(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let path = std::env::temp_dir().join(format!("caesura-regular-{}", std::process::id()));
        fs::write(&path, "text").expect("written");
        let (text, length) = (read_to_string(&path), metadata(&path).map(|metadata| metadata.len()));
        fs::remove_file(&path).expect("removed");
        assert_eq!((text.expect("read"), length.expect("a file")), ("text".to_string(), 4));
        assert_eq!(read_to_string(&path).expect_err("gone").kind(), io::ErrorKind::NotFound);
        assert_eq!(read_to_string(&std::env::temp_dir()).expect_err("a folder").to_string(), "not a file");
        #[cfg(target_os = "linux")]
        assert_eq!(read_to_string(Path::new("/proc/self/mem")).expect("not opened"), "");
        #[cfg(unix)]
        assert_eq!(metadata(Path::new("/dev/zero")).expect_err("a device").to_string(), "not a file");
    }
}
