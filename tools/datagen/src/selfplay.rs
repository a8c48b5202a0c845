//! One game of the engine against itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use caesura::board::Board;
use caesura::engine::EngineError;
use caesura::engine::Limits;
use caesura::engine::Network;
use caesura::single_threaded::SingleThreadedEngine;
use caesura::types::{Color, MATE_IN_MAX, Move, Value};

use crate::game::{Ending, Game, Ply, Winner};
use crate::opening::{GameRng, Openings};

/// How many nodes a move deserve a megabyte of transposition table. A game's searches are short: what they store
/// should stay in the caches of the processor.
const NODES_PER_MEGABYTE: u64 = 1000;
/// The largest table of a player, in megabytes.
const MAX_HASH: u64 = 16;
/// How many openings are drawn until one is good.
const OPENING_TRIES: usize = 1000;
/// A search that has not ended its iteration after so many times its nodes is ended.
const HARD_LIMIT_FACTOR: u64 = 8;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Nodes a move, after which no iteration is begun.
    pub nodes: u64,
    /// Nodes of the search that judges an opening.
    pub opening_nodes: u64,
    /// An opening with a greater score, in centipawns, for either side is drawn again.
    pub opening_score: Value,
    /// A game is won if the score is at least this for `win_plies` in a row.
    pub win_score: Value,
    /// See [`Rules::win_score`].
    pub win_plies: u32,
    /// A game is drawn if the score is at most this, for either side, for `draw_plies` in a row.
    pub draw_score: Value,
    /// See [`Rules::draw_score`].
    pub draw_plies: u32,
    /// The first ply of the game, opening included, that counts for a draw.
    pub draw_from: u32,
    /// A game of so many recorded plies is drawn.
    pub max_plies: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            nodes: 5000,
            opening_nodes: 1000,
            opening_score: 350,
            win_score: 1500,
            win_plies: 6,
            draw_score: 8,
            draw_plies: 8,
            draw_from: 80,
            max_plies: 500,
        }
    }
}

/// Why no game could be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The engine refuses.
    #[error("the engine: {0}")]
    Engine(#[from] EngineError),
    /// No opening is balanced.
    #[error("none of {OPENING_TRIES} openings drawn for game {0} is within the bound on their score")]
    Opening(u32),
}

/// Judges by the scores when a game need not be played on.
#[derive(Clone, Debug, Default)]
struct Adjudicator {
    /// Plies in a row in which the same side won, positive for White.
    winning: i64,
    /// Plies in a row without an advantage.
    level: u32,
}

impl Adjudicator {
    /// Takes in the score of a position from White's point of view.
    fn hear(add_score: &mut Self, rules: &Rules, ply: u32, white: Value) -> Option<(Ending, Winner)> {
        let side = if white > 0 { Color::White } else { Color::Black };
        if white.abs() >= MATE_IN_MAX {
            return Some((Ending::MateFound, Winner::of(side)));
        }
        let sign = i64::from(white.signum());
        add_score.winning = if white.abs() < rules.win_score {
            0
        } else if add_score.winning.signum() == sign {
            add_score.winning + sign
        } else {
            sign
        };
        if add_score.winning.unsigned_abs() >= u64::from(rules.win_plies) {
            return Some((Ending::WinByScore, Winner::of(side)));
        }
        add_score.level =
            if white.abs() <= rules.draw_score && ply >= rules.draw_from { add_score.level + 1 } else { 0 };
        (add_score.level >= rules.draw_plies).then_some((Ending::DrawByScore, Winner::Draw))
    }
}

/// An engine that plays both sides.
pub struct Player {
    engine: SingleThreadedEngine,
}

impl Player {
    /// A player with an engine that searches in the thread of its caller and evaluates by this network,
    /// with a table for searches of so many nodes.
    ///
    /// # Errors
    /// If the engine cannot be started.
    pub fn new(network: Arc<Network>, nodes: u64) -> Result<Player, PlayError> {
        let mut engine = SingleThreadedEngine::new((nodes / NODES_PER_MEGABYTE).clamp(1, MAX_HASH) as usize)?;
        engine.set_network(network);
        Ok(Player { engine })
    }

