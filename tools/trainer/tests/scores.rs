//! What scores positions are learnt with: stretched to one scale, averaged along the game, freed of what fades them.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use caesura::engine::rule50_unfaded;
use caesura::types::Color;
use common::{GO, OPTIONS, all, counted, lone_positions, some_game, write_games};
use datagen::format::FileHeader;
use datagen::game::Ending;
use datagen::{GameWriter, Winner};
use tempfile::TempDir;
use trainer::arch::SCALE;
use trainer::dataset::Dataset;
use trainer::known_results::known_results;
use trainer::prepare::{PrepareOptions, prepare};
use trainer::record::PositionRecord;
use trainer::td_lambda::ScoreTargets;
use trainer::training_data::TrainingData;

/// Games whose scores, divided by `scale`, are the logits of their results.
fn write_honest_games(directory: &Path, scale: f64, lone: bool, is_cut_short: impl Fn(u32) -> bool) {
    fs::create_dir(directory).unwrap();
    let path = directory.join("honest.games");
    let mut writer = GameWriter::create(&path, &FileHeader::new(1, 2, 3, "test")).unwrap();
    for index in 0..300 {
        let logit = f64::from(index % 30) / 7.5 - 2.0;
        let wins = f64::from(index / 30) + 0.5 < 10.0 / (1.0 + (-logit).exp());
        let mut game = some_game(index, 100);
        game.winner = if wins { Winner::White } else { Winner::Black };
        if is_cut_short(index) {
            (game.winner, game.ending) = (Winner::Draw, Ending::TooLong);
        }
        let mut sign = if game.start.side_to_move == Color::White { 1.0 } else { -1.0 };
        for ply in &mut game.plies {
            ply.score = (sign * logit * scale) as i16;
            sign = -sign;
        }
        writer.write(&game).unwrap();
        if lone {
            lone_positions(&game).iter().for_each(|lone| writer.write(lone).unwrap());
        }
    }
}

#[test]
fn scores_of_different_engines_are_made_to_mean_the_same() {
    let directory = TempDir::new().unwrap();
    let data = [140.0, 420.0].map(|scale| {
        let path = directory.path().join(format!("{scale}"));
        write_honest_games(&path, scale, false, |_| false);
        path
    });
    let prepared = |name: &str, data: &[PathBuf], scale: Option<f64>| {
        let out = directory.path().join(name);
        let options = PrepareOptions { scale, ..OPTIONS };
        prepare(data, &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap()
    };
    let both = prepared("both", &data, Some(210.0));
    // A training that takes them for others says so.
    let as_data = TrainingData::from(both.clone());
    assert_eq!((as_data.other_scales(210.0), as_data.other_scales(145.0)), (vec![], vec![210.0]));
    let fraction = prepared("fraction", &data, Some(145.5));
    assert_eq!(TrainingData::from(fraction).other_scales(145.5), [0.0; 0]);
    let both = both.index.sources;
    for (source, scale) in both.iter().zip([140.0, 420.0]) {
        let found = source.scale.unwrap();
        assert!((found / scale - 1.0).abs() < 0.1, "{scale}: {found}");
        assert!((f64::from(source.factor) * found - 210.0).abs() < 0.01);
    }
    let largest = |dataset: Dataset| {
        let records = all(TrainingData::from(dataset).batches(1, 0, 100, 0).unwrap(), 100);
        f64::from(records.iter().map(|record| record.score).max().unwrap())
    };
    let [one, other] = data.map(|path| {
        let name = format!("{}-stretched", path.display());
        (
            largest(prepared(&name, std::slice::from_ref(&path), Some(210.0))),
            largest(prepared(&format!("{name}-not"), std::slice::from_ref(&path), None)),
        )
    });
    assert!((one.0 / other.0 - 1.0).abs() < 0.02, "{one:?} {other:?}");
    assert!((other.1 / one.1 - 3.0).abs() < 0.1, "{one:?} {other:?}");
}

#[test]
fn scores_are_left_as_they_are_where_many_games_have_no_result() {
    // Positions by themselves are no games.
    for (every, lone, is_fitted) in [(100, false, true), (4, false, false), (100, true, true)] {
        let directory = TempDir::new().unwrap();
        let data = directory.path().join("data");
        write_honest_games(&data, 140.0, lone, |index| index % every == 0);
        let (out, options) =
            (directory.path().join("prepared"), PrepareOptions { scale: Some(210.0), ..OPTIONS });
        let dataset = prepare(&[data], &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap();
        let source = &dataset.index.sources[0];
        assert_eq!((source.scale.is_some(), source.factor != 1.0), (is_fitted, is_fitted), "{every}");
    }
}

#[test]
fn scores_look_ahead_along_the_game() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..20);
    let out = directory.path().join("prepared");
    let options = PrepareOptions { lambda: 0.6, ..OPTIONS };
    let data = [directory.path().to_path_buf()];
    let dataset = prepare(&data, &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap();
    assert_eq!(dataset.index.lambda, 0.6);
    let targets = ScoreTargets { factor: 1.0, scale: f64::from(SCALE), lambda: 0.6, unfade: false };
    let mut expected = Vec::new();
    for index in 0..20 {
        let game = some_game(index, 100);
        let scores = targets.of(&game, &known_results(&game, None).unwrap());
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            expected.push(PositionRecord {
                score: scores[position.ply],
                ..PositionRecord::pack(&position).unwrap()
            });
        }
    }
    let validation = dataset.validation().unwrap();
    let found =
        [all(TrainingData::from(dataset.clone()).batches(1, 0, 100, 0).unwrap(), 100), validation].concat();
    assert_eq!(counted(&found), counted(&expected));
}

