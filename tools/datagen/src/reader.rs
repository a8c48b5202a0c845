//! Reading game files, up to the first damage and not beyond.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::FileError;
use crate::format::{
    self, BlockHeader, BlockHeaderError, EXTENSION, FILE_MAGIC, FileHeader, GameError, VERSION,
};
use crate::game::Game;

/// Why reading ended before the end of a file. All games before that place are good.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system cannot read the file.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The file does not begin with the magic bytes of a game file.
    #[error("{}: not a game file", path.display())]
    NotGames {
        /// The file.
        path: PathBuf,
    },
    /// The file has a version of the format that cannot be read.
    #[error("{}: version {version} of the format, but only version {VERSION} can be read", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        version: u32,
    },
    /// The file ends in the middle of a block, because the process that wrote it was killed.
    #[error("{}: truncated in the block at byte {offset}; all blocks before are whole", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The offset at which the unfinished block begins, in bytes.
        offset: u64,
    },
    /// The file is damaged.
    #[error("{}: damaged at byte {offset}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The offset at which the damaged block or header begins, in bytes.
        offset: u64,
        /// The kind of damage.
        source: Damage,
    },
}

impl ReadError {
    /// True if only the end of the file is missing.
    pub fn is_truncated(&self) -> bool {
        matches!(self, ReadError::Truncated { .. })
    }
}

/// How a file is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The header of the file does not match its checksum.
    #[error("the header of the file does not match its checksum")]
    FileHeader,
    /// The header of a block is damaged.
    #[error(transparent)]
    BlockHeader(#[from] BlockHeaderError),
    /// The payload of a block does not match its checksum.
    #[error("the content of the block does not match its checksum")]
    Payload,
    /// A game of a block cannot be decoded although the checksum of the block is right.
    #[error("game {number} of the block")]
    Game {
        /// The number of the game in its block, from 0.
        number: usize,
        /// What is wrong with the game.
        source: GameError,
    },
    /// The header of a block gives other numbers of games and positions than its payload holds.
    #[error("the block does not hold as many games and positions as its header says")]
    Counts,
}

/// A block of games whose checksum is right.
#[derive(Clone, Debug)]
pub struct Block {
    /// The offset in the file at which the block begins, in bytes.
    pub offset: u64,
    /// The header of the block.
    pub header: BlockHeader,
    /// The encoded games.
    pub payload: Vec<u8>,
}

impl Block {
    /// Decodes the games of the block.
    ///
    /// # Errors
    /// If the payload is not what its header says. Since the checksum is right, it was written that way.
    pub fn games(&self) -> Result<Vec<Game>, Damage> {
        let mut rest = &self.payload[..];
        let mut games = Vec::new();
        let mut positions = 0;
        while !rest.is_empty() {
            let game =
                format::decode(&mut rest).map_err(|source| Damage::Game { number: games.len(), source })?;
            positions += game.plies.len();
            games.push(game);
        }
        if games.len() != self.header.games as usize || positions != self.header.positions as usize {
            return Err(Damage::Counts);
        }
        Ok(games)
    }
}

/// Reads a game file block by block, up to the first error.
#[derive(Debug)]
pub struct BlockReader {
    path: PathBuf,
    file: BufReader<File>,
    header: FileHeader,
    offset: u64,
    finished: bool,
}

