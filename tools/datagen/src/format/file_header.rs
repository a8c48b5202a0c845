//! The header of a file: where its games come from.

use bytemuck::{Pod, Zeroable};
use caesura::engine::Network;

#[cfg(not(target_endian = "little"))]
compile_error!("the file format is little-endian and is read straight into structures");

/// The extension of the names of game files, without the dot.
pub const EXTENSION: &str = "games";
/// The first bytes of a game file.
pub const FILE_MAGIC: [u8; 8] = *b"CAESGAME";
/// The version of the format that is written. All versions up to it are read.
pub const VERSION: u32 = 2;
/// The length of the label in a file header, in bytes.
pub const LABEL_BYTES: usize = 32;

/// The first 128 bytes of a file: where its games come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FileHeader {
    /// [`FILE_MAGIC`].
    pub magic: [u8; 8],
    /// The version of the format: [`VERSION`], or a smaller one in older files.
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

const _: () = assert!(size_of::<FileHeader>() == 128);

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

    /// The header of games of which nothing is known.
    pub fn unknown() -> FileHeader {
        FileHeader { engine: [0; 32], ..FileHeader::new(0, 0, 0, "") }.with_checksum()
    }

    /// This header for a file of the version that is written.
    pub fn of_this_version(self) -> FileHeader {
        FileHeader { version: VERSION, ..self }.with_checksum()
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
        crc32fast::hash(&bytemuck::bytes_of(self)[..size_of::<FileHeader>() - 4])
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use caesura::engine::{MATERIAL_NETWORK, load_network};

    use super::*;

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
