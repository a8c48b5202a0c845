//! The moves of a game, each coded as its rank among the legal moves in the order of their likelihood.

use caesura::board::{Board, MoveList};
use caesura::types::Move;

use super::move_features::{MoveContext, MoveFeatures};
use super::move_weights::WEIGHTS;
use super::range_coder::{Coder, PROBABILITY_BITS};

/// `2^(n / 16)` in 1 / 32768.
const POWERS: [u64; 16] = [
    32768, 34219, 35734, 37316, 38968, 40693, 42495, 44376, 46341, 48393, 50535, 52773, 55109, 57549, 60097,
    62757,
];
/// How likely the likeliest move is in the unit of [`likelihood`], as a power of two.
const LIKELIEST: u32 = 24;
/// The least probability of a decision, in 1 / 65536.
const MIN_PROBABILITY: u64 = 32;

/// How likely a move is that is this many sixteenths of an octave less likely than the likeliest; at least 1.
#[inline]
fn likelihood(behind: u32) -> u64 {
    let octaves = behind.div_ceil(16).min(u64::BITS - 1);
    let part = (16 * octaves).saturating_sub(behind) % 16;
    ((POWERS[part as usize] << (LIKELIEST - 15)) >> octaves).max(1)
}

/// The legal moves of a position, the likeliest first.
struct RankedMoves {
    /// For each move its distance from the likeliest, in sixteenths of an octave, and in the lower half its bits, so that
    /// the order does not depend on that in which moves are generated.
    keys: [u32; 256],
    count: usize,
    /// The likelihood of all moves together.
    total: u64,
}

impl RankedMoves {
    fn new(board: &Board, context: MoveContext) -> RankedMoves {
        let moves: MoveList = board.legal_moves();
        let features = MoveFeatures::new(board, context);
        let mut sums = [0; 256];
        let mut best = i32::MIN;
        for (sum, &m) in sums.iter_mut().zip(&moves) {
            features.for_each(m, |feature| *sum += i32::from(WEIGHTS[feature]));
            best = best.max(*sum);
        }
        let mut ranked = RankedMoves { keys: [0; 256], count: moves.len(), total: 0 };
        for ((key, m), sum) in ranked.keys.iter_mut().zip(&moves).zip(sums) {
            // Some twenty weights of a byte each.
            let behind = (best - sum) as u32;
            *key = behind << 16 | u32::from(m.bits());
            ranked.total += likelihood(behind);
        }
        ranked.keys[..moves.len()].sort_unstable();
        ranked
    }
}

/// Codes a move of a position: for each legal move, the likeliest first, whether it is the one. `None` stands for a move
/// that is not legal.
pub fn code(
    coder: &mut impl Coder,
    board: &Board,
    context: MoveContext,
    played: Option<Move>,
) -> Option<Move> {
    let ranked = RankedMoves::new(board, context);
    let mut rest = ranked.total;
    for &key in &ranked.keys[..ranked.count] {
        let likelihood = likelihood(key >> 16);
        let probability = (likelihood << PROBABILITY_BITS) / rest;
        rest -= likelihood;
        let m = Move::from_bits(key as u16);
        if coder.code(
            played == m,
            probability.clamp(MIN_PROBABILITY, (1 << PROBABILITY_BITS) - MIN_PROBABILITY) as u32,
        ) {
            return m;
        }
    }
    None
}
