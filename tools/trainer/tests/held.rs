//! Positions beyond games, in which a network is held to what another says of them.

mod common;

use std::path::Path;
use std::sync::Arc;

use caesura::engine::{MATERIAL_NETWORK, load_network};
use caesura::nnue::Network;
use caesura::nnue::simd::Native;
use common::{GO, OPTIONS, counted, some_data, some_game, write_games};
use tempfile::TempDir;
use trainer::dataset::Dataset;
use trainer::held::HeldOptions;
use trainer::prepare::{PrepareOptions, prepare};
use trainer::record::{PositionRecord, UNKNOWN_RESULT};

fn network() -> Arc<Network> {
    load_network(MATERIAL_NETWORK.as_ref()).unwrap()
}

fn held(directory: &Path, name: &str, share: f64, options: PrepareOptions) -> Dataset {
    let options = PrepareOptions { held: Some(HeldOptions { network: network(), share }), ..options };
    let out = directory.join(name);
    prepare(&[directory.to_path_buf()], &out, &options, &GO, |fault| panic!("{fault}"), |_, _| {}).unwrap()
}

fn records(dataset: &Dataset) -> Vec<PositionRecord> {
    dataset.index.training.iter().flat_map(|part| dataset.read(part).unwrap()).collect()
}

#[test]
fn each_is_one_move_beyond_a_game_and_worth_what_the_network_says() {
    let directory = TempDir::new().unwrap();
    write_games(directory.path(), 0..8);
    let dataset =
        held(directory.path(), "held", 1.0, PrepareOptions { lambda_scale: Some(105.0), ..OPTIONS });
    assert_eq!(dataset.index.held_by, Some(network().name()));
    let network = network();
    let all = [records(&dataset), dataset.validation().unwrap()].concat();
    // Every position that one legal move leads to, with half the value: 105 centipawns for a logit of 1, where the network has 210.
    let (mut beyond, mut captured) = (Vec::new(), Vec::new());
    let mut positions = 0;
    for index in 0..8 {
        let game = some_game(index, 100);
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            positions += 1;
            let mut board = position.board.clone();
            for &m in board.legal_moves().iter() {
                board.make_move(m, &mut ());
                if !board.in_check() {
                    let mut record = PositionRecord::of(&board).unwrap();
                    let value = network.evaluate::<Native>(&board);
                    record.score = (f64::from(value) / 2.0).round() as i16;
                    record.result = UNKNOWN_RESULT;
                    if m.is_capture() { &mut captured } else { &mut beyond }.push(record);
                }
                board.unmake_move(m, &mut ());
            }
        }
    }
    assert!(all.len() > positions * 8 / 10 && all.len() <= positions, "{} of {positions}", all.len());
    let (quiet, captured) = (counted(&beyond), counted(&captured));
    let count = counted(&all);
    assert!(count.keys().all(|record| quiet.contains_key(record) || captured.contains_key(record)));
    let captures: u32 =
        count.iter().filter(|(record, _)| captured.contains_key(*record)).map(|(_, n)| n).sum();
    // Of the legal moves less than one in ten captures; drawn are more.
    assert!(captures as usize > all.len() / 5, "{captures} captures of {}", all.len());
}

#[test]
fn neither_threads_nor_chance_change_them_and_a_share_is_a_part_of_all() {
    let directory = TempDir::new().unwrap();
    some_data(directory.path(), 30);
    let of = |name: &str, share, threads| {
        held(directory.path(), name, share, PrepareOptions { threads, ..OPTIONS })
    };
    let (whole, again) = (of("whole", 1.0, 2), of("again", 1.0, 1));
    assert_eq!(whole.index, again.index);
    let part = of("part", 0.3, 2);
    let (all, some) = (counted(&records(&whole)), counted(&records(&part)));
    assert!(some.keys().all(|record| all.contains_key(record)));
    let share = part.index.training_records() as f64 / whole.index.training_records() as f64;
    assert!((0.25..0.35).contains(&share), "{share}");
    // Those that are left are in all files, not in the first.
    let in_files: Vec<u64> = part.index.training.iter().map(|part| part.records).collect();
    let mean = part.index.training_records() / in_files.len() as u64;
    assert!(in_files.len() > 3 && in_files.iter().all(|&number| number > mean / 2), "{in_files:?}");
}
