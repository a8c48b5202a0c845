//! The files of networks: what is refused, and what the errors say.

use std::fs;
use std::path::{Path, PathBuf};

use bytemuck::Zeroable;
use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::nnue::arch::{
    DENSE_2, HIDDEN_SIZE, INPUTS, MAX_DENSE_BIAS, MAX_DENSE_WEIGHT, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS,
};
use caesura::nnue::format::{DenseLayers, FILE_BYTES, HEADER_BYTES, ROWS, with_header};
use caesura::nnue::simd::{Native, Scalar};
use caesura::nnue::weights::WeightsError;
use caesura::nnue::{Network, NetworkError};
use caesura::util::random::SplitMix;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::net::{payload, random_file};

fn error(bytes: &[u8]) -> WeightsError {
    Network::parse(bytes).expect_err("an error")
}

#[test]
fn errors_name_what_is_wrong_with_a_file() {
    let file = random_file(15);
    assert_eq!(file.len(), FILE_BYTES);
    assert!(Network::parse(&file).is_ok());
    let wanted = FILE_BYTES as u64;
    assert_eq!(error(b""), WeightsError::Magic);
    assert_eq!(error(b"MZ"), WeightsError::Magic);
    assert_eq!(error(&file[..5]), WeightsError::Length { found: 5, wanted });
    for length in [HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1, FILE_BYTES - 1] {
        assert_eq!(error(&file[..length]), WeightsError::Length { found: length as u64, wanted });
    }
    assert_eq!(error(&[&file[..], &[0]].concat()), WeightsError::Length { found: wanted + 1, wanted });

    let with = |at: usize, value: u32| {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        error(&file)
    };
    assert_eq!(with(0, 0), WeightsError::Magic);
    assert_eq!(with(8, 1), WeightsError::Version(1));
    assert_eq!(with(8, 2), WeightsError::Version(2));
    assert_eq!(with(8, 3), WeightsError::Version(3));
    assert_eq!(with(8, 5), WeightsError::Version(5));
    let shape = |what, found, wanted| WeightsError::Architecture { what, found, wanted };
    assert_eq!(with(12, 1536), shape("inputs", 1536, INPUTS as u32));
    assert_eq!(with(16, 256), shape("hidden units", 256, HIDDEN_SIZE as u32));
    assert_eq!(with(20, 1), shape("output buckets", 1, OUTPUT_BUCKETS as u32));
    assert_eq!(with(24, 181), shape("QA", 181, 1024));
    assert_eq!(with(28, u32::MAX), shape("QB", u32::MAX, 512));
}

#[test]
fn a_changed_byte_is_noticed_wherever_it_is() {
    let file = random_file(16);
    let mut random = SplitMix(17);
    let places = (32..HEADER_BYTES)
        .chain((0..60).map(|_| HEADER_BYTES + random.below(FILE_BYTES - HEADER_BYTES)))
        .chain([FILE_BYTES - 1]);
    for place in places.collect::<Vec<_>>() {
        let mut changed = file.clone();
        changed[place] ^= 1 << random.below(8);
        assert_eq!(error(&changed), WeightsError::Checksum, "byte {place}");
    }
}

