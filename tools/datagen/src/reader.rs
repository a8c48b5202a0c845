//! Reading files of games, up to the first damage and not beyond.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::format::{self, BlockHeader, EXTENSION, FILE_MAGIC, FileHeader, VERSION};
use crate::game::Game;

/// Why reading ended before the end of a file. All that came before is good.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system cannot read it.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file does not begin as a file of games does.
    #[error("{}: not a file of games", path.display())]
    NotGames {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a version that is not read.
    #[error("{}: version {version}, but only version {VERSION} can be read", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The file ends in the middle of a block: whoever wrote it was killed.
    #[error("{}: ends in the middle of the block at byte {offset}; all before is whole", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Where the unfinished block begins.
        offset: u64,
    },
    /// The file is damaged.
    #[error("{}: damaged at byte {offset}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged block or header begins.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
}

impl ReadError {
    /// True if the file only lacks its end.
    pub fn is_truncated(&self) -> bool {
        matches!(self, ReadError::Truncated { .. })
    }
}

/// A block of games whose checksum is right.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it begins in its file.
    pub offset: u64,
    /// Its header.
    pub header: BlockHeader,
    /// The games, packed.
    pub payload: Vec<u8>,
}

impl Block {
    /// Unpacks the games.
    ///
    /// # Errors
    /// If the payload is not what its header says. Its checksum was right, so somebody wrote it so.
    pub fn games(&self) -> Result<Vec<Game>, String> {
        let mut rest = &self.payload[..];
        let mut games = Vec::new();
        let mut positions = 0;
        while !rest.is_empty() {
            let game = format::decode(&mut rest).map_err(|error| format!("game {}: {error}", games.len()))?;
            positions += game.plies.len();
            games.push(game);
        }
        if games.len() != self.header.games as usize || positions != self.header.positions as usize {
            return Err("the block does not hold as many games and positions as it says".into());
        }
        Ok(games)
    }
}

/// A file, block by block. Stops for good at the first error.
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
    /// If it cannot be read, or is not a file of games of the right version.
    pub fn open(path: &Path) -> Result<BlockReader, ReadError> {
        let path = path.to_path_buf();
        let io = |error| ReadError::Io { path: path.clone(), error };
        let mut file = BufReader::with_capacity(1 << 17, File::open(&path).map_err(io)?);
        let mut bytes = [0; size_of::<FileHeader>()];
        let length = read_up_to(&mut file, &mut bytes).map_err(io)?;
        let header: FileHeader = bytemuck::pod_read_unaligned(&bytes);
        let magic = length.min(FILE_MAGIC.len());
        if header.magic[..magic] != FILE_MAGIC[..magic] {
            return Err(ReadError::NotGames { path });
        }
        if length < bytes.len() {
            return Err(ReadError::Truncated { path, offset: 0 });
        }
        // The version stands where it stands in every version; all else is for those who know it.
        if header.version != VERSION {
            return Err(ReadError::Version { path, version: header.version });
        }
        if !header.checksum_is_valid() || header.length as usize != bytes.len() {
            let reason = "the file's header is damaged".into();
            return Err(ReadError::Damaged { path, offset: 0, reason });
        }
        Ok(BlockReader { path, file, header, offset: length as u64, finished: false })
    }

    /// The file's header.
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the next block begins: the length of what is good so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes to a block that begins at `offset`, as [`Block::offset`] and [`BlockReader::skip`] have it.
    ///
    /// # Errors
    /// If the system cannot go there.
    pub fn seek(&mut self, offset: u64) -> Result<(), ReadError> {
        self.file.seek(SeekFrom::Start(offset)).map_err(|error| self.io(error))?;
        self.offset = offset;
        self.finished = false;
        Ok(())
    }

    /// The next block.
    ///
    /// # Errors
    /// At the first damage. After an error there is no next block.
    pub fn read(&mut self) -> Result<Option<Block>, ReadError> {
        let Some(header) = self.read_header()? else { return Ok(None) };
        self.finished = true;
        let mut payload = vec![0; header.payload as usize];
        let length = read_up_to(&mut self.file, &mut payload).map_err(|error| self.io(error))?;
        if length < payload.len() {
            return Err(self.truncated());
        }
        if !header.matches(&payload) {
            return Err(self.damaged("the block's content does not match its checksum"));
        }
        self.finished = false;
        let block = Block { offset: self.offset, header, payload };
        self.offset += (size_of::<BlockHeader>() + length) as u64;
        Ok(Some(block))
    }

    /// The offset and header of the next block, whose payload is passed over unread and unchecked: the way to
    /// learn quickly where the blocks of a file are.
    ///
    /// # Errors
    /// At the first damage of a header. A torn payload at the end of the file is not noticed here.
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
        // Until something good has been read: after an error there is no more.
        self.finished = true;
        let mut bytes = [0; size_of::<BlockHeader>()];
        let length = read_up_to(&mut self.file, &mut bytes).map_err(|error| self.io(error))?;
        if length < bytes.len() {
            return if length == 0 { Ok(None) } else { Err(self.truncated()) };
        }
        let header: BlockHeader = bytemuck::pod_read_unaligned(&bytes);
        header.verify().map_err(|reason| self.damaged(reason))?;
        self.finished = false;
        Ok(Some(header))
    }

    fn io(&self, error: io::Error) -> ReadError {
        ReadError::Io { path: self.path.clone(), error }
    }

    fn truncated(&self) -> ReadError {
        ReadError::Truncated { path: self.path.clone(), offset: self.offset }
    }

    fn damaged(&self, reason: impl Into<String>) -> ReadError {
        ReadError::Damaged { path: self.path.clone(), offset: self.offset, reason: reason.into() }
    }
}

/// Reads until the buffer is full or the file ends, and says how much that was.
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

/// The games of a file, one after the other. An error is the last item, and all games before it are good.
#[derive(Debug)]
pub struct GameReader {
    blocks: BlockReader,
    games: std::vec::IntoIter<Game>,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// As [`BlockReader::open`].
    pub fn open(path: &Path) -> Result<GameReader, ReadError> {
        Ok(GameReader { blocks: BlockReader::open(path)?, games: Vec::new().into_iter() })
    }

    /// The file's header.
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
                    Err(reason) => {
                        self.blocks.finished = true;
                        let path = self.blocks.path.clone();
                        return Some(Err(ReadError::Damaged { path, offset: block.offset, reason }));
                    }
                },
            }
        }
    }
}

/// The files of games among these paths: a file stands for itself, a directory for the files of games in it. In
/// the order given, those of a directory sorted by name.
///
/// # Errors
/// If a path cannot be read.
pub fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ReadError> {
    let mut files = Vec::new();
    for path in paths {
        let io = |error| ReadError::Io { path: path.clone(), error };
        if !fs::metadata(path).map_err(io)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let first = files.len();
        for entry in fs::read_dir(path).map_err(io)? {
            let file = entry.map_err(io)?.path();
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
    fn after_an_error_of_the_system_there_is_no_more() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.games");
        // A file that can be written and not read.
        let file = BufReader::new(File::create(&path).unwrap());
        let header = FileHeader::new(1, 2, 3, "test");
        let mut blocks = BlockReader { path, file, header, offset: 0, finished: false };
        assert!(matches!(blocks.read(), Err(ReadError::Io { .. })));
        assert!(matches!(blocks.read(), Ok(None)));
        assert!(matches!(blocks.skip(), Ok(None)));
    }
}
