//! Games against one machine.

use std::sync::atomic::AtomicBool;

use caesura::board::{Board, Setup};
use caesura::engine::{EngineError, Limits};
use caesura::types::Color;
use cluster::lockstep::LockstepCluster;
use datagen::play_out::MoveOutcome;
use lab::game::{GameRecord, half_points, play_match_game};
use toolkit::elo::Pentanomial;

use crate::sides::{Conditions, Side};

/// How many pairs pass between two lines of progress.
const PROGRESS_PAIRS: u64 = 10;

/// A side and the nodes that it may search for a move.
type Player = (LockstepCluster, u64);

/// Plays each opening twice, with both colours, against one machine, and prints what the games say.
pub fn run(
    conditions: &Conditions,
    (side, machines): (Side, usize),
    nodes: u64,
    openings: &[Setup],
) -> Result<(), EngineError> {
    let player = |side, machines| {
        let (cluster, share) = conditions.start(side, machines)?;
        Ok::<Player, EngineError>((cluster, share * nodes))
    };
    let (mut many, mut one) = (player(side, machines)?, player(Side::Separate, 1)?);
    let mut pairs = Pentanomial::default();
    for opening in openings {
        let opening = Board::from_setup(opening);
        let white = play(&opening, [&mut many, &mut one])?;
        let black = play(&opening, [&mut one, &mut many])?;
        pairs.add(half_points(&[white, black]));
        if pairs.pairs() % PROGRESS_PAIRS == 0 {
            eprintln!("{machines} {side:?} {} pairs {:?}: {}", pairs.pairs(), pairs.0, pairs.estimate());
        }
    }
    println!(
        "{machines} {side:?} against one, {nodes} nodes each, {} games, {:?}: {}",
        2 * pairs.pairs(),
        pairs.0,
        pairs.estimate()
    );
    println!("{conditions:?}");
    Ok(())
}

/// A game, White first.
fn play(opening: &Board, mut players: [&mut Player; 2]) -> Result<GameRecord, EngineError> {
    for (cluster, _) in &mut players {
        cluster.new_game(opening)?;
    }
    let game = play_match_game(opening, &AtomicBool::new(false), |board| {
        let (cluster, nodes) = &mut *players[usize::from(board.side_to_move() == Color::Black)];
        let result = cluster.search(board, Limits::nodes(*nodes))?;
        let score = result.lines.first().map_or(0, |line| line.score);
        // A search that was not abandoned has a move where there is one.
        Ok::<_, EngineError>(
            result.best.map_or(MoveOutcome::TimeForfeit, |best| MoveOutcome::Played(best, score)),
        )
    })?;
    Ok(game.unwrap_or(GameRecord { white: 1, ending: String::new(), plies: 0 }))
}
