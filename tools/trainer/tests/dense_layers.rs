//! Dense layers from files that have none, in training, and in what is made of networks.

mod common;

use std::sync::atomic::AtomicBool;

use bytemuck::Zeroable;
use caesura::nnue::arch::HIDDEN_SIZE;
use caesura::nnue::format::DenseLayers;
use caesura::nnue::{Network, material};
use caesura::util::random::SplitMix;
use common::{former_file, settings, some_data, some_records};
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;
use trainer::adam::Adam;
use trainer::arch::{Architecture, DENSE_BOUND, DENSE_BUCKETS, OUTPUT_UNITS, THREAT_STATES};
use trainer::backprop::Backprop;
use trainer::float_net::{FloatNet, SliceLayout};
use trainer::quantised::QuantisedNet;
use trainer::settings::TrainingSettings;
use trainer::training::{Training, TrainingOutcome};

/// A network whose dense layers have a say.
fn some_net(shape: &Architecture, seed: u64) -> QuantisedNet {
    let mut net = FloatNet::random(SliceLayout::new(shape), seed);
    for (bucket, dense) in net.dense.iter_mut().enumerate() {
        dense.bias = 0.1 * bucket as f32 - 0.3;
        dense.weights_3 = std::array::from_fn(|unit| (unit * 7 % 13) as f32 * 0.05 - 0.25);
    }
    QuantisedNet::new(shape, &net)
}

/// The rows to the first dense layer, with their output buckets.
fn dense_rows(net: &QuantisedNet) -> impl Iterator<Item = (usize, &[i16])> {
    let units = net.output.chunks_exact(2 * net.shape.hidden).enumerate();
    units.filter(|(unit, _)| unit % OUTPUT_UNITS != 0).map(|(unit, rows)| (unit / OUTPUT_UNITS, rows))
}

#[test]
fn a_file_without_dense_layers_is_read_and_gets_some_that_say_nothing_yet() {
    let records = some_records(5);
    for (version, states) in [(1, 1), (2, 1), (2, THREAT_STATES)] {
        let shape = Architecture::with_states(64, states).unwrap();
        let net = some_net(&shape, 3);
        let file = former_file(&net, version);
        let direct = QuantisedNet::from_bytes(&file).unwrap();
        assert_eq!((&direct.features, &direct.bias), (&net.features, &net.bias));
        let rows = |net: &QuantisedNet, unit: usize| net.output[128 * unit..128 * (unit + 1)].to_vec();
        for unit in 0..net.dense.len() * OUTPUT_UNITS {
            let expected = if unit % OUTPUT_UNITS == 0 { rows(&net, unit) } else { vec![0; 128] };
            assert_eq!(rows(&direct, unit), expected);
        }
        for (dense, known) in direct.dense.iter().zip(&net.dense) {
            let rest = DenseLayers { bias: 0, ..*dense };
            assert!(dense.bias == known.bias && bytemuck::bytes_of(&rest).iter().all(|&byte| byte == 0));
        }
        for length in [0, 64, file.len() - 1] {
            assert!(QuantisedNet::from_bytes(&file[..length]).is_err());
        }
        for hidden in [64, 96] {
            let grown = direct.grown(&Architecture::with_states(hidden, states).unwrap(), 7).unwrap();
            for (bucket, dense) in grown.dense.iter().enumerate() {
                let is_random = dense.weights_2.as_flattened().iter().any(|&weight| weight != 0.0);
                assert_eq!(is_random, bucket < DENSE_BUCKETS);
            }
            let grown = QuantisedNet::new(&Architecture::with_states(hidden, states).unwrap(), &grown);
            for (bucket, rows) in dense_rows(&grown) {
                assert_eq!(rows.iter().any(|&weight| weight != 0), bucket < DENSE_BUCKETS);
            }
            assert!(records.iter().all(|record| grown.value(record) == direct.value(record)));
        }
    }
}

#[test]
fn training_begins_with_the_network_that_counts_material() {
    let directory = TempDir::new().unwrap();
    let start = QuantisedNet::from_bytes(&material::network_file()).unwrap();
    let settings = TrainingSettings { epochs: 2, ..settings(HIDDEN_SIZE) };
    let mut training =
        Training::from_network(some_data(directory.path(), 20).into(), settings.clone(), &start).unwrap();
    let begins = QuantisedNet::new(&settings.shape, training.net());
    let known = training.validate_quantised(&start);
    assert_eq!(training.validate_quantised(&begins), known);
    assert_eq!(training.run(None, &AtomicBool::new(false), |_| {}).unwrap(), TrainingOutcome::Finished);
    assert!(training.validate() < known, "{:?} {known:?}", training.validate());
    let ends = QuantisedNet::new(&settings.shape, training.net());
    for ((bucket, before), (_, after)) in dense_rows(&begins).zip(dense_rows(&ends)) {
        assert_eq!(before != after, bucket < DENSE_BUCKETS);
    }
    let (learning, direct) = ends.dense.split_at(DENSE_BUCKETS);
    assert!(learning.iter().any(|dense| dense.weights_3 != [0; _]));
    assert!(direct.iter().all(|dense| *dense == DenseLayers { bias: dense.bias, ..DenseLayers::zeroed() }));
    Network::parse(&ends.to_bytes()).unwrap();
}

#[test]
fn the_engine_accepts_a_network_whatever_it_learns() {
    let shape = Architecture::new(HIDDEN_SIZE).unwrap();
    let mut net = FloatNet::random(SliceLayout::new(&shape), 9);
    let mut adam = Adam::new(FloatNet::zeros(net.layout));
    let mut pass = Backprop::new(&shape);
    let mut random = SplitMix(4);
    let mut sign = || if random.next() & 1 == 0 { 1.0 } else { -1.0 };
    for row in pass.gradient.slices.iter_mut().flatten() {
        row.numbers_mut().fill_with(&mut sign);
    }
    for dense in &mut pass.gradient.dense {
        dense.numbers_mut().fill_with(&mut sign);
    }
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| adam.step(&mut net, &mut [pass], &settings(HIDDEN_SIZE).adam, 1e4, 1));
    assert!(net.dense.iter().flat_map(|dense| dense.numbers()).all(|number| number.abs() == DENSE_BOUND));
    let output = net.layout.output(0)..net.layout.factoriser();
    for row in output {
        assert!(net.slices[3][row].numbers().iter().all(|number| number.abs() == net.layout.bound(row)));
    }
    Network::parse(&QuantisedNet::new(&shape, &net).to_bytes()).unwrap();
}

#[test]
fn an_average_is_of_the_dense_layers_too() {
    let shape = Architecture::with_states(32, 1).unwrap();
    let nets = [some_net(&shape, 1), some_net(&shape, 2)];
    let average = QuantisedNet::average(&nets).unwrap();
    let numbers = |net: &QuantisedNet| bytemuck::cast_slice::<DenseLayers, i32>(&net.dense).to_vec();
    let [first, second, mean] = [&nets[0], &nets[1], &average].map(numbers);
    assert!(first != second);
    for ((one, other), mean) in first.iter().zip(&second).zip(&mean) {
        assert!((one + other - 2 * mean).abs() <= 1, "{one} {other} {mean}");
    }
}
