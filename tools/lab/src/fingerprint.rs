//! A number that distinguishes programs in which any null-move scheme searches differently.

use caesura::engine::Limits;
use caesura::single_threaded::SingleThreadedEngine;
use caesura::types::Depth;

use crate::contender::{all_schemes, with_each_switch};
use crate::mode::Mode;
use crate::positions::{FixedDepthPosition, bratko_kopec};
use crate::{LabError, paper};

/// To be raised where an experiment makes something else of the same searches: results of before are then refused.
const EXPERIMENTS: u64 = 1;
/// The transposition table of the searches, in megabytes.
const HASH: usize = 1;

/// The depths of the searches of the paper's position and of an ending with more pieces, in plies: the deepest rule of a
/// scheme begins at depth 16.
const fn depths(mode: Mode) -> [Depth; 2] {
    match mode {
        Mode::Full => [16, 12],
        Mode::Plain => [8, 7],
        Mode::Falcon => [7, 6],
    }
}

/// The nodes of short searches with every scheme and every switch, in every mode, as one number. Two programs that have the
/// same one almost certainly search alike in all experiments; the signature covers the default scheme alone. Takes a
/// few seconds.
///
/// # Errors
/// If there is no memory for an engine, or a position cannot be read.
pub fn fingerprint() -> Result<u64, LabError> {
    let mut engine = SingleThreadedEngine::new(HASH)?;
    let figure = FixedDepthPosition { id: paper::ZUGZWANG_ID.into(), fen: paper::ZUGZWANG.into(), depth: 0 };
    let positions = [figure].into_iter().chain(bratko_kopec());
    let boards = positions.take(2).map(|position| position.board()).collect::<Result<Vec<_>, _>>()?;
    let mut number = EXPERIMENTS;
    for contender in all_schemes().into_iter().chain(with_each_switch()) {
        for mode in Mode::ALL {
            for (board, depth) in boards.iter().zip(depths(mode)) {
                contender.set_options(engine.options_mut(), mode);
                engine.new_game();
                let nodes = engine.search(board, Limits::depth(depth)).nodes;
                // A prime, so that the same nodes in another order make another number.
                number = number.wrapping_mul(1_000_003).wrapping_add(nodes);
            }
        }
    }
    Ok(number)
}
