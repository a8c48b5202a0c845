//! Writing games in whole blocks.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::format::{self, BlockHeader, EXTENSION, FileHeader};
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
    /// Space for the header of the block, then the payload.
    block: Vec<u8>,
    games: u32,
    positions: u32,
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
        GameWriter::with_header(
            OpenOptions::new().write(true).create_new(true).open(path)?,
            path,
            None,
            header,
        )
    }

    /// Creates a file that gets its name when [`GameWriter::finish`] completes it. Until then `.part` is appended to the
    /// name; a file that an earlier attempt left under that name is replaced.
    ///
    /// # Errors
    /// If a file of the name exists, or it cannot be written.
    pub fn create_with_part_file(path: &Path, header: &FileHeader) -> io::Result<GameWriter> {
        if path.try_exists()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut part = OsString::from(path);
        part.push(".part");
        let part = PathBuf::from(part);
        GameWriter::with_header(File::create(&part)?, &part, Some(path), header)
    }

    fn with_header(
        mut file: File,
        path: &Path,
        place: Option<&Path>,
        header: &FileHeader,
    ) -> io::Result<GameWriter> {
        file.write_all(bytemuck::bytes_of(header))?;
        Ok(GameWriter {
            path: path.to_path_buf(),
            final_path: place.map(Path::to_path_buf),
            file,
            block: vec![0; size_of::<BlockHeader>()],
            games: 0,
            positions: 0,
            block_started: Instant::now(),
            block_bytes: BLOCK_BYTES,
            block_age: BLOCK_AGE,
        })
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
        self.block_bytes = bytes.clamp(1, format::MAX_PAYLOAD / 4);
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
        if self.games == 0 {
            self.block_started = Instant::now();
        }
        format::encode(game, &mut self.block)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        self.games += 1;
        self.positions += game.plies.len() as u32;
        if self.block.len() - size_of::<BlockHeader>() >= self.block_bytes {
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
        if self.games > 0 && self.block_started.elapsed() >= self.block_age { self.flush() } else { Ok(()) }
    }

    /// Writes the current block.
    ///
    /// # Errors
    /// If the block cannot be written. It is then discarded, because part of it may be in the file: nothing should be
    /// written after it.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        let (room, payload) = self.block.split_at_mut(size_of::<BlockHeader>());
        let header = BlockHeader::new(payload, self.games, self.positions);
        room.copy_from_slice(bytemuck::bytes_of(&header));
        let result = self.file.write_all(&self.block);
        self.block.truncate(size_of::<BlockHeader>());
        (self.games, self.positions) = (0, 0);
        result
    }
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
