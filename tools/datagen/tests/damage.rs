//! What is damaged is reported, and all the rest of a file is read.

mod common;

use std::fs;
use std::io::ErrorKind;
use std::time::Duration;

use common::{read, read_all, some_game};
use datagen::format::{BlockHeader, Encoding, FileHeader};
use datagen::merge::{MergeError, Repeated, merge};
use datagen::reader::{BlockReader, Damage};
use datagen::run::next_index;
use datagen::{Game, GameWriter, ReadError, check, game_files};
use tempfile::TempDir;

/// Games written two a block, the bytes of the file, and where its blocks end.
fn small_file(directory: &TempDir) -> (Vec<Game>, Vec<u8>, Vec<usize>) {
    let path = directory.path().join("whole.games");
    let games: Vec<Game> = (0..6).map(|index| some_game(index, 6 + index as usize)).collect();
    let mut writer = GameWriter::create(&path, &FileHeader::new(1, 2, 3, "test")).unwrap();
    writer.set_block(1 << 20, Duration::from_secs(1000));
    for pair in games.chunks(2) {
        pair.iter().for_each(|game| writer.write(game).unwrap());
        writer.flush().unwrap();
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

/// The games without those of a block.
fn without(games: &[Game], block: usize) -> Vec<Game> {
    [&games[..2 * block], &games[2 * block + 2..]].concat()
}

#[test]
fn a_byte_changed_anywhere_is_noticed_and_all_other_blocks_are_read() {
    let directory = TempDir::new().unwrap();
    let (games, bytes, ends) = small_file(&directory);
    let path = directory.path().join("changed.games");
    for at in 0..bytes.len() {
        for change in [0x01, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            fs::write(&path, &changed).unwrap();
            let (read, errors) = read_all(&path);
            let [error] = &errors[..] else { panic!("byte {at}: {errors:?}") };
            let block = ends.iter().filter(|&&end| end <= at).count().checked_sub(1);
            match (block, error) {
                (Some(block), ReadError::Damaged { offset, .. }) => {
                    assert_eq!(*offset, ends[block] as u64, "byte {at}");
                    assert!(read == without(&games, block), "byte {at}");
                }
                (None, ReadError::Damaged { offset: 0, source: Damage::FileHeader, .. }) => {
                    assert_eq!(read, games, "byte {at}");
                }
                (None, ReadError::NotGames { .. }) => assert!(at < 8),
                (None, ReadError::Version { .. }) => assert!((8..12).contains(&at)),
                other => panic!("byte {at}: {other:?}"),
            }
        }
    }
}

#[test]
fn bytes_missing_or_added_anywhere_cost_one_block() {
    let directory = TempDir::new().unwrap();
    let (games, bytes, ends) = small_file(&directory);
    let path = directory.path().join("shifted.games");
    for at in size_of::<FileHeader>()..bytes.len() - 40 {
        let block = ends.iter().filter(|&&end| end <= at).count() - 1;
        for (missing, added) in [(1, 0), (7, 0), (0, 1), (0, 300)] {
            if at + missing > ends[block + 1] {
                continue;
            }
            let mut shifted = bytes.clone();
            shifted.splice(at..at + missing, vec![0xaa; added]);
            fs::write(&path, &shifted).unwrap();
            let (read, errors) = read_all(&path);
            assert_eq!(errors.len(), 1, "byte {at}: {errors:?}");
            // Bytes between two blocks harm neither.
            let between = at == ends[block] && missing == 0;
            assert!(read == if between { games.clone() } else { without(&games, block) }, "byte {at}");
            // Going along the headers finds all blocks that are whole.
            let found = BlockReader::open(&path).unwrap().blocks(|_| {});
            let whole = ends[..3].iter().enumerate().filter(|&(number, _)| between || number != block);
            for (number, &offset) in whole {
                let moved = if number > block || between && number == block { added } else { 0 };
                let gone = if number > block { missing } else { 0 };
                let offset = (offset + moved - gone) as u64;
                assert!(
                    found.iter().any(|&(found, _)| found == offset),
                    "byte {at}, block {number}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn a_block_is_found_behind_one_whose_end_would_be_behind_the_file() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("a.games");
    let games: Vec<Game> = (0..7).map(|index| some_game(index, 30)).collect();
    let mut writer = GameWriter::create(&path, &FileHeader::new(1, 2, 3, "test")).unwrap();
    games[..6].iter().for_each(|game| writer.write(game).unwrap());
    writer.flush().unwrap();
    let end = fs::metadata(&path).unwrap().len() as usize;
    writer.write(&games[6]).unwrap();
    drop(writer);
    let mut bytes = fs::read(&path).unwrap();
    let missing = bytes.len() - end + 1..end - 200;
    bytes.drain(200..200 + missing.len());
    fs::write(&path, &bytes).unwrap();
    let (read, errors) = read_all(&path);
    assert_eq!(read, games[6..]);
    assert!(matches!(errors[..], [ReadError::Damaged { offset: 128, .. }]), "{errors:?}");
    let mut errors = Vec::new();
    let blocks = BlockReader::open(&path).unwrap().blocks(|error| errors.push(error));
    assert_eq!(blocks.len(), 1);
    assert!(matches!(errors[..], [ReadError::Damaged { offset: 128, .. }]), "{errors:?}");
    // Where nothing is behind it, it is truncated, however the file is read.
    fs::write(&path, &bytes[..200]).unwrap();
    let mut errors = Vec::new();
    assert!(BlockReader::open(&path).unwrap().blocks(|error| errors.push(error)).is_empty());
    assert!(matches!(errors[..], [ReadError::Truncated { offset: 128, .. }]), "{errors:?}");
}

#[test]
fn a_cut_in_the_last_of_several_blocks_is_no_damage() {
    let directory = TempDir::new().unwrap();
    let (_, bytes, ends) = small_file(&directory);
    let path = directory.path().join("cut.games");
    for (index, &end) in ends.iter().enumerate().skip(1) {
        fs::write(&path, &bytes[..end - 1]).unwrap();
        let mut errors = Vec::new();
        let blocks = BlockReader::open(&path).unwrap().blocks(|error| errors.push(error));
        assert_eq!(blocks.len(), index - 1);
        assert!(matches!(errors[..], [ReadError::Truncated { .. }]), "{end}: {errors:?}");
    }
}

#[test]
fn a_truncated_file_is_not_good() {
    let directory = TempDir::new().unwrap();
    let (_, bytes, ends) = small_file(&directory);
    let path = directory.path().join("cut.games");
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        assert_eq!(check::file(&path).passed(), ends.contains(&length), "cut to {length}");
    }
}

#[test]
fn headers_in_headers_are_read_once_each() {
    // Each header says that all behind it is its payload, so that a reader that tried all would read them over and over.
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("nested.games");
    const HEADERS: usize = 3000;
    let mut bytes = bytemuck::bytes_of(&FileHeader::new(1, 2, 3, "test")).to_vec();
    let size = size_of::<BlockHeader>();
    for number in 0..HEADERS {
        let payload = vec![0; (HEADERS - 1 - number) * size];
        bytes.extend(bytemuck::bytes_of(&BlockHeader::new(Encoding::Coded, &payload, 1, 1)));
    }
    fs::write(&path, &bytes).unwrap();
    let (games, errors) = read_all(&path);
    assert!(games.is_empty());
    // A reader that tried all would find one at each.
    assert!((1..HEADERS / 10).contains(&errors.len()), "{}", errors.len());
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
        bytes[ends[block] + 30] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(next_index(directory.path(), 1).unwrap(), if block < 2 { 6 } else { 0 });
    }
    assert_eq!(next_index(directory.path(), 2).unwrap(), 0);
}

#[test]
fn one_damaged_file_does_not_stop_a_merge() {
    let directory = TempDir::new().unwrap();
    let (games, bytes, ends) = small_file(&directory);
    let at = |name: &str| directory.path().join(name);
    fs::write(at("begun.games"), b"").unwrap();
    fs::write(at("text.games"), b"not games at all").unwrap();
    let mut changed = bytes.clone();
    changed[ends[1] + 30] ^= 1;
    fs::write(at("changed.games"), &changed).unwrap();
    let files = ["begun", "text", "changed", "whole"].map(|name| at(&format!("{name}.games")));
    let mut damage = Vec::new();
    let report = merge(&files, &at("merged.games"), Repeated::Skip, |error| damage.push(error)).unwrap();
    assert_eq!((report.written.games, report.skipped.games), (6, 4));
    assert_eq!(damage.len(), 3, "{damage:?}");
    assert!(!at("merged.games.part").exists());
    // The games of the damaged file come first.
    let (merged, errors) = read_all(&at("merged.games"));
    assert!(errors.is_empty());
    assert!(merged.len() == 6 && games.iter().all(|game| merged.contains(game)));
    let header = |name| *BlockReader::open(&at(name)).unwrap().header();
    assert_eq!(header("merged.games"), header("whole.games"));

    let refused = merge(&files[1..2], &at("nothing.games"), Repeated::Skip, |_| {});
    assert!(matches!(refused, Err(MergeError::Read(ReadError::NotGames { .. }))));
}

#[test]
fn all_games_can_be_kept() {
    let directory = TempDir::new().unwrap();
    let (games, _, _) = small_file(&directory);
    let whole = directory.path().join("whole.games");
    let out = directory.path().join("twice.games");
    let files = [whole.clone(), whole];
    let report = merge(&files, &out, Repeated::Keep, |error| panic!("{error}")).unwrap();
    assert_eq!((report.written.games, report.skipped.games), (12, 0));
    assert_eq!(read(&out).0, [&games[..], &games[..]].concat());
}

#[test]
fn a_file_has_its_name_once_it_is_whole() {
    let directory = TempDir::new().unwrap();
    let (path, part) = (directory.path().join("a.games"), directory.path().join("a.games.part"));
    let header = FileHeader::new(1, 2, 3, "test");
    // What a killed process left may be work of hours.
    fs::write(&part, b"work").unwrap();
    let refused = GameWriter::create_with_part_file(&path, &header).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
    assert!(refused.to_string().contains("a.games.part"), "{refused}");
    assert_eq!(fs::read(&part).unwrap(), b"work");
    fs::write(&part, b"").unwrap();
    let mut writer = GameWriter::create_with_part_file(&path, &header).unwrap();
    // A second process leaves it alone.
    let length = fs::metadata(&part).unwrap().len();
    for second in [
        GameWriter::create_with_part_file(&path, &header),
        GameWriter::go_on_with_part_file(&path, &header, 0),
    ] {
        assert_eq!(second.unwrap_err().kind(), ErrorKind::ResourceBusy);
    }
    assert_eq!(fs::metadata(&part).unwrap().len(), length);
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
