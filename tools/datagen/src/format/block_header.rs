//! The header of a block.

use bytemuck::{Pod, Zeroable};

use super::coded;
use super::error::BlockHeaderError;

/// The greatest length of a payload in bytes; a header with a greater one is damaged.
pub const MAX_PAYLOAD: usize = 1 << 24;

/// How the games of a block are written. Each has its magic bytes, so that blocks are known without the header of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As structures, four bytes a ply: version 1 of the format.
    Packed,
    /// As an arithmetic code: since version 2.
    Coded,
}

impl Encoding {
    /// The length of the magic bytes.
    pub const MAGIC_BYTES: usize = 4;

    /// The first bytes of a block.
    pub const fn magic(self) -> [u8; Encoding::MAGIC_BYTES] {
        match self {
            Encoding::Packed => *b"BLCK",
            Encoding::Coded => *b"BLKC",
        }
    }

    /// The encoding of a block that begins with these bytes.
    pub fn of_magic(magic: [u8; Encoding::MAGIC_BYTES]) -> Option<Encoding> {
        [Encoding::Packed, Encoding::Coded].into_iter().find(|encoding| encoding.magic() == magic)
    }
}

/// The header of a block, 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct BlockHeader {
    /// [`Encoding::magic`].
    pub magic: [u8; 4],
    /// The length of the payload in bytes.
    pub payload: u32,
    /// The number of games in the block.
    pub games: u32,
    /// The number of plies of all games in the block.
    pub positions: u32,
    /// The checksum of the payload.
    pub payload_checksum: u32,
    /// The checksum of the five fields before.
    pub checksum: u32,
}

const _: () = assert!(size_of::<BlockHeader>() == 24);

impl BlockHeader {
    /// The header for a payload.
    pub fn new(encoding: Encoding, payload: &[u8], games: u32, positions: u32) -> BlockHeader {
        let mut header = BlockHeader {
            magic: encoding.magic(),
            payload: payload.len() as u32,
            games,
            positions,
            payload_checksum: crc32fast::hash(payload),
            checksum: 0,
        };
        header.checksum = header.expected_checksum();
        header
    }

    fn expected_checksum(&self) -> u32 {
        crc32fast::hash(&bytemuck::bytes_of(self)[..size_of::<BlockHeader>() - 4])
    }

    /// Checks the magic bytes, the checksum and the sizes, and returns how the games are written.
    ///
    /// # Errors
    /// At the first check that fails.
    pub fn verify(&self) -> Result<Encoding, BlockHeaderError> {
        let encoding = Encoding::of_magic(self.magic).ok_or(BlockHeaderError::Magic)?;
        if self.checksum != self.expected_checksum() {
            return Err(BlockHeaderError::Checksum);
        }
        // The payload says how much there is of what is packed.
        let too_much = encoding == Encoding::Coded
            && (self.games as usize > coded::MAX_GAMES || self.positions as usize > coded::MAX_POSITIONS);
        if too_much || self.payload as usize > MAX_PAYLOAD {
            return Err(BlockHeaderError::Length);
        }
        Ok(encoding)
    }

    /// True if the payload has the length and checksum that the header gives.
    pub fn matches(&self, payload: &[u8]) -> bool {
        payload.len() == self.payload as usize && crc32fast::hash(payload) == self.payload_checksum
    }
}
