//! The network: its files, its values, and its accumulators along games.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::Zeroable;
use caesura::attacks;
use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::engine::Engine;
use caesura::nnue::arch::{HIDDEN_SIZE, INPUTS, OUTPUT_BUCKETS, OUTPUT_UNITS, SCALE, output_bucket};
use caesura::nnue::format::{DenseLayers, FILE_BYTES, HEADER_BYTES, ROWS, with_header};
use caesura::nnue::load::MATERIAL;
use caesura::nnue::simd::{BackendVisitor, Native, Scalar, Vector, visit_backends};
use caesura::nnue::weights::WeightsError;
use caesura::nnue::{Evaluator, Network, NetworkError};
use caesura::topology::NumaPolicy;
use caesura::types::{Color, Move, Piece, PieceType, Square, Value};
use proptest::prelude::*;

use caesura::util::random::SplitMix;

use crate::net::{payload, random_file, random_network, shuffled_start, start};

/// Units of the first dense layer.
const FIRST: usize = 8;
/// Units of the second dense layer.
const SECOND: usize = 32;

/// A network by its definition, in exact arithmetic and without any code of `nnue`.
struct Definition {
    /// The feature weights, in units of the scales.
    features: Vec<i8>,
    /// The numbers of 16 bits: scales, biases, weights to the output units.
    numbers: Vec<i16>,
    /// The numbers of 32 bits: of each output bucket the output's bias, the first dense layer's biases, the second one's
    /// weights and biases, and the output's weights.
    dense: Vec<i64>,
}

impl Definition {
    fn of(file: &[u8]) -> Definition {
        let (features, rest) = file[HEADER_BYTES..].split_at(INPUTS * HIDDEN_SIZE);
        let (rows, dense) = rest.split_at(2 * ROWS * HIDDEN_SIZE);
        let dense = dense.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes).into());
        Definition {
            features: features.iter().map(|&byte| byte as i8).collect(),
            numbers: rows.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect(),
            dense: dense.collect(),
        }
    }

    fn value(&self, board: &Board) -> Value {
        let bucket = (board.occupied().into_iter().count() - 2) / 4;
        let [direct, first @ ..] = self.sums(board, bucket);
        let (bias, dense) = self
            .dense
            .chunks_exact(self.dense.len() / OUTPUT_BUCKETS)
            .nth(bucket)
            .expect("a bucket")
            .split_at(1);
        let (bias_1, rest) = dense.split_at(FIRST);
        let (weights_2, rest) = rest.split_at(FIRST * SECOND);
        let (bias_2, weights_3) = rest.split_at(SECOND);
        let active = |sum: i64| sum.div_euclid(512).clamp(0, 1024);
        let second = |unit: usize| {
            let products = (0..FIRST).map(|k| active(first[k] + bias_1[k]) * weights_2[SECOND * k + unit]);
            active(products.sum::<i64>() + bias_2[unit])
        };
        let behind: i64 = (0..SECOND).map(|unit| second(unit) * weights_3[unit]).sum();
        ((direct + bias[0] + behind) * SCALE / (1024 * 512)) as Value
    }

    /// The sums over the hidden units: of the direct output, and of the units of the first dense layer.
    fn sums(&self, board: &Board, bucket: usize) -> [i64; 1 + FIRST] {
        let (scales, rest) = self.numbers.split_at(HIDDEN_SIZE);
        let (hidden_bias, outputs) = rest.split_at(HIDDEN_SIZE);
        let us = board.side_to_move();
        let mut sums = [0; 1 + FIRST];
        for (half, side) in [us, !us].into_iter().enumerate() {
            let inputs = inputs_by_definition(board, side);
            for unit in 0..HIDDEN_SIZE {
                let active = inputs.iter().map(|input| i64::from(self.features[input * HIDDEN_SIZE + unit]));
                let hidden = i64::from(hidden_bias[unit]) + i64::from(scales[unit]) * active.sum::<i64>();
                let hidden = hidden.clamp(0, 1024).pow(2) / 1024;
                for (output, sum) in sums.iter_mut().enumerate() {
                    let row = 2 * ((1 + FIRST) * bucket + output) + half;
                    *sum += hidden * i64::from(outputs[row * HIDDEN_SIZE + unit]);
                }
            }
        }
        sums
    }
}

