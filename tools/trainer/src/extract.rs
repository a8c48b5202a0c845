//! Extracts the training positions of a block of games.

use std::path::{Path, PathBuf};

use bytemuck::Zeroable;
use caesura::engine::{SplitMix, Tablebase, rule50_unfaded};
use caesura::types::{MAX_EVAL, Value, is_decisive};
use caesura::util::random::unit_interval;
use datagen::game::{Ending, ReplayError, Winner};
use datagen::position::PackedPosition;
use datagen::reader::{BlockReader, Damage};
use datagen::{Game, Position, ReadError};
use serde::{Deserialize, Serialize};

use crate::held::HeldOptions;
use crate::known_results::known_results;
use crate::record::{MAX_PIECES, PositionRecord, UNKNOWN_RESULT};
use crate::td_lambda::ScoreTargets;

/// Which positions are left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionFilter {
    /// Positions with greater scores, in centipawns. Mates and tablebase wins are always left out.
    pub max_score: i16,
    /// Positions with fewer pieces, kings and pawns included.
    #[serde(default)]
    pub min_pieces: u8,
    /// Positions with more pieces, kings and pawns included.
    #[serde(default = "most_pieces")]
    pub max_pieces: u8,
    /// Plies at the start of each game that are left out.
    pub skip_plies: usize,
    /// Whether positions are kept in which the best move captures or promotes.
    pub noisy: bool,
    /// Whether positions in check are kept.
    pub checks: bool,
    /// The share of the games that is kept for validation, by the hash of the first position. Positions by themselves go where the
    /// game goes that stands before them in their block with their number; without it, by the hash of their own.
    pub validation: f64,
}

/// The most pieces of a position, kings and pawns included.
fn most_pieces() -> u8 {
    MAX_PIECES as u8
}

impl PositionFilter {
    /// True if a position is kept.
    pub fn keeps(&self, position: &Position<'_>) -> bool {
        let score = i32::from(position.score).abs();
        let pieces = position.board.occupied().count() as u8;
        let quiet = position.played.is_quiet() && !position.played.is_promotion();
        position.ply >= self.skip_plies
            && score <= i32::from(self.max_score)
            && !is_decisive(score)
            && (self.min_pieces..=self.max_pieces).contains(&pieces)
            && (self.noisy || quiet)
            && (self.checks || !position.board.in_check())
    }
}

/// True if a game is one of this share, which is kept for validation.
pub(crate) fn is_for_validation(game: &Game, share: f64) -> bool {
    unit_interval(start_hash(game)) < share
}

/// A number from 0 to 1 that is drawn for a position of a game.
pub(crate) fn drawn_for(game: &Game, ply: usize) -> f64 {
    unit_interval(place_hash(start_hash(game), game, ply))
}

/// A hash of a position of a game whose first position has the hash `start`.
fn place_hash(start: u64, game: &Game, ply: usize) -> u64 {
    mix(start ^ mix(u64::from(game.index) << 32 | ply as u64))
}

/// A hash of the first position of a game.
fn start_hash(game: &Game) -> u64 {
    let start = PackedPosition::pack(&game.start).unwrap_or_else(|_| PackedPosition::zeroed());
    bytemuck::bytes_of(&start).iter().fold(0, |sum, &byte| mix(sum ^ u64::from(byte)))
}

/// Why a block of games could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BlockError {
    /// The file cannot be read, or the block is damaged.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The content of the block is damaged.
    #[error("{}: block at {offset}", path.display())]
    Damaged { path: PathBuf, offset: u64, source: Damage },
    /// A game has an illegal move, and is left out; perhaps others of the block, too.
    #[error("{}: block at {offset}", path.display())]
    Illegal { path: PathBuf, offset: u64, source: ReplayError },
}

/// A block of games in a file.
#[derive(Debug)]
pub(crate) struct BlockTask {
    /// The number of the path that was given for it.
    pub(crate) source: usize,
    path: PathBuf,
    offset: u64,
}

impl BlockTask {
    /// The games of the block.
    pub(crate) fn games(&self) -> Result<Vec<Game>, BlockError> {
        let mut reader = BlockReader::open(&self.path)?;
        reader.seek(self.offset)?;
        let Some(block) = reader.read()? else { return Ok(Vec::new()) };
        let damaged = |source| BlockError::Damaged { path: self.path.clone(), offset: self.offset, source };
        block.games().map_err(damaged)
    }

    /// A game of the block has an illegal move.
    pub(crate) fn illegal(&self, source: ReplayError) -> BlockError {
        BlockError::Illegal { path: self.path.clone(), offset: self.offset, source }
    }
}

/// The positions extracted from a block.
#[derive(Debug, Default)]
pub(crate) struct ExtractedBlock {
    pub(crate) games: u64,
    pub(crate) positions: u64,
    /// Of the records, those of games that their length has ended.
    pub(crate) cut_short: u64,
    /// With the number of the file, the last for validation.
    pub(crate) records: Vec<(u32, PositionRecord)>,
    pub(crate) fault: Option<BlockError>,
}

/// Adds the blocks of a file, and returns how many positions they hold. Errors go to `damaged`.
pub(crate) fn blocks(
    source: usize,
    path: &Path,
    tasks: &mut Vec<BlockTask>,
    mut damaged: impl FnMut(ReadError),
) -> u64 {
    let mut positions = 0;
    let mut reader = match BlockReader::open(path) {
        Ok(reader) => reader,
        Err(error) => {
            damaged(error);
            return 0;
        }
    };
    for (offset, header) in reader.blocks(damaged) {
        positions += u64::from(header.positions);
        tasks.push(BlockTask { source, path: path.to_path_buf(), offset });
    }
    positions
}