#[test]
fn numbers_that_could_overflow_are_refused() {
    let parse = |change: &dyn Fn(&mut [i8], &mut [i16])| {
        let (mut features, mut numbers) = (vec![0; INPUTS * HIDDEN_SIZE], vec![0; ROWS * HIDDEN_SIZE]);
        numbers[..HIDDEN_SIZE].fill(8);
        change(&mut features, &mut numbers);
        Network::parse(&with_header(&payload(features, numbers, &[DenseLayers::zeroed(); _]))).map(drop)
    };
    assert_eq!(parse(&|_, _| ()), Ok(()));
    // 32 pieces of 125 times 8, and a bias that just fits, or does not.
    let weights = |bias: i16| {
        move |features: &mut [i8], numbers: &mut [i16]| {
            for feature in 0..40 {
                features[feature * HIDDEN_SIZE + 7] = if feature % 2 == 0 { 125 } else { -125 };
            }
            numbers[HIDDEN_SIZE + 7] = bias;
        }
    };
    assert_eq!(parse(&weights(767)), Ok(()));
    assert_eq!(parse(&weights(768)), Err(WeightsError::Overflow { unit: 7 }));
    assert_eq!(parse(&weights(i16::MIN)), Err(WeightsError::Overflow { unit: 7 }));
    let scaled = |weight: i8, scale: i16| {
        parse(&move |features: &mut [i8], numbers: &mut [i16]| {
            features[50 * HIDDEN_SIZE + 3] = weight;
            numbers[3] = scale;
        })
    };
    for (weight, scale) in [(127, 8), (-127, 8), (127, 1), (0, i16::MAX), (1, i16::MAX), (-127, 258)] {
        assert_eq!(scaled(weight, scale), Ok(()), "{weight} times {scale}");
    }
    for (weight, scale) in [(0, 0), (1, 0), (1, -1), (0, i16::MIN)] {
        assert_eq!(scaled(weight, scale), Err(WeightsError::Scale { unit: 3 }), "{weight} times {scale}");
    }
    assert_eq!(scaled(-128, 1), Err(WeightsError::FeatureWeight { unit: 3 }));
    assert_eq!(scaled(127, 259), Err(WeightsError::Overflow { unit: 3 }));
    for (weight, result) in [
        (8191, Ok(())),
        (-8191, Ok(())),
        (8192, Err(WeightsError::OutputWeight(8192))),
        (i16::MIN, Err(WeightsError::OutputWeight(i16::MIN))),
    ] {
        for row in [2, 3, 4, ROWS - 1] {
            assert_eq!(parse(&|_, numbers| numbers[(row + 1) * HIDDEN_SIZE - 1] = weight), result);
        }
    }
}

#[test]
fn numbers_of_dense_layers_that_could_overflow_are_refused() {
    let parse = |change: &dyn Fn(&mut DenseLayers)| {
        let mut dense = [DenseLayers::zeroed(); OUTPUT_BUCKETS];
        change(&mut dense[5]);
        let features = std::iter::repeat_n(0, INPUTS * HIDDEN_SIZE);
        let numbers = std::iter::repeat_n(1, ROWS * HIDDEN_SIZE);
        Network::parse(&with_header(&payload(features, numbers, &dense))).map(drop)
    };
    for bias in [i32::MIN, i32::MAX] {
        assert_eq!(parse(&|dense| dense.bias = bias), Ok(()));
        assert_eq!(parse(&|dense| dense.bias_1 = [bias; _]), Ok(()));
        assert_eq!(parse(&|dense| dense.bias_2[31] = bias), Err(WeightsError::DenseBias(bias)));
        assert_eq!(parse(&|dense| dense.weights_3[0] = bias), Err(WeightsError::DenseWeight(bias)));
    }
    for sign in [1, -1] {
        let weight = |size: i32, result: Result<(), WeightsError>| {
            assert_eq!(parse(&|dense| dense.weights_2[7][31] = sign * size), result);
            assert_eq!(parse(&|dense| dense.weights_3[31] = sign * size), result);
        };
        weight(32_767, Ok(()));
        weight(32_768, Err(WeightsError::DenseWeight(sign * 32_768)));
        assert_eq!(parse(&|dense| dense.bias_2[0] = sign << 30), Ok(()));
        let bias = sign * ((1 << 30) + 1);
        assert_eq!(parse(&|dense| dense.bias_2[0] = bias), Err(WeightsError::DenseBias(bias)));
    }
}

