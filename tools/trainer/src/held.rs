//! Positions in which a network is held to what another says of them.
//!
//! A training moves a network also where it shows it nothing. Games have no positions behind bad moves, and quiet ones alone are
//! learnt from; a search asks about both. There the network that a training begins with is its own best teacher (after Zhizhong Li and
//! Derek Hoiem, "Learning without Forgetting", 2016).

use std::sync::Arc;

use caesura::board::Board;
use caesura::nnue::Network;
use caesura::nnue::simd::Native;
use caesura::types::{MAX_EVAL, Move};
use caesura::util::random::{SplitMix, unit_interval};

use crate::arch::SCALE;
use crate::record::{PositionRecord, UNKNOWN_RESULT};

/// Which positions are held, and by which network.
#[derive(Clone, Debug)]
pub struct HeldOptions {
    /// The network whose values are the targets.
    pub network: Arc<Network>,
    /// The share of the positions of games beyond which there is one.
    pub share: f64,
}

impl HeldOptions {
    /// A position one random move beyond that on the board, every second time a capture if there is one, with the value of the
    /// network, where `scale` centipawns are to be a logit of 1. `seed` draws whether there is one, and the move. `None`: none was
    /// drawn, no legal move is left, the side to move is in check, or no record can hold it.
    pub(crate) fn beyond(&self, board: &Board, scale: f64, seed: u64) -> Option<PositionRecord> {
        let mut random = SplitMix(seed);
        if unit_interval(random.next()) >= self.share {
            return None;
        }
        let moves = board.legal_moves();
        let captures: Vec<Move> = moves.iter().copied().filter(|m| m.is_capture()).collect();
        let wants_capture = random.below(2) == 0;
        let drawn = match wants_capture && !captures.is_empty() {
            true => *random.pick(&captures),
            false if moves.is_empty() => return None,
            false => *random.pick(&moves),
        };
        let mut board = board.clone();
        board.make_move(drawn, &mut ());
        if board.in_check() {
            return None;
        }
        let mut record = PositionRecord::of(&board)?;
        let value = f64::from(self.network.evaluate::<Native>(&board)) * scale / f64::from(SCALE);
        let bound = f64::from(MAX_EVAL);
        record.score = value.round().clamp(-bound, bound) as i16;
        record.result = UNKNOWN_RESULT;
        Some(record)
    }
}
