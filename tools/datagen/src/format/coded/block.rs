//! The games of a block, coded one after the other.

use std::slice;

use caesura::board::Board;
use caesura::types::{Color, MATE, Move};

use super::adaptive::{Number, Symbol};
use super::move_features::MoveContext;
use super::move_model;
use super::range_coder::{Coder, Decoder, Encoder};
use super::score_model::{ScoreHistory, ScoreModel};
use super::start_model::StartModel;
use crate::format::error::{Damage, GameError};
use crate::game::{Ending, Game, OpeningKind, Ply, Winner};
use crate::position::validate;

/// The greatest number of positions in a block, which bounds what a damaged one can cost.
pub const MAX_POSITIONS: usize = 1 << 18;
/// The greatest number of games in a block.
pub const MAX_GAMES: usize = 1 << 16;

/// The greatest number of plies of a game.
const MAX_PLIES: usize = u16::MAX as usize;
/// Classes of the last score of a game.
const LAST_SCORES: usize = 6;

/// What is learnt of a block.
#[derive(Clone, Debug, Default)]
struct GameModel {
    /// The number of the game before.
    index: u32,
    step: Number,
    opening: Symbol<4>,
    start: StartModel,
    plies: Number,
    scores: ScoreModel,
    winner: [Symbol<4>; LAST_SCORES],
    ending: [Symbol<16>; LAST_SCORES],
}

/// A symbol as a value of a list.
fn listed<T: Copy>(all: &[T], symbol: usize, unknown: &'static str) -> Result<T, GameError> {
    all.get(symbol).copied().ok_or(GameError::Field(unknown))
}

impl GameModel {
    /// Codes a game; an encoder must be given one that [`check`] has accepted.
    ///
    /// # Errors
    /// Only of a decoder: if the code is damaged, or the game has more plies than `limit`.
    fn code(&mut self, coder: &mut impl Coder, game: Option<&Game>, limit: usize) -> Result<Game, GameError> {
        if coder.is_overrun() {
            return Err(GameError::Short);
        }
        // Mostly, games have consecutive numbers.
        let next = self.index.wrapping_add(1);
        let index =
            next.wrapping_add(self.step.code(coder, game.map_or(0, |game| game.index.wrapping_sub(next))));
        self.index = index;
        let opening = self.opening.code(coder, game.map_or(0, |game| game.opening as usize));
        let opening = listed(&OpeningKind::ALL, opening, "an unknown opening")?;
        let start = self.start.code(coder, game.map(|game| &game.start))?;
        if game.is_none() {
            check_start(&start)?;
        }
        let length = self.plies.code(coder, game.map_or(0, |game| game.plies.len() as u32)) as usize;
        if length > limit.min(MAX_PLIES) {
            return Err(GameError::Long(length));
        }
        let mut board = Some(Board::from_setup(&start));
        let (mut plies, mut history) = (Vec::new(), ScoreHistory::default());
        for number in 0..length {
            if coder.is_overrun() {
                return Err(GameError::Short);
            }
            let ply =
                self.code_ply(coder, &mut board, &history, &plies, game.map(|game| game.plies[number]))?;
            history.push(ply.score.into());
            plies.push(ply);
        }
        let class = last_score_class(&plies, start.side_to_move);
        let winner = self.winner[class].code(coder, game.map_or(0, |game| game.winner as usize));
        let ending = self.ending[class].code(coder, game.map_or(0, |game| game.ending as usize));
        let winner = listed(&Winner::ALL, winner, "an unknown result")?;
        let ending = listed(&Ending::ALL, ending, "an unknown ending")?;
        Ok(Game { index, start, opening, plies, winner, ending })
    }

