//! Scores the positions of recorded games again with the present engine and network.

use std::collections::VecDeque;
use std::iter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use caesura::engine::Network;
use toolkit::FileError;
use toolkit::file;
use toolkit::ordered::{self, Control};
use toolkit::progress::{Goal, Progress};

use crate::format::{FileHeader, label};
use crate::game::Game;
use crate::game_groups::{RecordCounts, game_groups};
use crate::merge::{MergeError, fingerprint, merged_header};
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
    /// The system refuses every thread.
    #[error(transparent)]
    NoThread(#[from] ordered::NoThread),
    /// The work was interrupted before all games were rescored.
    #[error("interrupted; the same command goes on with {}", part.display())]
    Interrupted {
        /// The unfinished file.
        part: PathBuf,
    },
    /// An unfinished file holds other games, or scores by another version of the engine, another network or number of nodes.
    #[error("{} was begun with other games or options; remove it to begin anew", part.display())]
    OtherPart {
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

/// A game and the positions by themselves behind it, after rescoring.
#[derive(Default)]
struct RescoredGroup {
    /// Those with a new score for every position.
    complete: Vec<Game>,
    /// Those that cannot be replayed to their end.
    skipped: RecordCounts,
}

/// Rescores a game and the positions by themselves behind it. `None` if that was abandoned.
fn rescore_group(
    player: &mut Player,
    group: Vec<Game>,
    nodes: u64,
    control: &Control,
) -> Option<RescoredGroup> {
    let mut rescored = RescoredGroup::default();
    for game in group {
        if game.is_legal() {
            rescored.complete.push(rescore_game(player, game, nodes, control)?);
        } else {
            rescored.skipped.add(&[game]);
        }
    }
    Some(rescored)
}

/// Searches every position of a game whose moves are legal and replaces its scores; moves and result stay. `None` if that was
/// abandoned.
fn rescore_game(player: &mut Player, mut game: Game, nodes: u64, control: &Control) -> Option<Game> {
    player.new_game();
    let mut scores = Vec::with_capacity(game.plies.len());
    let mut replay = game.replay();
    while let Ok(Some(position)) = replay.next_position() {
        if control.abandon.load(Ordering::Relaxed) {
            return None;
        }
        let found = player.search(position.board, nodes);
        scores.push(found.map_or(position.score, |(_, score)| score as i16));
    }
    for (ply, score) in game.plies.iter_mut().zip(scores) {
        ply.score = score;
    }
    Some(game)
}

/// The number of positions and games that were rescored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RescoreReport {
    /// Positions with a new score, those of an interrupted attempt included.
    pub positions: u64,
    /// What was left out because it cannot be replayed.
    pub skipped: RecordCounts,
}

/// The number of positions by the headers of the blocks.
fn count_positions(files: &[PathBuf]) -> u64 {
    let readers = files.iter().filter_map(|path| BlockReader::open(path).ok());
    let headers = readers.flat_map(|mut reader| reader.blocks(|_| {}));
    headers.map(|(_, header)| u64::from(header.positions)).sum()
}

/// What an interrupted attempt left.
#[derive(Debug, Default)]
struct Begun {
    /// The fingerprints of the games and the positions by themselves.
    records: VecDeque<u64>,
    positions: u64,
    /// The length of the header and the whole blocks, in bytes; 0 if the header is not whole.
    length: u64,
}

/// What an interrupted attempt left in the unfinished file; `None` if there is nothing.
fn begun(part: &Path, header: &FileHeader) -> Result<Option<Begun>, RescoreError> {
    if !part.exists() {
        return Ok(None);
    }
    let mut blocks = match BlockReader::open(part) {
        Err(ReadError::Truncated { .. }) => return Ok(Some(Begun::default())),
        opened => opened.map_err(MergeError::from)?,
    };
    let other = || RescoreError::OtherPart { part: part.to_path_buf() };
    if blocks.header() != header {
        return Err(other());
    }
    let mut begun = Begun { length: size_of::<FileHeader>() as u64, ..Begun::default() };
    // What follows damage is made anew.
    while let Ok(Some(block)) = blocks.read() {
        let games = block.games().map_err(|_| other())?;
        begun.records.extend(games.iter().map(fingerprint));
        begun.positions += u64::from(block.header.positions);
        begun.length = blocks.offset();
    }
    Ok(Some(begun))
}

/// Passes what an interrupted attempt has rescored, and returns what it left out and the rest of a group that it has rescored
/// only in part. `None` if it was of other games.
fn pass(
    groups: &mut impl Iterator<Item = Vec<Game>>,
    mut begun: VecDeque<u64>,
) -> Option<(RecordCounts, Vec<Game>)> {
    let mut skipped = RecordCounts::default();
    let mut rest = VecDeque::new();
    while let Some(&next) = begun.front() {
        let Some(record) = rest.pop_front() else {
            rest.extend(groups.next()?);
            continue;
        };
        if fingerprint(&record) == next {
            begun.pop_front();
        } else if record.is_legal() {
            return None;
        } else {
            skipped.add(&[record]);
        }
    }
    Some((skipped, rest.into()))
}

/// Writes the games of all files to a new file, with a new score for every position, in the same order. The file gets its
/// name when it is complete; what an interrupted attempt left is taken over.
///
/// # Errors
/// If the engine cannot search, no input file can be opened, the new file exists or cannot be written, the work was
/// interrupted, or an interrupted attempt was of other games or options.
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
    let part = file::part(out);
    let mut groups = game_groups(files, damaged);
    let begun = begun(&part, &header)?;
    let mut writer = match &begun {
        Some(begun) => GameWriter::go_on_with_part_file(out, &header, begun.length),
        None => GameWriter::create_with_part_file(out, &header),
    }
    .map_err(write)?;
    let Begun { records: done, positions: done_positions, .. } = begun.unwrap_or_default();
    let (mut skipped, rest) = pass(&mut groups, done).ok_or(RescoreError::OtherPart { part })?;
    let groups = iter::once(rest).filter(|rest| !rest.is_empty()).chain(groups);
    let mut progress = Progress::new(Goal::Positions(count_positions(files).saturating_sub(done_positions)));
    let worker = || -> Result<_, RescoreError> {
        let mut player = Player::new(options.network.clone(), options.nodes)?;
        Ok(move |group| Ok(rescore_group(&mut player, group, options.nodes, control)))
    };
    let end = ordered::run(options.threads, groups, control, worker, |group| {
        match group {
            Some(RescoredGroup { complete, skipped: more }) => {
                writer.write_together(&complete).map_err(write)?;
                progress.add(complete.iter().map(|game| game.plies.len()).sum());
                skipped += more;
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
    Ok(RescoreReport { positions: done_positions + progress.positions(), skipped })
}