    /// Forgets all that was searched before.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches a position: the best move, and the score for the side to move. `None` if there is no move.
    pub fn search(&mut self, board: &Board, nodes: u64) -> Option<(Move, Value)> {
        // A search that ran out of nodes before it had looked at every move has nothing to say.
        let whole = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(HARD_LIMIT_FACTOR)),
            ..Limits::default()
        };
        let shallow = Limits { depth: Some(1), ..Limits::default() };
        [whole, shallow].into_iter().find_map(|limits| {
            let outcome = self.engine.search(board, limits);
            Some((outcome.best?, outcome.lines.first()?.score))
        })
    }

    /// Plays game `index` of the run with this seed. `None` if it was abandoned.
    ///
    /// # Errors
    /// If the engine refuses or no opening is good.
    pub fn play(
        &mut self,
        rules: &Rules,
        openings: &Openings,
        seed: u64,
        index: u32,
        abandon: &AtomicBool,
    ) -> Result<Option<Game>, PlayError> {
        self.new_game();
        let mut dice = GameRng::new(seed, index);
        let opening = openings.choose_kind(&mut dice);
        let mut tries = 0;
        let mut board = loop {
            if abandon.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if tries == OPENING_TRIES {
                return Err(PlayError::Opening(index));
            }
            tries += 1;
            let Some(board) = openings.random_opening(opening, &mut dice) else { continue };
            let found = self.search(&board, rules.opening_nodes);
            if found.is_some_and(|(_, score)| score.abs() <= rules.opening_score) {
                break board;
            }
        };
        let start = board.setup();
        let mut plies = Vec::with_capacity(128);
        let mut judge = Adjudicator::default();
        let mut judged = None;
        let (ending, winner) = loop {
            if abandon.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some(end) = Ending::by_rule(&board).or(judged) {
                break end;
            }
            if plies.len() >= rules.max_plies {
                break (Ending::TooLong, Winner::Draw);
            }
            let Some((played, score)) = self.search(&board, rules.nodes) else {
                return Ok(None);
            };
            let white = if board.side_to_move() == Color::White { score } else { -score };
            judged = Adjudicator::hear(&mut judge, rules, board.ply(), white);
            plies.push(Ply { played, score: score as i16 });
            board.make(played, &mut ());
        };
        Ok(Some(Game { index, start, opening, plies, winner, ending }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(scores: &[Value], from_ply: u32) -> Option<(usize, Ending, Winner)> {
        let rules = Rules { win_plies: 3, draw_plies: 3, draw_from: 10, ..Rules::default() };
        let mut judge = Adjudicator::default();
        scores.iter().enumerate().find_map(|(index, &score)| {
            let (ending, winner) = Adjudicator::hear(&mut judge, &rules, from_ply + index as u32, score)?;
            Some((index, ending, winner))
        })
    }

    #[test]
    fn wins_need_agreement_in_a_row() {
        assert_eq!(hear(&[1500, 1600, 1700], 0), Some((2, Ending::WinByScore, Winner::White)));
        assert_eq!(hear(&[-1500, -1600, -1700], 0), Some((2, Ending::WinByScore, Winner::Black)));
        assert_eq!(hear(&[1500, -1500, 1500, -1500, 1500], 0), None);
        assert_eq!(hear(&[1500, 1500, 1499, 1500, 1500], 0), None);
        assert_eq!(hear(&[0, -31990], 0), Some((1, Ending::MateFound, Winner::Black)));
    }

    #[test]
    fn draws_need_quiet_in_a_row_and_late() {
        assert_eq!(hear(&[8, -8, 0], 10), Some((2, Ending::DrawByScore, Winner::Draw)));
        assert_eq!(hear(&[0, 0, 0, 0], 8), None);
        assert_eq!(hear(&[0, 0, 9, 0, 0], 10), None);
    }
}