impl BlockReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// If it cannot be read, or is not a game file of the right version.
    pub fn open(path: &Path) -> Result<BlockReader, ReadError> {
        let io = FileError::at(path);
        let path = path.to_path_buf();
        let mut file = BufReader::with_capacity(1 << 17, File::open(&path).map_err(&io)?);
        let mut bytes = [0; size_of::<FileHeader>()];
        let length = read_up_to(&mut file, &mut bytes).map_err(&io)?;
        let header: FileHeader = bytemuck::pod_read_unaligned(&bytes);
        let magic = length.min(FILE_MAGIC.len());
        if header.magic[..magic] != FILE_MAGIC[..magic] {
            return Err(ReadError::NotGames { path });
        }
        if length < bytes.len() {
            return Err(ReadError::Truncated { path, offset: 0 });
        }
        // The version has the same place in all versions of the format; the rest is known only to its own version.
        if header.version != VERSION {
            return Err(ReadError::Version { path, version: header.version });
        }
        if !header.checksum_is_valid() || header.length as usize != bytes.len() {
            return Err(ReadError::Damaged { path, offset: 0, source: Damage::FileHeader });
        }
        Ok(BlockReader { path, file, header, offset: length as u64, finished: false })
    }

    /// The header of the file.
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The offset at which the next block begins, in bytes: the length of what is good so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes to the block that begins at `offset`, an offset from [`Block::offset`] or [`BlockReader::skip`].
    ///
    /// # Errors
    /// If the operating system cannot seek.
    pub fn seek(&mut self, offset: u64) -> Result<(), ReadError> {
        self.file.seek(SeekFrom::Start(offset)).map_err(|error| self.io(error))?;
        self.offset = offset;
        self.finished = false;
        Ok(())
    }

    /// Reads the next block; `None` at the end of the file and after an error.
    ///
    /// # Errors
    /// At the first damage.
    pub fn read(&mut self) -> Result<Option<Block>, ReadError> {
        let Some(header) = self.read_header()? else { return Ok(None) };
        self.finished = true;
        let mut payload = vec![0; header.payload as usize];
        let length = read_up_to(&mut self.file, &mut payload).map_err(|error| self.io(error))?;
        if length < payload.len() {
            return Err(self.truncated());
        }
        if !header.matches(&payload) {
            return Err(self.damaged(Damage::Payload));
        }
        self.finished = false;
        let block = Block { offset: self.offset, header, payload };
        self.offset += (size_of::<BlockHeader>() + length) as u64;
        Ok(Some(block))
    }

    /// Reads the offset and header of the next block and skips its payload unchecked: a quick way to find the blocks of a
    /// file.
    ///
    /// # Errors
    /// At the first damaged header. A truncated payload at the end of the file is not noticed.
    pub fn skip(&mut self) -> Result<Option<(u64, BlockHeader)>, ReadError> {
        let Some(header) = self.read_header()? else { return Ok(None) };
        self.finished = true;
        self.file.seek_relative(i64::from(header.payload)).map_err(|error| self.io(error))?;
        self.finished = false;
        let offset = self.offset;
        self.offset += size_of::<BlockHeader>() as u64 + u64::from(header.payload);
        Ok(Some((offset, header)))
    }

    fn read_header(&mut self) -> Result<Option<BlockHeader>, ReadError> {
        if self.finished {
            return Ok(None);
        }
        // Set until something good has been read, so that nothing follows an error.
        self.finished = true;
        let mut bytes = [0; size_of::<BlockHeader>()];
        let length = read_up_to(&mut self.file, &mut bytes).map_err(|error| self.io(error))?;
        if length < bytes.len() {
            return if length == 0 { Ok(None) } else { Err(self.truncated()) };
        }
        let header: BlockHeader = bytemuck::pod_read_unaligned(&bytes);
        header.verify().map_err(|error| self.damaged(error))?;
        self.finished = false;
        Ok(Some(header))
    }

    fn io(&self, error: io::Error) -> ReadError {
        FileError::at(&self.path)(error).into()
    }

    fn truncated(&self) -> ReadError {
        ReadError::Truncated { path: self.path.clone(), offset: self.offset }
    }

    fn damaged(&self, damage: impl Into<Damage>) -> ReadError {
        ReadError::Damaged { path: self.path.clone(), offset: self.offset, source: damage.into() }
    }
}

/// Reads until the buffer is full or the file ends, and returns the number of bytes.
fn read_up_to(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// An iterator over the games of a file. An error is the last item, and all games before it are good.
#[derive(Debug)]
pub struct GameReader {
    blocks: BlockReader,
    games: std::vec::IntoIter<Game>,
}

impl GameReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// If it cannot be read, or is not a game file of the right version.
    pub fn open(path: &Path) -> Result<GameReader, ReadError> {
        Ok(GameReader { blocks: BlockReader::open(path)?, games: Vec::new().into_iter() })
    }

    /// The header of the file.
    pub fn header(&self) -> &FileHeader {
        self.blocks.header()
    }
}

impl Iterator for GameReader {
    type Item = Result<Game, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            match self.blocks.read() {
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
                Ok(Some(block)) => match block.games() {
                    Ok(games) => self.games = games.into_iter(),
                    Err(source) => {
                        self.blocks.finished = true;
                        let path = self.blocks.path.clone();
                        return Some(Err(ReadError::Damaged { path, offset: block.offset, source }));
                    }
                },
            }
        }
    }
}

/// The game files that these paths name: a path to a file is taken as it is, a directory stands for the game files in it,
/// sorted by name.
///
/// # Errors
/// If a path cannot be read.
pub fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ReadError> {
    let mut files = Vec::new();
    for path in paths {
        let io = FileError::at(path);
        if !fs::metadata(path).map_err(&io)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let first = files.len();
        for entry in fs::read_dir(path).map_err(&io)? {
            let file = entry.map_err(&io)?.path();
            if file.extension().is_some_and(|extension| extension == EXTENSION) {
                files.push(file);
            }
        }
        files[first..].sort();
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_after_a_system_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.games");
        // This file can be written but not read.
        let file = BufReader::new(File::create(&path).unwrap());
        let header = FileHeader::new(1, 2, 3, "test");
        let mut blocks = BlockReader { path, file, header, offset: 0, finished: false };
        assert!(matches!(blocks.read(), Err(ReadError::Io { .. })));
        assert!(matches!(blocks.read(), Ok(None)));
        assert!(matches!(blocks.skip(), Ok(None)));
    }
}