/// A path for a file of this test run alone.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn files_are_opened_or_not() {
    let file = random_file(18);
    let good = path("good.nnue");
    fs::write(&good, &file).expect("written");
    let network = Network::open(&good).expect("a network");
    assert_eq!(network.name().len(), 12);
    let long = path("long.nnue");
    fs::write(&long, [&file[..], &[0; 100]].concat()).expect("written");
    let found = FILE_BYTES as u64 + 100;
    assert!(matches!(
        Network::open(&long),
        Err(NetworkError::Weights(WeightsError::Length { found: length, .. })) if length == found
    ));
    assert!(matches!(Network::open(&path("none.nnue")), Err(NetworkError::Read(_))));
    let refused = |path: &str| Network::open(Path::new(path)).expect_err(path).to_string();
    assert_eq!(refused(env!("CARGO_TARGET_TMPDIR")), "not a file");
    if cfg!(unix) {
        assert_eq!(refused("/dev/zero"), "not a file");
    }
    if cfg!(target_os = "linux") {
        // Not read, which would fail here, and waits for ever with other files of this kind.
        let empty = Network::open(Path::new("/proc/self/mem"));
        assert!(matches!(empty, Err(NetworkError::Weights(WeightsError::Magic))), "{empty:?}");
    }
}

/// A number from `-max` to `max`, as often one of the two as any between them.
fn extreme(random: &mut SplitMix, max: i32) -> i32 {
    match random.below(4) {
        0 => max,
        1 => -max,
        _ => (random.below(2 * max as usize + 1) as i64 - i64::from(max)) as i32,
    }
}

/// The file of a network whose numbers go to the ends of their ranges.
fn extreme_file(random: &mut SplitMix) -> Vec<u8> {
    let weight = |random: &mut SplitMix| extreme(random, 127) as i8;
    let features: Vec<i8> = (0..INPUTS * HIDDEN_SIZE).map(|_| weight(random)).collect();
    let scales: Vec<i16> = (0..HIDDEN_SIZE).map(|_| 1 + random.below(8) as i16).collect();
    // What 32 pieces of the greatest weight leave of 16 bits.
    let bias =
        |random: &mut SplitMix, scale: &i16| extreme(random, 32_767 - 32 * 127 * i32::from(*scale)) as i16;
    let biases: Vec<i16> = scales.iter().map(|scale| bias(random, scale)).collect();
    let output = (0..(ROWS - 2) * HIDDEN_SIZE).map(|_| extreme(random, MAX_OUTPUT_WEIGHT.into()) as i16);
    let numbers: Vec<i16> = scales.into_iter().chain(biases).chain(output).collect();
    let dense = std::array::from_fn(|_| DenseLayers {
        bias: extreme(random, i32::MAX),
        bias_1: [0; _].map(|_: i32| extreme(random, i32::MAX)),
        weights_2: [[0; DENSE_2]; _].map(|row| row.map(|_: i32| extreme(random, MAX_DENSE_WEIGHT))),
        bias_2: [0; _].map(|_: i32| extreme(random, MAX_DENSE_BIAS)),
        weights_3: [0; _].map(|_: i32| extreme(random, MAX_DENSE_WEIGHT)),
    });
    with_header(&payload(features, numbers, &dense))
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "slow: thousands of damaged networks"]
    fn arbitrary_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300), header in 0..80_usize, whole: bool) {
        let mut file = random_file(21);
        file.truncate(header);
        file.extend(&bytes);
        if whole {
            file.resize(FILE_BYTES, 0);
        }
        prop_assert!(Network::parse(&file).is_err());
    }

    #[test]
    #[ignore = "slow: hundreds of random networks"]
    fn any_weights_that_are_accepted_can_be_evaluated(seed: u64) {
        let mut random = SplitMix(seed);
        let network = Network::parse(&extreme_file(&mut random)).expect("numbers within their ranges");
        for fen in POSITIONS {
            let board: Board = fen.parse().expect(fen);
            prop_assert_eq!(network.evaluate::<Native>(&board), network.evaluate::<Scalar>(&board), "{}", fen);
        }
    }
}