/// The active inputs of a side, by rank and file.
fn inputs_by_definition(board: &Board, side: Color) -> Vec<usize> {
    let king_file = board.king(side).index() % 8;
    let input = |square: Square| {
        let piece = board.piece_on(square).expect("a piece");
        let (rank, file) = (square.index() / 8, square.index() % 8);
        let rank = if side == Color::White { rank } else { 7 - rank };
        let file = if king_file < 4 { file } else { 7 - file };
        let enemy = usize::from(piece.color() != side);
        let state = threat_state_by_definition(board, piece, square);
        state * 768 + enemy * 384 + piece.kind().index() * 64 + rank * 8 + file
    };
    board.occupied().into_iter().map(input).collect()
}

/// The threat state of a piece, attacker by attacker.
fn threat_state_by_definition(board: &Board, piece: Piece, square: Square) -> usize {
    let worth = |kind| match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 99,
    };
    let attackers = |color: Color| {
        let occupied = board.occupied();
        let attacks = move |from: Square, kind| match kind {
            PieceType::Pawn => attacks::pawn(color, from),
            PieceType::Knight => attacks::knight(from),
            PieceType::Bishop => attacks::bishop(from, occupied),
            PieceType::Rook => attacks::rook(from, occupied),
            PieceType::Queen => attacks::queen(from, occupied),
            PieceType::King => attacks::king(from),
        };
        let kinds = board.by_color(color).into_iter().filter_map(move |from| {
            let kind = board.piece_on(from)?.kind();
            attacks(from, kind).has(square).then_some(kind)
        });
        kinds.collect::<Vec<PieceType>>()
    };
    let (attackers, defenders) = (attackers(!piece.color()), attackers(piece.color()));
    let attack = if attackers.is_empty() {
        0
    } else if piece.kind() != PieceType::King
        && attackers.iter().any(|&kind| worth(kind) < worth(piece.kind()))
    {
        2
    } else {
        1
    };
    let defence = if defenders.contains(&PieceType::Pawn) { 2 } else { usize::from(!defenders.is_empty()) };
    3 * attack + defence
}

#[test]
fn values_are_those_of_the_definition() {
    let mut random = SplitMix(4);
    let file = random_file(5);
    let network = Network::parse(&file).expect("a network");
    let definition = Definition::of(&file);
    let mut values = Vec::new();
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("a position");
        values.push(network.evaluate::<Scalar>(&board));
        assert_eq!(values.last(), Some(&definition.value(&board)), "{fen}");
    }
    for _ in 0..30 {
        let board = shuffled_start(&mut random, true);
        assert_eq!(network.evaluate::<Scalar>(&board), definition.value(&board), "{board}");
    }
    // Values that hardly differed would prove nothing.
    values.sort_unstable();
    values.dedup();
    assert!(values.len() > 30 && values[0] < -100 && values[values.len() - 1] > 100, "{values:?}");
}

/// Plays a random game in which moves are also unmade and null moves made. Wherever the position is evaluated, which is at
/// one step of `skipped + 1`, the value must be that from scratch. Returns the number of comparisons.
fn random_game(network: &Arc<Network>, random: &mut SplitMix, plies: usize, skipped: usize) -> usize {
    let mut board = start(random);
    let mut evaluator: Evaluator = Evaluator::new(Arc::clone(network)).expect("memory");
    let mut line: Vec<Option<Move>> = Vec::new();
    let mut compared = 0;
    for _ in 0..plies {
        let moves = board.legal_moves();
        match random.below(8) {
            0 if !board.in_check() && line.last() != Some(&None) => {
                board.make_null_move();
                line.push(None);
            }
            1 => {
                for _ in 0..=random.below(5) {
                    match line.pop() {
                        Some(Some(m)) => board.unmake_move(m, &mut evaluator),
                        Some(None) => board.unmake_null_move(),
                        None => break,
                    }
                }
            }
            _ if moves.is_empty() => break,
            _ => {
                let castles = moves.iter().copied().filter(|m| m.is_castle()).collect::<Vec<_>>();
                let m = if castles.is_empty() { *random.pick(&moves) } else { *random.pick(&castles) };
                board.make_move(m, &mut evaluator);
                line.push(Some(m));
            }
        }
        if random.below(skipped + 1) == 0 {
            assert_eq!(evaluator.evaluate(&board), network.evaluate::<Native>(&board), "{board}");
            compared += 1;
        }
    }
    while let Some(last) = line.pop() {
        match last {
            Some(m) => board.unmake_move(m, &mut evaluator),
            None => board.unmake_null_move(),
        }
    }
    assert_eq!(evaluator.evaluate(&board), network.evaluate::<Native>(&board), "{board}");
    compared + 1
}

