//! Merging game files.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use caesura::board::Board;

use crate::error::FileError;
use crate::format::FileHeader;
use crate::game::Game;
use crate::reader::{GameReader, ReadError};
use crate::writer::GameWriter;

/// Why games could not be copied to a new file.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// No input file can be opened.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no input file.
    #[error("no game files were given")]
    NoFiles,
    /// The new file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// The number of games that were merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeReport {
    /// Games written.
    pub games: u64,
    /// Games skipped because a game with the same start position and moves was written before.
    pub repeated: u64,
}

/// What becomes of a game whose start position and moves were there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// The game is written again.
    Keep,
    /// The game is left out.
    Skip,
}

/// The header for games from all these files. Files that cannot be opened, or were truncated within their header, do not
/// count.
///
/// # Errors
/// If there is no file, or none can be opened.
pub fn merged_header(files: &[PathBuf]) -> Result<FileHeader, MergeError> {
    let mut merged: Option<FileHeader> = None;
    let mut refused = MergeError::NoFiles;
    for path in files {
        match GameReader::open(path) {
            Ok(reader) => {
                let header = *reader.header();
                merged = Some(merged.map_or(header, |merged| merged.merged_with(header)));
            }
            Err(error) => refused = error.into(),
        }
    }
    merged.ok_or(refused)
}

/// A hash of the start position and the moves, by which repeated games are recognised.
pub fn fingerprint(game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    Board::from_setup(&game.start).key().hash(&mut hasher);
    game.plies.iter().for_each(|ply| ply.played.hash(&mut hasher));
    hasher.finish()
}

/// Iterates over the games of all files, one file after the other. Errors go to `damaged`, and the next file follows.
pub fn all_games<F: FnMut(ReadError)>(files: &[PathBuf], damaged: F) -> AllGames<'_, F> {
    AllGames { files: files.iter(), reader: None, damaged }
}

/// The iterator that [`all_games`] returns.
#[derive(Debug)]
pub struct AllGames<'a, F> {
    files: std::slice::Iter<'a, PathBuf>,
    reader: Option<GameReader>,
    damaged: F,
}

impl<F: FnMut(ReadError)> Iterator for AllGames<'_, F> {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        loop {
            match self.reader.as_mut().and_then(Iterator::next) {
                Some(Ok(game)) => return Some(game),
                Some(Err(error)) => (self.damaged)(error),
                None => {
                    self.reader = None;
                    match GameReader::open(self.files.next()?) {
                        Ok(reader) => self.reader = Some(reader),
                        Err(error) => (self.damaged)(error),
                    }
                }
            }
        }
    }
}

/// Writes the games of all files to a new file, which gets its name when it is complete. What is damaged is left out and
/// goes to `damaged`.
///
/// # Errors
/// If no input file can be opened, or the new file exists or cannot be written.
pub fn merge(
    files: &[PathBuf],
    out: &Path,
    repeated: Repeated,
    damaged: impl FnMut(ReadError),
) -> Result<MergeReport, MergeError> {
    let write = FileError::at(out);
    let mut writer = GameWriter::create_with_part_file(out, &merged_header(files)?).map_err(&write)?;
    let mut seen = HashSet::new();
    let mut report = MergeReport::default();
    for game in all_games(files, damaged) {
        if repeated == Repeated::Keep || seen.insert(fingerprint(&game)) {
            writer.write(&game).map_err(&write)?;
            report.games += 1;
        } else {
            report.repeated += 1;
        }
    }
    writer.finish().map_err(&write)?;
    Ok(report)
}
