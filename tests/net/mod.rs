//! Random networks and random start positions, for tests and benchmarks.

#![allow(dead_code, reason = "no test or benchmark uses all of it")]

use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::nnue::Network;
use caesura::nnue::arch::{HIDDEN_SIZE, INPUTS, OUTPUT_BUCKETS, OUTPUT_UNITS, QA, QB};
use caesura::nnue::format::{self, DenseLayers};
use caesura::util::random::SplitMix;

/// A number from `-size` to `size`.
pub(crate) fn within(random: &mut SplitMix, size: i16) -> i16 {
    (random.below(2 * size as usize + 1) as i32 - i32::from(size)) as i16
}

/// The payload of a network's file: its feature weights, its numbers of 16 bits, and its dense layers.
pub(crate) fn payload(
    features: impl IntoIterator<Item = i8>,
    numbers: impl IntoIterator<Item = i16>,
    dense: &[DenseLayers; OUTPUT_BUCKETS],
) -> Vec<u8> {
    let mut bytes: Vec<u8> = features.into_iter().map(|weight| weight as u8).collect();
    bytes.extend(numbers.into_iter().flat_map(i16::to_le_bytes));
    for layers in dense {
        let first = std::iter::once(layers.bias).chain(layers.bias_1);
        let second = layers.weights_2.into_iter().flatten().chain(layers.bias_2);
        bytes.extend(first.chain(second).chain(layers.weights_3).flat_map(i32::to_le_bytes));
    }
    bytes
}

/// The file of a network of random weights, with about half of the hidden units within the range of the activation, and
/// about half of the units of each dense layer.
pub(crate) fn random_file(seed: u64) -> Vec<u8> {
    let mut random = SplitMix(seed);
    let features: Vec<i8> = (0..INPUTS * HIDDEN_SIZE).map(|_| within(&mut random, 120) as i8).collect();
    let mut numbers = vec![2; HIDDEN_SIZE];
    numbers.extend((0..HIDDEN_SIZE).map(|_| 400 + within(&mut random, 800)));
    for unit in 0..OUTPUT_BUCKETS * OUTPUT_UNITS {
        let size = if unit % OUTPUT_UNITS == 0 { 1000 } else { 30 };
        numbers.extend((0..2 * HIDDEN_SIZE).map(|_| within(&mut random, size)));
    }
    let dense = std::array::from_fn(|_| random_layers(&mut random));
    format::with_header(&payload(features, numbers, &dense))
}

/// Random dense layers.
fn random_layers(random: &mut SplitMix) -> DenseLayers {
    let middle = i32::from(QA) * i32::from(QB) / 2;
    let mut number = |size: i16| i32::from(within(random, size));
    DenseLayers {
        bias: 30 * number(20_000),
        bias_1: [0; _].map(|_| middle + number(20_000)),
        weights_2: [[0; _]; _].map(|row| row.map(|_: i32| number(350))),
        bias_2: [0; _].map(|_| middle + number(20_000)),
        weights_3: [0; _].map(|_| number(4_000)),
    }
}

/// A network of random weights.
pub(crate) fn random_network(seed: u64) -> Network {
    Network::parse(&random_file(seed)).expect("a network")
}

/// A start position of Chess960; of double Chess960, in which the sides may have different ranks, if `double`.
pub(crate) fn shuffled_start(random: &mut SplitMix, double: bool) -> Board {
    let mut rank = || loop {
        let mut rank = *b"rnbqkbnr";
        for end in (1..8).rev() {
            rank.swap(end, random.below(end + 1));
        }
        let places = |letter: u8| -> Vec<usize> { (0..8).filter(|&file| rank[file] == letter).collect() };
        let (king, rooks, bishops) = (places(b'k')[0], places(b'r'), places(b'b'));
        if rooks[0] < king && king < rooks[1] && (bishops[0] + bishops[1]) % 2 == 1 {
            let name = |file: usize| char::from(b'a' + file as u8);
            break (
                String::from_utf8_lossy(&rank).into_owned(),
                format!("{}{}", name(rooks[1]), name(rooks[0])),
            );
        }
    };
    let (black, black_rights) = rank();
    let (white, white_rights) = if double { rank() } else { (black.clone(), black_rights.clone()) };
    let (white, white_rights) = (white.to_uppercase(), white_rights.to_uppercase());
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {white_rights}{black_rights} - 0 1")
        .parse()
        .expect("a position")
}

/// A position to begin a random game with.
pub(crate) fn start(random: &mut SplitMix) -> Board {
    match random.below(4) {
        0 => Board::start(),
        1 => shuffled_start(random, false),
        2 => shuffled_start(random, true),
        _ => random.pick(&POSITIONS).parse().expect("a position"),
    }
}
