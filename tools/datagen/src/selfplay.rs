//! Self-play: one game of the engine against itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use caesura::board::Board;
use caesura::engine::EngineError;
use caesura::engine::{Limits, Network, SearchResult};
use caesura::single_threaded::SingleThreadedEngine;
use caesura::types::{Bound, Move, Value, is_mate};

use crate::adjudication::AdjudicationRules;
use crate::evaluated::EvaluatedPositions;
use crate::game::{Ending, Game, Ply};
use crate::opening::{GameRng, Openings};
use crate::play_out::{MoveOutcome, Outcome, play_out};

/// Nodes a move for each megabyte of transposition table. The searches of a game are short, and a small table stays in
/// the caches of the processor.
const NODES_PER_MEGABYTE: u64 = 1000;
/// The largest transposition table of a player, in megabytes.
const MAX_HASH: u64 = 16;
/// The number of openings tried for a game until one is balanced.
const OPENING_TRIES: usize = 1000;
/// The hard node limit of a search, as a multiple of its soft limit.
const HARD_LIMIT_FACTOR: u64 = 8;

/// The soft node limit of the search that decides whether a position is quiet enough to be recorded.
const QUIET_NODES: u64 = 30;

/// How games are played.
#[derive(Clone, Debug)]
pub struct SelfPlayRules {
    /// The soft node limit of a move: no iteration begins after it.
    pub nodes: u64,
    /// The soft node limit of the search that decides whether an opening is balanced.
    pub opening_nodes: u64,
    /// The greatest score of a balanced opening for either side, in centipawns.
    pub opening_score: Value,
    /// When a game ends by its scores.
    pub adjudication: AdjudicationRules,
    /// A game of this many recorded plies is drawn.
    pub max_plies: usize,
    /// The number of positions that are drawn from those that the search of a move evaluates. Those with a quiet best move are
    /// recorded, too: as games of one ply without a result.
    pub evaluated: usize,
    /// The soft node limit of the search of such a position.
    pub evaluated_nodes: u64,
}

impl Default for SelfPlayRules {
    fn default() -> SelfPlayRules {
        SelfPlayRules {
            nodes: 5000,
            opening_nodes: 1000,
            opening_score: 350,
            adjudication: AdjudicationRules {
                win_score: 1500,
                win_plies: 6,
                win_at_first_mate_score: true,
                draw_score: 8,
                draw_plies: 8,
                draw_from_ply: 80,
            },
            max_plies: 500,
            evaluated: 0,
            evaluated_nodes: 300,
        }
    }
}

/// Why a game could not be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The engine cannot start or search.
    #[error("the engine failed")]
    Engine(#[from] EngineError),
    /// No balanced opening was found for the game of this number.
    #[error("none of {OPENING_TRIES} openings drawn for game {0} is within the bound on their score")]
    Opening(u32),
}

/// What a game leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// [Evaluated](SelfPlayRules::evaluated) positions, each [by itself](Game::is_lone_position).
    pub evaluated: Vec<Game>,
}

/// An engine that plays both sides.
pub struct Player {
    engine: SingleThreadedEngine,
}

impl Player {
    /// A player whose engine searches in the calling thread and evaluates by this network, with a transposition table
    /// sized for searches of this many nodes.
    ///
    /// # Errors
    /// If the engine cannot be started.
    pub fn new(network: Arc<Network>, nodes: u64) -> Result<Player, PlayError> {
        let mut engine = SingleThreadedEngine::new((nodes / NODES_PER_MEGABYTE).clamp(1, MAX_HASH) as usize)?;
        engine.set_network(network);
        Ok(Player { engine })
    }

    /// Clears the transposition table and the histories.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches a position within this soft node limit. Returns the best move and the score for the side to move in
    /// centipawns; `None` if there is no legal move. Where the hard limit ends the first iteration, the score is an estimate of
    /// one ply, and seldom, where it ends the search of a window that failed, a bound.
    pub fn search(&mut self, board: &Board, nodes: u64) -> Option<(Move, Value)> {
        best_and_score(&self.engine.search(board, limits(nodes)))
    }

    /// [`Player::search`], from whose positions some are drawn.
    fn search_and_draw(
        &mut self,
        board: &Board,
        nodes: u64,
        draw: &mut EvaluatedPositions,
    ) -> Option<(Move, Value)> {
        let found = self.engine.search_observed(board, limits(nodes), draw);
        draw.end_search();
        best_and_score(&found)
    }

