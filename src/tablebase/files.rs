//! How the library reads the files of tables: a little at a time, what was read once kept in memory.
//!
//! Mapping the files into memory would be as fast, but then a file that is cut off or a disk that fails while the engine
//! runs would end the program.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

use super::header;
use crate::util::open_files::is_passing;

/// How many bytes are read at a time, and kept.
const CHUNK_BYTES: usize = 16 << 10;

/// The most bytes that are kept of all files together; beyond that every read goes to the system.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Of a longer file nothing is kept: the list of its chunks alone would be long.
const MAX_KEPT_FILE_BYTES: u64 = 1 << 30;

/// The files of tables.
pub struct TableFiles {
    system: Box<dyn Filesystem>,
    /// Bytes that may still be kept.
    budget: Arc<AtomicUsize>,
    /// The files that were opened, or cannot be.
    opened: Mutex<HashSet<PathBuf>>,
}

impl TableFiles {
    /// Files of which nothing has been read.
    pub fn new() -> TableFiles {
        TableFiles {
            system: Box::new(OsFilesystem::new()),
            budget: Arc::new(AtomicUsize::new(MAX_KEPT_BYTES)),
            opened: Mutex::new(HashSet::new()),
        }
    }

    /// Opens a file, and looks into it where that is needed before the library does.
    fn open_and_check(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let bytes = self.system.regular_file_size(path)?;
        let file = self.system.open(path)?;
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "rtbz")
            && header::is_symmetric_with_pawns(name)
        {
            header::check_symmetric_dtz(&*file, name)?;
        }
        if bytes > MAX_KEPT_FILE_BYTES {
            return Ok(file);
        }
        let chunks = (bytes as usize).div_ceil(CHUNK_BYTES);
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        Ok(Box::new(KeptFile { file, chunks, budget: Arc::clone(&self.budget) }))
    }
}

impl Filesystem for TableFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        // The library opens a file again only if it could not use it, and would do that at every probe.
        if !self.opened.lock().insert(path.to_path_buf()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file could not be used before"));
        }
        self.open_and_check(path).inspect_err(|error| {
            if is_passing(error) {
                self.opened.lock().remove(path);
            }
        })
    }
}

/// A file of which chunks are kept once they have been read.
struct KeptFile {
    file: Box<dyn RandomAccessFile>,
    chunks: Box<[OnceLock<Box<[u8]>>]>,
    budget: Arc<AtomicUsize>,
}

impl KeptFile {
    /// The bytes of a chunk, which are read if they are not kept yet; `None` if no more may be kept.
    fn chunk(&self, index: usize) -> io::Result<Option<&[u8]>> {
        let Some(slot) = self.chunks.get(index) else { return Ok(None) };
        if let Some(bytes) = slot.get() {
            return Ok(Some(bytes));
        }
        let take = |left: usize| left.checked_sub(CHUNK_BYTES);
        if self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            return Ok(None);
        }
        let kept = match self.read_chunk(index) {
            // Another thread may have been first, with the same bytes.
            Ok(bytes) => slot.set(bytes).map_err(|_| None),
            Err(error) => Err(Some(error)),
        };
        if let Err(error) = kept {
            self.budget.fetch_add(CHUNK_BYTES, Ordering::Relaxed);
            if let Some(error) = error {
                return Err(error);
            }
        }
        Ok(slot.get().map(|bytes| &**bytes))
    }

    /// Reads the bytes of a chunk, the last of which is shorter.
    fn read_chunk(&self, index: usize) -> io::Result<Box<[u8]>> {
        let mut bytes = vec![0; CHUNK_BYTES];
        let mut filled = 0;
        while filled < CHUNK_BYTES {
            let offset = (index * CHUNK_BYTES + filled) as u64;
            match self.file.read_at(&mut bytes[filled..], offset, ReadHint::Data) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(filled);
        Ok(bytes.into_boxed_slice())
    }
}