/// What is learnt from a game.
#[derive(Debug)]
pub(crate) enum Lesson<'a> {
    /// Its positions, their scores and its result, or what tables know.
    Played(ScoreTargets, Option<&'a Tablebase>),
    /// What a network says of positions beyond them, where this many centipawns are to be a logit of 1.
    Held(&'a HeldOptions, f64),
}

/// Reads a block.
pub(crate) fn extract_block(
    task: &BlockTask,
    filter: &PositionFilter,
    parts: u32,
    lesson: &Lesson<'_>,
) -> ExtractedBlock {
    let mut extracted = ExtractedBlock::default();
    let mut read = || -> Result<(), BlockError> {
        let mut illegal = None;
        // The number of the last whole game, and whether it is for validation.
        let mut last_game = None;
        for game in task.games()? {
            let is_lone = game.is_lone_position();
            extracted.games += u64::from(!is_lone);
            extracted.positions += game.plies.len() as u64;
            // What the searches of a game have evaluated stands behind it.
            let its_game = last_game.filter(|&(index, _)| is_lone && index == game.index);
            let is_validation =
                its_game.map_or_else(|| is_for_validation(&game, filter.validation), |(_, side)| side);
            if !is_lone {
                last_game = Some((game.index, is_validation));
            }
            let before = extracted.records.len();
            // A position by itself is not the start of a game.
            let skip_plies = if is_lone { 0 } else { filter.skip_plies };
            let filter = PositionFilter { skip_plies, ..*filter };
            let start = start_hash(&game);
            let add = |ply: usize, record: PositionRecord| {
                let place = place_hash(start, &game, ply);
                let part = ((u128::from(place) * u128::from(parts)) >> 64) as u32;
                extracted.records.push((if is_validation { parts } else { part }, record));
            };
            let taken = match lesson {
                Lesson::Played(targets, tables) => played(&game, &filter, targets, *tables, add),
                Lesson::Held(held, scale) => beyond(&game, &filter, held, *scale, add),
            };
            if let Err(source) = taken {
                extracted.records.truncate(before);
                illegal.get_or_insert(task.illegal(source));
            }
            if game.ending == Ending::TooLong && !is_lone {
                extracted.cut_short += (extracted.records.len() - before) as u64;
            }
        }
        illegal.map_or(Ok(()), Err)
    };
    extracted.fault = read().err();
    extracted
}

/// Calls `add` with the positions of a game that are kept, and their plies.
fn played(
    game: &Game,
    filter: &PositionFilter,
    targets: &ScoreTargets,
    tables: Option<&Tablebase>,
    mut add: impl FnMut(usize, PositionRecord),
) -> Result<(), ReplayError> {
    let unfaded = if targets.unfade { Some(unfaded(game)?) } else { None };
    let game = unfaded.as_ref().unwrap_or(game);
    let results = known_results(game, tables)?;
    let scores = targets.of(game, &results);
    let mut replay = game.replay();
    while let Some(position) = replay.next_position()? {
        if !filter.keeps(&position) {
            continue;
        }
        let (ply, score, known) = (position.ply, scores[position.ply], results[position.ply].winner);
        let winner = known.unwrap_or(Winner::Draw);
        let Some(mut record) = PositionRecord::pack(&Position { score, winner, ..position }) else {
            continue;
        };
        if known.is_none() {
            record.result = UNKNOWN_RESULT;
        }
        add(ply, record);
    }
    Ok(())
}

/// Calls `add` with positions beyond those of a game that are kept, and the plies of these.
fn beyond(
    game: &Game,
    filter: &PositionFilter,
    held: &HeldOptions,
    scale: f64,
    mut add: impl FnMut(usize, PositionRecord),
) -> Result<(), ReplayError> {
    let start = start_hash(game);
    let mut replay = game.replay();
    while let Some(position) = replay.next_position()? {
        if !filter.keeps(&position) {
            continue;
        }
        if let Some(record) = held.beyond(position.board, scale, place_hash(start, game, position.ply)) {
            add(position.ply, record);
        }
    }
    Ok(())
}

/// The game with the scores that its searches would have given without the fifty-move rule in sight, about: the evaluation
/// fades as that comes nearer, and most leaves of a short search have no capture or pawn move behind them. Mates and wins by
/// endgame tables do not fade.
fn unfaded(game: &Game) -> Result<Game, ReplayError> {
    let mut unfaded = game.clone();
    let mut replay = game.replay();
    while let Some(position) = replay.next_position()? {
        let score = Value::from(position.score);
        if !is_decisive(score) {
            let rule50 = i32::from(position.board.rule50());
            let given_back = rule50_unfaded(score, rule50).clamp(-MAX_EVAL, MAX_EVAL);
            unfaded.plies[position.ply].score = given_back as i16;
        }
    }
    Ok(unfaded)
}

/// Spreads a number over all 64 bits.
fn mix(number: u64) -> u64 {
    SplitMix(number).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_from_before_it_counted_pieces_keeps_all_numbers_of_them() {
        let text = r#"{"max_score":3000,"skip_plies":0,"noisy":false,"checks":false,"validation":0.02}"#;
        let filter: PositionFilter = serde_json::from_str(text).expect("a filter");
        assert_eq!((filter.min_pieces, filter.max_pieces), (0, 32));
    }
}
