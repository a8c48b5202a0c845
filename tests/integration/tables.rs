//! The tables beside the repository, and positions to look up in them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use caesura::board::{Board, Setup};
use caesura::tablebase::Tablebase;
use caesura::types::{Color, Piece, PieceType};
use caesura::util::random::SplitMix;

/// The folder of the tables, if it is there.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
    if !folder.is_dir() {
        eprintln!("skipped: there are no tables in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// The tables of these folders.
pub(crate) fn open(folders: &[&Path]) -> Tablebase {
    let list: OsString = std::env::join_paths(folders).expect("paths without separators");
    Tablebase::open(&list).0
}

/// A folder that is removed in the end.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Scratch {
    /// A new folder for a test of this name.
    pub(crate) fn new(test: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("caesura-tables-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Scratch(path)
    }
}

/// A position with the pieces of a table.
pub(crate) fn board_of(name: &str, random: &mut SplitMix) -> Board {
    let (white, black) = name.split('.').next().and_then(|name| name.split_once('v')).expect("a table");
    loop {
        let mut setup = Setup::empty(Color::ALL[random.below(2)]);
        let mut fits = true;
        let swap = random.below(2) == 0;
        for (letters, color) in [(white, Color::White), (black, Color::Black)] {
            for letter in letters.chars() {
                let letter =
                    if (color == Color::White) == swap { letter } else { letter.to_ascii_lowercase() };
                let square = random.below(64);
                let piece = Piece::from_letter(letter).expect("a piece");
                fits &= setup.pieces[square].is_none()
                    && (piece.kind() != PieceType::Pawn || (8..56).contains(&square));
                setup.pieces[square] = Some(piece);
            }
        }
        if fits && caesura::board::fen::check(&setup).is_ok() {
            return Board::from_setup(&setup);
        }
    }
}
