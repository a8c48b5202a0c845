//! A run of the data generator: plays games until its goal is reached and writes them to a file.

use std::hash::{BuildHasher, RandomState};
use std::iter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use caesura::engine::Network;
use toolkit::FileError;
use toolkit::cli::print_message;
use toolkit::ordered::{self, Control};
use toolkit::progress::{Goal, Progress};

use crate::format::{FileHeader, label};
use crate::game::Game;
use crate::opening::Openings;
use crate::reader::{BlockReader, ReadError, game_files};
use crate::selfplay::{PlayError, Played, Player, SelfPlayRules};
use crate::writer::{self, GameWriter};

/// The options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The directory of the game files.
    pub out: PathBuf,
    /// The number of games played at the same time.
    pub threads: usize,
    /// How games are played.
    pub rules: SelfPlayRules,
    /// How openings are chosen.
    pub openings: Openings,
    /// The seed of the openings; random if not given.
    pub seed: Option<u64>,
    /// When the run ends.
    pub goal: Goal,
    /// The network that evaluates positions.
    pub network: Arc<Network>,
    /// The label in the header of the file; the name of the network is appended to it.
    pub label: String,
    /// The payload size at which a block is written, in bytes.
    pub block_bytes: usize,
    /// The age at which a block is written.
    pub block_age: Duration,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// The file that was written.
    pub path: PathBuf,
    /// The seed of the openings.
    pub seed: u64,
    /// The number of the first game.
    pub first: u32,
    /// The number of games played.
    pub games: u64,
    /// The number of positions in the file.
    pub positions: u64,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// The directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The system refuses every thread.
    #[error(transparent)]
    NoThread(#[from] ordered::NoThread),
}

/// The number of the next game of this seed: one more than the greatest in the files of a directory. Damaged blocks are
/// skipped, because the games after them count too. A directory that does not exist has no games.
///
/// # Errors
/// If the directory cannot be read.
pub fn next_index(directory: &Path, seed: u64) -> Result<u32, ReadError> {
    if !directory.exists() {
        return Ok(0);
    }
    let mut next = 0;
    for path in game_files(&[directory.to_path_buf()])? {
        let ours = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(&writer::file_prefix(seed)));
        if ours {
            next = next.max(next_in(&path)?);
        }
    }
    Ok(next)
}

/// One more than the number of the last readable game in a file.
fn next_in(path: &Path) -> Result<u32, ReadError> {
    let mut blocks = match BlockReader::open(path) {
        Err(ReadError::Truncated { .. }) => return Ok(0),
        opened => opened?,
    };
    // Games are in the order of their numbers: the last readable block has the greatest.
    for (offset, _) in blocks.blocks(|_| {}).into_iter().rev() {
        blocks.seek(offset)?;
        let Ok(Some(block)) = blocks.read() else { continue };
        if let Some(game) = block.games().ok().and_then(|games| games.into_iter().last()) {
            return Ok(game.index.saturating_add(1));
        }
    }
    Ok(0)
}

/// Plays games and writes them to a new file of the directory, in the order of their numbers. The run continues after the
/// last game of this seed that the directory has.
///
/// # Errors
/// If the engine cannot play or the file cannot be written. What was written before stays valid.
pub fn run(options: &RunOptions, control: &Control) -> Result<RunSummary, RunError> {
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let first = next_index(&options.out, seed)?;
    let chess960 = (options.openings.chess960 * 1000.0).round() as u16;
    let label = label(&options.label, &options.network);
    let header = FileHeader::new(seed, options.rules.nodes, chess960, &label);
    let mut file = GameWriter::create_in(&options.out, &header).map_err(FileError::at(&options.out))?;
    file.set_block(options.block_bytes, options.block_age);
    let path = file.path().to_path_buf();
    print_message(format_args!("{}: seed {seed}, from game {first}", path.display()));

    let mut progress = Progress::new(options.goal);
    let worker = || -> Result<_, RunError> {
        let mut player = Player::new(options.network.clone(), options.rules.nodes)?;
        Ok(move |index: u32| {
            Ok(player.play(&options.rules, &options.openings, seed, index, &control.abandon)?)
        })
    };
    let mut is_interrupted = false;
    let end = ordered::run(options.threads, first..u32::MAX, control, worker, |game| {
        match game {
            Some(Played { game, evaluated }) => {
                progress.add(game.plies.len() + evaluated.len());
                let games: Vec<Game> = iter::once(game).chain(evaluated).collect();
                file.write_together(&games).map_err(FileError::at(&path))?;
            }
            None => file.flush_if_old().map_err(FileError::at(&path))?,
        }
        progress.show();
        if control.is_interrupted() && !is_interrupted {
            is_interrupted = true;
            print_message("finishing the games in play; press Ctrl-C again to abandon them");
        }
        if progress.is_reached() {
            if !matches!(options.goal, Goal::Time(_)) {
                return Ok(ControlFlow::Break(()));
            }
            // Games that began within the time are played to their end.
            if !control.finish.swap(true, Ordering::Relaxed) {
                print_message(
                    "the time is over: finishing the games in play; press Ctrl-C twice to abandon them",
                );
            }
        }
        Ok(ControlFlow::Continue(()))
    });
    file.flush().map_err(FileError::at(&path))?;
    progress.finish();
    end?;
    Ok(RunSummary { path, seed, first, games: progress.games(), positions: progress.positions() })
}
