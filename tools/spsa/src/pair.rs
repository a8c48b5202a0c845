//! Pairs of games: each opening is played with both colours.

use std::sync::atomic::AtomicBool;

use caesura::board::{Board, notation};
use caesura::types::Color;
use datagen::play_out::MoveOutcome;
use lab::game::{half_points, play_match_game};

use crate::uci_engine::UciEngine;
use crate::{EngineFault, TuneError};

/// Plays both games of an opening with this many nodes a move. Returns the wins less the losses of the first player,
/// and the number of decisive games; `None` if they were abandoned.
///
/// # Errors
/// If an engine fails or plays an illegal move.
pub fn play(
    players: &mut [UciEngine; 2],
    start: &Board,
    nodes: u64,
    abandon: &AtomicBool,
) -> Result<Option<(i32, u64)>, TuneError> {
    let mut records = Vec::new();
    for first in [Color::White, Color::Black] {
        for player in players.iter_mut() {
            player.new_game()?;
        }
        let mut position = format!("fen {start}");
        let mut separator = " moves ";
        let record = play_match_game(start, abandon, |board| -> Result<MoveOutcome, TuneError> {
            let player = &mut players[usize::from(board.side_to_move() != first)];
            let answer = player.go(&position, nodes)?;
            let m = notation::parse_uci(board, &answer.best_move).ok_or_else(|| {
                player.error(EngineFault::IllegalMove {
                    best_move: answer.best_move.clone(),
                    position: position.clone(),
                })
            })?;
            position.push_str(std::mem::replace(&mut separator, " "));
            position.push_str(&answer.best_move);
            Ok(MoveOutcome::Played(m, answer.score))
        })?;
        let Some(record) = record else { return Ok(None) };
        records.push(record);
    }
    let decisive = records.iter().filter(|record| record.white != 1).count() as u64;
    Ok(records.try_into().ok().map(|pair| (half_points(&pair) as i32 - 2, decisive)))
}
