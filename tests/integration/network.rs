//! The network: its values, and its accumulators along games.

use std::path::Path;
use std::sync::Arc;

use caesura::attacks;
use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::engine::Engine;
use caesura::nnue::arch::{HIDDEN_SIZE, INPUTS, OUTPUT_BUCKETS, OUTPUT_UNITS, SCALE, output_bucket};
use caesura::nnue::format::{DenseLayers, HEADER_BYTES, ROWS, with_header};
use caesura::nnue::load::MATERIAL;
use caesura::nnue::simd::{BackendVisitor, Native, Scalar, Vector, visit_backends};
use caesura::nnue::{Evaluator, Network};
use caesura::topology::NumaPolicy;
use caesura::types::{Color, Move, Piece, PieceType, Square, Value};
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

/// Plays a random game in which moves are also unmade and null moves made, and evaluations prepared. Wherever the position
/// is evaluated, which is at one step of `skipped + 1`, the value must be that from scratch. Returns the number of
/// comparisons.
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
        if random.below(2) == 0 {
            evaluator.prepare(&board);
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
fn known_threats_are_those_of_the_board() {
    let network = Arc::new(random_network(12));
    let mut random = SplitMix(17);
    let mut evaluator: Evaluator = Evaluator::new(network).expect("memory");
    let mut known = 0;
    for _ in 0..20 {
        let mut board = shuffled_start(&mut random, true);
        evaluator.reset();
        let mut line: Vec<Move> = Vec::new();
        for _ in 0..200 {
            let moves = board.legal_moves();
            // Twice as often forward as back.
            if moves.is_empty() || !line.is_empty() && random.below(3) == 0 {
                let Some(m) = line.pop() else { break };
                board.unmake_move(m, &mut evaluator);
            } else {
                line.push(*random.pick(&moves));
                board.make_move(line[line.len() - 1], &mut evaluator);
                assert!(Color::ALL.into_iter().all(|color| evaluator.threats(color).is_none()));
            }
            match random.below(3) {
                0 => evaluator.prepare(&board),
                1 => {
                    evaluator.evaluate(&board);
                }
                _ => {}
            }
            for color in Color::ALL {
                let threats = evaluator.threats(color);
                assert!(threats.is_none_or(|threats| threats == board.threats(color)), "{board}");
                known += u32::from(threats.is_some());
            }
        }
    }
    assert!(known > 2000, "{known}");
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
