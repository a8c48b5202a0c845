//! Playing games until there are enough.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use caesura::engine::Network;

use crate::format::{FileHeader, label};
use crate::opening::Openings;
use crate::ordered::{self, Control};
use crate::progress::{Goal, Progress};
use crate::reader::{BlockReader, ReadError, game_files};
use crate::selfplay::{PlayError, Player, Rules};
use crate::writer::{self, GameWriter};

/// What to play.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The directory of the files.
    pub out: PathBuf,
    /// How many games are played at a time.
    pub threads: usize,
    /// How games are played.
    pub rules: Rules,
    /// How games are opened.
    pub openings: Openings,
    /// What the openings depend on; chosen at random if not given.
    pub seed: Option<u64>,
    /// When there are enough.
    pub goal: Goal,
    /// The network to evaluate by.
    pub network: Arc<Network>,
    /// A word on the run, for the file's header; the name of the network is put behind it.
    pub label: String,
    /// The size of a block in bytes.
    pub block_bytes: usize,
    /// The age at which a block is written.
    pub block_age: Duration,
}

/// What was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// The file.
    pub path: PathBuf,
    /// The seed.
    pub seed: u64,
    /// The number of the first game.
    pub first: u32,
    /// How many games there are.
    pub games: u64,
    /// How many positions there are.
    pub positions: u64,
}

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No game can be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The file cannot be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// The file, or its directory.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// The number of the first game that no file in this directory has of the seed. Damaged blocks are passed over, for what
/// follows them is still learnt from; a directory that does not exist has no files.
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

/// The number after that of the last game in a file.
fn next_in(path: &Path) -> Result<u32, ReadError> {
    let mut blocks = match BlockReader::open(path) {
        Err(ReadError::Truncated { .. }) => return Ok(0),
        opened => opened?,
    };
    let mut offsets = Vec::new();
    while let Ok(Some((offset, _))) = blocks.skip() {
        offsets.push(offset);
    }
    // Games stand in the order of their numbers: the last block that can be read has the greatest.
    for offset in offsets.into_iter().rev() {
        blocks.seek(offset)?;
        let Ok(Some(block)) = blocks.read() else { continue };
        if let Some(game) = block.games().ok().and_then(|games| games.into_iter().last()) {
            return Ok(game.index.saturating_add(1));
        }
    }
    Ok(0)
}

/// Plays games and writes them to a new file of the directory, in the order of their numbers. Games of this seed
/// that are there already are not played again.
///
/// # Errors
/// If the engine cannot play or the system cannot write. What was written before stays good.
pub fn run(options: &RunOptions, control: &Control) -> Result<RunSummary, RunError> {
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let first = next_index(&options.out, seed)?;
    let chess960 = (options.openings.chess960 * 1000.0).round() as u16;
    let label = label(&options.label, &options.network);
    let header = FileHeader::new(seed, options.rules.nodes, chess960, &label);
    let write = |path: &Path, error| RunError::Write { path: path.to_path_buf(), error };
    let mut file =
        GameWriter::create_in(&options.out, &header).map_err(|error| write(&options.out, error))?;
    file.set_block(options.block_bytes, options.block_age);
    let path = file.path().to_path_buf();
    eprintln!("{}: seed {seed}, from game {first}", path.display());

    let mut progress = Progress::new(options.goal);
    let worker = || -> Result<_, RunError> {
        let mut player = Player::new(options.network.clone(), options.rules.nodes)?;
        Ok(move |index: u32| {
            Ok(player.play(&options.rules, &options.openings, seed, index, &control.abandon)?)
        })
    };
    let mut finishing = false;
    let end = ordered::run(options.threads, first..u32::MAX, control, worker, |game| {
        match game {
            Some(game) => {
                file.write(&game).map_err(|error| write(&path, error))?;
                progress.add(game.plies.len());
            }
            None => file.flush_if_old().map_err(|error| write(&path, error))?,
        }
        progress.show();
        if control.is_finishing() && !finishing {
            finishing = true;
            eprintln!("finishing the games in play; once more gives them up");
        }
        let timed = matches!(options.goal, Goal::Time(_));
        if progress.is_reached() {
            if !timed {
                return Ok(ControlFlow::Break(()));
            }
            // Games that were begun in time are played to their end.
            control.finish.store(true, std::sync::atomic::Ordering::Relaxed);
            finishing = true;
        }
        Ok(ControlFlow::Continue(()))
    });
    file.flush().map_err(|error| write(&path, error))?;
    progress.finish();
    end?;
    Ok(RunSummary { path, seed, first, games: progress.games(), positions: progress.positions() })
}
