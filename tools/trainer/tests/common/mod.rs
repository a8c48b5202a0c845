//! Positions and games for the tests.

#![allow(dead_code)]

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use caesura::board::Board;
use caesura::nnue::format::{DenseLayers, Header};
use caesura::util::random::SplitMix;
use datagen::format::FileHeader;
use datagen::{Ending, Game, GameWriter, OpeningKind, Ply, Winner};
use sha2::{Digest, Sha256};
use trainer::adam::AdamSettings;
use trainer::arch::{Architecture, OUTPUT_UNITS};
use trainer::dataset::Dataset;
use trainer::extract::PositionFilter;
use trainer::loss::Loss;
use trainer::prepare::{PrepareOptions, prepare};
use trainer::quantised::QuantisedNet;
use trainer::record::PositionRecord;
use trainer::settings::{Decay, Schedule, TrainingSettings};
use trainer::training_data::Batches;

/// A game of moves drawn by a plain rule, with scores and a result that mean nothing.
pub fn some_game(index: u32, length: usize) -> Game {
    let mut board = Board::start();
    let mut start = board.setup();
    let mut plies = Vec::new();
    let mut random = SplitMix(u64::from(index));
    for step in 0..length + 6 {
        if Ending::by_rule(&board).is_some() {
            break;
        }
        let played = *random.pick(&board.legal_moves());
        if step == 6 {
            start = board.setup();
        }
        if step >= 6 {
            plies.push(Ply { played, score: random.below(600) as i16 - 300 });
        }
        board.make_move(played, &mut ());
    }
    let winner = Winner::ALL[index as usize % 3];
    Game { index, start, opening: OpeningKind::Standard, plies, winner, ending: Ending::DrawByScore }
}

/// The file of a network in a former version of the format: with feature weights of 16 bits, and up to version 2 without what
/// is not its direct output.
pub fn former_file(net: &QuantisedNet, version: u32) -> Vec<u8> {
    let is_direct = version < 3;
    let rows = net.output.chunks_exact(2 * net.shape.hidden).enumerate();
    let rows = rows.filter(|(unit, _)| !is_direct || unit % OUTPUT_UNITS == 0);
    let numbers = net.features.iter().chain(&net.bias).chain(rows.flat_map(|(_, row)| row));
    let mut payload: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
    for dense in &net.dense {
        let numbers = bytemuck::cast_slice::<DenseLayers, i32>(std::slice::from_ref(dense));
        let kept = if is_direct { &numbers[..1] } else { numbers };
        payload.extend(kept.iter().flat_map(|number| number.to_le_bytes()));
    }
    let (inputs, hidden) = (net.shape.inputs() as u32, net.shape.hidden as u32);
    let header = Header { version, ..Header::new(inputs, hidden, Sha256::digest(&payload).into()) };
    [bytemuck::bytes_of(&header), &payload].concat()
}

/// All positions of some games.
pub fn some_records(games: u32) -> Vec<PositionRecord> {
    let mut records = Vec::new();
    for index in 0..games {
        let game = some_game(index, 120);
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            records.push(PositionRecord::pack(&position).unwrap());
        }
    }
    records
}

/// Writes games to a file in a directory.
pub fn write_games(directory: &Path, games: std::ops::Range<u32>) {
    let path = directory.join(format!("{}.games", games.start));
    let mut writer = GameWriter::create(&path, &FileHeader::new(1, 2, 3, "test")).unwrap();
    writer.set_block(2000, Duration::from_secs(1000));
    for index in games {
        writer.write(&some_game(index, 100)).unwrap();
    }
}

/// Nothing left out but mates.
pub const ALL: PositionFilter = PositionFilter {
    max_score: i16::MAX,
    min_pieces: 2,
    max_pieces: 32,
    skip_plies: 0,
    noisy: true,
    checks: true,
    validation: 0.2,
};

/// Many small files.
pub const OPTIONS: PrepareOptions = PrepareOptions {
    filter: ALL,
    threads: 2,
    part_records: 500,
    scale: None,
    lambda: 0.0,
    lambda_scale: None,
    unfade: false,
    tables: None,
    held: None,
};

/// A stop flag that stays unset.
pub static GO: AtomicBool = AtomicBool::new(false);

/// Prepared positions of some games in a directory.
pub fn some_data(directory: &Path, games: u32) -> Dataset {
    write_games(directory, 0..games);
    let prepared = directory.join("prepared");
    prepare(&[directory.to_path_buf()], &prepared, &OPTIONS, &GO, |fault| panic!("{fault}"), |_, _| {})
        .unwrap()
}

/// Settings of a small training.
pub fn settings(hidden: usize) -> TrainingSettings {
    TrainingSettings {
        shape: Architecture::new(hidden).unwrap(),
        epochs: 3,
        batch: 300,
        schedule: Schedule { rate: 0.005, final_rate: 0.0001, warm_up: 3, decay: Decay::Cosine },
        adam: AdamSettings { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.01, feature_rate: 1.0 },
        loss: Loss { result: 0.3, endings_result: 0.3, scale: 400.0, power: 2.0 },
        comparisons: None,
        start: None,
        seed: 7,
        threads: 2,
    }
}

/// All records of an epoch, in batches of this size.
pub fn all(mut batches: Batches, size: usize) -> Vec<PositionRecord> {
    let (mut records, mut batch) = (Vec::new(), Vec::new());
    loop {
        batches.next(&mut batch).unwrap();
        assert!(records.len() % size == 0 || batch.is_empty(), "only the last batch is short");
        if batch.is_empty() {
            return records;
        }
        records.extend(&batch);
    }
}

/// How often each record is there.
pub fn counted(records: &[PositionRecord]) -> HashMap<[u8; 32], u32> {
    let mut counts = HashMap::new();
    for record in records {
        *counts.entry(bytemuck::cast(*record)).or_default() += 1;
    }
    counts
}

/// Positions by themselves, as a run records them with the number of a game: some of those that its last moves lead to.
pub fn lone_positions(game: &Game) -> Vec<Game> {
    let mut replay = game.replay();
    let mut lone = Vec::new();
    while let Some(position) = replay.next_position().unwrap() {
        if position.ply > 60 && position.ply % 3 == 0 {
            let (start, best) = (position.board.setup(), game.plies[position.ply]);
            lone.push(Game::lone_position(game.index, game.opening, start, best));
        }
    }
    lone
}
