//! The endgame tables of the tests, and positions to look up in them.
//!
//! The environment variable `CAESURA_SYZYGY` names a folder of all tables of up to four pieces; without it they may lie beside
//! the repository, in `../shared/syzygy`. Where neither is there, most tests look into the few small tables of the repository.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use caesura::board::{Board, Setup};
use caesura::tablebase::Tablebase;
use caesura::types::{Color, Piece, PieceType};
use caesura::util::random::SplitMix;

/// The tables that a test looks into.
pub(crate) struct TestTables {
    /// Where they are.
    pub(crate) folder: PathBuf,
    /// All of up to four pieces are there; otherwise only `KBvK`, `KNNvK`, `KPvK`, `KQvK` and the results of `KRvK`.
    pub(crate) is_full: bool,
}

/// The tables of the tests: all, or else those of the repository.
pub(crate) fn tables() -> TestTables {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if let Some(folder) = std::env::var_os("CAESURA_SYZYGY").map(PathBuf::from) {
        assert!(folder.join("KPvKP.rtbz").is_file(), "CAESURA_SYZYGY: no tables in {}", folder.display());
        return TestTables { folder, is_full: true };
    }
    let beside = root.join("../shared/syzygy");
    if beside.is_dir() {
        return TestTables { folder: beside, is_full: true };
    }
    TestTables { folder: root.join("tools/fuzz/tables"), is_full: false }
}

/// The folder of all tables, if they are there, for what the small ones cannot show.
pub(crate) fn full_tables() -> Option<PathBuf> {
    let tables = tables();
    if !tables.is_full {
        eprintln!("skipped: CAESURA_SYZYGY names no folder of endgame tables");
    }
    tables.is_full.then_some(tables.folder)
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
