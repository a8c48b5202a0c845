//! The tables of several directories.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use shakmaty::Chess;
use shakmaty_syzygy::{Dtz, SyzygyError, Wdl};

use super::error::TablebaseError;
use super::files::TableFiles;
use super::header;
use super::position::position;
use crate::board::Board;

/// The most pieces of a table, kings included.
pub const MAX_PIECES: u32 = 7;

/// The extension of files that say who wins.
const WDL_EXTENSION: &str = "rtbw";
/// The extension of files that say how far the next capture or pawn move is.
const DTZ_EXTENSION: &str = "rtbz";

/// A set of endgame tables that all threads read together. Files are opened when a position needs them, and read piece by
/// piece.
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    /// The names of the files that say who wins, without the extension.
    materials: Vec<String>,
    dtz_files: usize,
    max_pieces: u32,
    directories: usize,
    failures: Mutex<Failures>,
}

/// The tables that could not be read while a search probed them.
#[derive(Default)]
struct Failures {
    /// The tables that failed, by metric and material, each of which is reported once.
    known: HashSet<String>,
    /// The errors that have not been reported yet.
    unreported: Vec<TablebaseError>,
}

impl Tablebase {
    /// The tables of a list of directories, separated as the system separates paths (`:`, on Windows `;`). A table that
    /// stands in several directories is taken from the first. Also returns what could not be used; the rest is.
    pub fn open(directories: &OsStr) -> (Tablebase, Vec<TablebaseError>) {
        let mut tablebase = Tablebase {
            tables: shakmaty_syzygy::Tablebase::with_filesystem(Arc::new(TableFiles::new())),
            materials: Vec::new(),
            dtz_files: 0,
            max_pieces: 0,
            directories: 0,
            failures: Mutex::default(),
        };
        let (mut names, mut errors) = (HashSet::new(), Vec::new());
        for directory in std::env::split_paths(directories).filter(|path| !path.as_os_str().is_empty()) {
            tablebase.add_directory(&directory, &mut names, &mut errors);
        }
        tablebase.materials.sort_unstable();
        (tablebase, errors)
    }

    /// Adds the tables of a directory whose `names` - the pieces of both sides, and whether it says who wins - are new.
    fn add_directory(
        &mut self,
        directory: &Path,
        names: &mut HashSet<(Option<[String; 2]>, bool)>,
        errors: &mut Vec<TablebaseError>,
    ) {
        let entries = match directory.read_dir() {
            Ok(entries) => entries,
            Err(cause) => {
                errors.push(TablebaseError::Directory { path: directory.to_path_buf(), cause });
                return;
            }
        };
        self.directories += 1;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable();
        for path in paths {
            let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let (Some(stem), WDL_EXTENSION | DTZ_EXTENSION) = (path.file_stem(), extension) else { continue };
            let material = stem.to_string_lossy().into_owned();
            let is_wdl = extension == WDL_EXTENSION;
            let name = (header::sides(&material), is_wdl);
            if names.contains(&name) {
                continue;
            }
            if let Err(cause) = self.tables.add_file(&path) {
                errors.push(TablebaseError::File { path, cause });
                continue;
            }
            names.insert(name);
            if is_wdl {
                // One letter a piece, and one between the sides.
                self.max_pieces = self.max_pieces.max(material.len().saturating_sub(1) as u32);
                self.materials.push(material);
            } else {
                self.dtz_files += 1;
            }
        }
    }

    /// The pieces of each table that says who wins, such as `KRvKP`, in alphabetical order.
    pub fn materials(&self) -> &[String] {
        &self.materials
    }

    /// How many tables say who wins. As many have a file with distances, if the set is whole.
    pub fn len(&self) -> usize {
        self.materials.len()
    }

    /// How many directories could be listed.
    pub fn directories(&self) -> usize {
        self.directories
    }

    /// True if there is no table.
    pub fn is_empty(&self) -> bool {
        self.materials.is_empty()
    }

    /// The most pieces of a table that says who wins, kings included; 0 if there is none.
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// Whether the side to move wins, as if the last move had been a capture or pawn move: the board's count towards the
    /// fifty-move rule is not looked at. `None` with castling rights, or if a table is missing or damaged.
    pub fn probe_wdl(&self, board: &Board) -> Option<Wdl> {
        let position = position(board)?;
        self.sound(self.tables.probe_wdl_after_zeroing(&position))
    }

    /// What best play makes of a position for the side to move under the fifty-move rule: 1 for a win, 0 for a draw, −1 for
    /// a loss. `None` as with [`Tablebase::probe_wdl`], which also says what that looks at.
    pub fn probe_result(&self, board: &Board) -> Option<i32> {
        Some(match self.probe_wdl(board)? {
            Wdl::Win => 1,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => 0,
            Wdl::Loss => -1,
        })
    }

    /// How many plies of best play are left to the next capture or pawn move: positive if the side to move wins, negative
    /// if it loses, 0 in a draw; beyond 100 if only the fifty-move rule saves the loser. It may be a ply more than that:
    /// directly after a capture or pawn move never so that the fifty-move rule matters, but later in a game it may, near its
    /// end. `None` with castling rights, or if a table is missing or damaged.
    pub fn probe_dtz(&self, board: &Board) -> Option<Dtz> {
        let position = position(board)?;
        self.sound(self.tables.probe_dtz(&position)).map(|dtz| dtz.ignore_rounding())
    }

    /// The tables that have been found damaged since this was asked last, each once.
    pub fn take_failures(&self) -> Vec<TablebaseError> {
        std::mem::take(&mut self.failures.lock().unreported)
    }

    fn sound<T>(&self, result: Result<T, SyzygyError>) -> Option<T> {
        result.map_err(|error| self.note_failure(error)).ok()
    }

    #[cold]
    fn note_failure(&self, error: SyzygyError) {
        let SyzygyError::ProbeFailed { metric, material, .. } = &error else { return };
        let mut failures = self.failures.lock();
        if failures.known.insert(format!("{metric} {material}")) {
            failures.unreported.push(TablebaseError::Table(error));
        }
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({self})")
    }
}

impl fmt::Display for Tablebase {
    /// What was found, as graphical interfaces expect it: `Found 35 tablebases (35 WDL and 35 DTZ files, up to 4 pieces)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tablebase { dtz_files, max_pieces, .. } = self;
        let wdl_files = self.len();
        write!(f, "Found {wdl_files} tablebases")?;
        if wdl_files + dtz_files > 0 {
            write!(f, " ({wdl_files} WDL and {dtz_files} DTZ files, up to {max_pieces} pieces)")?;
        }
        Ok(())
    }
}
