//! From games to batches.

mod common;

use std::fs;
use std::path::PathBuf;
use std::slice;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use caesura::nnue::features::Perspective;
use caesura::nnue::piece_features::{PieceFeature, PieceFeatures};
use common::{ALL, GO, OPTIONS, all, counted, lone_positions, some_data, some_game, write_games};
use datagen::format::FileHeader;
use datagen::{Game, GameWriter};
use tempfile::TempDir;
use trainer::arch::THREAT_STATES;
use trainer::dataset::Dataset;
use trainer::error::TrainerError;
use trainer::extract::PositionFilter;
use trainer::prepare::{PrepareOptions, prepare};
use trainer::record::{PositionRecord, UNKNOWN_RESULT};
use trainer::training_data::TrainingData;

#[test]
fn every_position_is_in_an_epoch_once() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 60);
    let mut expected = Vec::new();
    for index in 0..60 {
        let game = some_game(index, 100);
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            expected.push(PositionRecord::pack(&position).unwrap());
        }
    }
    assert!(dataset.index.training.len() > 5);
    let data = TrainingData::from(dataset.clone());
    let epochs: Vec<Vec<PositionRecord>> =
        (0..2).map(|epoch| all(data.batches(1, epoch, 100, 0).unwrap(), 100)).collect();
    let validation = dataset.validation().unwrap();
    assert!(!validation.is_empty());
    for epoch in &epochs {
        let both = [&epoch[..], &validation[..]].concat();
        assert_eq!(counted(&both), counted(&expected));
    }
    assert_ne!(epochs[0], epochs[1]);
    assert_eq!(epochs[0], all(data.batches(1, 0, 100, 0).unwrap(), 100));
    assert_eq!(epochs[0][700..], all(data.batches(1, 0, 100, 7).unwrap(), 100));
}

#[test]
fn directories_are_seen_as_often_as_they_are_named() {
    let directory = TempDir::new().unwrap();
    let [one, other] = [(0..20, "one"), (20..50, "other")].map(|(games, name)| {
        let (data, prepared) =
            (directory.path().join(name), directory.path().join(format!("{name}-prepared")));
        fs::create_dir(&data).unwrap();
        write_games(&data, games);
        prepare(&[data], &prepared, &OPTIONS, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap();
        prepared
    });
    let open = |directories: &[&PathBuf]| {
        let directories: Vec<PathBuf> = directories.iter().copied().cloned().collect();
        TrainingData::open(&directories).unwrap()
    };
    let epoch = |data: &TrainingData| all(data.batches(1, 0, 100, 0).unwrap(), 100);
    let (first, second) = (epoch(&open(&[&one])), epoch(&open(&[&other])));
    let data = open(&[&one, &other, &one]);
    let together = epoch(&data);
    assert_eq!(data.training_records(), together.len() as u64);
    assert_eq!(counted(&together), counted(&[&first[..], &second[..], &first[..]].concat()));
    // Every batch holds positions of both.
    let of_second = counted(&second);
    let count = |records: &[PositionRecord]| {
        let known = counted(records).into_iter().filter(|(record, _)| of_second.contains_key(record));
        known.map(|(_, times)| f64::from(times)).sum::<f64>() / records.len() as f64
    };
    let share = count(&together);
    for batch in together.chunks_exact(100) {
        assert!((count(batch) - share).abs() < 0.2, "{} where {share} are expected", count(batch));
    }
    assert_eq!(together[300..], all(data.batches(1, 0, 100, 3).unwrap(), 100));
    // The same where not all of it fits into memory: in several groups, whole ones of which are passed over.
    let few = data.clone().mixing(300);
    let in_groups = epoch(&few);
    assert_eq!(counted(&in_groups), counted(&together));
    assert_ne!(in_groups, together);
    for skip in [1, 4, 9] {
        assert_eq!(in_groups[100 * skip..], all(few.batches(1, 0, 100, skip as u64).unwrap(), 100));
    }
    let validation = |data: &TrainingData| data.validation().unwrap().len();
    assert_eq!(validation(&data), 2 * validation(&open(&[&one])) + validation(&open(&[&other])));
    assert_ne!(data.fingerprint(), open(&[&one, &other]).fingerprint());
    assert!(TrainingData::open(&[one, directory.path().join("nowhere")]).is_err());
}

#[test]
fn threads_do_not_change_what_is_prepared() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..30);
    write_games(directory.path(), 30..45);
    let data = [directory.path().to_path_buf()];
    let indexes = [1, 2, 3].map(|threads| {
        let out = directory.path().join(format!("prepared-{threads}"));
        prepare(
            &data,
            &out,
            &PrepareOptions { threads, ..OPTIONS },
            &GO,
            |fault| panic!("{fault}"),
            |_, _| {},
        )
        .unwrap()
        .index
    });
    assert_eq!(indexes[0], indexes[1]);
    assert_eq!(indexes[0], indexes[2]);
    let again = directory.path().join("prepared-1");
    let error = prepare(&data, &again, &OPTIONS, &GO, |_| {}, |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("already"), "{error}");
    let stopped = AtomicBool::new(true);
    let other = directory.path().join("other");
    let error = prepare(&data, &other, &OPTIONS, &stopped, |_| {}, |_, _| {}).unwrap_err();
    assert!(matches!(error, TrainerError::Interrupted) && Dataset::open(&other).is_err());
    assert_eq!(fs::read_dir(&other).unwrap().count(), 0, "what was begun is left behind");
}

