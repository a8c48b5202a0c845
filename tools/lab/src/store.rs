//! Files of results: one line of JSON for each, appended as they arrive.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use toolkit::{FileError, file};

use crate::LabError;
use crate::origin::Origin;

#[derive(Serialize, Deserialize)]
struct Header {
    origin: Origin,
}

#[derive(Serialize, Deserialize)]
struct KeyedRecord<R> {
    key: String,
    record: R,
}

/// A file of results to which results can be appended.
#[derive(Debug)]
pub struct Store<R> {
    path: PathBuf,
    file: File,
    keys: HashSet<String>,
    records: Vec<R>,
}

/// The contents of a file of results.
#[derive(Clone, Debug)]
pub struct StoredRecords<R> {
    /// The engine and machine that the results come from.
    pub origin: Origin,
    /// The results with their keys, in the order in which they were stored.
    pub entries: Vec<(String, R)>,
    /// The length of the complete lines in bytes.
    length: u64,
}

/// Reads a file of results; `None` if there is no file or it has no header. An incomplete last line, as a killed process
/// leaves it, is ignored.
///
/// # Errors
/// If it cannot be read, or a complete line cannot be parsed.
pub fn read<R: DeserializeOwned>(path: &Path) -> Result<Option<StoredRecords<R>>, LabError> {
    if !path.exists() {
        return Ok(None);
    }
    parse(path, &fs::read(path).map_err(FileError::at(path))?)
}

/// The contents of a file of results from its bytes.
fn parse<R: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<Option<StoredRecords<R>>, LabError> {
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&bytes[..length]);
    let wrong =
        |line: usize, source: serde_json::Error| LabError::Record { path: path.to_path_buf(), line, source };
    let mut lines = text.lines().enumerate();
    let Some((_, head)) = lines.next() else { return Ok(None) };
    let Header { origin } = serde_json::from_str(head).map_err(|error| wrong(1, error))?;
    let lines = lines
        .map(|(index, line)| {
            let line: KeyedRecord<R> = serde_json::from_str(line).map_err(|error| wrong(index + 1, error))?;
            Ok((line.key, line.record))
        })
        .collect::<Result<_, LabError>>()?;
    Ok(Some(StoredRecords { origin, entries: lines, length: length as u64 }))
}

impl<R: Serialize + DeserializeOwned + Clone> Store<R> {
    /// Opens a file of results for appending, or creates it. Until the store is dropped no other process can open it so.
    ///
    /// # Errors
    /// If it cannot be read, parsed or written, another process appends to it, or its results come from another engine or
    /// machine.
    pub fn open(path: &Path, origin: &Origin) -> Result<Store<R>, LabError> {
        let fail = FileError::at(path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(&fail)?;
        }
        // Not in append mode, in which Windows shortens no file.
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(&fail)?;
        file::lock(&file).map_err(&fail)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(&fail)?;
        let contents = parse::<R>(path, &bytes)?;
        let mut store = Store { path: path.to_path_buf(), file, keys: HashSet::new(), records: Vec::new() };
        match contents {
            Some(contents) => {
                let mixed = |what| Err(LabError::Mixed { path: path.to_path_buf(), what });
                if !contents.origin.is_same_engine(origin) {
                    return mixed("engine");
                }
                if contents.origin.processor != origin.processor {
                    return mixed("machine");
                }
                store.cut_to(contents.length)?;
                for (key, record) in contents.entries {
                    store.keys.insert(key);
                    store.records.push(record);
                }
            }
            None => {
                store.cut_to(0)?;
                store.write(&Header { origin: origin.clone() })?;
            }
        }
        Ok(store)
    }

    /// Cuts the file off after this many bytes, which is where the next line goes.
    fn cut_to(&mut self, length: u64) -> Result<(), LabError> {
        let fail = FileError::at(&self.path);
        self.file.set_len(length).map_err(&fail)?;
        self.file.seek(SeekFrom::Start(length)).map_err(&fail)?;
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), LabError> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        // One system call, so that a killed process leaves at most one incomplete line.
        Ok(self.file.write_all(text.as_bytes()).map_err(FileError::at(&self.path))?)
    }

    /// Appends a result.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, key: &str, record: R) -> Result<(), LabError> {
        self.write(&KeyedRecord { key: key.to_string(), record: record.clone() })?;
        self.keys.insert(key.to_string());
        self.records.push(record);
        Ok(())
    }

    /// True if there is a result with this key.
    pub fn has(&self, key: &str) -> bool {
        self.keys.contains(key)
    }

    /// All results.
    pub fn records(&self) -> &[R] {
        &self.records
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn stored_results_are_read_again_and_an_incomplete_line_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/er/results.jsonl");
        let origin = Origin::with_signature(7);
        let mut store: Store<u32> = Store::open(&path, &origin).unwrap();
        store.append("a", 1).unwrap();
        store.append("b", 2).unwrap();
        drop(store);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"key\":\"c\",\"rec").unwrap();
        drop(file);
        let mut store: Store<u32> = Store::open(&path, &origin).unwrap();
        assert_eq!((store.records(), store.has("b"), store.has("c")), (&[1, 2][..], true, false));
        store.append("c", 3).unwrap();
        let contents = read::<u32>(&path).unwrap().unwrap();
        assert_eq!(contents.entries, [("a".into(), 1), ("b".into(), 2), ("c".into(), 3)]);
        assert_eq!(contents.origin, origin);
    }

    #[test]
    fn a_file_that_is_being_written_is_not_opened_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let origin = Origin::with_signature(7);
        let mut store = Store::open(&path, &origin).unwrap();
        store.append("a", 1_u32).unwrap();
        let second = Store::<u32>::open(&path, &origin).unwrap_err();
        assert!(matches!(second, LabError::File(error) if error.source.kind() == ErrorKind::ResourceBusy));
        // A report may be written meanwhile, but not on Windows, whose locks keep readers out, too.
        #[cfg(unix)]
        assert_eq!(read::<u32>(&path).unwrap().unwrap().entries.len(), 1);
        drop(store);
        assert_eq!(Store::<u32>::open(&path, &origin).unwrap().records(), [1]);
    }

    #[test]
    fn results_of_different_engines_are_not_mixed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        Store::<u32>::open(&path, &Origin::with_signature(7)).unwrap();
        let other = Store::<u32>::open(&path, &Origin::with_signature(8));
        assert!(matches!(other, Err(LabError::Mixed { what: "engine", .. })));
        let other_scheme = Origin { fingerprint: 1, ..Origin::with_signature(7) };
        let other = Store::<u32>::open(&path, &other_scheme);
        assert!(matches!(other, Err(LabError::Mixed { what: "engine", .. })));
        fs::write(&path, "{\"origin\":1}\n").unwrap();
        assert!(matches!(read::<u32>(&path), Err(LabError::Record { line: 1, .. })));
        assert!(read::<u32>(&directory.path().join("none")).unwrap().is_none());
    }
}
