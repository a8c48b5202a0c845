//! Reading game files: damage is reported and skipped.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use toolkit::FileError;

pub use crate::format::Damage;
use crate::format::{
    BlockHeader, EXTENSION, Encoding, FILE_MAGIC, FileHeader, MAX_PAYLOAD, VERSION, coded, packed,
};
use crate::game::Game;

/// Why a file, or a part of it, cannot be read. Of what is read, the checksum and the encoding are right.
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
    #[error("{}: version {version} of the format, but only versions up to {VERSION} can be read", path.display())]
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

/// A block of games whose checksum is right.
#[derive(Clone, Debug)]
pub struct Block {
    /// The offset in the file at which the block begins, in bytes.
    pub offset: u64,
    /// The header of the block.
    pub header: BlockHeader,
    /// How the games are written.
    pub encoding: Encoding,
    /// The encoded games.
    pub payload: Vec<u8>,
}

impl Block {
    /// Decodes the games of the block.
    ///
    /// # Errors
    /// If the payload is not what its header says. Since the checksum is right, it was written that way.
    pub fn games(&self) -> Result<Vec<Game>, Damage> {
        let (games, positions) = (self.header.games as usize, self.header.positions as usize);
        match self.encoding {
            Encoding::Packed => packed::decode(&self.payload, games, positions),
            Encoding::Coded => coded::decode(&self.payload, games, positions),
        }
    }
}

/// Reads a file block by block. Damage is an error, after which reading goes on with the next block that can be found.
#[derive(Debug)]
pub struct BlockReader {
    path: PathBuf,
    file: BufReader<File>,
    header: FileHeader,
    /// Damage that the next call reports.
    pending: Option<Damage>,
    /// Where the next block begins.
    offset: u64,
    /// Where the next block may begin at the earliest: before `offset` if the block between was not read.
    earliest: u64,
    finished: bool,
    /// How many bytes may still be read a second time in search of blocks: a file made for it could have them read for
    /// ever.
    reread_budget: u64,
}

impl BlockReader {
    /// Opens a file and reads its header. If that is damaged, all its fields are zero, and the first block that is read is
    /// an error.
    ///
    /// # Errors
    /// If it cannot be read, or is not a game file of a version that can be read.
    pub fn open(path: &Path) -> Result<BlockReader, ReadError> {
        let io = FileError::at(path);
        let path = path.to_path_buf();
        let file = File::open(&path).map_err(&io)?;
        let reread_budget = file.metadata().map_err(&io)?.len().saturating_mul(4) + MAX_PAYLOAD as u64;
        let mut file = BufReader::with_capacity(1 << 17, file);
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
        if !(1..=VERSION).contains(&header.version) {
            return Err(ReadError::Version { path, version: header.version });
        }
        let offset = length as u64;
        let mut reader = BlockReader {
            path,
            file,
            header,
            pending: None,
            offset,
            earliest: offset,
            finished: false,
            reread_budget,
        };
        if !header.checksum_is_valid() || header.length as usize != bytes.len() {
            reader.header = FileHeader::unknown();
            reader.pending = Some(Damage::FileHeader);
        }
        Ok(reader)
    }

