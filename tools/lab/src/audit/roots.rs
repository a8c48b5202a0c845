//! Positions of games, to be searched.

use caesura::board::Board;
use caesura::engine::{Limits, SplitMix};
use caesura::single_threaded::SingleThreadedEngine;
use datagen::game::Ending;

/// The nodes of a move in the games.
const MOVE_NODES: u64 = 500;
/// A game goes on for this many plies at most.
const MAX_PLIES: usize = 200;
/// A game ends when the score is greater than this many centipawns for either side.
const DECIDED: i32 = 1000;

/// Plays a game from an opening against itself and returns this many of its positions at most, with the game that led
/// to them: one from each part of the game. The same engine, set up in the same way, always plays the same game.
pub fn positions(
    engine: &mut SingleThreadedEngine,
    opening: &Board,
    count: usize,
    random: &mut SplitMix,
) -> Vec<Board> {
    engine.new_game();
    let mut board = opening.clone();
    let mut played = Vec::new();
    while played.len() < MAX_PLIES && Ending::by_rule(&board).is_none() {
        played.push(board.clone());
        let found = engine.search(&board, Limits::nodes(MOVE_NODES));
        let score = found.lines.first().map_or(0, |line| line.score);
        match found.best {
            Some(m) if score.abs() <= DECIDED => board.make_move(m, &mut ()),
            _ => break,
        }
    }
    let parts = count.min(played.len());
    let picked = (0..parts).map(|part| {
        let (start, end) = (part * played.len() / parts, (part + 1) * played.len() / parts);
        played[start + random.below(end - start)].clone()
    });
    picked.collect()
}
