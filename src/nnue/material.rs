//! A network that counts material and sees nothing else: where learning begins.
//!
//! All units of the hidden layer are alike. One starts in the middle of its range; own men move it up and the other
//! side's move it down, each by its worth. What the activation squares are then `m + d` for the side to move and
//! `m - d` for the other, and the difference of the squares is `4 m d`: the surplus of material, exactly.

use super::arch::{HIDDEN_SIZE, INPUTS, OUTPUT_BUCKETS, PIECE_SQUARES, QA};
use super::weights;

/// What a man of each kind moves a unit by, in threes; three are worth 10 centipawns, and a surplus of 17 pawns ends the range.
const WORTH: [i16; 6] = [30, 90, 99, 153, 291, 0];
/// What a unit weighs in the output.
const WEIGHT: i16 = 8;

/// The file of the network.
pub fn network_file() -> Vec<u8> {
    let row = |number: i16| std::iter::repeat_n(number, HIDDEN_SIZE);
    let worth = |feature: usize| {
        let worth = WORTH[feature % (PIECE_SQUARES / 2) / 64];
        if feature % PIECE_SQUARES < PIECE_SQUARES / 2 { worth } else { -worth }
    };
    let features = (0..INPUTS).flat_map(|feature| row(worth(feature)));
    let outputs = (0..OUTPUT_BUCKETS).flat_map(|_| row(WEIGHT).chain(row(-WEIGHT)));
    let numbers = features.chain(row(QA / 2)).chain(outputs);
    let mut payload: Vec<u8> = numbers.flat_map(i16::to_le_bytes).collect();
    payload.extend([0; OUTPUT_BUCKETS * size_of::<i32>()]);
    weights::with_header(&payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;
    use crate::nnue::simd::Native;

    #[test]
    fn men_are_worth_what_they_are_for_both_sides() {
        let network = Network::parse(&network_file()).expect("a network");
        let value = |fen: &str| network.evaluate::<Native>(&fen.parse().expect("a position"));
        assert_eq!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
        for (men, worth) in [("P", 100), ("N", 300), ("B", 325), ("R", 500), ("Q", 950), ("RR", 1000)] {
            for rank in [2, 4] {
                let free = 8 - men.len();
                let above = "8/".repeat(5 - rank);
                let fen = format!("6k1/{above}{men}{free}/{}7K", "8/".repeat(rank));
                let (white, black) = (value(&format!("{fen} w - - 0 1")), value(&format!("{fen} b - - 0 1")));
                assert!((white - worth).abs() < 20 && white == -black, "{fen}: {white} and {black}");
            }
        }
    }
}
