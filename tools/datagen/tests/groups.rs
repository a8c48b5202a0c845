//! A game and the positions that its searches evaluated stay together, and only whole games count as games.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use caesura::engine::{MATERIAL_NETWORK, load_network};
use common::{lone_positions, read, some_game};
use datagen::format::{FileHeader, label};
use datagen::game_groups::{RecordCounts, game_groups};
use datagen::merge::{MergeReport, Repeated, merge};
use datagen::reader::BlockReader;
use datagen::rescore::{RescoreOptions, rescore};
use datagen::{Game, GameWriter, ReadError, check, sample};
use tempfile::TempDir;
use toolkit::ordered::Control;

/// A game of at most this length and its positions by themselves.
fn group(index: u32, length: usize) -> Vec<Game> {
    let game = some_game(index, length);
    let lone = lone_positions(&game);
    [vec![game], lone].concat()
}

/// Writes records to a file of blocks of the default size.
fn write(path: &Path, records: &[Game]) {
    let mut writer = GameWriter::create(path, &FileHeader::unknown()).unwrap();
    records.iter().for_each(|game| writer.write(game).unwrap());
    writer.flush().unwrap();
}

/// The records of each block of a file.
fn blocks(path: &Path) -> Vec<Vec<Game>> {
    let mut reader = BlockReader::open(path).unwrap();
    let mut blocks = Vec::new();
    while let Some(block) = reader.read().unwrap() {
        blocks.push(block.games().unwrap());
    }
    blocks
}

/// Asserts that a file has several blocks, in each of which every position by itself stands behind its game.
fn assert_together(path: &Path) {
    let blocks = blocks(path);
    assert!(blocks.len() > 1, "{} blocks", blocks.len());
    for block in blocks {
        let mut last = None;
        for record in block {
            if record.is_lone_position() {
                assert_eq!(last, Some(record.index), "its game is in another block");
            } else {
                last = Some(record.index);
            }
        }
    }
}

fn counts(records: &[Game]) -> RecordCounts {
    let mut counts = RecordCounts::default();
    counts.add(records);
    counts
}

/// Rescoring by searches of hardly any node.
fn quick(threads: usize) -> RescoreOptions {
    let network = load_network(Path::new(MATERIAL_NETWORK)).unwrap();
    RescoreOptions { threads, nodes: 1, network, label: String::new() }
}

fn complain(error: ReadError) {
    panic!("{error}");
}

#[test]
fn whatever_is_written_a_block_holds_games_with_their_positions() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    // More than a block holds.
    let groups: Vec<Vec<Game>> = (0..44).map(|index| group(index, 75)).collect();
    let files = ["a.games", "b.games"].map(at);
    for (path, groups) in files.iter().zip(groups.chunks(22)) {
        write(path, &groups.concat());
    }

    let merged = at("merged.games");
    let report = merge(&files, &merged, Repeated::Keep, complain).unwrap();
    assert_eq!(report, MergeReport { written: counts(&groups.concat()), skipped: counts(&[]) });
    assert_eq!(read(&merged).0, groups.concat());
    assert_together(&merged);

    let drawn = at("sample.games");
    let written = sample::games(&files, &drawn, 43, 1, complain).unwrap();
    let records = read(&drawn).0;
    assert_eq!((written, written.games), (counts(&records), 43));
    let belongs = |_: &Game, next: &Game| next.is_lone_position();
    assert!(records.chunk_by(belongs).all(|drawn| groups.iter().any(|group| group == drawn)));
    assert_together(&drawn);

    let scored = at("scored.games");
    rescore(&files, &scored, &quick(2), &Control::default(), complain).unwrap();
    let moves = |record: &Game| (record.index, record.plies.iter().map(|ply| ply.played).collect::<Vec<_>>());
    assert!(read(&scored).0.iter().map(moves).eq(groups.iter().flatten().map(moves)));
    assert_together(&scored);
}

#[test]
fn a_game_that_was_there_is_left_out_with_its_positions() {
    let directory = TempDir::new().unwrap();
    let [alone, first, second, third] = [0, 1, 2, 3].map(|index| group(index, 12));
    // Behind new games stand positions that were written, that were left out with a game, and that are new.
    let behind = |game: &[Game], positions: &[Game]| {
        let index = game[0].index;
        let positions = positions.iter().map(|lone| Game { index, ..lone.clone() });
        game[..1].iter().cloned().chain(positions).collect::<Vec<Game>>()
    };
    let mixed = behind(&second, &[&first[3..6], &second[1..]].concat());
    let returned = behind(&third, &alone[4..8]);
    let files = ["a.games", "b.games"].map(|name| directory.path().join(name));
    write(&files[0], &[&alone[..1], &first].concat());
    write(&files[1], &[&alone[..], &first, &mixed, &returned].concat());

    let out = directory.path().join("once.games");
    let report = merge(&files, &out, Repeated::Skip, complain).unwrap();
    let expected = [&alone[..1], &first, &second, &returned].concat();
    assert_eq!(read(&out).0, expected);
    let skipped = [&alone[..], &first, &first[3..6]].concat();
    assert_eq!(report, MergeReport { written: counts(&expected), skipped: counts(&skipped) });
}