    /// Codes the score of a position and the move played there. The board is `None` once a move was illegal: from there on,
    /// moves are coded as they are.
    fn code_ply(
        &mut self,
        coder: &mut impl Coder,
        board: &mut Option<Board>,
        history: &ScoreHistory,
        before: &[Ply],
        ply: Option<Ply>,
    ) -> Result<Ply, GameError> {
        let score = self.scores.code(coder, history, ply.map_or(0, |ply| ply.score.into()));
        if score.abs() > MATE {
            return Err(GameError::Field(BEYOND_MATE));
        }
        let played = |back: usize| before.len().checked_sub(back).map(|at| before[at].played);
        let context = MoveContext {
            last: played(1),
            own_last: played(2),
            score,
            change: if before.is_empty() { 0 } else { score - history.expected() },
        };
        let mut coded = None;
        if let Some(board) = board {
            coded = move_model::code(coder, board, context, ply.map(|ply| ply.played));
        }
        let played = match (coded, &mut *board) {
            (Some(played), Some(board)) => {
                board.make_move(played, &mut ());
                played
            }
            _ => {
                *board = None;
                let bits = coder.code_bits(ply.map_or(0, |ply| ply.played.bits().into()), 16);
                Move::from_bits(bits as u16).ok_or(GameError::Field("a move that does not exist"))?
            }
        };
        Ok(Ply { played, score: score as i16 })
    }
}

const BEYOND_MATE: &str = "a score beyond that of mate";

/// Who stands how much better at the end, from White's view: lost, worse, about equal, better, won; the last class are
/// games without a score.
fn last_score_class(plies: &[Ply], first: Color) -> usize {
    let Some(last) = plies.last() else { return LAST_SCORES - 1 };
    let white_to_move = (plies.len() % 2 == 1) == (first == Color::White);
    let score = i32::from(last.score);
    match if white_to_move { score } else { -score } {
        ..=-10_000 => 0,
        -9_999..=-100 => 1,
        -99..100 => 2,
        100..10_000 => 3,
        _ => 4,
    }
}

fn check_start(start: &caesura::board::Setup) -> Result<(), GameError> {
    if start.fullmove == 0 {
        return Err(GameError::Field("a move number of zero"));
    }
    Ok(validate(start)?)
}

/// Checks that a game fits the format.
fn check(game: &Game) -> Result<(), GameError> {
    if game.plies.len() > MAX_PLIES {
        return Err(GameError::Long(game.plies.len()));
    }
    if game.plies.iter().any(|ply| i32::from(ply.score).abs() > MATE) {
        return Err(GameError::Field(BEYOND_MATE));
    }
    check_start(&game.start)
}

/// Codes games to a payload.
#[derive(Debug)]
pub struct BlockEncoder {
    model: Box<GameModel>,
    encoder: Encoder,
    games: usize,
    positions: usize,
}

impl BlockEncoder {
    /// An encoder that appends to these bytes.
    pub fn new(bytes: Vec<u8>) -> BlockEncoder {
        BlockEncoder { model: Box::default(), encoder: Encoder::new(bytes), games: 0, positions: 0 }
    }

    /// True if a block has room for this game, too.
    pub fn has_room(&self, game: &Game) -> bool {
        self.has_room_for_all(slice::from_ref(game))
    }

