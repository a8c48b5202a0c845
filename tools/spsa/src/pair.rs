//! Pairs of games: each opening is played with both colours.

use caesura::board::{Board, notation};
use caesura::types::Color;
use datagen::adjudication::{AdjudicationRules, Adjudicator};
use datagen::game::{Ending, Winner};
use lab::game::MAX_PLIES;

use crate::uci_engine::UciEngine;
use crate::{EngineFault, TuneError};

/// Plays both games of an opening with this many nodes a move. Returns the wins less the losses of the first player,
/// and the number of decisive games.
///
/// # Errors
/// If an engine fails or plays an illegal move.
pub fn play(players: &mut [UciEngine; 2], start: &Board, nodes: u64) -> Result<(i32, u64), TuneError> {
    let mut sum = (0, 0);
    for first in Color::ALL {
        match game(players, start, first, nodes)? {
            Winner::Draw => {}
            winner => {
                sum.0 += if winner == Winner::of(first) { 1 } else { -1 };
                sum.1 += 1;
            }
        }
    }
    Ok(sum)
}

/// Plays a game in which the first player has the colour `first`.
fn game(players: &mut [UciEngine; 2], start: &Board, first: Color, nodes: u64) -> Result<Winner, TuneError> {
    for player in players.iter_mut() {
        player.new_game()?;
    }
    let mut board = start.clone();
    let mut position = format!("fen {start}");
    let mut adjudicator = Adjudicator::new(AdjudicationRules::MATCH);
    for plies in 0..MAX_PLIES {
        if let Some((_, winner)) = Ending::by_rule(&board) {
            return Ok(winner);
        }
        let side = board.side_to_move();
        let player = &mut players[usize::from(side != first)];
        let answer = player.go(&position, nodes)?;
        let m = notation::parse_uci(&board, &answer.best_move).ok_or_else(|| {
            player.error(EngineFault::IllegalMove {
                best_move: answer.best_move.clone(),
                position: position.clone(),
            })
        })?;
        board.make_move(m, &mut ());
        position.push_str(if plies == 0 { " moves " } else { " " });
        position.push_str(&answer.best_move);
        let white = if side == Color::White { answer.score } else { -answer.score };
        if let Some((_, winner)) = adjudicator.add_score(board.ply(), white) {
            return Ok(winner);
        }
    }
    Ok(Winner::Draw)
}