#[test]
fn a_preparation_that_cannot_write_leaves_nothing_behind() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..30);
    let out = directory.path().join("prepared");
    let in_the_way = out.join("training-0001.records");
    fs::create_dir_all(&in_the_way).unwrap();
    let options = PrepareOptions { part_records: 100, ..OPTIONS };
    let data = [directory.path().to_path_buf()];
    assert!(prepare(&data, &out, &options, &GO, |_| {}, |_, _| {}).is_err());
    let left: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [in_the_way]);
}

#[test]
fn games_are_kept_apart_as_a_whole() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 60);
    let validation = counted(&dataset.validation().unwrap());
    for index in 0..60 {
        let game = some_game(index, 100);
        let mut replay = game.replay();
        let (mut inside, mut outside) = (0, 0);
        // The beginnings of different games may agree, not so their later positions.
        while let Some(position) = replay.next_position().unwrap() {
            if position.ply > 10 {
                let record = PositionRecord::pack(&position).unwrap();
                let found = validation.contains_key(&bytemuck::cast::<_, [u8; 32]>(record));
                *if found { &mut inside } else { &mut outside } += 1;
            }
        }
        assert!(inside == 0 || outside == 0, "game {index}: {inside} {outside}");
    }
}

#[test]
fn the_filter_leaves_out_what_it_says() {
    let filter = PositionFilter {
        max_score: 200,
        min_pieces: 20,
        max_pieces: 31,
        skip_plies: 4,
        noisy: false,
        checks: false,
        validation: 0.0,
    };
    let (mut kept, mut all) = (0, 0);
    for index in 0..20 {
        let game = some_game(index, 100);
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            let expected = position.ply >= 4
                && position.score.abs() <= 200
                && (20..=31).contains(&position.board.occupied().count())
                && !position.played.is_capture()
                && !position.played.is_promotion()
                && !position.board.in_check();
            assert_eq!(filter.keeps(&position), expected);
            kept += u32::from(expected);
            assert!(ALL.keeps(&position));
            all += 1;
        }
    }
    assert!((100..all - 100).contains(&kept), "{kept} of {all}");
}

#[test]
fn records_set_the_inputs_that_the_engine_sets() {
    let game = some_game(2, 80);
    let mut replay = game.replay();
    while let Some(position) = replay.next_position().unwrap() {
        let record = PositionRecord::pack(&position).unwrap();
        assert!(record.is_valid());
        let us = position.board.side_to_move();
        let features_of_board = PieceFeatures::of(position.board);
        for states in [1, THREAT_STATES] {
            let mut expected = Vec::new();
            let mut features = Vec::new();
            record.features(states, |_, own, other| features.push((own, other)));
            for square in position.board.occupied() {
                let piece = position.board.piece_on(square).unwrap();
                let state = if states > 1 { features_of_board.threat_states().at(square) } else { 0 };
                let feature = PieceFeature::new(piece, state, square);
                let of = |side| Perspective::new(side, position.board.king(side)).feature_index(feature);
                expected.push((of(us), of(!us)));
            }
            features.sort_unstable();
            expected.sort_unstable();
            assert_eq!(features, expected);
        }
        assert_eq!(f32::from(record.result) / 2.0, position.result());
    }
}

