//! Whole trainings, small.

mod common;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{former_file, settings, some_data, some_records};
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;
use toolkit::cli::ErrorChain;
use trainer::adam::{Adam, AdamSettings, DENSE_DECAY, DENSE_RATE};
use trainer::arch::{Architecture, DENSE_2, FEATURE_BOUND, SCALE, THREAT_STATES};
use trainer::backprop::Backprop;
use trainer::checkpoint;
use trainer::dataset::Dataset;
use trainer::dense::DenseNet;
use trainer::float_net::{FloatNet, SliceLayout};
use trainer::log::TrainingLog;
use trainer::quantised::{QuantisedNet, Saturation};
use trainer::settings::TrainingSettings;
use trainer::training::{Checkpoints, Training, TrainingEvent, TrainingOutcome};

/// Trains to the end and gives the network and the curves.
fn train(dataset: &Dataset, settings: &TrainingSettings) -> (FloatNet, TrainingLog) {
    let mut training = Training::new(dataset.clone().into(), settings.clone()).unwrap();
    let outcome = training.run(None, &AtomicBool::new(false), |_| {}).unwrap();
    assert_eq!(outcome, TrainingOutcome::Finished);
    (training.net().clone(), untimed(training.log()))
}

/// A log without what the clock said.
fn untimed(log: &TrainingLog) -> TrainingLog {
    let mut log = log.clone();
    for epoch in &mut log.epochs {
        (epoch.seconds, epoch.speed) = (0.0, 0.0);
    }
    log
}

fn checkpoints(directory: &Path) -> Checkpoints {
    Checkpoints { path: directory.join("training.ckpt"), every: Duration::MAX }
}

/// Trains until this many batches are done, and leaves a checkpoint.
fn train_in_part(
    dataset: &Dataset,
    settings: &TrainingSettings,
    checkpoints: &Checkpoints,
    resume: bool,
    batches: u64,
) {
    let mut training = if resume {
        Training::resume(dataset.clone().into(), settings, &checkpoints.path).unwrap()
    } else {
        Training::new(dataset.clone().into(), settings.clone()).unwrap()
    };
    let stop = AtomicBool::new(false);
    let outcome = training.run(Some(checkpoints), &stop, |event| {
        if let TrainingEvent::Batch { batch, .. } = event {
            stop.store(batch == batches, Ordering::Relaxed);
        }
    });
    assert_eq!(outcome.unwrap(), TrainingOutcome::Interrupted);
    assert_eq!(training.batches_done(), batches);
}

#[test]
fn the_same_seed_gives_the_same_network() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 40);
    let settings = settings(32);
    let first = train(&dataset, &settings);
    assert_eq!(first, train(&dataset, &settings));
    assert_ne!(first.0, train(&dataset, &TrainingSettings { seed: 8, ..settings.clone() }).0);
    let epochs = &first.1.epochs;
    assert_eq!(epochs.len(), 3);
    assert!(epochs[2].training < epochs[0].training, "{epochs:?}");
    assert!(epochs.iter().all(|epoch| epoch.validation.is_some()));
}

#[test]
fn a_training_in_parts_is_the_training_in_one() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 40);
    let settings = settings(32);
    let checkpoints = checkpoints(directory.path());
    let whole = train(&dataset, &settings);
    let per_epoch = dataset.index.training_records().div_ceil(settings.batch as u64);
    assert!(per_epoch > 3, "{per_epoch}");
    train_in_part(&dataset, &settings, &checkpoints, false, 2);
    train_in_part(&dataset, &settings, &checkpoints, true, per_epoch);
    train_in_part(&dataset, &settings, &checkpoints, true, per_epoch + 3);
    let mut training = Training::resume(dataset.clone().into(), &settings, &checkpoints.path).unwrap();
    assert_eq!(
        training.run(Some(&checkpoints), &AtomicBool::new(false), |_| {}).unwrap(),
        TrainingOutcome::Finished
    );
    assert_eq!((training.net().clone(), untimed(training.log())), whole);
    // One that is finished stays so.
    let mut again = Training::resume(dataset.into(), &settings, &checkpoints.path).unwrap();
    again.run(None, &AtomicBool::new(false), |event| panic!("{event:?}")).unwrap();
    assert_eq!(again.net(), &whole.0);
}