    /// Plays game `index` of the run with this seed. `None` if it was abandoned. The game does not depend on how many
    /// evaluated positions are recorded.
    ///
    /// # Errors
    /// If the engine fails or no balanced opening is found.
    pub fn play(
        &mut self,
        rules: &SelfPlayRules,
        openings: &Openings,
        seed: u64,
        index: u32,
        abandon: &AtomicBool,
    ) -> Result<Option<Played>, PlayError> {
        self.new_game();
        let mut rng = GameRng::new(seed, index);
        let opening = openings.choose_kind(&mut rng);
        let mut tries = 0;
        let board = loop {
            if abandon.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if tries == OPENING_TRIES {
                return Err(PlayError::Opening(index));
            }
            tries += 1;
            let Some(board) = openings.random_opening(opening, &mut rng) else { continue };
            let found = self.search(&board, rules.opening_nodes);
            if found.is_some_and(|(_, score)| score.abs() <= rules.opening_score) {
                break board;
            }
        };
        let start = board.setup();
        let mut draw = (rules.evaluated > 0).then(|| EvaluatedPositions::new(rules.evaluated, rng));
        let mut plies = Vec::with_capacity(128);
        let outcome = play_out(&board, rules.adjudication, rules.max_plies, abandon, |board| {
            let found = match &mut draw {
                Some(draw) => self.search_and_draw(board, rules.nodes, draw),
                None => self.search(board, rules.nodes),
            };
            let Some((played, score)) = found else { return Ok(MoveOutcome::Abandoned) };
            plies.push(Ply { played, score: score as i16 });
            Ok::<_, PlayError>(MoveOutcome::Played(played, score))
        })?;
        let Some(Outcome { ending: Some(ending), winner, .. }) = outcome else { return Ok(None) };
        let mut evaluated = Vec::new();
        for start in draw.map_or_else(Vec::new, EvaluatedPositions::into_drawn) {
            if abandon.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some(ply) = self.score_if_quiet(&Board::from_setup(&start), rules.evaluated_nodes) {
                evaluated.push(Game::lone_position(index, opening, start, ply));
            }
        }
        Ok(Some(Played { game: Game { index, start, opening, plies, winner, ending }, evaluated }))
    }

    /// The best move of a position and its score; `None` if it is no quiet one, ends the game, or mates in the end.
    fn score_if_quiet(&mut self, board: &Board, nodes: u64) -> Option<Ply> {
        let is_quiet =
            |&(best, score): &(Move, Value)| !best.is_capture() && !best.is_promotion() && !is_mate(score);
        // A few nodes show most of those that are not.
        self.search(board, QUIET_NODES).filter(is_quiet)?;
        let found = self.engine.search(board, limits(nodes));
        let (played, score) = best_and_score(&found).filter(is_quiet)?;
        if found.lines.first()?.bound != Bound::Exact {
            return None;
        }
        let mut after = board.clone();
        after.make_move(played, &mut ());
        Ending::by_rule(&after).is_none().then_some(Ply { played, score: score as i16 })
    }
}

/// The limits of a search with this soft node limit.
fn limits(nodes: u64) -> Limits {
    Limits {
        soft_nodes: Some(nodes),
        nodes: Some(nodes.saturating_mul(HARD_LIMIT_FACTOR)),
        ..Limits::default()
    }
}

/// The best move of a search and its score for the side to move, in centipawns.
fn best_and_score(outcome: &SearchResult) -> Option<(Move, Value)> {
    Some((outcome.best?, outcome.lines.first()?.score))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use caesura::engine::{MATERIAL_NETWORK, load_network};

    use super::*;

    #[test]
    fn a_position_is_recorded_only_if_its_move_is_quiet_and_the_game_goes_on() {
        let network = load_network(Path::new(MATERIAL_NETWORK)).expect("it is part of the program");
        let mut player = Player::new(network, 200).expect("a small table");
        let mut is_recorded =
            |fen: &str| player.score_if_quiet(&fen.parse().expect("a position"), 200).is_some();
        assert!(is_recorded("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(is_recorded("4k3/p7/8/8/8/8/P7/4K3 w - - 0 80"));
        for (fen, why) in [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "the fiftieth move"),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "no move"),
            ("k7/2K5/8/8/8/8/8/1R6 w - - 0 1", "mate"),
            ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "a capture"),
            ("8/P1k5/8/8/8/8/8/K7 w - - 0 1", "a promotion"),
        ] {
            assert!(!is_recorded(fen), "{why}");
        }
    }
}
