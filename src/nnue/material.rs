//! A network that counts material and nothing else: where training from nothing begins.
//!
//! All hidden units are alike. One starts in the middle of the range of the activation; own pieces raise it and enemy
//! pieces lower it, each by its value. With `m` the middle and `d` the material balance, the activation squares `m + d` for
//! the side to move and `m - d` for the opponent, and the difference of the squares is `4 m d`: the balance, exactly. The
//! dense layers are zeros.

use super::arch::{DENSE_1, HIDDEN_SIZE, INPUTS, OUTPUT_BUCKETS, PIECE_SQUARES, QA};
use super::format::{self, DenseLayers};

/// Feature weights by kind of piece, in units of [`SCALE`]: one is worth 10 centipawns, and a balance of 17 pawns reaches the
/// end of the range.
const PIECE_WEIGHTS: [i8; 6] = [10, 30, 33, 51, 97, 0];
/// The quantisation scale of all hidden units.
const SCALE: i16 = 3;
/// Every output weight: plus this for the side to move's half, minus this for the opponent's.
const OUTPUT_WEIGHT: i16 = 8;

/// The bytes of the network's file.
pub fn network_file() -> Vec<u8> {
    let weight = |feature: usize| {
        let weight = PIECE_WEIGHTS[feature % (PIECE_SQUARES / 2) / 64];
        if feature % PIECE_SQUARES < PIECE_SQUARES / 2 { weight } else { -weight }
    };
    let mut payload: Vec<u8> = (0..INPUTS).flat_map(|feature| [weight(feature) as u8; HIDDEN_SIZE]).collect();
    let row = |number: i16| std::iter::repeat_n(number, HIDDEN_SIZE);
    let dense = || std::iter::repeat_n(0, 2 * DENSE_1 * HIDDEN_SIZE);
    let outputs =
        (0..OUTPUT_BUCKETS).flat_map(|_| row(OUTPUT_WEIGHT).chain(row(-OUTPUT_WEIGHT)).chain(dense()));
    let numbers = row(SCALE).chain(row(QA / 2)).chain(outputs);
    payload.extend(numbers.flat_map(i16::to_le_bytes));
    payload.extend([0; OUTPUT_BUCKETS * size_of::<DenseLayers>()]);
    format::with_header(&payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;
    use crate::nnue::simd::Native;

    #[test]
    fn material_counts_alike_for_both_sides_and_on_every_rank() {
        let network = Network::parse(&network_file()).expect("a network");
        let value = |fen: &str| network.evaluate::<Native>(&fen.parse().expect("a position"));
        assert_eq!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
        for (pieces, worth) in [("P", 100), ("N", 300), ("B", 325), ("R", 500), ("Q", 950), ("RR", 1000)] {
            for rank in [2, 4] {
                let free = 8 - pieces.len();
                let above = "8/".repeat(5 - rank);
                let fen = format!("6k1/{above}{pieces}{free}/{}7K", "8/".repeat(rank));
                let (white, black) = (value(&format!("{fen} w - - 0 1")), value(&format!("{fen} b - - 0 1")));
                assert!((white - worth).abs() < 20 && white == -black, "{fen}: {white} and {black}");
            }
        }
    }
}