#[test]
fn checkpoints_of_other_trainings_are_refused() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 30);
    let settings = settings(32);
    let checkpoints = checkpoints(directory.path());
    train_in_part(&dataset, &settings, &checkpoints, false, 2);
    let refused = |dataset: &Dataset, settings: &TrainingSettings| {
        Training::resume(dataset.clone().into(), settings, &checkpoints.path).unwrap_err().to_string()
    };
    let other = TrainingSettings { batch: 299, ..settings.clone() };
    let reason = refused(&dataset, &other);
    assert!(reason.contains("batch: 299, not 300"), "{reason}");
    let directory = TempDir::new().unwrap();
    let reason = refused(&some_data(directory.path(), 31), &settings);
    assert!(reason.contains("other data"), "{reason}");
}

#[test]
fn damaged_checkpoints_are_refused() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 30);
    let checkpoints = checkpoints(directory.path());
    train_in_part(&dataset, &settings(32), &checkpoints, false, 2);
    let whole = fs::read(&checkpoints.path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&checkpoints.path, bytes).unwrap();
        let error = checkpoint::read(&checkpoints.path).unwrap_err();
        let reason = ErrorChain(&error).to_string();
        assert!(reason.contains("checkpoint"), "{reason}");
    };
    for at in (0..whole.len()).step_by(whole.len() / 40).chain(0..20).chain([whole.len() - 1]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        refused(&bytes);
    }
    for length in [0, 7, 16, 47, 48, 1000, whole.len() - 1] {
        refused(&whole[..length]);
    }
    refused(&[&whole[..], &[0]].concat());
    let missing = checkpoint::read(&directory.path().join("none")).unwrap_err().to_string();
    assert!(missing.contains("none"), "{missing}");
}

/// Trains on a few positions until they are known, with this many threat states.
fn learn(states: usize) -> (Architecture, FloatNet, f64) {
    let shape = Architecture::with_states(64, states).unwrap();
    let settings = settings(64);
    let records: Vec<_> = some_records(3).into_iter().step_by(4).collect();
    assert!(records.len() > 50);
    let layout = SliceLayout::new(&shape);
    let (mut net, mut adam) = (FloatNet::random(layout, 3), Adam::new(FloatNet::zeros(layout)));
    let mut passes = vec![Backprop::new(&shape)];
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut lost = f64::MAX;
    for _ in 0..400 {
        lost = passes[0].train(&net, &settings.loss, &records) / records.len() as f64;
        pool.install(|| adam.step(&mut net, &mut passes, &settings.adam, 0.005, records.len()));
    }
    (shape, net, lost)
}

#[test]
fn a_training_begins_with_the_network_that_it_is_given() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 40);
    let settings = settings(32);
    let (net, log) = train(&dataset, &settings);
    let start = QuantisedNet::new(&settings.shape, &net);
    assert_eq!(QuantisedNet::new(&settings.shape, &start.to_net()), start);
    let mut training = Training::from_network(dataset.into(), settings, &start).unwrap();
    assert_eq!(training.settings().start, Some(start.sha256()));
    assert_eq!(training.run(None, &AtomicBool::new(false), |_| {}).unwrap(), TrainingOutcome::Finished);
    // It knows already what the first training had to find.
    let first = |log: &TrainingLog| log.epochs[0].training;
    assert!(first(training.log()) < first(&log), "{} {}", first(training.log()), first(&log));
}

#[test]
fn several_threat_states_come_back_with_what_they_share() {
    let shape = Architecture::with_states(32, THREAT_STATES).unwrap();
    let start = QuantisedNet::new(&shape, &FloatNet::random(SliceLayout::new(&shape), 3));
    let net = start.to_net();
    assert_eq!(QuantisedNet::new(&shape, &net), start);
    let row = |row: usize| net.slices[0][row].numbers()[7];
    let mean = (0..THREAT_STATES).map(|state| row(state * 768 + 100)).sum::<f32>() / THREAT_STATES as f32;
    assert!((row(net.layout.factoriser() + 100) - mean).abs() < 1e-6);
}