#[test]
fn scores_that_say_nothing_are_left_alone() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..300);
    let out = directory.path().join("prepared");
    let options = PrepareOptions { scale: Some(210.0), ..OPTIONS };
    let few = directory.path().join("few");
    fs::create_dir(&few).unwrap();
    write_games(&few, 0..10);
    let data = [directory.path().to_path_buf(), few];
    let dataset = prepare(&data, &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap();
    assert_eq!(dataset.index.sources.len(), 2);
    for source in dataset.index.sources {
        assert_eq!((source.scale, source.factor), (None, 1.0), "{source:?}");
    }
}

#[test]
fn averages_are_made_on_the_scale_asked_for() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..5);
    let data = [directory.path().to_path_buf()];
    for (scale, lambda_scale, expected) in [
        (None, None, 210.0),
        (Some(180.0), None, 180.0),
        (None, Some(145.0), 145.0),
        (Some(180.0), Some(145.0), 145.0),
    ] {
        let out = directory.path().join(format!("{scale:?} {lambda_scale:?}"));
        let options = PrepareOptions { lambda: 0.5, scale, lambda_scale, ..OPTIONS };
        let dataset = prepare(&data, &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap();
        assert_eq!(dataset.index.lambda_scale, Some(expected));
        let targets = ScoreTargets { factor: 1.0, scale: expected, lambda: 0.5, unfade: false };
        let game = some_game(2, 100);
        let scores = targets.of(&game, &known_results(&game, None).unwrap());
        let records = [
            all(TrainingData::from(dataset.clone()).batches(1, 0, 100, 0).unwrap(), 100),
            dataset.validation().unwrap(),
        ]
        .concat();
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            let record =
                PositionRecord { score: scores[position.ply], ..PositionRecord::pack(&position).unwrap() };
            assert!(counted(&records).contains_key(&counted(&[record]).into_keys().next().unwrap()));
        }
    }
}

#[test]
fn what_fades_towards_the_fifty_move_rule_is_given_back() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..20);
    let data = [directory.path().to_path_buf()];
    let scores = |unfade| {
        let out = directory.path().join(format!("{unfade}"));
        let options = PrepareOptions { unfade, ..OPTIONS };
        let dataset = prepare(&data, &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap();
        assert_eq!(dataset.index.unfaded, unfade);
        [
            all(TrainingData::from(dataset.clone()).batches(1, 0, 100, 0).unwrap(), 100),
            dataset.validation().unwrap(),
        ]
        .concat()
    };
    let mut expected = Vec::new();
    let mut faded = 0;
    for index in 0..20 {
        let game = some_game(index, 100);
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            let rule50 = i32::from(position.board.rule50());
            faded += i32::from(rule50 > 0);
            let score = rule50_unfaded(i32::from(position.score), rule50) as i16;
            expected.push(PositionRecord { score, ..PositionRecord::pack(&position).unwrap() });
        }
    }
    assert!(faded > 100, "{faded}");
    assert_eq!(counted(&scores(true)), counted(&expected));
    assert_ne!(counted(&scores(false)), counted(&expected));
}

#[test]
fn unfaded_scores_are_stretched_by_what_they_are_worth() {
    let directory = TempDir::new().unwrap();
    let data = directory.path().join("data");
    write_honest_games(&data, 140.0, false, |_| false);
    let factor = |unfade| {
        let out = directory.path().join(format!("{unfade}"));
        let options = PrepareOptions { scale: Some(210.0), unfade, ..OPTIONS };
        let dataset =
            prepare(std::slice::from_ref(&data), &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {})
                .unwrap();
        dataset.index.sources[0].factor
    };
    let (faded, unfaded) = (factor(false), factor(true));
    assert!(unfaded < faded, "{unfaded} {faded}");
}
