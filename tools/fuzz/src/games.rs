//! The files of games.

use std::fs;
use std::path::Path;

use datagen::format::{BlockEncoder, BlockHeader, Encoding, FileHeader, coded};
use datagen::reader::{Block, BlockReader};
use datagen::{Game, GameReader, check as checked};

/// The bytes of a file's header.
const FILE_HEADER: usize = size_of::<FileHeader>();
/// The bytes of a block's header.
const BLOCK_HEADER: usize = size_of::<BlockHeader>();

/// A file without damage is good to its last byte, and no longer if that is missing. What is damaged is passed over: all
/// ways through a file find the same games. Games are written as they were read.
///
/// The first byte of an input says whether the checksums of the file behind it are made right: without that, few changes
/// would come farther than the first one.
pub fn check(input: &[u8]) {
    let Some((&flags, file)) = input.split_first() else { return };
    let mut file = file.to_vec();
    if flags % 2 == 1 {
        correct_checksums(&mut file);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.games");
    fs::write(&path, &file).expect("a file");
    let report = checked::file(&path);
    let Some(blocks) = good_blocks(&path, file.len()) else {
        assert!(!report.damage.is_empty());
        return;
    };
    let games: Vec<Game> = GameReader::open(&path).expect("it was read").filter_map(Result::ok).collect();
    assert_eq!(games.len() as u64, report.records.all());
    assert_eq!(games.iter().map(|game| game.plies.len() as u64).sum::<u64>(), report.positions);
    let of_blocks: Vec<Game> = blocks.iter().filter_map(|block| block.games().ok()).flatten().collect();
    assert!(of_blocks == games);
    written_as_read(&games);
    if report.passed()
        && let Some(last) = blocks.last()
    {
        fs::write(&path, &file[..file.len() - 1]).expect("a file");
        let cut = checked::file(&path);
        let whole = cut.records.all() + u64::from(last.header.games);
        assert!(cut.damage.len() == 1 && whole == report.records.all());
    }
}

/// The blocks of a file of this length whose checksum is right; `None` if its header cannot be read. If nothing is wrong,
/// going along the headers finds the same.
fn good_blocks(path: &Path, length: usize) -> Option<Vec<Block>> {
    let mut reader = BlockReader::open(path).ok()?;
    let (mut blocks, mut errors) = (Vec::new(), 0);
    loop {
        match reader.read() {
            Ok(None) => break,
            Ok(Some(block)) => blocks.push(block),
            Err(_) => errors += 1,
        }
        assert!(errors <= length, "each error is farther behind than that before");
    }
    assert!(matches!(reader.read(), Ok(None)), "nothing follows the end");
    if errors == 0 {
        assert_eq!(reader.offset() as usize, length);
        let found = BlockReader::open(path).expect("it was opened before").blocks(|error| panic!("{error}"));
        assert!(found.into_iter().eq(blocks.iter().map(|block| (block.offset, block.header))));
    }
    for block in &blocks {
        reader.seek(block.offset).expect("a place in the file");
        assert!(reader.read().is_ok_and(|read| read.is_some_and(|read| read.payload == block.payload)));
    }
    Some(blocks)
}

fn written_as_read(mut games: &[Game]) {
    while !games.is_empty() {
        let mut block = BlockEncoder::new(Vec::new());
        while let Some(game) = games.get(block.games()).filter(|game| block.has_room(game)) {
            block.push(game).expect("a game of the format");
        }
        let (written, positions) = (block.games(), block.positions());
        let decoded = coded::decode(&block.finish(), written, positions);
        assert!(decoded.is_ok_and(|decoded| decoded == games[..written]));
        games = &games[written..];
    }
}

/// Puts the right checksum behind the header of a file and into the header of each block that is all there.
fn correct_checksums(file: &mut [u8]) {
    let Some((header, mut rest)) = file.split_at_mut_checked(FILE_HEADER) else { return };
    let corrected = bytemuck::pod_read_unaligned::<FileHeader>(header).with_checksum();
    header.copy_from_slice(bytemuck::bytes_of(&corrected));
    while let Some((header, behind)) = std::mem::take(&mut rest).split_at_mut_checked(BLOCK_HEADER) {
        let BlockHeader { magic, payload, games, positions, .. } = bytemuck::pod_read_unaligned(header);
        let Some(encoding) = Encoding::of_magic(magic) else { return };
        let Some((payload, behind)) = behind.split_at_mut_checked(payload as usize) else { return };
        header.copy_from_slice(bytemuck::bytes_of(&BlockHeader::new(encoding, payload, games, positions)));
        rest = behind;
    }
}