#[test]
fn decay_leads_to_the_network_that_a_training_began_with() {
    for (states, feature_rate) in [(1, 1.0), (1, 0.0), (THREAT_STATES, 1.0), (THREAT_STATES, 0.1)] {
        let shape = Architecture::with_states(32, states).unwrap();
        let layout = SliceLayout::new(&shape);
        // What the threat states share is drawn for itself, so that their own parts are not zero.
        let drawn = |seed| {
            let (mut net, other) = (FloatNet::random(layout, seed), FloatNet::random(layout, seed + 10));
            let shared = layout.factoriser()..layout.rows();
            net.slices[0][shared.clone()].copy_from_slice(&other.slices[0][shared]);
            net
        };
        let (mut origin, mut net) = (drawn(1), drawn(2));
        (origin.dense[3].bias, net.dense[3].bias) = (0.5, 0.25);
        let before = net.clone();
        let settings = AdamSettings { decay: 0.5, feature_rate, ..settings(32).adam };
        let mut adam = Adam::new(origin.clone());
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        // There is nothing to learn.
        pool.install(|| adam.step(&mut net, &mut [Backprop::new(&shape)], &settings, 0.5, 1));
        for row in 0..layout.rows() {
            let number = |net: &FloatNet| net.slices[0][row].numbers()[5];
            let expected = if layout.is_dense(row) {
                number(&before) * (1.0 - 0.5 * DENSE_DECAY)
            } else {
                let rate = if layout.is_output(row) { 1.0 } else { feature_rate };
                number(&before) - 0.25 * rate * (number(&before) - number(&origin))
            };
            assert!((number(&net) - expected).abs() < 1e-6, "row {row}, feature rate {feature_rate}");
        }
        for (place, (after, before)) in
            net.dense[3].numbers().iter().zip(before.dense[3].numbers()).enumerate()
        {
            let rate = if DenseNet::BIASES_1.contains(&place) { 1.0 } else { DENSE_RATE };
            let expected = if place == DenseNet::BIAS {
                before - 0.25 * (before - origin.dense[3].bias)
            } else {
                before * (1.0 - 0.5 * rate * DENSE_DECAY)
            };
            assert!((after - expected).abs() < 1e-6, "number {place} of the dense layers");
        }
    }
}

#[test]
fn a_network_that_grows_says_what_it_said_and_goes_on_learning() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 40);
    let narrow = Architecture::with_states(32, 1).unwrap();
    let (net, _) = train(&dataset, &TrainingSettings { shape: narrow.clone(), ..settings(32) });
    let start = QuantisedNet::new(&narrow, &net);
    let records = some_records(5);
    for (hidden, states) in [(32, THREAT_STATES), (96, 1), (64, THREAT_STATES)] {
        let shape = Architecture::with_states(hidden, states).unwrap();
        let grown = start.grown(&shape, 7).unwrap();
        let quantised = QuantisedNet::new(&shape, &grown);
        assert!(records.iter().all(|record| quantised.value(record) == start.value(record)));
        assert_eq!(
            quantised.grown(&shape, 8).map(|net| QuantisedNet::new(&shape, &net)),
            Ok(quantised.clone())
        );
        // Every number can still change: those that no output heeds are not all alike.
        let settings = TrainingSettings { shape: shape.clone(), ..settings(32) };
        let mut training = Training::from_network(dataset.clone().into(), settings, &start).unwrap();
        let before = QuantisedNet::new(&shape, training.net());
        assert_eq!(before.value(&records[0]), start.value(&records[0]));
        training.run(None, &AtomicBool::new(false), |_| {}).unwrap();
        let after = QuantisedNet::new(&shape, training.net());
        let row = |net: &QuantisedNet, unit: usize| -> Vec<i16> {
            net.output.iter().skip(unit).step_by(hidden).copied().collect()
        };
        assert!((0..hidden).all(|unit| row(&before, unit) != row(&after, unit)));
        // It cannot shrink, nor lose its threat states.
        if hidden > 32 {
            assert!(quantised.grown(&narrow, 1).is_err());
        }
        if states > 1 {
            let without = Architecture::with_states(hidden, 1).unwrap();
            assert!(quantised.grown(&without, 1).is_err());
        }
    }
}

#[test]
fn a_few_positions_are_learned_by_heart() {
    for states in [1, THREAT_STATES] {
        let (_, _, lost) = learn(states);
        assert!(lost < 1e-6, "{lost}");
    }
}

#[test]
fn the_factoriser_is_part_of_every_state() {
    let (_, net, _) = learn(THREAT_STATES);
    let layout = net.layout;
    let start = FloatNet::random(layout, 3);
    // Wherever the shared row has moved, the rows of all states moved with it, also of those that were never seen.
    let mut moved = 0;
    for row in 0..layout.shared {
        let shared = |net: &FloatNet| *net.slices[0][layout.factoriser() + row].numbers();
        if shared(&net)[0] == shared(&start)[0] {
            continue;
        }
        moved += 1;
        for state in 0..layout.inputs / layout.shared {
            let own = |net: &FloatNet| net.slices[0][state * layout.shared + row].numbers()[0];
            assert_ne!(own(&net), own(&start), "row {row}, state {state}");
        }
    }
    assert!(moved > 50, "{moved}");
}

