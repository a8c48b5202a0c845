//! The engine evaluates with a trained network as the trainer does.

mod common;

use std::collections::HashSet;

use caesura::board::Board;
use caesura::nnue::Network;
use caesura::nnue::arch::{HIDDEN_SIZE, MAX_OUTPUT_WEIGHT};
use caesura::nnue::simd::{BackendVisitor, Vector, visit_backends};
use common::some_game;
use trainer::arch::{Architecture, OUTPUT_UNITS};
use trainer::dense::DenseNet;
use trainer::float_net::{FloatNet, SliceLayout};
use trainer::quantised::QuantisedNet;
use trainer::record::PositionRecord;

struct Compare<'a> {
    network: &'a Network,
    quantised: &'a QuantisedNet,
    boards: &'a [Board],
}

impl BackendVisitor for Compare<'_> {
    fn visit<V: Vector>(&mut self) {
        let mut different = HashSet::new();
        for board in self.boards {
            let expected = self.quantised.value(&PositionRecord::of(board).unwrap());
            assert_eq!(self.network.evaluate::<V>(board), expected, "{}: {}", V::NAME, board);
            different.insert(expected);
        }
        assert!(different.len() > self.boards.len() / 10, "the network gives nearly always one output");
    }
}

/// Lets the dense layers have a say.
fn set_last_weights(dense: &mut DenseNet) {
    dense.weights_3 = std::array::from_fn(|unit| (unit * 7 % 13) as f32 * 0.05 - 0.25);
}

#[test]
fn the_engine_evaluates_as_the_trainer_does() {
    let shape = Architecture::new(HIDDEN_SIZE).unwrap();
    let mut net = FloatNet::random(SliceLayout::new(&shape), 5);
    // First weights are small, and so are the differences that they make.
    for lanes in net.slices.iter_mut().flatten().flat_map(|row| &mut row.0) {
        *lanes += *lanes;
    }
    for (bucket, dense) in net.dense.iter_mut().enumerate() {
        dense.bias = 0.1 * bucket as f32 - 0.3;
        set_last_weights(dense);
    }
    let quantised = QuantisedNet::new(&shape, &net);
    let network = Network::parse(&quantised.to_bytes()).unwrap();
    let mut boards = Vec::new();
    for index in 0..20 {
        let game = some_game(index, 150);
        let mut replay = game.replay();
        while let Some(position) = replay.next_position().unwrap() {
            boards.push(position.board.clone());
        }
    }
    assert!(boards.len() > 1000);
    visit_backends(&mut Compare { network: &network, quantised: &quantised, boards: &boards });
}

#[test]
fn a_scaled_network_says_more_or_less_of_the_same() {
    let shape = Architecture::new(HIDDEN_SIZE).unwrap();
    let mut net = FloatNet::random(SliceLayout::new(&shape), 7);
    for (bucket, dense) in net.dense.iter_mut().enumerate() {
        dense.bias = 0.2 * bucket as f32 - 0.5;
        set_last_weights(dense);
    }
    let quantised = QuantisedNet::new(&shape, &net);
    assert_eq!(quantised.scaled(1.0).as_ref(), Some(&quantised));
    assert_eq!(quantised.scaled(1e6), None);
    // The greatest that the engine takes, and a little more.
    let direct = quantised.output.chunks_exact(2 * HIDDEN_SIZE).step_by(OUTPUT_UNITS);
    let greatest = direct.flatten().map(|weight| weight.unsigned_abs()).max().unwrap();
    let factor = f64::from(MAX_OUTPUT_WEIGHT) / f64::from(greatest);
    assert!(Network::parse(&quantised.scaled(factor).unwrap().to_bytes()).is_ok());
    assert_eq!(quantised.scaled(factor * 1.001), None);
    let records = common::some_records(10);
    for factor in [0.5, 0.7, 2.0] {
        let scaled = quantised.scaled(factor).unwrap();
        for record in &records {
            let (before, after) = (f64::from(quantised.value(record)), f64::from(scaled.value(record)));
            assert!(
                (before * factor - after).abs() <= 3.0 + 0.02 * after.abs(),
                "{factor}: {before} {after}"
            );
        }
    }
}

#[test]
fn an_average_lies_between_the_networks_that_it_is_made_of() {
    let shape = Architecture::new(HIDDEN_SIZE).unwrap();
    let net = |seed| QuantisedNet::new(&shape, &FloatNet::random(SliceLayout::new(&shape), seed));
    let (first, second) = (net(7), net(8));
    assert_eq!(QuantisedNet::average(&[]), None);
    assert_eq!(QuantisedNet::average(&[first.clone(), first.clone()]).as_ref(), Some(&first));
    let average = QuantisedNet::average(&[first.clone(), second.clone()]).unwrap();
    let weights = [&first, &second, &average].map(|net| net.features.iter().chain(&net.output));
    let [of_first, of_second, of_average] = weights;
    // Quantisation scales are not greater than the greatest of those that a unit had, but weights are rounded to them anew.
    let scale =
        i32::from(first.features.iter().chain(&second.features).map(|n| n.abs()).max().unwrap()) / 127 + 1;
    for ((&one, &other), &mean) in of_first.zip(of_second).zip(of_average) {
        let twice = i32::from(one) + i32::from(other);
        assert!((twice - 2 * i32::from(mean)).abs() <= scale + 1, "{one} {other} {mean}");
    }
    // Halves between two steps are rounded towards zero as often as away from it.
    let (mut halves, mut away) = (0, 0);
    for ((&one, &other), &mean) in first.output.iter().zip(&second.output).zip(&average.output) {
        let twice = i32::from(one) + i32::from(other);
        if twice % 2 != 0 {
            halves += 1;
            away += i32::from(2 * i32::from(mean).abs() > twice.abs());
        }
    }
    assert!(halves > 10_000 && (away * 2 - halves).abs() < halves / 20, "{away} of {halves}");
    let narrow = Architecture::new(HIDDEN_SIZE - 32).unwrap();
    let other = QuantisedNet::new(&narrow, &FloatNet::random(SliceLayout::new(&narrow), 7));
    assert_eq!(QuantisedNet::average(&[first, other]), None);
}