    /// The header of the file.
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The offset at which the next block begins, in bytes.
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
        self.earliest = offset;
        self.finished = false;
        self.pending = None;
        Ok(())
    }

    /// Reads the next block; `None` at the end of the file.
    ///
    /// # Errors
    /// If there is damage: the next call reads the block behind it. If the file cannot be read or ends in the middle of a
    /// block: nothing follows.
    pub fn read(&mut self) -> Result<Option<Block>, ReadError> {
        let Some((header, encoding)) = self.read_header()? else { return Ok(None) };
        self.finished = true;
        let mut payload = vec![0; header.payload as usize];
        let length = read_up_to(&mut self.file, &mut payload).map_err(|error| self.io(error))?;
        if length < payload.len() {
            return Err(self.behind_truncation(length));
        }
        if !header.matches(&payload) {
            return Err(self.behind_damage(Damage::Payload, length));
        }
        let block = Block { offset: self.offset, header, encoding, payload };
        self.finished = false;
        self.offset += (size_of::<BlockHeader>() + length) as u64;
        self.earliest = self.offset;
        Ok(Some(block))
    }

    /// Reads the offset and header of the next block and skips its payload unchecked: a quick way to find the blocks of a
    /// file.
    ///
    /// # Errors
    /// If a header is damaged: the next call finds the block behind it. If the file cannot be read or ends in the middle of
    /// a block: nothing follows.
    pub fn skip(&mut self) -> Result<Option<(u64, BlockHeader)>, ReadError> {
        let Some((header, _)) = self.read_header()? else { return Ok(None) };
        self.finished = true;
        let offset = self.offset;
        // The header is good: no block begins before it.
        self.earliest = offset;
        let end = offset + size_of::<BlockHeader>() as u64 + u64::from(header.payload);
        if end > self.file.get_ref().metadata().map_err(|error| self.io(error))?.len() {
            return Err(self.behind_truncation(0));
        }
        self.file.seek_relative(i64::from(header.payload)).map_err(|error| self.io(error))?;
        self.finished = false;
        self.offset = end;
        self.earliest = offset + 1;
        Ok(Some((offset, header)))
    }

    /// The offsets and headers of all further blocks, found as by [`BlockReader::skip`]. Errors go to `damaged`.
    pub fn blocks(&mut self, mut damaged: impl FnMut(ReadError)) -> Vec<(u64, BlockHeader)> {
        let mut blocks = Vec::new();
        loop {
            match self.skip() {
                Ok(Some(block)) => blocks.push(block),
                Ok(None) => return blocks,
                Err(error) => damaged(error),
            }
        }
    }

    fn read_header(&mut self) -> Result<Option<(BlockHeader, Encoding)>, ReadError> {
        if let Some(damage) = self.pending.take() {
            return Err(ReadError::Damaged { path: self.path.clone(), offset: 0, source: damage });
        }
        if self.finished {
            return Ok(None);
        }
        // Set until something good has been read, so that nothing follows a system error.
        self.finished = true;
        let mut bytes = [0; size_of::<BlockHeader>()];
        let length = read_up_to(&mut self.file, &mut bytes).map_err(|error| self.io(error))?;
        if length == 0 {
            return Ok(None);
        }
        if length < bytes.len() {
            return Err(self.behind_truncation(length));
        }
        let header: BlockHeader = bytemuck::pod_read_unaligned(&bytes);
        match header.verify() {
            Ok(encoding) => {
                self.finished = false;
                Ok(Some((header, encoding)))
            }
            Err(error) => Err(self.behind_damage(error.into(), 0)),
        }
    }

    fn io(&self, error: io::Error) -> ReadError {
        FileError::at(&self.path)(error).into()
    }

    /// Goes behind the damage of the next block, whose payload was read to this length, and reports it.
    fn behind_damage(&mut self, damage: Damage, read: usize) -> ReadError {
        let error = ReadError::Damaged { path: self.path.clone(), offset: self.offset, source: damage };
        match self.find_block(read) {
            // The damage is reported, and nothing can be read behind it.
            Ok(false) | Err(_) => self.finished = true,
            Ok(true) => {}
        }
        error
    }

    /// Reports that the file ends within the next block, or if there are blocks behind its header that it is damaged.
    fn behind_truncation(&mut self, read: usize) -> ReadError {
        let (path, offset) = (self.path.clone(), self.offset);
        match self.find_block(read) {
            Ok(true) => ReadError::Damaged { path, offset, source: Damage::Payload },
            Ok(false) => ReadError::Truncated { path, offset },
            Err(error) => self.io(error),
        }
    }

    /// Goes to the first good block header behind the beginning of a damaged block, whose payload was read to this length;
    /// false if there is none.
    fn find_block(&mut self, read: usize) -> io::Result<bool> {
        const HEADER: usize = size_of::<BlockHeader>();
        self.reread_budget = self.reread_budget.saturating_sub(read as u64);
        let mut from = match self.reread_budget {
            0 => self.offset + 1 + read as u64,
            _ if self.earliest < self.offset => self.earliest,
            _ => self.offset + 1,
        };
        self.file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        loop {
            let kept = bytes.len();
            bytes.resize(kept + (1 << 16), 0);
            let length = read_up_to(&mut self.file, &mut bytes[kept..])?;
            self.reread_budget = self.reread_budget.saturating_sub(length as u64);
            bytes.truncate(kept + length);
            for (at, bytes) in bytes.windows(HEADER).enumerate() {
                let [a, b, c, d, ..] = *bytes else { continue };
                if Encoding::of_magic([a, b, c, d]).is_some()
                    && bytemuck::pod_read_unaligned::<BlockHeader>(bytes).verify().is_ok()
                {
                    self.offset = from + at as u64;
                    self.earliest = self.offset;
                    self.file.seek(SeekFrom::Start(self.offset))?;
                    self.finished = false;
                    return Ok(true);
                }
            }
            if length == 0 {
                return Ok(false);
            }
            let passed = bytes.len().saturating_sub(HEADER - 1);
            bytes.drain(..passed);
            from += passed as u64;
        }
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

/// An iterator over the games of a file. Damage is an error, after which the games behind it follow.
#[derive(Debug)]
pub struct GameReader {
    blocks: BlockReader,
    games: std::vec::IntoIter<Game>,
}

impl GameReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// If it cannot be read, or is not a game file of a version that can be read.
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
        std::fs::write(&path, bytemuck::bytes_of(&FileHeader::new(1, 2, 3, "test"))).unwrap();
        let mut blocks = BlockReader::open(&path).unwrap();
        // This file can be written but not read.
        blocks.file = BufReader::new(File::create(directory.path().join("b")).unwrap());
        assert!(matches!(blocks.read(), Err(ReadError::Io { .. })));
        assert!(matches!(blocks.read(), Ok(None)));
        assert!(matches!(blocks.skip(), Ok(None)));
    }
}
