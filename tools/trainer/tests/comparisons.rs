//! Comparisons of moves: what games give, their gradients, and trainings with them.

mod common;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use caesura::engine::{MATERIAL_NETWORK, load_network};
use common::{settings, some_data};
use tempfile::TempDir;
use trainer::arch::Architecture;
use trainer::backprop::Backprop;
use trainer::comparisons::{CompareOptions, Comparison, Comparisons, LEAVES, compare};
use trainer::error::TrainerError;
use trainer::float_net::{FloatNet, SliceLayout};
use trainer::loss::ComparisonLoss;
use trainer::settings::{ComparisonSettings, TrainingSettings};
use trainer::training::{Checkpoints, Training, TrainingEvent, TrainingOutcome};
use trainer::training_data::TrainingData;

const LOSS: ComparisonLoss = ComparisonLoss { weight: 1.0, temperature: 0.4 };

fn options() -> CompareOptions {
    CompareOptions {
        network: load_network(MATERIAL_NETWORK.as_ref()).unwrap(),
        threads: 2,
        share: 1.0,
        max_score: 400,
        validation: 0.2,
    }
}

fn some_comparisons(directory: &Path, options: &CompareOptions) -> Comparisons {
    let data = [directory.to_path_buf()];
    compare(&data, options, &AtomicBool::new(false), |fault| panic!("{fault}"), |_, _| {}).unwrap()
}

/// A network to which leaves are not all alike.
fn some_net(shape: &Architecture) -> FloatNet {
    FloatNet::random(SliceLayout::new(shape), 5)
}

fn numbers(net: &mut FloatNet) -> impl Iterator<Item = &mut f32> {
    let slices = net.slices.iter_mut().flatten().flat_map(|row| row.numbers_mut());
    slices.chain(net.dense.iter_mut().flat_map(|dense| dense.numbers_mut()))
}

#[test]
fn games_give_the_same_comparisons_whatever_the_threads() {
    let directory = TempDir::new().unwrap();
    some_data(directory.path(), 30);
    let all = some_comparisons(directory.path(), &options());
    assert!(all.training.len() > 300 && all.validation.len() > 20);
    assert_eq!(all, some_comparisons(directory.path(), &CompareOptions { threads: 1, ..options() }));
    let some = some_comparisons(directory.path(), &CompareOptions { share: 0.3, ..options() });
    let share = some.training.len() as f64 / all.training.len() as f64;
    assert!((0.2..0.4).contains(&share), "{share}");
    assert!(some.training.iter().all(|comparison| all.training.contains(comparison)));
    let quiet = some_comparisons(directory.path(), &CompareOptions { max_score: 50, ..options() });
    assert!(!quiet.training.is_empty() && quiet.training.len() < all.training.len() / 2);
    let stopped = compare(
        &[directory.path().to_path_buf()],
        &options(),
        &AtomicBool::new(true),
        |fault| panic!("{fault}"),
        |_, _| {},
    );
    assert!(matches!(stopped, Err(TrainerError::Interrupted)));
}

#[test]
fn a_step_down_the_gradient_lowers_the_loss_by_its_square() {
    let directory = TempDir::new().unwrap();
    some_data(directory.path(), 20);
    let comparisons = some_comparisons(directory.path(), &options()).training;
    let shape = Architecture::new(64).unwrap();
    let net = some_net(&shape);
    // Groups of 32 leaves and a part of one, and one that is whole.
    let mut lost = Vec::new();
    for group in [32, 2048] {
        let mut pass = Backprop::with_groups(&shape, group);
        lost.push(pass.compare(&net, &LOSS, &comparisons[..150]));
        assert_eq!(pass.evaluate_comparisons(&net, &LOSS, &comparisons[..150]), lost[lost.len() - 1]);
        let square: f64 = numbers(&mut pass.gradient).map(|&mut slope| f64::from(slope).powi(2)).sum();
        let step = 0.02 * lost[0] / square;
        let mut lower = net.clone();
        for (number, &mut slope) in numbers(&mut lower).zip(numbers(&mut pass.gradient)) {
            *number -= (step * f64::from(slope)) as f32;
        }
        let gained = lost[0] - pass.evaluate_comparisons(&lower, &LOSS, &comparisons[..150]);
        let expected = 0.02 * lost[0];
        assert!((gained / expected - 1.0).abs() < 0.1, "{gained} and {expected}");
    }
    assert!((lost[0] / lost[1] - 1.0).abs() < 1e-5, "{lost:?}");
}

