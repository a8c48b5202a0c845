//! Merging game files.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use caesura::board::Board;
use toolkit::FileError;

use crate::format::FileHeader;
use crate::game::Game;
use crate::game_groups::{RecordCounts, game_groups};
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

/// What was merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeReport {
    /// What was written.
    pub written: RecordCounts,
    /// What was left out, as [`Repeated::Skip`] says.
    pub skipped: RecordCounts,
}

/// What becomes of a game whose start position and moves were there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// The game is written again.
    Keep,
    /// The game is left out with the positions by themselves behind it, which would stand behind another game without it. Of
    /// those behind a game that is new, the positions that were written before are left out.
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

/// A hash of the start position, its moves since the last capture or pawn move included, and the moves, by which repeated games are
/// recognised: values fade with that number.
pub fn fingerprint(game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    Board::from_setup(&game.start).key().hash(&mut hasher);
    game.start.rule50.hash(&mut hasher);
    game.plies.iter().for_each(|ply| ply.played.hash(&mut hasher));
    hasher.finish()
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
    for group in game_groups(files, damaged) {
        let (written, skipped) = match repeated {
            Repeated::Keep => (group, Vec::new()),
            Repeated::Skip => divide(group, &mut seen),
        };
        writer.write_together(&written).map_err(&write)?;
        report.written.add(&written);
        report.skipped.add(&skipped);
    }
    writer.finish().map_err(&write)?;
    Ok(report)
}

/// Divides a group into what [`Repeated::Skip`] writes and what it leaves out. `seen` has the fingerprints of all that was
/// written.
fn divide(group: Vec<Game>, seen: &mut HashSet<u64>) -> (Vec<Game>, Vec<Game>) {
    let mut is_game_written = true;
    group.into_iter().partition(|record| {
        let is_written = is_game_written && seen.insert(fingerprint(record));
        is_game_written &= is_written || record.is_lone_position();
        is_written
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::some_game;

    #[test]
    fn the_same_position_nearer_to_the_fifty_move_rule_is_another() {
        let game = some_game(1, 1);
        let mut later = game.clone();
        later.start.rule50 += 1;
        assert_eq!(fingerprint(&game), fingerprint(&game.clone()));
        assert_ne!(fingerprint(&game), fingerprint(&later));
    }
}
