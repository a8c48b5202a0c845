//! Writing games in whole blocks.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::slice;
use std::time::{Duration, Instant};

use toolkit::file;

use crate::format::{BlockEncoder, BlockHeader, EXTENSION, Encoding, FileHeader, MAX_PAYLOAD};
use crate::game::Game;

/// The default payload size at which a block is written, in bytes.
pub const BLOCK_BYTES: usize = 1 << 16;
/// The default age at which a block is written.
pub const BLOCK_AGE: Duration = Duration::from_secs(30);

/// Writes games to a new file.
///
/// Games are collected in blocks, and each block is written with one system call: a process that is killed loses only the
/// games since the last block. Dropping a writer writes the current block and ignores errors; [`GameWriter::flush`]
/// returns them.
#[derive(Debug)]
pub struct GameWriter {
    path: PathBuf,
    /// The name that the file gets when it is complete, if it is written under another name.
    final_path: Option<PathBuf>,
    file: File,
    /// Codes behind space for the header of the block.
    block: BlockEncoder,
    block_started: Instant,
    block_bytes: usize,
    block_age: Duration,
}

impl GameWriter {
    /// Creates a file.
    ///
    /// # Errors
    /// If it exists, or cannot be written.
    pub fn create(path: &Path, header: &FileHeader) -> io::Result<GameWriter> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        GameWriter::with_header(file, path, None, header).inspect_err(|_| {
            // A file without its header could not be read.
            let _ = fs::remove_file(path);
        })
    }

    /// Creates a file that gets its name when [`GameWriter::finish`] completes it. Until then `.part` is appended to the
    /// name; an empty file of that name is taken over.
    ///
    /// # Errors
    /// If a file of the name exists, or it cannot be written, or the `.part` file holds something or is written by another
    /// process.
    pub fn create_with_part_file(path: &Path, header: &FileHeader) -> io::Result<GameWriter> {
        if path.try_exists()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let part = file::part(path);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&part)?;
        take_over(&file, path)?;
        if file.metadata()?.len() > 0 {
            let text = format!("{} holds unfinished work: finish it, or remove the file", part.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
        }
        GameWriter::with_header(file, &part, Some(path), header)
    }

    /// Goes on with a file that [`GameWriter::create_with_part_file`] began for this name: behind its first `length` bytes,
    /// the header and whole blocks. With a length of 0, it begins anew with this header.
    ///
    /// # Errors
    /// If a file of the name exists, or the begun one cannot be written, or another process writes it.
    pub fn go_on_with_part_file(path: &Path, header: &FileHeader, length: u64) -> io::Result<GameWriter> {
        let part = file::part(path);
        let mut file = OpenOptions::new().write(true).open(&part)?;
        take_over(&file, path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        if length == 0 {
            return GameWriter::with_header(file, &part, Some(path), header);
        }
        Ok(GameWriter::with_file(file, &part, Some(path)))
    }

    fn with_header(
        mut file: File,
        path: &Path,
        place: Option<&Path>,
        header: &FileHeader,
    ) -> io::Result<GameWriter> {
        file.write_all(bytemuck::bytes_of(&header.of_this_version()))?;
        Ok(GameWriter::with_file(file, path, place))
    }

    fn with_file(file: File, path: &Path, place: Option<&Path>) -> GameWriter {
        GameWriter {
            path: path.to_path_buf(),
            final_path: place.map(Path::to_path_buf),
            file,
            block: empty_block(),
            block_started: Instant::now(),
            block_bytes: BLOCK_BYTES,
            block_age: BLOCK_AGE,
        }
    }

    /// Creates a file in a directory, which is created if necessary. Its name is the seed and the first number that is not
    /// taken by a file of this seed.
    ///
    /// # Errors
    /// If the directory cannot be created, or the file cannot be written.
    pub fn create_in(directory: &Path, header: &FileHeader) -> io::Result<GameWriter> {
        fs::create_dir_all(directory)?;
        let mut number = 0u32;
        loop {
            let path = directory.join(format!("{}{number:04}.{EXTENSION}", file_prefix(header.seed)));
            match GameWriter::create(&path, header) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX => {
                    number += 1
                }
                result => return result,
            }
        }
    }

    /// Sets the payload size in bytes and the age at which a block is written.
    pub fn set_block(&mut self, bytes: usize, age: Duration) {
        self.block_bytes = bytes.clamp(1, MAX_PAYLOAD / 4);
        self.block_age = age;
    }

    /// The path of the file: the `.part` file if it is not complete.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game to the current block, and writes the block if it is full or old.
    ///
    /// # Errors
    /// If the game does not fit the format, or the block cannot be written.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        self.write_together(slice::from_ref(game))
    }

    /// Adds games to one block, unless they are more than one can hold, and writes the block if it is full or old.
    ///
    /// # Errors
    /// As those of [`GameWriter::write`].
    pub fn write_together(&mut self, games: &[Game]) -> io::Result<()> {
        if !self.block.has_room_for_all(games) {
            self.flush()?;
        }
        for game in games {
            if !self.block.has_room(game) {
                self.flush()?;
            }
            if self.block.games() == 0 {
                self.block_started = Instant::now();
            }
            self.block.push(game).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        }
        if self.block.length() - size_of::<BlockHeader>() >= self.block_bytes {
            return self.flush();
        }
        self.flush_if_old()
    }

    /// Writes the current block, and gives a file from [`GameWriter::create_with_part_file`] its name.
    ///
    /// # Errors
    /// If the file cannot be written, or a file of its name has appeared meanwhile.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Some(place) = self.final_path.take() else { return Ok(()) };
        self.file.sync_all()?;
        if place.try_exists()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(&self.path, &place)
    }

    /// Writes the current block if it is old.
    ///
    /// # Errors
    /// If the block cannot be written.
    pub fn flush_if_old(&mut self) -> io::Result<()> {
        if self.block.games() > 0 && self.block_started.elapsed() >= self.block_age {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Writes the current block.
    ///
    /// # Errors
    /// If the block cannot be written. It is then discarded, because part of it may be in the file: nothing should be
    /// written after it.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.block.games() == 0 {
            return Ok(());
        }
        let (games, positions) = (self.block.games() as u32, self.block.positions() as u32);
        let mut block = std::mem::replace(&mut self.block, empty_block()).finish();
        let (room, payload) = block.split_at_mut(size_of::<BlockHeader>());
        let header = BlockHeader::new(Encoding::Coded, payload, games, positions);
        room.copy_from_slice(bytemuck::bytes_of(&header));
        self.file.write_all(&block)
    }
}

/// Keeps an open `.part` file for this process.
///
/// # Errors
/// If another process keeps it, or a file of the final name exists: that may be this one, which another process has
/// completed since it was opened.
fn take_over(part: &File, path: &Path) -> io::Result<()> {
    file::lock(part)?;
    if path.try_exists()? { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(()) }
}

/// A block without games, with space for its header.
fn empty_block() -> BlockEncoder {
    BlockEncoder::new(vec![0; size_of::<BlockHeader>()])
}

impl Drop for GameWriter {
    fn drop(&mut self) {
        // Callers that need the error call `flush`.
        let _ = self.flush();
    }
}

/// The first part of the names of all files with this seed.
pub fn file_prefix(seed: u64) -> String {
    format!("{seed:016x}-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_completed_after_it_was_opened_is_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.games");
        let part = file::part(&path);
        fs::write(&part, b"games").expect("written");
        let opened = OpenOptions::new().write(true).open(&part).expect("there");
        fs::rename(&part, &path).expect("renamed");
        assert_eq!(take_over(&opened, &path).expect_err("complete").kind(), io::ErrorKind::AlreadyExists);
    }
}
