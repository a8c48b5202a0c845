//! Games between two contenders.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::engine::Engine;
use caesura::engine::Limits;
use caesura::engine::Network;
use datagen::adjudication::AdjudicationRules;
use datagen::play_out::{MoveOutcome, Outcome, play_out};
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::limit::Limit;
use crate::mode::Mode;
use crate::searcher::{set_turns, start_engine};

/// A game of this many plies is drawn.
pub const MAX_PLIES: usize = 600;

/// The outcome of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The half points of White: 0 for a loss, 1 for a draw, 2 for a win.
    pub white: usize,
    /// Why it ended.
    pub ending: String,
    /// Its length in plies.
    pub plies: usize,
}

/// The half points of the first side in the two games of a pair, in the first of which it was White: 0 to 4.
pub fn half_points([white, black]: &[GameRecord; 2]) -> usize {
    white.white + 2 - black.white
}

/// Two engines, one for each contender.
pub struct EnginePair {
    engines: [Engine; 2],
}

/// Plays a game of a match: to its end by the rules of chess or by the scores of its players. `None` if it was abandoned.
///
/// # Errors
/// If a player fails.
pub fn play_match_game<E>(
    start: &Board,
    abandon: &AtomicBool,
    next_move: impl FnMut(&Board) -> Result<MoveOutcome, E>,
) -> Result<Option<GameRecord>, E> {
    let outcome = play_out(start, AdjudicationRules::MATCH, MAX_PLIES, abandon, next_move)?;
    Ok(outcome.map(|Outcome { ending, winner, plies }| GameRecord {
        white: winner as usize,
        ending: ending.map_or_else(|| "Time".to_string(), |ending| format!("{ending:?}")),
        plies,
    }))
}

impl EnginePair {
    /// Starts both engines, each with a transposition table of this many megabytes and this many threads.
    ///
    /// # Errors
    /// If an engine cannot be started.
    pub fn new(hash: usize, threads: usize) -> Result<EnginePair, LabError> {
        Ok(EnginePair { engines: [start_engine(hash, threads)?, start_engine(hash, threads)?] })
    }

    /// Makes both engines evaluate by a network.
    ///
    /// # Errors
    /// If an engine has no memory for it.
    pub fn set_network(&mut self, network: &Arc<Network>) -> Result<(), LabError> {
        self.engines.iter_mut().try_for_each(|engine| Ok(engine.set_network(Arc::clone(network))?))
    }

    /// Plays an opening twice, first with the first contender White, then with the second. `None` if it was abandoned.
    ///
    /// # Errors
    /// If an engine fails.
    pub fn play_pair(
        &mut self,
        start: &Board,
        [first, second]: [&Contender; 2],
        mode: Mode,
        limit: Limit,
        abandon: &AtomicBool,
    ) -> Result<Option<[GameRecord; 2]>, LabError> {
        let mut play = |players| self.play(start, players, mode, limit, abandon);
        Ok(play([first, second])?.zip(play([second, first])?).map(|(white, black)| [white, black]))
    }

    /// Plays a game from a position, the first contender with White. `None` if it was abandoned.
    ///
    /// # Errors
    /// If an engine fails.
    pub fn play(
        &mut self,
        start: &Board,
        players: [&Contender; 2],
        mode: Mode,
        limit: Limit,
        abandon: &AtomicBool,
    ) -> Result<Option<GameRecord>, LabError> {
        for (engine, contender) in self.engines.iter_mut().zip(players) {
            engine.new_game()?;
            contender.configure(engine, mode);
            set_turns(engine, limit.is_deterministic());
        }
        let mut clocks = match limit {
            Limit::Clock(base, _) => [Duration::from_millis(base); 2],
            _ => [Duration::ZERO; 2],
        };
        play_match_game(start, abandon, |board| self.next_move(board, limit, &mut clocks))
    }

    fn next_move(
        &mut self,
        board: &Board,
        limit: Limit,
        clocks: &mut [Duration; 2],
    ) -> Result<MoveOutcome, LabError> {
        let side = board.side_to_move();
        let engine = &mut self.engines[side.index()];
        engine.set_position(board.clone());
        let mut limits = limit.search();
        if let Limit::Clock(_, increment) = limit {
            limits.time = clocks.map(Some);
            limits.increment = [Duration::from_millis(increment); 2];
        }
        let started = Instant::now();
        let mut outcome = engine.search(limits)?;
        if let Limit::Clock(_, increment) = limit {
            let clock = &mut clocks[side.index()];
            match clock.checked_sub(started.elapsed()) {
                Some(left) => *clock = left + Duration::from_millis(increment),
                None => return Ok(MoveOutcome::TimeForfeit),
            }
        }
        if outcome.lines.is_empty() {
            // The node limit was too low for the first iteration; a search of one ply has a result.
            outcome = engine.search(Limits::depth(1))?;
        }
        let score = outcome.lines.first().map_or(0, |line| line.score);
        let m = outcome.best.ok_or_else(|| LabError::NoMove(board.to_string()))?;
        Ok(MoveOutcome::Played(m, score))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use caesura::engine::{MATERIAL_NETWORK, load_network};

    use super::*;

    #[test]
    fn a_won_game_is_won_and_a_clock_can_run_out() {
        let contender: Contender = "extended".parse().unwrap();
        let mut table = EnginePair::new(1, 1).unwrap();
        table.set_network(&load_network(MATERIAL_NETWORK.as_ref()).unwrap()).unwrap();
        let abandon = AtomicBool::new(false);
        let board: Board = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1".parse().unwrap();
        let players = [&contender, &contender];
        let game = table.play(&board, players, Mode::Full, Limit::Nodes(2000), &abandon).unwrap().unwrap();
        assert_eq!((game.white, game.ending.as_str()), (2, "Checkmate"));
        let again = table.play(&board, players, Mode::Full, Limit::Nodes(2000), &abandon).unwrap().unwrap();
        assert_eq!(again, game);
        let game = table.play(&board, players, Mode::Full, Limit::Clock(0, 0), &abandon).unwrap().unwrap();
        assert_eq!(game, GameRecord { white: 0, ending: "Time".into(), plies: 0 });
        abandon.store(true, Ordering::Relaxed);
        assert!(table.play(&board, players, Mode::Full, Limit::Nodes(9), &abandon).unwrap().is_none());
    }
}
