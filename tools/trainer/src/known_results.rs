//! Results that endgame tables know: from the first position of a game that stands in them, the truth counts and not what
//! the players made of it.

use std::path::Path;

use caesura::engine::Tablebase;
use datagen::Game;
use datagen::game::{Ending, ReplayError, Winner};

use crate::error::TrainerError;

/// The result that a position of a game is to be learnt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyResult {
    /// The winner; `None` if that is unknown, because the game was ended by its length.
    pub winner: Option<Winner>,
    /// True if the position itself stands in the tables; the results of those before it are guesses, if good ones.
    pub is_exact: bool,
}

/// Opens the Syzygy tables of a directory.
///
/// # Errors
/// If the directory or a table cannot be read, or there are no tables.
pub fn open(directory: &Path) -> Result<Tablebase, TrainerError> {
    let (tables, errors) = Tablebase::open(directory.as_os_str());
    match errors.first() {
        Some(error) => Err(TrainerError::file(directory, error.to_string())),
        None if tables.is_empty() => Err(TrainerError::file(directory, "no Syzygy tables (.rtbw)")),
        None => Ok(tables),
    }
}

/// The result at each recorded ply of a game: that of the game, until the tables know better. A position in them has its
/// own result (a win that takes more than fifty moves from here to the next capture or pawn move is a draw), and those before
/// the first have the result of the first. A game that was ended by its length has no result until then.
///
/// # Errors
/// If a move of the game is illegal.
pub fn known_results(game: &Game, tables: Option<&Tablebase>) -> Result<Vec<PlyResult>, ReplayError> {
    let winner = (game.ending != Ending::TooLong).then_some(game.winner);
    let played_out = PlyResult { winner, is_exact: false };
    let mut results = vec![played_out; game.plies.len()];
    let Some(tables) = tables else { return Ok(results) };
    let mut replay = game.replay();
    let mut first = None;
    while let Some(position) = replay.next_position()? {
        let board = position.board;
        if board.occupied().count() > tables.max_pieces() {
            continue;
        }
        let winner = match tables.probe_result(board) {
            Some(1) => Winner::of(board.side_to_move()),
            Some(-1) => Winner::of(!board.side_to_move()),
            Some(_) => Winner::Draw,
            None => continue,
        };
        results[position.ply] = PlyResult { winner: Some(winner), is_exact: true };
        first.get_or_insert((position.ply, winner));
    }
    if let Some((ply, winner)) = first {
        results[..ply].fill(PlyResult { winner: Some(winner), is_exact: false });
    }
    Ok(results)
}