#[test]
fn values_along_a_game_are_those_from_scratch() {
    let network = Arc::new(random_network(8));
    let mut random = SplitMix(9);
    let compared: usize = (0..10_000).map(|_| random_game(&network, &mut random, 60, 0)).sum();
    assert!(compared > 300_000, "{compared}");
}

#[test]
fn values_of_some_positions_of_a_game_are_those_from_scratch() {
    let network = Arc::new(random_network(10));
    let mut random = SplitMix(11);
    for game in 0..1000 {
        random_game(&network, &mut random, 150, 1 + game % 12);
    }
}

#[test]
fn a_line_may_be_longer_than_any_search() {
    let network = Arc::new(random_network(12));
    let mut random = SplitMix(13);
    let mut board = Board::start();
    let mut evaluator: Evaluator = Evaluator::new(Arc::clone(&network)).expect("memory");
    let mut line = Vec::new();
    while line.len() < 1000 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let quiet: Vec<Move> = moves.iter().copied().filter(|m| m.is_quiet()).collect();
        let m = *random.pick(if quiet.is_empty() { &moves } else { &quiet });
        board.make_move(m, &mut evaluator);
        line.push(m);
    }
    assert!(line.len() > 300);
    assert_eq!(evaluator.evaluate(&board), network.evaluate::<Scalar>(&board));
    for &m in line.iter().rev() {
        board.unmake_move(m, &mut evaluator);
    }
    assert_eq!(evaluator.evaluate(&board), network.evaluate::<Scalar>(&board));
    let other = shuffled_start(&mut random, true);
    evaluator.reset();
    assert_eq!(evaluator.evaluate(&other), network.evaluate::<Scalar>(&other));
}

#[test]
fn mirrored_positions_are_worth_the_same() {
    let network = random_network(14);
    for (fen, mirrored) in [
        ("4k3/8/8/3p4/8/2N5/8/R3K3 w - - 0 1", "r3k3/8/2n5/8/3P4/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/3p4/8/2N5/8/R3K3 w - - 0 1", "3k4/8/8/4p3/8/5N2/8/3K3R w - - 0 1"),
    ] {
        let value = |fen: &str| network.evaluate::<Native>(&fen.parse().expect("a position"));
        assert_eq!(value(fen), value(mirrored));
    }
}

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

/// Compares the values of a network of the greatest numbers with those of its definition.
struct Greatest<'a>(&'a [u8]);

impl BackendVisitor for Greatest<'_> {
    fn visit<V: Vector>(&mut self) {
        let (network, definition) = (Network::parse(self.0).expect("a network"), Definition::of(self.0));
        for fen in &POSITIONS[..4] {
            let board: Board = fen.parse().expect("a position");
            assert_eq!(network.evaluate::<V>(&board), definition.value(&board), "{}: {fen}", V::NAME);
        }
    }
}

