//! From games to comparisons.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Zeroable;
use caesura::board::Board;
use caesura::nnue::Network;
use caesura::types::{Move, Value};
use datagen::game::ReplayError;
use datagen::{Game, game_files};
use toolkit::cli::ErrorChain;
use toolkit::ordered::{self, Control};

use super::file::{Comparison, Comparisons, LEAVES};
use super::leaf::{Leaf, quiescence};
use crate::error::TrainerError;
use crate::extract::{BlockTask, blocks, drawn_for, is_for_validation};

/// Beyond this many centipawns a leaf is decided: its order among others says nothing.
const DECIDED: Value = 2000;

/// A move whose leaf is worth this many centipawns less than that of another was played for what captures alone do not show.
const UNSEEN: Value = 200;

/// How comparisons are made.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// The network whose values choose the leaves.
    pub network: Arc<Network>,
    /// Threads that work.
    pub threads: usize,
    /// The share of the positions that is taken.
    pub share: f64,
    /// Positions with greater scores are left out, in centipawns.
    pub max_score: i16,
    /// The share of the games that is kept for validation.
    pub validation: f64,
}

/// What came of a block.
#[derive(Default)]
struct ComparedBlock {
    positions: u64,
    comparisons: Comparisons,
    fault: Option<String>,
}

/// Makes comparisons of the positions of all games, but for those in check, with too great a score, or with fewer legal moves than a
/// comparison has leaves; leaves that are decided do not count, nor positions where captures alone do not show what the move was
/// played for. Damaged blocks are passed over and reported to `warn`; `progress` gets the number of positions read and the number of
/// all.
///
/// # Errors
/// If files cannot be read, if the system refuses every thread, or if `stop` was set meanwhile.
pub fn compare(
    data: &[PathBuf],
    options: &CompareOptions,
    stop: &AtomicBool,
    mut warn: impl FnMut(String),
    mut progress: impl FnMut(u64, u64),
) -> Result<Comparisons, TrainerError> {
    let (mut tasks, mut expected) = (Vec::new(), 0);
    for path in game_files(data)? {
        expected += blocks(0, &path, &mut tasks, |error| warn(ErrorChain(&error).to_string()));
    }
    let (mut all, mut positions) = (Comparisons::default(), 0);
    let compared: Result<(), TrainerError> = ordered::run(
        options.threads,
        tasks.into_iter(),
        &Control::default(),
        || Ok(|task: BlockTask| Ok(Some(compare_block(&task, options)))),
        |block: Option<ComparedBlock>| {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainerError::Interrupted);
            }
            let Some(block) = block else { return Ok(ControlFlow::Continue(())) };
            all.training.extend(block.comparisons.training);
            all.validation.extend(block.comparisons.validation);
            block.fault.into_iter().for_each(&mut warn);
            positions += block.positions;
            progress(positions, expected);
            Ok(ControlFlow::Continue(()))
        },
    );
    compared?;
    Ok(all)
}

fn compare_block(task: &BlockTask, options: &CompareOptions) -> ComparedBlock {
    let mut block = ComparedBlock::default();
    let games = match task.games() {
        Ok(games) => games,
        Err(error) => {
            block.fault = Some(ErrorChain(&error).to_string());
            return block;
        }
    };
    for game in games {
        block.positions += game.plies.len() as u64;
        // What a search has evaluated has no move that a deep search chose.
        if game.is_lone_position() {
            continue;
        }
        match compare_game(&game, options) {
            Ok(comparisons) if is_for_validation(&game, options.validation) => {
                block.comparisons.validation.extend(comparisons);
            }
            Ok(comparisons) => block.comparisons.training.extend(comparisons),
            Err(error) => {
                block.fault.get_or_insert_with(|| ErrorChain(&task.illegal(error)).to_string());
            }
        }
    }
    block
}

fn compare_game(game: &Game, options: &CompareOptions) -> Result<Vec<Comparison>, ReplayError> {
    let mut comparisons = Vec::new();
    let mut replay = game.replay();
    while let Some(position) = replay.next_position()? {
        let is_taken = !position.board.in_check()
            && position.score.unsigned_abs() <= options.max_score.unsigned_abs()
            && drawn_for(game, position.ply) < options.share;
        if is_taken {
            comparisons.extend(compare_moves(&options.network, &mut position.board.clone(), position.played));
        }
    }
    Ok(comparisons)
}

/// The leaf behind the move that was played, and those behind the best of the other moves. `None` if there are too few, or if
/// captures alone do not show what the move was played for.
fn compare_moves(network: &Network, board: &mut Board, played: Move) -> Option<Comparison> {
    let moves = board.legal_moves();
    if moves.len() < LEAVES {
        return None;
    }
    let (mut best, mut others) = (None, Vec::with_capacity(moves.len()));
    for &m in moves.iter() {
        board.make_move(m, &mut ());
        let leaf = quiescence(network, board);
        board.unmake_move(m, &mut ());
        let leaf = leaf.map(|leaf| Leaf { value: -leaf.value, is_own: !leaf.is_own, ..leaf });
        let leaf = leaf.filter(|leaf| leaf.value.abs() <= DECIDED);
        if m == played {
            best = leaf;
        } else {
            others.extend(leaf);
        }
    }
    let best = best?;
    others.sort_by_key(|leaf| -leaf.value);
    let others = others.get(..LEAVES - 1)?;
    if others[0].value - best.value > UNSEEN {
        return None;
    }
    let mut comparison = Comparison::zeroed();
    for (place, leaf) in [best].iter().chain(others).enumerate() {
        comparison.leaves[place] = leaf.record;
        comparison.own |= u64::from(leaf.is_own) << place;
    }
    Some(comparison)
}
