//! The files of networks.

use std::fs;
use std::sync::{Arc, LazyLock};

use caesura::board::Board;
use caesura::engine::{MATERIAL_NETWORK, load_network};
use caesura::nnue::format::{FILE_BYTES, HEADER_BYTES, with_header};
use caesura::nnue::material;
use caesura::nnue::network::Network;
use caesura::nnue::simd::{Native, Scalar};

/// A network for the engines of other checks, which would take long to be made for each input.
pub static MATERIAL: LazyLock<Arc<Network>> =
    LazyLock::new(|| load_network(MATERIAL_NETWORK.as_ref()).expect("memory"));

static MATERIAL_FILE: LazyLock<Vec<u8>> = LazyLock::new(material::network_file);

/// The bytes of a change: an offset in bytes, little-endian, and a 16-bit number to put there.
const CHANGE_BYTES: usize = 5;

/// What the first byte of an input asks for.
const WHOLE_FILE: u8 = 0;

/// A file that is accepted is given back byte by byte, and all arithmetic finds the same value with it.
///
/// An input that begins with a zero is a file behind that; any other is a list of changes to the file of a network that
/// counts material, whose checksum is then made right. With an even first byte they are counted from its end, near which
/// all is that is not a feature.
pub fn check(input: &[u8]) {
    let Some((&kind, rest)) = input.split_first() else { return };
    if kind == WHOLE_FILE {
        check_file(rest);
    } else {
        check_bytes(&changed(rest, kind % 2 == 0));
    }
}

/// Read from a file or from memory, bytes are a network or are none.
fn check_file(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.nnue");
    fs::write(&path, bytes).expect("a file");
    assert_eq!(Network::open(&path).is_ok(), check_bytes(bytes));
}

fn check_bytes(bytes: &[u8]) -> bool {
    let Ok(network) = Network::parse(bytes) else { return false };
    assert!(network.file() == bytes, "a network gives back the bytes of its file");
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    ] {
        let board: Board = fen.parse().expect("a position");
        assert_eq!(network.evaluate::<Native>(&board), network.evaluate::<Scalar>(&board));
        assert_eq!(network.output::<Native>(&board), network.output::<Scalar>(&board));
    }
    true
}

/// The file with these changes. Those that fall into the header are made after the checksum.
fn changed(changes: &[u8], from_end: bool) -> Vec<u8> {
    let mut payload = MATERIAL_FILE[HEADER_BYTES..].to_vec();
    let mut of_header = Vec::new();
    for change in changes.chunks_exact(CHANGE_BYTES) {
        let offset = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % FILE_BYTES;
        let place = if from_end { FILE_BYTES - 1 - offset } else { offset };
        for (place, &byte) in (place..FILE_BYTES).zip(&change[3..]) {
            match place.checked_sub(HEADER_BYTES) {
                Some(place) => payload[place] = byte,
                None => of_header.push((place, byte)),
            }
        }
    }
    let mut file = with_header(&payload);
    for (place, byte) in of_header {
        file[place] = byte;
    }
    file
}
