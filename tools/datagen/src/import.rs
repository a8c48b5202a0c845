//! Turns the games of matches, from PGN files, into a file of games.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use toolkit::FileError;
use toolkit::file;

use crate::format::FileHeader;
use crate::pgn::{PgnError, PgnGames};
use crate::writer::GameWriter;

/// A game that was left out.
#[derive(Debug, thiserror::Error)]
#[error("{}, game {number}", path.display())]
pub struct LeftOut {
    /// The file.
    pub path: PathBuf,
    /// The number of the game in the file, from 1.
    pub number: u32,
    /// What is wrong with it.
    pub source: PgnError,
}

/// What was imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// Games that were written.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games that were left out.
    pub left_out: u64,
}

/// Writes the games of PGN files to a new file, which gets its name when it is complete. Games that cannot be played again, were
/// not finished or have no scores are left out and go to `left_out`. Only games of this engine should be imported: no network learns
/// from another engine.
///
/// # Errors
/// If a file cannot be read, or the new one exists or cannot be written.
pub fn import(
    files: &[PathBuf],
    out: &Path,
    mut left_out: impl FnMut(LeftOut),
) -> Result<ImportCounts, FileError> {
    let write = FileError::at(out);
    let mut writer = GameWriter::create_with_part_file(out, &FileHeader::unknown()).map_err(&write)?;
    let result = import_all(files, &mut writer, &mut left_out).and_then(|counts| {
        writer.finish().map_err(&write)?;
        Ok(counts)
    });
    if result.is_err() {
        // What there is of it can be made again.
        let _ = std::fs::remove_file(file::part(out));
    }
    result
}

fn import_all(
    files: &[PathBuf],
    writer: &mut GameWriter,
    left_out: &mut impl FnMut(LeftOut),
) -> Result<ImportCounts, FileError> {
    let mut counts = ImportCounts::default();
    let new_file = writer.path().to_path_buf();
    for path in files {
        let read = FileError::at(path);
        for (game, number) in PgnGames::new(File::open(path).map_err(&read)?).zip(1..) {
            let (game, is_end) = match game {
                Ok(game) => (game.game(counts.games as u32), false),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    (Err(PgnError::Damaged(error.to_string())), true)
                }
                Err(error) => return Err(read(error)),
            };
            match game {
                Ok(game) => {
                    writer.write(&game).map_err(FileError::at(&new_file))?;
                    counts.games += 1;
                    counts.positions += game.plies.len() as u64;
                }
                Err(source) => {
                    counts.left_out += 1;
                    left_out(LeftOut { path: path.clone(), number, source });
                }
            }
            if is_end {
                break;
            }
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::GameReader;

    const TWO: &str =
        "[Result \"1-0\"]\n\n1. e4 {+0.30/9} e5 {-0.20/9} 1-0\n\n[Result \"*\"]\n\n1. d4 {0.00/1} *\n";

    #[test]
    fn a_file_holds_what_could_be_taken() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second, out) =
            (folder.path().join("a.pgn"), folder.path().join("b.pgn"), folder.path().join("c.games"));
        fs::write(&first, TWO).unwrap();
        fs::write(&second, format!("{TWO}\n[Result \"1-0\"]\n\n1. c4 {{0.0")).unwrap();
        let mut messages = Vec::new();
        let counts =
            import(&[first.clone(), second], &out, |left_out| messages.push(left_out.number)).unwrap();
        assert_eq!(counts, ImportCounts { games: 2, positions: 4, left_out: 3 });
        assert_eq!(messages, [2, 2, 3]);
        let games: Vec<_> = GameReader::open(&out).unwrap().map(|game| game.unwrap()).collect();
        assert_eq!(
            games.iter().map(|game| (game.index, game.plies.len())).collect::<Vec<_>>(),
            [(0, 2), (1, 2)]
        );
        // Nothing is overwritten, and nothing stays of what failed.
        let before = fs::read(&out).unwrap();
        assert!(import(std::slice::from_ref(&first), &out, |_| {}).is_err());
        assert_eq!(fs::read(&out).unwrap(), before);
        let other = folder.path().join("d.games");
        assert!(import(&[first, folder.path().join("none.pgn")], &other, |_| {}).is_err());
        assert!(!other.exists() && !file::part(&other).exists());
    }
}