#[test]
fn a_weight_multiplies_the_gradient_and_the_chooser_may_sit_on_either_side() {
    let directory = TempDir::new().unwrap();
    some_data(directory.path(), 10);
    let comparisons = some_comparisons(directory.path(), &options()).training;
    let shape = Architecture::new(32).unwrap();
    let net = some_net(&shape);
    let gradient = |loss: &ComparisonLoss, comparisons: &[Comparison]| -> (f64, Vec<f32>) {
        let mut pass = Backprop::new(&shape);
        let lost = pass.compare(&net, loss, comparisons);
        (lost, numbers(&mut pass.gradient).map(|slope| *slope).collect())
    };
    let once = gradient(&LOSS, &comparisons[..64]);
    let half = gradient(&ComparisonLoss { weight: 0.5, ..LOSS }, &comparisons[..64]);
    assert_eq!(half.0, once.0);
    assert!(
        once.1.iter().zip(&half.1).all(|(once, half)| (once * 0.5 - half).abs() <= once.abs() * 1e-3 + 1e-6)
    );
    let mut turned = comparisons[..64].to_vec();
    turned.iter_mut().for_each(|comparison| comparison.own ^= (1 << LEAVES) - 1);
    assert_ne!(gradient(&LOSS, &turned).0, once.0);
}

#[test]
fn a_training_learns_what_was_chosen_and_goes_on_where_it_stopped() {
    let directory = TempDir::new().unwrap();
    let dataset = some_data(directory.path(), 40);
    let comparisons = some_comparisons(directory.path(), &options());
    let per_batch = comparisons.training.len() / 3;
    let settings =
        TrainingSettings { comparisons: Some(ComparisonSettings { loss: LOSS, per_batch }), ..settings(32) };
    let data = || TrainingData::from(dataset.clone()).comparing(comparisons.clone());
    let mut whole = Training::new(data(), settings.clone()).unwrap();
    let run = |training: &mut Training, checkpoints: Option<&Checkpoints>, batches: u64| {
        let stop = AtomicBool::new(false);
        training.run(checkpoints, &stop, |event| {
            if let TrainingEvent::Batch { batch, .. } = event {
                stop.store(batch == batches, Ordering::Relaxed);
            }
        })
    };
    assert_eq!(run(&mut whole, None, u64::MAX).unwrap(), TrainingOutcome::Finished);
    let losses: Vec<f64> = whole.log().epochs.iter().map(|epoch| epoch.comparisons.unwrap()).collect();
    assert!(losses.iter().all(|loss| loss.is_finite()), "{losses:?}");
    let learnt = |training: &Training| {
        Backprop::new(&settings.shape).evaluate_comparisons(training.net(), &LOSS, &comparisons.training)
    };
    let plain = TrainingSettings { comparisons: None, ..settings.clone() };
    let mut without = Training::new(dataset.clone().into(), plain).unwrap();
    run(&mut without, None, u64::MAX).unwrap();
    assert!(learnt(&whole) < 0.95 * learnt(&without), "{} {}", learnt(&whole), learnt(&without));
    let checkpoints = Checkpoints { path: directory.path().join("training.ckpt"), every: Duration::MAX };
    let mut part = Training::new(data(), settings.clone()).unwrap();
    assert_eq!(run(&mut part, Some(&checkpoints), 4).unwrap(), TrainingOutcome::Interrupted);
    let mut rest = Training::resume(data(), &settings, &checkpoints.path).unwrap();
    assert_eq!(run(&mut rest, None, u64::MAX).unwrap(), TrainingOutcome::Finished);
    assert_eq!(rest.net(), whole.net());
    let other = TrainingData::from(dataset.clone());
    let refused = Training::resume(other, &settings, &checkpoints.path).unwrap_err().to_string();
    assert!(refused.contains("other data"), "{refused}");
}