    /// True if a block has room for all these games, too.
    pub fn has_room_for_all(&self, games: &[Game]) -> bool {
        let positions: usize = games.iter().map(|game| game.plies.len()).sum();
        self.games + games.len() <= MAX_GAMES && self.positions + positions <= MAX_POSITIONS
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the game does not fit the format or the block has no room for it; nothing has then changed.
    pub fn push(&mut self, game: &Game) -> Result<(), GameError> {
        check(game)?;
        if !self.has_room(game) {
            return Err(GameError::Full);
        }
        self.model.code(&mut self.encoder, Some(game), game.plies.len())?;
        self.games += 1;
        self.positions += game.plies.len();
        Ok(())
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The number of positions of all games.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The number of bytes so far, those before the first game included.
    pub fn length(&self) -> usize {
        self.encoder.length()
    }

    /// The bytes before the first game, and the payload behind them.
    pub fn finish(self) -> Vec<u8> {
        self.encoder.finish()
    }
}

/// Decodes the games of a payload, of which there are this many, with this many positions.
///
/// # Errors
/// If the payload holds something else.
pub fn decode(payload: &[u8], games: usize, positions: usize) -> Result<Vec<Game>, Damage> {
    let mut model = Box::<GameModel>::default();
    let mut decoder = Decoder::new(payload);
    let (mut decoded, mut rest) = (Vec::new(), positions);
    for number in 0..games {
        let game = model.code(&mut decoder, None, rest).map_err(|source| Damage::Game { number, source })?;
        rest -= game.plies.len();
        decoded.push(game);
    }
    if rest == 0 && decoder.is_at_end() { Ok(decoded) } else { Err(Damage::Counts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::wild_game;

    fn payload(games: &[Game]) -> (Vec<u8>, usize, usize) {
        let mut block = BlockEncoder::new(Vec::new());
        games.iter().for_each(|game| block.push(game).unwrap());
        let (games, positions) = (block.games(), block.positions());
        (block.finish(), games, positions)
    }

    #[test]
    fn any_legal_game_comes_back() {
        let games: Vec<Game> = (0..60).map(|seed| wild_game(seed, 20 + 5 * seed as usize)).collect();
        let (payload, count, positions) = payload(&games);
        assert_eq!(decode(&payload, count, positions), Ok(games));
    }

    #[test]
    fn a_game_with_an_illegal_move_comes_back() {
        let mut games: Vec<Game> = (0..3).map(|seed| wild_game(seed, 30)).collect();
        games[1].plies.swap(6, 7);
        games[2].plies[0].played = games[2].plies[1].played;
        let (payload, count, positions) = payload(&games);
        assert_eq!(decode(&payload, count, positions), Ok(games));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_changes_nothing() {
        let good = wild_game(1, 20);
        let mut beyond = good.clone();
        beyond.plies[3].score = 32_001;
        let mut long = good.clone();
        long.plies = vec![good.plies[0]; MAX_PLIES + 1];
        let mut zero = good.clone();
        zero.start.fullmove = 0;
        let mut kingless = good.clone();
        kingless.start.pieces = [None; 64];
        let mut block = BlockEncoder::new(Vec::new());
        block.push(&good).unwrap();
        for bad in [beyond, long, zero, kingless] {
            assert!(block.push(&bad).is_err());
        }
        block.push(&good).unwrap();
        assert_eq!(decode(&block.finish(), 2, 40), Ok(vec![good.clone(), good]));
    }

    #[test]
    fn a_block_has_an_end() {
        let mut game = wild_game(1, 2);
        game.plies.clear();
        let mut block = BlockEncoder::new(Vec::new());
        block.games = MAX_GAMES;
        assert_eq!(block.push(&game), Err(GameError::Full));
        (block.games, block.positions) = (0, MAX_POSITIONS);
        assert_eq!(block.push(&game), Ok(()));
        assert_eq!(block.push(&wild_game(1, 2)), Err(GameError::Full));
    }

    #[test]
    fn games_that_belong_together_need_room_for_all_of_them() {
        let games = [wild_game(1, 2), wild_game(2, 3)];
        let mut block = BlockEncoder::new(Vec::new());
        block.games = MAX_GAMES - 1;
        assert!(block.has_room(&games[0]) && !block.has_room_for_all(&games));
        (block.games, block.positions) = (0, MAX_POSITIONS - 4);
        assert!(games.iter().all(|game| block.has_room(game)) && !block.has_room_for_all(&games));
        block.positions -= 1;
        assert!(block.has_room_for_all(&games));
    }

    #[test]
    fn wrong_counts_are_noticed() {
        let games: Vec<Game> = (0..3).map(|seed| wild_game(seed, 10)).collect();
        let (payload, count, positions) = payload(&games);
        for (count, positions) in [
            (count - 1, positions),
            (count + 1, positions),
            (count, positions - 1),
            (count, positions + 1),
            (0, 0),
        ] {
            assert!(decode(&payload, count, positions).is_err(), "{count} games, {positions} positions");
        }
    }

    #[test]
    fn no_byte_makes_it_panic() {
        let games: Vec<Game> = (0..3).map(|seed| wild_game(seed, 12)).collect();
        let (payload, count, positions) = payload(&games);
        for at in 0..payload.len() {
            assert!(decode(&payload[..at], count, positions).is_err());
            for value in [0, 1, 64, 127, 128, 200, 255] {
                let mut damaged = payload.clone();
                damaged[at] = value;
                let Ok(decoded) = decode(&damaged, count, positions) else { continue };
                // Whatever is read can be written.
                let mut block = BlockEncoder::new(Vec::new());
                decoded.iter().for_each(|game| block.push(game).unwrap());
                assert_eq!(decode(&block.finish(), count, positions), Ok(decoded));
            }
        }
    }
}
