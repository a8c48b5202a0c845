//! Units of the dense layers that say the same of every position.

mod common;

use common::{GO, settings, some_data, some_records};
use tempfile::TempDir;
use trainer::arch::{Architecture, DENSE_1, DENSE_2, DENSE_BUCKETS, OUTPUT_UNITS};
use trainer::backprop::Backprop;
use trainer::dead_units::revive;
use trainer::float_net::{FloatNet, SliceLayout};
use trainer::quantised::QuantisedNet;
use trainer::record::PositionRecord;
use trainer::training::Training;

const HIDDEN: usize = 32;
/// A bias that no sum over hidden units outweighs.
const FAR: f32 = 50.0;
/// The buckets with dead units: one wholly dead, and one with a unit in each layer.
const DEAD: usize = 4;
const LIVELY: usize = 3;

/// A network all of whose dense units are alive at these positions but for some.
fn some_net(shape: &Architecture, records: &[PositionRecord]) -> FloatNet {
    let mut net = FloatNet::random(SliceLayout::new(shape), 3);
    revive(&mut net, &mut Backprop::new(shape), &settings(HIDDEN).loss, records);
    for (bucket, dense) in net.dense.iter_mut().enumerate() {
        dense.bias = 0.1 * bucket as f32 - 0.3;
        dense.weights_3 = std::array::from_fn(|unit| if unit % 2 == 0 { 0.3 } else { -0.4 });
    }
    net.dense[DEAD].bias_1 = [-FAR; DENSE_1];
    net.dense[DEAD].bias_1[3] = FAR;
    net.dense[LIVELY].bias_1[2] = -FAR;
    net.dense[LIVELY].bias_2[7] = FAR;
    net
}

/// The weights that lead to a unit of the second layer, but for those of the unit of the first that is dead.
fn column(net: &FloatNet, unit: usize) -> Vec<f32> {
    let rows = net.dense[LIVELY].weights_2.iter().enumerate().filter(|&(first, _)| first != 2);
    rows.map(|(_, weights)| weights[unit]).collect()
}

/// The sums of the units of the first dense layer of an output bucket, biases included.
fn first_sums(
    pass: &mut Backprop,
    net: &FloatNet,
    records: &[PositionRecord],
    bucket: usize,
) -> Vec<[f32; DENSE_1]> {
    let sums = pass.sums(net, &settings(HIDDEN).loss, records);
    let own = records.iter().zip(sums).filter(|(record, _)| record.bucket() == bucket);
    own.map(|(_, sums)| std::array::from_fn(|unit| sums[1 + unit] + net.dense[bucket].bias_1[unit])).collect()
}

