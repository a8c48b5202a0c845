//! Files of all versions of the format are read as they were written.

mod common;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use common::{read, wild_game};
use datagen::format::{FileHeader, VERSION};
use datagen::merge::{Repeated, merge};
use datagen::reader::BlockReader;
use datagen::{Game, GameWriter};
use tempfile::TempDir;

fn stored(version: u32) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/files/version{version}.games"))
}

#[test]
fn games_of_all_versions_are_the_same_games() {
    let (games, error) = read(&stored(1));
    assert!(error.is_none());
    assert_eq!(games.len(), 22);
    // If this fails, the format has changed, and files that exist can no longer be read.
    assert_eq!(read(&stored(2)).0, games);
}

#[test]
fn the_format_has_not_changed() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("a.games");
    let (games, _) = read(&stored(1));
    let mut blocks = BlockReader::open(&stored(1)).unwrap();
    let mut writer = GameWriter::create(&path, blocks.header()).unwrap();
    writer.set_block(1 << 20, Duration::from_secs(1000));
    let mut games = games.iter();
    for (_, header) in blocks.blocks(|error| panic!("{error}")) {
        for game in games.by_ref().take(header.games as usize) {
            writer.write(game).unwrap();
        }
        writer.flush().unwrap();
    }
    drop(writer);
    assert!(fs::read(&path).unwrap() == fs::read(stored(2)).unwrap());
}

#[test]
fn a_merge_converts_an_old_file_without_loss() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("new.games");
    merge(&[stored(1)], &path, Repeated::Keep, |error| panic!("{error}")).unwrap();
    assert_eq!(read(&path).0, read(&stored(1)).0);
    let header = |path| *BlockReader::open(path).unwrap().header();
    let (old, new) = (header(&stored(1)), header(&path));
    assert_eq!((old.version, new.version), (1, VERSION));
    assert_eq!(FileHeader { version: 1, ..new }.with_checksum(), old);
}

#[test]
fn any_game_is_read_as_it_was_written() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("wild.games");
    let games: Vec<Game> = (0..90).map(|seed| wild_game(seed, 3 * seed as usize)).collect();
    let mut writer = GameWriter::create(&path, &FileHeader::new(1, 2, 3, "test")).unwrap();
    writer.set_block(5000, Duration::from_secs(1000));
    games.iter().for_each(|game| writer.write(game).unwrap());
    drop(writer);
    let (read, error) = read(&path);
    assert!(error.is_none());
    assert_eq!(read, games);
    assert!(BlockReader::open(&path).unwrap().blocks(|_| {}).len() > 3);
}
