//! Damaged endgame tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use caesura::board::{Board, fen};
use caesura::tablebase::{Material, Ranking, Tablebase, line};
use caesura::types::{Color, Square};

/// The folder of the tables that are damaged, all whole.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

/// Names another folder of tables to damage.
const OTHER_FOLDER: &str = "CAESURA_FUZZ_TABLES";

/// A longer table is not damaged: it would be copied for every input.
const MAX_TABLE_BYTES: u64 = 400_000;

/// A change of a table takes this many bytes: what is done and where, in two, and a value.
const CHANGE_BYTES: usize = 3;

/// Changes to the first bytes of a table, its header, are as frequent as all others.
const HEADER_BYTES: usize = 256;

/// Positions that are looked up.
const POSITIONS: usize = 4;

/// The tables, by name.
static TABLES: LazyLock<Vec<(PathBuf, Vec<u8>)>> = LazyLock::new(|| {
    let folder = std::env::var_os(OTHER_FOLDER).map_or_else(|| FOLDER.into(), PathBuf::from);
    let mut paths: Vec<_> =
        folder.read_dir().expect("tables").map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.metadata().is_ok_and(|data| data.len() <= MAX_TABLE_BYTES));
    paths.sort_unstable();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("a table"))).collect()
});

/// A table with damage is refused, fails, or answers; asked again it answers the same. Each failure is reported once.
///
/// The first byte of an input chooses the table, the next ones squares for its pieces, and the rest is damage.
pub fn check(input: &[u8]) {
    let Some((&table, rest)) = input.split_first() else { return };
    let Some((squares, changes)) = rest.split_first_chunk::<8>() else { return };
    let (path, bytes) = &TABLES[usize::from(table) % TABLES.len()];
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), damaged(bytes, changes)).expect("a file");
    let folders = [folder.path(), path.parent().unwrap_or(Path::new(""))];
    let (tables, _) = Tablebase::open(&std::env::join_paths(folders).expect("paths without separators"));
    for shift in 0..POSITIONS {
        if let Some(board) = board(name, squares, shift) {
            look_up(&tables, &board);
        }
    }
    assert!(tables.take_failures().len() <= 2 * tables.len());
    assert!(tables.take_failures().is_empty());
}

fn look_up(tables: &Tablebase, board: &Board) {
    let answer = |board: &Board| (tables.probe_wdl(board), tables.probe_dtz(board));
    assert_eq!(answer(board), answer(board), "{board}");
    let moves = board.legal_moves();
    let ranking = Ranking::of(tables, board, &moves, true);
    assert_eq!(ranking.is_some(), Ranking::of(tables, board, &moves, true).is_some());
    let mut pv = moves.iter().take(1).copied().collect();
    let mut steps = 0;
    line::extend(tables, board, true, &mut pv, (7, true), |_| {
        steps += 1;
        steps > 4
    });
    let mut after = board.clone();
    for &m in &pv {
        assert!(after.is_legal(m), "{m:?} in {after}");
        after.make_move(m, &mut ());
    }
}

fn damaged(table: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = table.to_vec();
    for change in changes.chunks_exact(CHANGE_BYTES) {
        let range = if change[0] & 1 == 0 { HEADER_BYTES } else { usize::MAX }.min(bytes.len());
        if range == 0 {
            break;
        }
        let place = (usize::from(change[0] >> 3) << 8 | usize::from(change[1])) % range;
        match change[0] >> 1 & 3 {
            0 => bytes[place] = change[2],
            1 => bytes[place] ^= change[2],
            2 => bytes[place] = bytes[place].wrapping_add(change[2]),
            // The length that tables have is 16 more than a multiple of 64; others are refused at once.
            _ => bytes.truncate(place / 64 * 64 + if change[2] % 8 == 0 { place % 64 } else { 16 }),
        }
    }
    bytes
}

/// A position with the pieces of a table on these squares, shifted to others; `None` if it is impossible.
fn board(name: &str, squares: &[u8; 8], shift: usize) -> Option<Board> {
    let material: Material = name.split('.').next()?.parse().ok()?;
    let (side, squares) = squares.split_first()?;
    let squares = squares.iter().map(|&square| Square::from_index((usize::from(square) + 9 * shift) % 64));
    let mut setup = material.setup(side & 2 == 0, squares)?;
    setup.rule50 = u16::from(side >> 1);
    setup.side_to_move = Color::ALL[usize::from(side & 1)];
    fen::check(&setup).ok().map(|()| Board::from_setup(&setup))
}
