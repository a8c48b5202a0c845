//! The binary format of game files.
//!
//! A file is a [`FileHeader`], then blocks: a [`BlockHeader`] and a payload of whole games. A game is a
//! [`GameHeader`] and for each ply four bytes, move and score. Everything is little-endian, and every header and
//! payload has a checksum (CRC-32), so that a file can be read up to the first damage and never beyond it.

use bytemuck::{Pod, Zeroable};
use caesura::engine::Network;
use caesura::types::{MATE, Move};

use crate::game::{Ending, Game, OpeningKind, Ply, Winner};
use crate::position::{PackedPosition, PositionError};

/// The first bytes of a game file.
pub const FILE_MAGIC: [u8; 8] = *b"CAESGAME";
/// The first bytes of a block.
pub const BLOCK_MAGIC: [u8; 4] = *b"BLCK";
/// The version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;
/// The greatest length of a payload in bytes; a header with a greater one is damaged.
pub const MAX_PAYLOAD: usize = 1 << 24;
/// The length of the label in a file header, in bytes.
pub const LABEL_BYTES: usize = 32;
/// The extension of file names.
pub const EXTENSION: &str = "games";

/// The first 128 bytes of a file: where its games come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FileHeader {
    /// [`FILE_MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// The length of this header in bytes.
    pub length: u32,
    /// The seed of the run; 0 if the games come from several runs.
    pub seed: u64,
    /// The node limit of a move; 0 if the games come from runs with different limits.
    pub nodes: u64,
    /// The name and version of the engine, padded with zeros.
    pub engine: [u8; 32],
    /// A label of the user and the name of the network (see [`label`]), padded with zeros.
    pub label: [u8; LABEL_BYTES],
    /// The share of Chess960 and double Chess960 starts, per mille.
    pub chess960: u16,
    /// Zero.
    pub reserved: [u8; 26],
    /// The checksum of all bytes before.
    pub checksum: u32,
}

/// The header of a block, 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct BlockHeader {
    /// [`BLOCK_MAGIC`].
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

/// The header of a game, 48 bytes; its plies follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct GameHeader {
    /// The first position.
    pub start: PackedPosition,
    /// [`Game::index`].
    pub index: u32,
    /// The number of plies that follow.
    pub plies: u16,
    /// The discriminant of the [`Winner`].
    pub winner: u8,
    /// The discriminant of the [`Ending`].
    pub ending: u8,
    /// The discriminant of the [`OpeningKind`].
    pub opening: u8,
    /// Zero.
    pub reserved: [u8; 3],
}

/// An encoded [`Ply`], 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PackedPly {
    /// [`Move::bits`].
    pub played: u16,
    /// [`Ply::score`].
    pub score: i16,
}

const _: () = assert!(size_of::<FileHeader>() == 128 && size_of::<BlockHeader>() == 24);
const _: () = assert!(size_of::<GameHeader>() == 48 && size_of::<PackedPly>() == 4);

/// Why a game cannot be decoded or encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The payload ends before the game does.
    #[error("the game extends beyond the end of its block")]
    Short,
    /// The first position is not legal.
    #[error("the start position cannot be used")]
    Start(#[from] PositionError),
    /// A field has a value without a meaning.
    #[error("{0}")]
    Field(&'static str),
    /// The game has more plies than its header can express.
    #[error("a game of {0} plies is too long for the format")]
    Long(usize),
}

/// Why the header of a block is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockHeaderError {
    /// The magic bytes are missing.
    #[error("no block begins here")]
    Magic,
    /// The header does not match its checksum.
    #[error("the header of the block does not match its checksum")]
    Checksum,
    /// The payload is longer than [`MAX_PAYLOAD`].
    #[error("the block is longer than the format allows")]
    Length,
}

fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The text, truncated to `N` bytes at a character boundary and padded with zeros.
fn zero_padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut end = text.len().min(N);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    bytes[..end].copy_from_slice(&text.as_bytes()[..end]);
    bytes
}

