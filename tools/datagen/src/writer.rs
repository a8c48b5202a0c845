//! Writing games in whole blocks.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::format::{self, BlockHeader, EXTENSION, FileHeader};
use crate::game::Game;

/// A payload of this many bytes is written.
pub const BLOCK_BYTES: usize = 1 << 16;
/// A payload of this age is written.
pub const BLOCK_AGE: Duration = Duration::from_secs(30);

/// Writes games to a new file.
///
/// Games are gathered to blocks, and a block goes to the system in one piece: a process that is killed loses the
/// games since the last block and nothing else. Dropping a writer writes what is gathered; [`GameWriter::flush`]
/// does so too and says whether it went well.
#[derive(Debug)]
pub struct GameWriter {
    path: PathBuf,
    /// Where the file goes when it is whole, if it is not there from the beginning.
    final_path: Option<PathBuf>,
    file: File,
    /// Room for the block's header, then the payload.
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

    /// Creates a file that has its name only once it is whole, from [`GameWriter::finish`] on. Before that it is called
    /// the same with `.part` behind it; what an earlier attempt left there is gone.
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

    /// Creates a file in a directory, which is made if need be. Its name is the seed and the first number that
    /// no file of this seed has yet.
    ///
    /// # Errors
    /// If there is no such directory and it cannot be made, or the file cannot be written.
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

    /// Says when a block is full: at so many bytes, or so old.
    pub fn set_block(&mut self, bytes: usize, age: Duration) {
        self.block_bytes = bytes.clamp(1, format::MAX_PAYLOAD / 4);
        self.block_age = age;
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes a game into the present block, and writes the block if it is full.
    ///
    /// # Errors
    /// If the game cannot be written down, or the system refuses to write.
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

    /// Writes the present block, and gives a file of [`GameWriter::create_whole`] its name.
    ///
    /// # Errors
    /// If the system refuses, or a file of the name has appeared since.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Some(place) = self.final_path.take() else { return Ok(()) };
        self.file.sync_all()?;
        if place.try_exists()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(&self.path, &place)
    }

    /// Writes the present block if its time has come.
    ///
    /// # Errors
    /// If the system refuses to write.
    pub fn flush_if_old(&mut self) -> io::Result<()> {
        if self.games > 0 && self.block_started.elapsed() >= self.block_age { self.flush() } else { Ok(()) }
    }

    /// Writes the present block.
    ///
    /// # Errors
    /// If the system refuses to write. The block is then given up, because part of it may stand in the file:
    /// nothing should be written after it.
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
        // Who wants to know of errors has called `flush`.
        let _ = self.flush();
    }
}

/// How the names of the files of a seed begin.
pub fn file_prefix(seed: u64) -> String {
    format!("{seed:016x}-")
}