#[test]
fn positions_behind_damage_or_in_another_file_belong_to_no_game() {
    let directory = TempDir::new().unwrap();
    let [game, other] = [7, 8].map(|index| group(index, 9));
    let strangers: Vec<Game> = other[1..].iter().map(|lone| Game { index: 7, ..lone.clone() }).collect();
    let files = ["a.games", "b.games"].map(|name| directory.path().join(name));
    // Three blocks, of which the second will be damaged.
    let mut writer = GameWriter::create(&files[0], &FileHeader::unknown()).unwrap();
    let mut ends = Vec::new();
    for block in [&game, &other, &strangers] {
        writer.write_together(block).unwrap();
        writer.flush().unwrap();
        ends.push(fs::metadata(&files[0]).unwrap().len() as usize);
    }
    drop(writer);
    let mut bytes = fs::read(&files[0]).unwrap();
    bytes[ends[1] - 1] ^= 1;
    fs::write(&files[0], bytes).unwrap();
    write(&files[1], &[&strangers[..2], &game].concat());

    let mut damage = 0;
    let groups: Vec<Vec<Game>> = game_groups(&files, |_| damage += 1).collect();
    let alone = |lone: &Game| vec![lone.clone()];
    let mut expected = vec![game.clone()];
    expected.extend(strangers.iter().chain(&strangers[..2]).map(alone));
    expected.push(game.clone());
    assert_eq!(groups, expected);
    assert_eq!(damage, 1);

    // None of them is in a sample of games.
    let out = directory.path().join("sample.games");
    let written = sample::games(&files, &out, 100, 1, |_| {}).unwrap();
    assert_eq!(written, counts(&[&game[..], &game].concat()));
}

#[test]
fn a_rescore_that_ended_behind_a_game_goes_on_with_its_positions() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    let input = [at("a.games")];
    let mut groups = [0, 1, 2].map(|index| group(index, 10));
    // A position that cannot be rescored, behind those that are done.
    groups[1][5].plies[0].played = groups[1][6].plies[0].played;
    assert!(!groups[1][5].is_legal());
    write(&input[0], &groups.concat());
    let options = quick(1);
    let go_on = |out: &Path| rescore(&input, out, &options, &Control::default(), complain).unwrap();
    let whole = go_on(&at("whole.games"));
    assert_eq!(whole.skipped, RecordCounts { games: 0, lone_positions: 1 });
    let (mut expected, _) = read(&at("whole.games"));
    assert_eq!(expected.len(), groups.concat().len() - 1);

    let out = at("out.games");
    let header = FileHeader::new(0, options.nodes, 0, &label("", &options.network));
    let mut writer = GameWriter::create_with_part_file(&out, &header).unwrap();
    // Scores that show that it was not done again.
    let done = &mut expected[..groups[0].len() + 3];
    done.iter_mut().flat_map(|record| &mut record.plies).for_each(|ply| ply.score = 7);
    writer.write_together(done).unwrap();
    drop(writer);
    assert_eq!(go_on(&out), whole);
    assert_eq!(read(&out).0, expected);
}

#[test]
fn only_whole_games_are_counted_as_games() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.games");
    write(&file, &[group(1, 10), group(2, 10)].concat());
    let report = check::file(&file);
    assert_eq!(report.records, RecordCounts { games: 2, lone_positions: 20 });
    assert_eq!(report.positions, 40);
    let say = |command: &str, more: &[&str]| {
        let mut datagen = Command::new(env!("CARGO_BIN_EXE_datagen"));
        let output = datagen.arg(command).args(more).arg(&file).current_dir(&directory).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = "2 games and 20 positions by themselves";
    assert_eq!(say("check", &[]).lines().last(), Some(&*format!("{all}, 40 positions in all")));
    assert!(say("merge", &["--out", "b.games"]).contains(&format!("{all}; 0 games skipped")));
    assert!(say("sample", &["--out", "c.games"]).contains(all));
}