#[test]
fn the_quantised_network_says_nearly_the_same() {
    let (shape, net, _) = learn(THREAT_STATES);
    let records = some_records(8);
    let quantised = QuantisedNet::new(&shape, &net);
    let outputs = Backprop::new(&shape).outputs(&net, &settings(64).loss, &records);
    // Every number is off by half a unit at most: 1/2048 in the sums for each piece, 1/1024 in the output weights.
    let mut worst = 0.0f64;
    for (record, output) in records.iter().zip(outputs) {
        let expected = f64::from(output) * f64::from(SCALE);
        worst = worst.max((f64::from(quantised.value(record)) - expected).abs());
    }
    assert!(worst < 10.0, "{worst} centipawns");
    assert!(worst > 0.0);
    let loss = settings(64).loss;
    let float = Backprop::new(&shape).evaluate(&net, &loss, &records) / records.len() as f64;
    let difference = quantised.loss(&loss, &records).unwrap() - float;
    assert!(difference != 0.0 && difference.abs() < 0.01, "{difference}");
    assert_eq!(quantised.loss(&loss, &[]), None);
}

#[test]
fn networks_come_back_from_files_and_damage_is_seen() {
    let shape = Architecture::new(32).unwrap();
    let mut net = FloatNet::random(SliceLayout::new(&shape), 9);
    net.dense[7].weights_3[DENSE_2 - 1] = 0.25;
    net.dense[0].bias = -0.5;
    let quantised = QuantisedNet::new(&shape, &net);
    let bytes = quantised.to_bytes();
    let dense = 4 * (1 + 8 + 8 * 32 + 32 + 32);
    let features = shape.inputs() * 32;
    assert_eq!(bytes.len(), 64 + features + 2 * (2 * 32 + 8 * 9 * 64) + 8 * dense);
    assert_eq!(QuantisedNet::from_bytes(&bytes).as_ref(), Ok(&quantised));
    assert_eq!(&bytes[..8], b"CAESNNUE");
    // The weights of a unit, rounded, and rounded again to multiples of a step of which 127 reach the greatest.
    let rounded = |row: usize| (net.slices[0][row].numbers()[5] * 1024.0).round();
    let greatest = (0..shape.inputs()).map(|row| rounded(row).abs()).fold(0.0, f32::max);
    assert!(greatest > 127.0, "{greatest}");
    let step = (greatest / 127.0).ceil();
    let weight = (net.slices[0][40].numbers()[5] * 1024.0 / step).round() as i8;
    assert_eq!(bytes[64 + 32 * 40 + 5], weight as u8);
    assert_eq!(bytes[64 + features + 2 * 5..][..2], (step as i16).to_le_bytes());
    let output = (net.slices[0][net.layout.output(3) + 1].numbers()[2] * 512.0).round() as i16;
    assert_eq!(bytes[64 + features + 2 * (2 * 32 + 3 * 9 * 64 + 32 + 2)..][..2], output.to_le_bytes());
    assert_eq!(bytes[bytes.len() - 8 * dense..][..4], (-1024i32 * 512 / 2).to_le_bytes());
    assert_eq!(bytes[bytes.len() - 4..], 128i32.to_le_bytes());
    assert_eq!(QuantisedNet::from_bytes(&former_file(&quantised, 3)).as_ref(), Ok(&quantised));
    for at in (0..bytes.len()).step_by(97).chain(0..64) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(QuantisedNet::from_bytes(&damaged).is_err(), "{at}");
    }
    for length in [0, 63, 64, bytes.len() - 1] {
        assert!(QuantisedNet::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
}

#[test]
fn weights_at_their_bounds_are_counted() {
    let shape = Architecture::new(32).unwrap();
    let mut net = FloatNet::random(SliceLayout::new(&shape), 9);
    assert_eq!(Saturation::of(&net), Saturation::default());
    net.slices[0][10].numbers_mut()[3] = -FEATURE_BOUND;
    net.slices[0][11].numbers_mut()[3] = 0.6;
    let output = net.layout.output(2);
    net.slices[0][output].numbers_mut()[3] = 8191.0 / 512.0;
    let found = Saturation::of(&net);
    assert!(found.features > 0.0 && found.output > found.features, "{found:?}");
    let quantised = QuantisedNet::new(&shape, &net);
    // 614 would not be a multiple of the step, 5.
    assert!([-635, 615].iter().all(|weight| quantised.features.contains(weight)));
    assert!(quantised.output.contains(&8191));
    let unit: Vec<i16> = quantised.features.iter().skip(3).step_by(32).copied().collect();
    assert!(unit.iter().all(|weight| weight % 5 == 0) && unit.contains(&5));
    assert_eq!(QuantisedNet::new(&shape, &quantised.to_net()), quantised);
}
