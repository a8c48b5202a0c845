//! A damaged file is read up to the damage.

mod common;

use std::fs;
use std::time::Duration;

use common::{read, some_game};
use datagen::format::FileHeader;
use datagen::merge::merge;
use datagen::reader::BlockReader;
use datagen::run::next_index;
use datagen::{Game, GameWriter, ReadError, game_files};
use tempfile::TempDir;

/// Games written two a block, the bytes of the file, and where its blocks end.
fn small_file(directory: &TempDir) -> (Vec<Game>, Vec<u8>, Vec<usize>) {
    let path = directory.path().join("whole.games");
    let games: Vec<Game> = (0..6).map(|index| some_game(index, 6 + index as usize)).collect();
    let mut writer = GameWriter::create(&path, &FileHeader::new(1, 2, 3, "test")).unwrap();
    writer.set_block(100, Duration::from_secs(1000));
    for game in &games {
        writer.write(game).unwrap();
    }
    drop(writer);
    let mut blocks = BlockReader::open(&path).unwrap();
    let mut ends = vec![size_of::<FileHeader>()];
    while blocks.skip().unwrap().is_some() {
        ends.push(blocks.offset() as usize);
    }
    (games, fs::read(&path).unwrap(), ends)
}

#[test]
fn whole_files_come_back_and_blocks_can_be_visited_in_any_order() {
    let directory = TempDir::new().unwrap();
    let (games, bytes, ends) = small_file(&directory);
    let path = directory.path().join("whole.games");
    let (read, error) = read(&path);
    assert_eq!(read, games);
    assert!(error.is_none());
    assert_eq!(ends.last(), Some(&bytes.len()));
    assert_eq!(ends.len(), 4, "three blocks of two games");
    let mut blocks = BlockReader::open(&path).unwrap();
    for number in [2, 0, 1] {
        blocks.seek(ends[number] as u64).unwrap();
        let block = blocks.read().unwrap().unwrap();
        assert_eq!(block.games().unwrap(), games[2 * number..2 * number + 2]);
    }
    assert_eq!(game_files(&[directory.path().to_path_buf()]).unwrap(), [path]);
}

#[test]
fn a_file_cut_anywhere_gives_the_whole_blocks_before() {
    let directory = TempDir::new().unwrap();
    let (games, bytes, ends) = small_file(&directory);
    let path = directory.path().join("cut.games");
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let (read, error) = read(&path);
        let whole = ends.iter().filter(|&&end| end <= length).count();
        assert_eq!(read, games[..2 * whole.saturating_sub(1)], "cut to {length}");
        match error {
            None => assert!(ends.contains(&length), "cut to {length}"),
            Some(ReadError::Truncated { offset, .. }) => {
                let begin = if whole == 0 { 0 } else { ends[whole - 1] };
                assert_eq!(offset, begin as u64, "cut to {length}");
            }
            Some(error) => panic!("cut to {length}: {error}"),
        }
    }
}

#[test]
fn a_byte_changed_anywhere_is_noticed_and_all_before_is_read() {
    let directory = TempDir::new().unwrap();
    let (games, bytes, ends) = small_file(&directory);
    let path = directory.path().join("changed.games");
    for at in 0..bytes.len() {
        for change in [0x01, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            fs::write(&path, &changed).unwrap();
            let (read, error) = read(&path);
            let whole = ends.iter().filter(|&&end| end <= at).count();
            assert_eq!(read, games[..2 * whole.saturating_sub(1)], "byte {at}");
            match error {
                Some(ReadError::Damaged { offset, .. }) => {
                    let begin = if whole == 0 { 0 } else { ends[whole - 1] };
                    assert_eq!(offset, begin as u64, "byte {at}");
                }
                Some(ReadError::NotGames { .. }) => assert!(at < 8),
                Some(ReadError::Version { .. }) => assert!((8..12).contains(&at)),
                other => panic!("byte {at}: {other:?}"),
            }
        }
    }
}

#[test]
fn nothing_is_ever_overwritten() {
    let directory = TempDir::new().unwrap();
    let header = FileHeader::new(5, 2, 3, "");
    let first = GameWriter::create_in(directory.path(), &header).unwrap();
    let second = GameWriter::create_in(directory.path(), &header).unwrap();
    assert_ne!(first.path(), second.path());
    assert!(GameWriter::create(first.path(), &header).is_err());
}

#[test]
fn games_behind_a_damaged_block_are_not_played_again() {
    let directory = TempDir::new().unwrap();
    let (_, mut bytes, ends) = small_file(&directory);
    let path = directory.path().join(format!("{}0000.games", datagen::writer::file_prefix(1)));
    for block in 0..3 {
        bytes[ends[block] + 60] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(next_index(directory.path(), 1).unwrap(), if block < 2 { 6 } else { 0 });
    }
    assert_eq!(next_index(directory.path(), 2).unwrap(), 0);
}

#[test]
fn a_file_that_never_got_its_header_is_passed_over() {
    let directory = TempDir::new().unwrap();
    let (games, _, _) = small_file(&directory);
    let at = |name: &str| directory.path().join(name);
    fs::write(at("begun.games"), b"").unwrap();
    let mut complaints = 0;
    let files = [at("begun.games"), at("whole.games")];
    let report = merge(&files, &at("merged.games"), |_| complaints += 1).unwrap();
    assert_eq!((report.games, complaints), (6, 1));
    assert_eq!(read(&at("merged.games")).0, games);
    assert!(!at("merged.games.part").exists());
}

#[test]
fn a_file_has_its_name_once_it_is_whole() {
    let directory = TempDir::new().unwrap();
    let (path, part) = (directory.path().join("a.games"), directory.path().join("a.games.part"));
    let header = FileHeader::new(1, 2, 3, "test");
    fs::write(&part, b"what a killed process left").unwrap();
    let mut writer = GameWriter::create_with_part_file(&path, &header).unwrap();
    let game = some_game(0, 6);
    writer.write(&game).unwrap();
    assert!(!path.exists());
    // An unfinished file is not a file of games.
    assert_eq!(game_files(&[directory.path().to_path_buf()]).unwrap(), [] as [std::path::PathBuf; 0]);
    writer.finish().unwrap();
    assert!(!part.exists());
    assert_eq!(read(&path).0, [game]);
    assert!(GameWriter::create_with_part_file(&path, &header).is_err());
}