fn from_zero_padded(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The label of a file: that of the user, truncated to leave room for it, and the name of the network.
pub fn label(user_label: &str, network: &Network) -> String {
    let name = format!("net {}", network.name());
    let mut end = user_label.len().min(LABEL_BYTES.saturating_sub(name.len() + 1));
    while !user_label.is_char_boundary(end) {
        end -= 1;
    }
    format!("{} {name}", &user_label[..end]).trim_start().to_string()
}

impl FileHeader {
    /// The header of a run of this engine.
    pub fn new(seed: u64, nodes: u64, chess960_per_mille: u16, label: &str) -> FileHeader {
        FileHeader {
            magic: FILE_MAGIC,
            version: VERSION,
            length: size_of::<FileHeader>() as u32,
            seed,
            nodes,
            engine: zero_padded(concat!("Caesura ", env!("CARGO_PKG_VERSION"))),
            label: zero_padded(label),
            chess960: chess960_per_mille,
            reserved: [0; 26],
            checksum: 0,
        }
        .with_checksum()
    }

    /// This header with its checksum filled in.
    pub fn with_checksum(mut self) -> FileHeader {
        self.checksum = self.expected_checksum();
        self
    }

    /// True if the header matches its checksum.
    pub fn checksum_is_valid(&self) -> bool {
        self.checksum == self.expected_checksum()
    }

    fn expected_checksum(&self) -> u32 {
        checksum(&bytemuck::bytes_of(self)[..size_of::<FileHeader>() - 4])
    }

    /// The name and version of the engine.
    pub fn engine(&self) -> String {
        from_zero_padded(&self.engine)
    }

    /// The label of the user and the name of the network.
    pub fn label(&self) -> String {
        from_zero_padded(&self.label)
    }

    /// The header for games that come from files with these two headers: fields that differ become zero.
    pub fn merged_with(self, other: FileHeader) -> FileHeader {
        FileHeader {
            seed: if self.seed == other.seed { self.seed } else { 0 },
            nodes: if self.nodes == other.nodes { self.nodes } else { 0 },
            engine: if self.engine == other.engine { self.engine } else { [0; 32] },
            label: if self.label == other.label { self.label } else { [0; LABEL_BYTES] },
            chess960: if self.chess960 == other.chess960 { self.chess960 } else { 0 },
            ..self
        }
        .with_checksum()
    }
}

impl BlockHeader {
    /// The header for a payload.
    pub fn new(payload: &[u8], games: u32, positions: u32) -> BlockHeader {
        let mut header = BlockHeader {
            magic: BLOCK_MAGIC,
            payload: payload.len() as u32,
            games,
            positions,
            payload_checksum: checksum(payload),
            checksum: 0,
        };
        header.checksum = header.expected_checksum();
        header
    }

    fn expected_checksum(&self) -> u32 {
        checksum(&bytemuck::bytes_of(self)[..size_of::<BlockHeader>() - 4])
    }

    /// Checks the magic bytes, the checksum and the length.
    ///
    /// # Errors
    /// At the first check that fails.
    pub fn verify(&self) -> Result<(), BlockHeaderError> {
        if self.magic != BLOCK_MAGIC {
            Err(BlockHeaderError::Magic)
        } else if self.checksum != self.expected_checksum() {
            Err(BlockHeaderError::Checksum)
        } else if self.payload as usize > MAX_PAYLOAD {
            Err(BlockHeaderError::Length)
        } else {
            Ok(())
        }
    }

    /// True if the payload has the length and checksum that the header gives.
    pub fn matches(&self, payload: &[u8]) -> bool {
        payload.len() == self.payload as usize && checksum(payload) == self.payload_checksum
    }
}

/// Encodes a game and appends it to a payload.
///
/// # Errors
/// If the game does not fit the format; the payload is then unchanged.
pub fn encode(game: &Game, payload: &mut Vec<u8>) -> Result<(), GameError> {
    let header = GameHeader {
        start: PackedPosition::pack(&game.start)?,
        index: game.index,
        plies: u16::try_from(game.plies.len()).map_err(|_| GameError::Long(game.plies.len()))?,
        winner: game.winner as u8,
        ending: game.ending as u8,
        opening: game.opening as u8,
        reserved: [0; 3],
    };
    payload.extend_from_slice(bytemuck::bytes_of(&header));
    for ply in &game.plies {
        let packed = PackedPly { played: ply.played.bits(), score: ply.score };
        payload.extend_from_slice(bytemuck::bytes_of(&packed));
    }
    Ok(())
}

/// Decodes a game from the front of a payload and advances the payload past it.
///
/// # Errors
/// If there is no game. The legality of the moves is not checked here: [`crate::game::Replay`] does that.
pub fn decode(payload: &mut &[u8]) -> Result<Game, GameError> {
    let (header, rest) = payload.split_at_checked(size_of::<GameHeader>()).ok_or(GameError::Short)?;
    let header: GameHeader = bytemuck::pod_read_unaligned(header);
    let length = usize::from(header.plies) * size_of::<PackedPly>();
    let (plies, rest) = rest.split_at_checked(length).ok_or(GameError::Short)?;
    let start = header.start.unpack()?;
    let winner = *Winner::ALL.get(usize::from(header.winner)).ok_or(GameError::Field("an unknown result"))?;
    let ending = *Ending::ALL.get(usize::from(header.ending)).ok_or(GameError::Field("an unknown ending"))?;
    let opening =
        *OpeningKind::ALL.get(usize::from(header.opening)).ok_or(GameError::Field("an unknown opening"))?;
    let plies = plies
        .chunks_exact(size_of::<PackedPly>())
        .map(|bytes| {
            let packed: PackedPly = bytemuck::pod_read_unaligned(bytes);
            let played =
                Move::from_bits(packed.played).ok_or(GameError::Field("a move that does not exist"))?;
            if i32::from(packed.score).abs() > MATE {
                return Err(GameError::Field("a score beyond that of mate"));
            }
            Ok(Ply { played, score: packed.score })
        })
        .collect::<Result<Vec<Ply>, GameError>>()?;
    *payload = rest;
    Ok(Game { index: header.index, start, opening, plies, winner, ending })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use caesura::engine::{MATERIAL_NETWORK, load_network};

    use super::*;
    use crate::common::some_game;

    #[test]
    fn games_come_back() {
        let games: Vec<Game> = (0..20).map(|index| some_game(index, 30 + index as usize)).collect();
        let mut payload = Vec::new();
        for game in &games {
            encode(game, &mut payload).unwrap();
        }
        let mut rest = &payload[..];
        for game in &games {
            assert_eq!(decode(&mut rest).as_ref(), Ok(game));
        }
        assert_eq!(decode(&mut rest), Err(GameError::Short));
    }

    #[test]
    fn no_byte_of_a_game_makes_it_panic() {
        let mut payload = Vec::new();
        encode(&some_game(5, 12), &mut payload).unwrap();
        for at in 0..payload.len() {
            for value in [0, 1, 63, 64, 65, 127, 128, 200, 255] {
                let mut damaged = payload.clone();
                damaged[at] = value;
                if let Ok(game) = decode(&mut &damaged[..]) {
                    let mut replay = game.replay();
                    while let Ok(Some(_)) = replay.advance() {}
                }
            }
            assert_eq!(decode(&mut &payload[..at]), Err(GameError::Short));
        }
    }

    #[test]
    fn a_label_has_room_for_the_network() {
        let network = load_network(Path::new(MATERIAL_NETWORK)).unwrap();
        let name = format!("net {}", network.name());
        assert_eq!(label("", &network), name);
        assert_eq!(label("a word", &network), format!("a word {name}"));
        let long = label("äöü äöü äöü äöü", &network);
        assert!(long.len() <= LABEL_BYTES && long.starts_with("äöü") && long.ends_with(&name), "{long}");
        assert_eq!(FileHeader::new(7, 5000, 0, &long).label(), long);
    }

    #[test]
    fn a_header_keeps_its_words_and_notices_damage() {
        let header = FileHeader::new(7, 5000, 250, "a label that is very much longer than fits ä");
        assert!(header.checksum_is_valid());
        assert_eq!(header.label(), "a label that is very much longer");
        assert!(header.engine().starts_with("Caesura "));
        assert!(!FileHeader { nodes: 4, ..header }.checksum_is_valid());
        let other = FileHeader::new(8, 5000, 250, "b");
        let merged = header.merged_with(other);
        assert!(merged.checksum_is_valid());
        assert_eq!((merged.seed, merged.nodes, merged.label()), (0, 5000, String::new()));
    }
}