#[test]
fn damaged_files_are_refused() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 10);
    let prepared = directory.path().join("prepared");
    let part = &dataset.index.training[0];
    let path = prepared.join(&part.name);
    let whole = fs::read(&path).unwrap();
    for at in [0, 33, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(&path, &bytes).unwrap();
        assert!(dataset.read(part).unwrap_err().to_string().contains("checksum"));
        let mut batches = TrainingData::from(dataset.clone()).batches(0, 0, 10, 0).unwrap();
        assert!(batches.next(&mut Vec::new()).is_err());
    }
    fs::write(&path, &whole[..whole.len() - 32]).unwrap();
    assert!(dataset.read(part).unwrap_err().to_string().contains("long"));
    fs::write(prepared.join("data.json"), "{").unwrap();
    assert!(Dataset::open(&prepared).is_err());
    assert!(Dataset::open(directory.path()).is_err());
}

#[test]
fn impossible_records_are_seen() {
    let whole = PositionRecord::start();
    assert!(whole.is_valid());
    let mut records = [whole; 5];
    records[0].pieces[3] |= 6;
    records[1].occupied = u64::MAX;
    records[2].result = 4;
    records[3].kings[0] = 64;
    records[4].kings[1] = 200;
    for record in records {
        assert!(!record.is_valid(), "{record:?}");
    }
}

#[test]
fn positions_by_themselves_are_kept_apart_with_their_game() {
    let directory = TempDir::new().unwrap();
    let data = directory.path().join("data");
    fs::create_dir(&data).unwrap();
    let path = data.join("some.games");
    let mut writer = GameWriter::create(&path, &FileHeader::new(1, 2, 3, "test")).unwrap();
    let games: Vec<Game> = (0..60).map(|index| some_game(index, 100)).collect();
    // A block holds a game and what belongs to it.
    writer.set_block(1, Duration::from_secs(1000));
    for game in &games {
        writer.write_together(&[slice::from_ref(game), &lone_positions(game)].concat()).unwrap();
    }
    drop(writer);
    // None of them is among the first plies of a game.
    let options = PrepareOptions { filter: PositionFilter { skip_plies: 90, ..ALL }, ..OPTIONS };
    let out = directory.path().join("prepared");
    let dataset = prepare(&[data], &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap();
    let validation = counted(&dataset.validation().unwrap());
    let training = counted(&all(TrainingData::from(dataset).batches(1, 0, 100, 0).unwrap(), 100));
    let mut sides = [0, 0];
    for game in &games {
        let lone = lone_positions(game);
        let records = lone.iter().map(|lone| {
            let mut record = PositionRecord::pack(&lone.replay().next_position().unwrap().unwrap()).unwrap();
            record.result = UNKNOWN_RESULT;
            bytemuck::cast::<_, [u8; 32]>(record)
        });
        let records: Vec<[u8; 32]> = records.collect();
        let side = records.iter().filter(|record| validation.contains_key(*record)).count();
        let other = records.iter().filter(|record| training.contains_key(*record)).count();
        assert_eq!((side.max(other), side.min(other)), (records.len(), 0), "game {}", game.index);
        if !records.is_empty() {
            sides[usize::from(side > 0)] += 1;
        }
    }
    assert!(sides[0] > 10 && sides[1] > 2, "{sides:?}");
}

#[test]
fn files_of_another_preparation_are_not_overwritten_or_removed() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..5);
    let out = directory.path().join("prepared");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("validation.records"), "another's").unwrap();
    let data = [directory.path().to_path_buf()];
    let error = prepare(&data, &out, &OPTIONS, &GO, |_| {}, |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("validation.records"), "{error}");
    let left: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["validation.records"]);
    assert_eq!(fs::read(out.join("validation.records")).unwrap(), b"another's");
}
