//! Scores the positions of recorded games again with the present engine and network.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use caesura::engine::Network;

use crate::error::FileError;
use crate::format::{FileHeader, label};
use crate::game::Game;
use crate::merge::{MergeError, all_games, merged_header};
use crate::ordered::{self, Control};
use crate::progress::{Goal, Progress};
use crate::reader::{BlockReader, ReadError};
use crate::selfplay::{PlayError, Player};
use crate::writer::GameWriter;

/// Why games could not be rescored.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// The engine cannot search.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A game file cannot be read or written.
    #[error(transparent)]
    File(#[from] MergeError),
    /// The work was interrupted before all games were rescored.
    #[error("interrupted; {} holds the games rescored so far", part.display())]
    Interrupted {
        /// The unfinished file.
        part: PathBuf,
    },
}

/// The options of `rescore`.
#[derive(Clone, Debug)]
pub struct RescoreOptions {
    /// The number of games rescored at the same time.
    pub threads: usize,
    /// The node limit of a position.
    pub nodes: u64,
    /// The network that evaluates positions.
    pub network: Arc<Network>,
    /// The label in the header of the file; the name of the network is appended to it.
    pub label: String,
}

/// A game after rescoring.
enum RescoredGame {
    /// Every position has a new score.
    Complete(Game),
    /// The game cannot be replayed to its end.
    NotReplayable,
}

/// Searches every position of a game and replaces its scores; moves and result stay. `None` if it was abandoned.
fn rescore_game(
    player: &mut Player,
    mut game: Game,
    nodes: u64,
    control: &Control,
) -> Result<Option<RescoredGame>, PlayError> {
    player.new_game();
    let mut scores = Vec::with_capacity(game.plies.len());
    let mut replay = game.replay();
    loop {
        let position = match replay.advance() {
            Ok(Some(position)) => position,
            Ok(None) => break,
            Err(_) => return Ok(Some(RescoredGame::NotReplayable)),
        };
        if control.abandon.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let found = player.search(position.board, nodes);
        scores.push(found.map_or(position.score, |(_, score)| score as i16));
    }
    for (ply, score) in game.plies.iter_mut().zip(scores) {
        ply.score = score;
    }
    Ok(Some(RescoredGame::Complete(game)))
}

/// The number of positions and games that were rescored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RescoreReport {
    /// Positions with a new score.
    pub positions: u64,
    /// Games that were skipped because they cannot be replayed.
    pub games_skipped: u64,
}

/// The number of positions by the headers of the blocks.
fn count_positions(files: &[PathBuf]) -> u64 {
    let mut positions = 0;
    for path in files {
        let Ok(mut blocks) = BlockReader::open(path) else { continue };
        while let Ok(Some((_, header))) = blocks.skip() {
            positions += u64::from(header.positions);
        }
    }
    positions
}

/// Writes the games of all files to a new file, with a new score for every position, in the same order. The file gets its
/// name when it is complete.
///
/// # Errors
/// If the engine cannot search, an input file cannot be opened, the new file exists or cannot be written, or the work was
/// interrupted.
pub fn rescore(
    files: &[PathBuf],
    out: &Path,
    options: &RescoreOptions,
    control: &Control,
    damaged: impl FnMut(ReadError) + Send,
) -> Result<RescoreReport, RescoreError> {
    let write = |error| MergeError::from(FileError::at(out)(error));
    let old = merged_header(files)?;
    let label = label(&options.label, &options.network);
    let header = FileHeader::new(old.seed, options.nodes, old.chess960, &label);
    let mut writer = GameWriter::create_with_part_file(out, &header).map_err(write)?;
    let mut progress = Progress::new(Goal::Positions(count_positions(files)));
    let worker = || -> Result<_, RescoreError> {
        let mut player = Player::new(options.network.clone(), options.nodes)?;
        Ok(move |game| Ok(rescore_game(&mut player, game, options.nodes, control)?))
    };
    let mut games_skipped = 0;
    let end = ordered::run(options.threads, all_games(files, damaged), control, worker, |game| {
        match game {
            Some(RescoredGame::NotReplayable) => games_skipped += 1,
            Some(RescoredGame::Complete(game)) => {
                writer.write(&game).map_err(write)?;
                progress.add(game.plies.len());
            }
            None => writer.flush_if_old().map_err(write)?,
        }
        progress.show();
        Ok(ControlFlow::Continue(()))
    });
    writer.flush().map_err(write)?;
    progress.finish();
    end?;
    if control.is_finishing() {
        return Err(RescoreError::Interrupted { part: writer.path().to_path_buf() });
    }
    writer.finish().map_err(write)?;
    Ok(RescoreReport { positions: progress.positions(), games_skipped })
}