#[test]
fn dead_units_are_drawn_anew_and_the_values_stay() {
    let shape = Architecture::with_states(HIDDEN, 1).unwrap();
    let loss = settings(HIDDEN).loss;
    let records = some_records(100);
    let before = some_net(&shape, &records);
    let mut pass = Backprop::new(&shape);
    let known = pass.outputs(&before, &loss, &records);
    let mut net = before.clone();
    let revived = revive(&mut net, &mut pass, &loss, &records);
    assert_eq!(revived[DEAD], DENSE_1 + DENSE_2, "{revived:?}");
    // Without the one unit others may have nothing to tell, either.
    assert!((2..8).contains(&revived[LIVELY]), "{revived:?}");
    for (old, new) in known.iter().zip(pass.outputs(&net, &loss, &records)) {
        assert!((old - new).abs() < 1e-4, "{old} {new}");
    }
    for (bucket, units) in [(DEAD, 0..DENSE_1), (LIVELY, 2..3)] {
        let sums = first_sums(&mut pass, &net, &records, bucket);
        for unit in units {
            let mean = sums.iter().map(|sums| sums[unit]).sum::<f32>() / sums.len() as f32;
            let square = sums.iter().map(|sums| (sums[unit] - mean).powi(2)).sum::<f32>() / sums.len() as f32;
            assert!((mean - 0.5).abs() < 0.01 && (square.sqrt() - 0.25).abs() < 0.01, "{mean} {square}");
        }
    }
    // The others keep their weights.
    let rows = |net: &FloatNet, unit: usize| {
        let first = net.layout.output(LIVELY) + 2 * (1 + unit);
        net.slices.iter().map(|slice| slice[first]).collect::<Vec<_>>()
    };
    for unit in 0..DENSE_1 {
        assert_eq!(rows(&before, unit) == rows(&net, unit), unit != 2, "{unit}");
    }
    // Where a unit of the second layer is drawn anew, what is behind it belongs to a pair, or is nothing.
    let drawn: Vec<usize> =
        (0..DENSE_2).filter(|&unit| column(&net, unit) != column(&before, unit)).collect();
    assert!(drawn.contains(&7), "{drawn:?}");
    assert_eq!(drawn.iter().map(|&unit| net.dense[LIVELY].weights_3[unit]).sum::<f32>(), 0.0);
    // Pairs of the second layer say nothing together, and what leads to each has a gradient.
    let dense = &net.dense[DEAD];
    assert_eq!(dense.weights_3.iter().sum::<f32>(), 0.0);
    assert!(dense.weights_3.iter().all(|weight| weight.abs() > 0.1));
    pass.train(&net, &loss, &records);
    let gradient = &pass.gradient.dense[DEAD];
    for unit in 0..DENSE_1 {
        assert!(gradient.weights_2[unit].iter().all(|&slope| slope != 0.0), "{unit}");
    }
    // What leads to the first layer has one as soon as the units of a pair differ.
    net.dense[DEAD].weights_3 = [0.5; DENSE_2];
    pass.train(&net, &loss, &records);
    let first = net.layout.output(DEAD) + 2;
    for unit in 0..OUTPUT_UNITS - 1 {
        assert!(pass.gradient.slices[0][first + 2 * unit].sum() != 0.0, "{unit}");
    }
}

#[test]
fn units_that_add_nothing_are_drawn_anew() {
    let shape = Architecture::with_states(HIDDEN, 1).unwrap();
    let loss = settings(HIDDEN).loss;
    let records = some_records(100);
    let mut pass = Backprop::new(&shape);
    let mut before = some_net(&shape, &records);
    before.dense[LIVELY].weights_3[4] = 1e-4;
    let mut net = before.clone();
    revive(&mut net, &mut pass, &loss, &records);
    assert_ne!(column(&net, 4), column(&before, 4));
    // What one training draws another draws, too.
    let mut again = before.clone();
    revive(&mut again, &mut pass, &loss, &records);
    assert_eq!(net, again);
}

#[test]
fn units_of_few_positions_are_left_alone() {
    let shape = Architecture::with_states(HIDDEN, 1).unwrap();
    let records = some_records(2);
    let before = some_net(&shape, &records);
    let mut net = before.clone();
    let revived = revive(&mut net, &mut Backprop::new(&shape), &settings(HIDDEN).loss, &records);
    assert_eq!((revived, net), ([0; DENSE_BUCKETS], before));
}

#[test]
fn decay_leads_to_what_dead_units_said() {
    let records = some_records(100);
    let directory = TempDir::new().unwrap();
    let mut settings = settings(HIDDEN);
    let mut net = some_net(&settings.shape, &records);
    net.dense[DEAD].weights_3 = [0.25; DENSE_2];
    let start = QuantisedNet::new(&settings.shape, &net);
    // Each step goes the whole way to where decay leads, and then as far as its rate.
    settings.adam.decay = 1000.0;
    settings.schedule.rate = 0.001;
    settings.schedule.final_rate = 0.001;
    settings.schedule.warm_up = 0;
    settings.epochs = 1;
    let data = some_data(directory.path(), 100).into();
    let mut training = Training::from_network(data, settings, &start).unwrap();
    let (before, begins) = (net.dense[DEAD].bias, training.net().dense[DEAD].bias);
    assert!((begins - before).abs() > 0.05, "{before} {begins}");
    training.run(None, &GO, |_| {}).unwrap();
    let ends = training.net().dense[DEAD].bias;
    assert!((ends - begins).abs() < 0.01, "{before} {begins} {ends}");
}
