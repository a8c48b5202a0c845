//! The files of games.

use std::fs;
use std::path::Path;

use datagen::format::{BlockHeader, FileHeader, decode, encode};
use datagen::reader::BlockReader;
use datagen::{Game, GameReader, check as checked};

/// The bytes of a file's header.
const FILE_HEADER: usize = size_of::<FileHeader>();
/// The bytes of a block's header.
const BLOCK_HEADER: usize = size_of::<BlockHeader>();

/// A file that is read to its end is good to its last byte; of one that is cut off, the blocks before are. Games are
/// written as they were read. What the checker calls good is read whole.
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
    let Some((good, at_end)) = whole_blocks(&path) else {
        assert!(report.damage.is_some());
        return;
    };
    assert!(good <= file.len());
    assert!(!at_end || good == file.len());
    let games: Vec<Game> = GameReader::open(&path).expect("it was read").map_while(Result::ok).collect();
    assert_eq!(games.len() as u64, report.games);
    assert_eq!(games.iter().map(|game| game.plies.len() as u64).sum::<u64>(), report.positions);
    for game in &games {
        let mut bytes = Vec::new();
        encode(game, &mut bytes).expect("a game of the format");
        assert_eq!(decode(&mut &bytes[..]).as_ref(), Ok(game));
    }
    if report.passed() {
        assert_eq!(report.damage.is_none(), at_end);
        fs::write(&path, &file[..good]).expect("a file");
        let report_of_good = checked::file(&path);
        assert!(report_of_good.damage.is_none() && report_of_good.games == report.games);
    }
}

/// Where the whole blocks of a file end, and whether nothing is behind them; `None` if its header is damaged. All ways to
/// go through the blocks find the same.
fn whole_blocks(path: &Path) -> Option<(usize, bool)> {
    let mut reader = BlockReader::open(path).ok()?;
    let mut skipping = BlockReader::open(path).expect("it was opened before");
    let at_end = loop {
        match reader.read() {
            Ok(None) => break true,
            Err(_) => break false,
            Ok(Some(block)) => {
                let skipped = skipping.skip().expect("its header is good");
                assert_eq!(skipped, Some((block.offset, block.header)));
                assert_eq!(skipping.offset(), reader.offset());
            }
        }
    };
    assert!(matches!(reader.read(), Ok(None)), "nothing follows the end or damage");
    Some((reader.offset() as usize, at_end))
}

/// Puts the right checksum behind the header of a file and into the header of each block that is all there.
fn correct_checksums(file: &mut [u8]) {
    let Some((header, mut rest)) = file.split_at_mut_checked(FILE_HEADER) else { return };
    let corrected = bytemuck::pod_read_unaligned::<FileHeader>(header).with_checksum();
    header.copy_from_slice(bytemuck::bytes_of(&corrected));
    while let Some((header, behind)) = std::mem::take(&mut rest).split_at_mut_checked(BLOCK_HEADER) {
        let BlockHeader { payload, games, positions, .. } = bytemuck::pod_read_unaligned(header);
        let Some((payload, behind)) = behind.split_at_mut_checked(payload as usize) else { return };
        header.copy_from_slice(bytemuck::bytes_of(&BlockHeader::new(payload, games, positions)));
        rest = behind;
    }
}