impl RandomAccessFile for KeptFile {
    fn read_at(&self, buf: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        let index = usize::try_from(offset / CHUNK_BYTES as u64).unwrap_or(usize::MAX);
        let Some(chunk) = self.chunk(index)? else { return self.file.read_at(buf, offset, hint) };
        let bytes = chunk.get((offset % CHUNK_BYTES as u64) as usize..).unwrap_or_default();
        let read = bytes.len().min(buf.len());
        buf[..read].copy_from_slice(&bytes[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// A system that has too many files open at first, and then no such file. It counts how often it is asked.
    struct Busy(Arc<AtomicUsize>);

    impl Filesystem for Busy {
        fn regular_file_size(&self, _: &Path) -> io::Result<u64> {
            Ok(16)
        }

        fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
            Ok(Vec::new())
        }

        fn open(&self, _: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
            Err(match self.0.fetch_add(1, Ordering::Relaxed) {
                0 => io::Error::from_raw_os_error(if cfg!(windows) { 4 } else { 24 }),
                1 => io::ErrorKind::Interrupted.into(),
                _ => io::ErrorKind::NotFound.into(),
            })
        }
    }

    #[test]
    fn a_file_is_opened_again_where_the_reason_has_passed() {
        let asked = Arc::new(AtomicUsize::new(0));
        let files = TableFiles { system: Box::new(Busy(Arc::clone(&asked))), ..TableFiles::new() };
        for times in [1, 2, 3, 3] {
            assert!(files.open(Path::new("KQvK.rtbw")).is_err());
            assert_eq!(asked.load(Ordering::Relaxed), times);
        }
    }

    /// A file of two chunks and a bit, of which the first read fails.
    struct Failing(AtomicBool);

    impl RandomAccessFile for Failing {
        fn read_at(&self, buf: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
            if !self.0.swap(true, Ordering::Relaxed) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let read = buf.len().min((2 * CHUNK_BYTES + 10).saturating_sub(offset as usize));
            buf[..read].fill(7);
            Ok(read)
        }
    }

    #[test]
    fn a_read_that_fails_takes_nothing_from_what_may_be_kept() {
        let file = KeptFile {
            file: Box::new(Failing(AtomicBool::new(false))),
            chunks: (0..3).map(|_| OnceLock::new()).collect(),
            budget: Arc::new(AtomicUsize::new(2 * CHUNK_BYTES)),
        };
        assert!(file.chunk(0).is_err());
        assert_eq!(file.budget.load(Ordering::Relaxed), 2 * CHUNK_BYTES);
        assert_eq!(file.chunk(0).expect("read").map(<[u8]>::len), Some(CHUNK_BYTES));
        assert_eq!(file.chunk(2).expect("read").map(<[u8]>::len), Some(10));
        assert_eq!(file.chunk(2).expect("kept").map(<[u8]>::len), Some(10));
        assert_eq!(file.chunk(1).expect("not kept"), None);
        assert_eq!(file.budget.load(Ordering::Relaxed), 0);
    }

    /// Waits in its first read until another thread has read, too.
    struct Meeting(std::sync::Barrier);

    impl RandomAccessFile for Meeting {
        fn read_at(&self, buf: &mut [u8], _: u64, _: ReadHint) -> io::Result<usize> {
            self.0.wait();
            buf.fill(7);
            Ok(buf.len())
        }
    }

    #[test]
    fn a_chunk_that_two_threads_read_at_once_counts_once() {
        let file = KeptFile {
            file: Box::new(Meeting(std::sync::Barrier::new(2))),
            chunks: [OnceLock::new()].into(),
            budget: Arc::new(AtomicUsize::new(3 * CHUNK_BYTES)),
        };
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| assert!(file.chunk(0).is_ok_and(|chunk| chunk.is_some())));
            }
        });
        assert_eq!(file.budget.load(Ordering::Relaxed), 2 * CHUNK_BYTES);
    }
}
