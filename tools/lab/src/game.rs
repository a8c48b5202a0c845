//! One game between two contenders.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::engine::Engine;
use caesura::engine::Limits;
use caesura::types::{Color, MATE_IN_MAX, Move, Value};
use datagen::game::{Ending, Winner};
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::contender::Contender;
use crate::limit::Limit;

/// A game is won at this score for either side, in centipawns ...
const WIN_SCORE: Value = 1200;
/// ... for so many plies in a row, of both players.
const WIN_PLIES: u32 = 8;
/// A game is drawn at this score or less ...
const DRAW_SCORE: Value = 8;
/// ... for so many plies in a row ...
const DRAW_PLIES: u32 = 12;
/// ... from this ply on.
const DRAW_FROM: u32 = 80;
/// A game of so many plies is drawn.
pub const MAX_PLIES: usize = 600;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The half points of White: 0, 1 or 2.
    pub white: usize,
    /// Why it ended.
    pub ending: String,
    /// Its plies.
    pub plies: usize,
}

/// Two engines, one for each contender, of one thread each.
pub struct EnginePair {
    engines: [Engine; 2],
}

/// Ends games by both players' scores, as they come.
#[derive(Default)]
pub struct ScoreAdjudicator {
    winning: i64,
    level: u32,
}

impl ScoreAdjudicator {
    /// Takes in a score from White's point of view.
    pub fn add_score(&mut self, ply: u32, white: Value) -> Option<(Ending, Winner)> {
        let sign = i64::from(white.signum());
        self.winning = if white.abs() < WIN_SCORE {
            0
        } else if self.winning.signum() == sign {
            self.winning + sign
        } else {
            sign
        };
        if self.winning.unsigned_abs() >= u64::from(WIN_PLIES) {
            let ending = if white.abs() >= MATE_IN_MAX { Ending::MateFound } else { Ending::WinByScore };
            return Some((ending, Winner::of(if white > 0 { Color::White } else { Color::Black })));
        }
        self.level = if white.abs() <= DRAW_SCORE && ply >= DRAW_FROM { self.level + 1 } else { 0 };
        (self.level >= DRAW_PLIES).then_some((Ending::DrawByScore, Winner::Draw))
    }
}

/// What a player does.
enum MoveOutcome {
    Played(Move, Value),
    TimeForfeit,
}

impl EnginePair {
    /// Starts both engines, each with a table of so many megabytes.
    ///
    /// # Errors
    /// If an engine cannot be started.
    pub fn new(hash: usize) -> Result<EnginePair, LabError> {
        let mut engines = [Engine::new(1, hash)?, Engine::new(1, hash)?];
        for engine in &mut engines {
            engine.options_mut().move_overhead = Duration::ZERO;
        }
        Ok(EnginePair { engines })
    }

    /// Plays a game from a position, the first contender with White. `None` if it was abandoned.
    ///
    /// # Errors
    /// If an engine refuses.
    pub fn play(
        &mut self,
        start: &Board,
        players: [&Contender; 2],
        plain: bool,
        limit: Limit,
        abandon: &AtomicBool,
    ) -> Result<Option<GameRecord>, LabError> {
        for (engine, contender) in self.engines.iter_mut().zip(players) {
            engine.new_game()?;
            contender.configure(engine, plain);
        }
        let mut clocks = match limit {
            Limit::Clock(base, _) => [Duration::from_millis(base); 2],
            _ => [Duration::ZERO; 2],
        };
        let mut board = start.clone();
        let mut judge = ScoreAdjudicator::default();
        let mut plies = 0;
        let (ending, winner) = loop {
            if abandon.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some((ending, winner)) = Ending::by_rule(&board) {
                break (format!("{ending:?}"), winner);
            }
            if plies >= MAX_PLIES {
                break (format!("{:?}", Ending::TooLong), Winner::Draw);
            }
            let side = board.side_to_move();
            match self.next_move(&board, limit, &mut clocks)? {
                MoveOutcome::TimeForfeit => break ("Time".to_string(), Winner::of(!side)),
                MoveOutcome::Played(m, score) => {
                    let white = if side == Color::White { score } else { -score };
                    board.make_move(m, &mut ());
                    plies += 1;
                    if let Some((ending, winner)) = judge.add_score(board.ply(), white) {
                        break (format!("{ending:?}"), winner);
                    }
                }
            }
        };
        Ok(Some(GameRecord { white: winner as usize, ending, plies }))
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
            // So few nodes that not one move was searched.
            outcome = engine.search(Limits { depth: Some(1), ..Limits::default() })?;
        }
        let score = outcome.lines.first().map_or(0, |line| line.score);
        let m = outcome.best.ok_or_else(|| LabError::Argument(format!("no move in {board}")))?;
        Ok(MoveOutcome::Played(m, score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(scores: &[Value], from: u32) -> Option<(usize, Winner)> {
        let mut judge = ScoreAdjudicator::default();
        let mut plies = from..;
        scores.iter().enumerate().find_map(|(index, &score)| {
            let (_, winner) = judge.add_score(plies.next()?, score)?;
            Some((index, winner))
        })
    }

    #[test]
    fn games_are_judged_when_both_agree_for_long() {
        assert_eq!(hear(&[1200; 8], 0), Some((7, Winner::White)));
        assert_eq!(hear(&[-31_000; 8], 0), Some((7, Winner::Black)));
        assert_eq!(hear(&[1300, -1300, 1300, -1300, 1300, -1300, 1300, -1300, 1300], 0), None);
        assert_eq!(hear(&[0; 12], 80), Some((11, Winner::Draw)));
        assert_eq!(hear(&[0; 12], 79), None);
    }

    #[test]
    fn a_won_game_is_won_and_a_clock_can_run_out() {
        let contender: Contender = "extended".parse().unwrap();
        let mut table = EnginePair::new(1).unwrap();
        let abandon = AtomicBool::new(false);
        let board: Board = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1".parse().unwrap();
        let players = [&contender, &contender];
        let game = table.play(&board, players, false, Limit::Nodes(2000), &abandon).unwrap().unwrap();
        assert_eq!((game.white, game.ending.as_str()), (2, "Checkmate"));
        let again = table.play(&board, players, false, Limit::Nodes(2000), &abandon).unwrap().unwrap();
        assert_eq!(again, game);
        abandon.store(true, Ordering::Relaxed);
        assert!(table.play(&board, players, false, Limit::Nodes(9), &abandon).unwrap().is_none());
    }
}