#[test]
fn the_greatest_numbers_do_not_overflow() {
    for [rows, first, second, last] in [[1, 1, 1, 1], [-1, 1, -1, 1], [1, 1, 1, -1], [-1, -1, 1, -1]] {
        let outputs = 2 * OUTPUT_BUCKETS * OUTPUT_UNITS * HIDDEN_SIZE;
        let features = std::iter::repeat_n(0, INPUTS * HIDDEN_SIZE);
        let numbers = std::iter::repeat_n(1, HIDDEN_SIZE)
            .chain(std::iter::repeat_n(i16::MAX, HIDDEN_SIZE))
            .chain(std::iter::repeat_n(8191 * rows as i16, outputs));
        let dense = DenseLayers {
            bias: i32::MAX * last,
            bias_1: [i32::MAX * first; _],
            weights_2: [[32_767 * second; _]; _],
            bias_2: [second << 30; _],
            weights_3: [32_767 * last; _],
        };
        visit_backends(&mut Greatest(&with_header(&payload(features, numbers, &[dense; _]))));
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
    assert!(matches!(Network::open(Path::new(env!("CARGO_TARGET_TMPDIR"))), Err(NetworkError::NotAFile)));
    if cfg!(unix) {
        assert!(matches!(Network::open(Path::new("/dev/zero")), Err(NetworkError::NotAFile)));
    }
    if cfg!(target_os = "linux") {
        // Not read, which would fail here, and waits for ever with other files of this kind.
        let empty = Network::open(Path::new("/proc/self/mem"));
        assert!(matches!(empty, Err(NetworkError::Weights(WeightsError::Magic))), "{empty:?}");
    }
}

#[test]
fn a_search_uses_the_network_that_it_is_given() {
    let mut engine = Engine::new(2, 1).expect("starts");
    let mut nodes = |network: &Arc<Network>| {
        engine.set_threads(1).expect("idle");
        engine.set_network(Arc::clone(network)).expect("idle");
        engine.set_position(Board::start());
        let limits = caesura::clock::Limits::depth(6);
        engine.search(limits).expect("idle").nodes
    };
    let networks = [random_network(19), random_network(20)].map(Arc::new);
    let [first, second] = [nodes(&networks[0]), nodes(&networks[1])];
    let material = caesura::nnue::load(Path::new(MATERIAL)).expect("memory");
    let third = nodes(&material);
    assert!(third != first && third != second && first != second);
    assert_eq!((nodes(&networks[0]), nodes(&material)), (first, third));
}

#[test]
fn every_memory_node_has_a_network_of_its_own() {
    let mut engine = Engine::new(4, 2).expect("starts");
    let machine = engine.machine();
    let list: Vec<String> = machine.allowed.iter().take(2).map(|number| number.to_string()).collect();
    let policy = NumaPolicy::parse(&list.join(":"), machine).expect("processors of this machine");
    let network = Arc::new(random_network(24));
    engine.set_network(Arc::clone(&network)).expect("idle");
    assert!(engine.options().network_replicas.is_empty());
    engine.set_numa_policy(policy).expect("idle");
    assert_eq!((engine.placement().numa_nodes, engine.hash().0), (list.len(), 2));
    let replicas = engine.options().network_replicas.len();
    if list.len() > 1 {
        assert_eq!(replicas, list.len());
    }
    for node in 0..replicas {
        let copy = engine.options().network_on(node);
        assert!(!Arc::ptr_eq(copy, &network) && copy.name() == network.name());
        assert_eq!(copy.evaluate::<Native>(&Board::start()), network.evaluate::<Native>(&Board::start()));
    }
    assert!(Arc::ptr_eq(engine.options().network_on(7), &network));
    let limits = caesura::clock::Limits::depth(6);
    assert!(engine.search(limits).expect("idle").best.is_some());
    // Copies of another network are not used.
    engine.options_mut().network = Arc::new(random_network(25));
    assert_ne!(engine.options().network_on(0).name(), network.name());
    engine.set_numa_policy(NumaPolicy::Off).expect("idle");
    assert!(engine.options().network_replicas.is_empty() && engine.placement().numa_nodes == 1);
}

#[test]
fn output_buckets_go_by_the_number_of_pieces() {
    let buckets: Vec<usize> = [2, 5, 6, 9, 30, 32].into_iter().map(output_bucket).collect();
    assert_eq!(buckets, [0, 0, 1, 1, 7, 7]);
    assert_eq!((output_bucket(0), output_bucket(64)), (0, OUTPUT_BUCKETS - 1));
}

proptest! {
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
    fn arbitrary_weights_never_panic(seed: u64) {
        let mut random = SplitMix(seed);
        let bytes: Vec<u8> = (0..FILE_BYTES - HEADER_BYTES).map(|_| random.next() as u8).collect();
        if let Ok(network) = Network::parse(&with_header(&bytes)) {
            network.evaluate::<Native>(&Board::start());
        }
    }
}
