//! New scores from the present engine for the positions of old games.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use caesura::engine::Network;

use crate::format::{FileHeader, label};
use crate::game::Game;
use crate::merge::{MergeError, all_games, merged_header};
use crate::ordered::{self, Control};
use crate::progress::{Goal, Progress};
use crate::reader::{BlockReader, ReadError};
use crate::selfplay::{PlayError, Player};
use crate::writer::GameWriter;

/// Why games could not be scored anew.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// The engine refuses.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] MergeError),
    /// Not all games were scored.
    #[error("interrupted; {} holds what was done", part.display())]
    Interrupted {
        /// What was written.
        part: PathBuf,
    },
}

/// How to score.
#[derive(Clone, Debug)]
pub struct RescoreOptions {
    /// How many games are scored at a time.
    pub threads: usize,
    /// Nodes a position.
    pub nodes: u64,
    /// The network to evaluate by.
    pub network: Arc<Network>,
    /// A word for the file's header; the name of the network is put behind it.
    pub label: String,
}

/// What became of a game.
enum RescoredGame {
    /// Every position has a new score.
    Complete(Game),
    /// It cannot be replayed to its end.
    NotReplayable,
}

/// Searches every position of a game again. The moves and the result stay. `None` if it was given up.
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

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RescoreReport {
    /// Positions that have a new score.
    pub positions: u64,
    /// Games that cannot be replayed, and were left out.
    pub games_skipped: u64,
}

/// How many positions the files say they have.
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

/// Writes the games of all files to a new file, every position with a new score, in the same order. The file has its
/// name once it is whole.
///
/// # Errors
/// If the engine refuses, a file cannot be opened, the result exists or cannot be written, or the work was interrupted.
pub fn rescore(
    files: &[PathBuf],
    out: &Path,
    options: &RescoreOptions,
    control: &Control,
    damaged: impl FnMut(ReadError) + Send,
) -> Result<RescoreReport, RescoreError> {
    let write = |error| MergeError::Write { path: out.to_path_buf(), error };
    let old = merged_header(files)?;
    let label = label(&options.label, &options.network);
    let header = FileHeader::new(old.seed, options.nodes, old.chess960, &label);
    let mut writer = GameWriter::create_with_part_file(out, &header).map_err(write)?;
    let mut progress = Progress::new(Goal::Positions(count_positions(files)));
    let worker = || -> Result<_, RescoreError> {
        let mut player = Player::new(options.network.clone(), options.nodes)?;
        Ok(move |game| Ok(rescore_game(&mut player, game, options.nodes, control)?))
    };
    let mut left_out = 0;
    let end = ordered::run(options.threads, all_games(files, damaged), control, worker, |game| {
        match game {
            Some(RescoredGame::NotReplayable) => left_out += 1,
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
    Ok(RescoreReport { positions: progress.positions(), games_skipped: left_out })
}
