//! Reads files that outside input names, and nothing else that a path may lead to.

use std::fs::{File, Metadata};
use std::io::{self, Read};
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

/// The most bytes of a file of text: what has more is no list of positions, and takes long to read.
pub const MAX_TEXT_BYTES: usize = 1 << 28;

/// The text of a regular file; empty for files whose length is given as 0, as those of `/proc` are: reading some of them
/// would wait for ever. Bytes that are not UTF-8 become replacement characters.
///
/// # Errors
/// If the path leads nowhere, or to a directory, a device or a pipe, or if the file cannot be read, or has more than
/// [`MAX_TEXT_BYTES`] bytes.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    Ok(text_of(read(path, MAX_TEXT_BYTES)?))
}

/// The rest of a file as text; bytes that are not UTF-8 become replacement characters.
///
/// # Errors
/// If it cannot be read, or has more than [`MAX_TEXT_BYTES`] bytes, so that a device without an end is none.
pub fn read_text(file: File) -> io::Result<String> {
    Ok(text_of(read_up_to(file, MAX_TEXT_BYTES)?))
}

/// Text whose bytes that are not UTF-8 are replacement characters.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The first bytes of a regular file, at most `most`, and the length of the whole; nothing of files whose length is given
/// as 0.
///
/// # Errors
/// If the path leads nowhere, or to a directory, a device or a pipe, or if the file cannot be read, or there is no memory.
pub fn read_start(path: &Path, most: usize) -> io::Result<(Vec<u8>, u64)> {
    let mut bytes = Vec::new();
    let Some((file, length)) = open(path)? else { return Ok((bytes, 0)) };
    bytes.try_reserve_exact(most)?;
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok((bytes, length))
}

/// The bytes of a regular file that has at most this many; nothing of files whose length is given as 0.
///
/// # Errors
/// If the path leads nowhere, or to a directory, a device or a pipe, or if the file cannot be read, or has more bytes.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    match open(path)? {
        Some((_, length)) if length > most as u64 => Err(io::ErrorKind::FileTooLarge.into()),
        Some((file, _)) => read_up_to(file, most),
        None => Ok(Vec::new()),
    }
}

/// The rest of a file, if it has at most this many bytes.
fn read_up_to(file: File, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Opens a regular file and returns its length in bytes, too; `None` if that is given as 0.
fn open(path: &Path) -> io::Result<Option<(File, u64)>> {
    match metadata(path)?.len() {
        0 => Ok(None),
        length => Ok(Some((File::open(path)?, length))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let path = std::env::temp_dir().join(format!("caesura-regular-{}", std::process::id()));
        fs::write(&path, "text").expect("written");
        let (text, length) = (read_to_string(&path), metadata(&path).map(|metadata| metadata.len()));
        let starts = [3, 9].map(|most| read_start(&path, most).expect("read"));
        let wholes = [3, 4].map(|most| read(&path, most).map_err(|error| error.kind()));
        fs::remove_file(&path).expect("removed");
        assert_eq!(wholes, [Err(io::ErrorKind::FileTooLarge), Ok(b"text".to_vec())]);
        assert_eq!(starts, [(b"tex".to_vec(), 4), (b"text".to_vec(), 4)]);
        assert_eq!((text.expect("read"), length.expect("a file")), ("text".to_string(), 4));
        assert_eq!(read_to_string(&path).expect_err("gone").kind(), io::ErrorKind::NotFound);
        assert_eq!(read_to_string(&std::env::temp_dir()).expect_err("a folder").to_string(), "not a file");
        #[cfg(target_os = "linux")]
        assert_eq!(read_to_string(Path::new("/proc/self/mem")).expect("not opened"), "");
        let large = std::env::temp_dir().join(format!("caesura-large-{}", std::process::id()));
        // Nothing is written for it.
        File::create(&large).and_then(|file| file.set_len(MAX_TEXT_BYTES as u64 + 1)).expect("a file");
        let refused = read_to_string(&large);
        fs::remove_file(&large).expect("removed");
        assert_eq!(refused.expect_err("too large").kind(), io::ErrorKind::FileTooLarge);
        #[cfg(unix)]
        assert_eq!(metadata(Path::new("/dev/zero")).expect_err("a device").to_string(), "not a file");
    }
}
