//! Endgame tables: probes are those of the library by itself, damaged files do no harm.
//!
//! `tables` says which tables they look into.

use std::fs;
use std::path::{Path, PathBuf};

use caesura::board::{Board, Setup};
use caesura::tablebase::{Ranking, Tablebase};
use caesura::types::{CastlingRights, Color, MoveKind, Piece, PieceType, Square};
use caesura::util::random::SplitMix;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use crate::tables::{Scratch, TestTables, board_of, full_tables, open, tables};

/// A legal position of two kings and up to two more pieces; often with castling rights, or a pawn that can be taken en
/// passant.
fn random_board(random: &mut SplitMix) -> Board {
    loop {
        let mut setup = Setup {
            rule50: random.below(100) as u16,
            fullmove: 1 + random.below(90) as u32,
            ..Setup::empty(Color::ALL[random.below(2)])
        };
        let mut put = |piece: Piece, square: Square| {
            let free = setup.pieces[square.index()].is_none();
            setup.pieces[square.index()] = Some(piece);
            free && (piece.kind() != PieceType::Pawn || (8..56).contains(&square.index()))
        };
        let square = |random: &mut SplitMix| Square::from_index(random.below(64));
        let kind = random.below(12);
        let mut fits = true;
        if kind == 0 {
            // White may castle.
            fits &= put(Piece::WhiteKing, Square::E1) && put(Piece::WhiteRook, Square::H1);
            fits &= put(Piece::BlackKing, square(random));
            setup.castling[0][0] = Some(Square::H1);
        } else if kind <= 3 {
            // A pawn is about to go two squares past another.
            let file = random.below(7);
            let (white, black) = if random.below(2) == 0 { (file, file + 1) } else { (file + 1, file) };
            fits &= put(Piece::WhitePawn, Square::from_index(8 + white));
            fits &= put(Piece::BlackPawn, Square::from_index(24 + black));
            fits &= put(Piece::WhiteKing, square(random)) && put(Piece::BlackKing, square(random));
            setup.side_to_move = Color::White;
        } else {
            fits &= put(Piece::WhiteKing, square(random)) && put(Piece::BlackKing, square(random));
            for _ in 0..random.below(3) {
                let kinds = [
                    PieceType::Pawn,
                    PieceType::Knight,
                    PieceType::Bishop,
                    PieceType::Rook,
                    PieceType::Queen,
                ];
                fits &= put(Piece::new(Color::ALL[random.below(2)], kinds[random.below(5)]), square(random));
            }
        }
        if !fits || caesura::board::fen::check(&setup).is_err() {
            continue;
        }
        let mut board = Board::from_setup(&setup);
        if (1..=3).contains(&kind) {
            let moves = board.legal_moves();
            let Some(&m) = moves.iter().find(|m| m.kind() == MoveKind::DoublePush) else { continue };
            board.make_move(m, &mut ());
            if board.en_passant().is_none() {
                continue;
            }
        }
        return board;
    }
}

#[test]
fn all_results_and_distances_are_those_of_the_library() {
    let TestTables { folder, is_full } = tables();
    let ours = open(&[&folder]);
    let mut theirs = shakmaty_syzygy::Tablebase::<Chess>::new();
    theirs.add_directory(&folder).expect("tables");
    let mut random = SplitMix(28);
    let (mut castling, mut en_passant, mut decided) = (0, 0, 0);
    for _ in 0..10_000 {
        let board = random_board(&mut random);
        let fen: Fen = board.to_string().parse().expect("a FEN");
        let position: Chess = fen
            .into_position(CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .unwrap_or_else(|error| panic!("{board}: {error}"));
        let wdl = theirs.probe_wdl_after_zeroing(&position).ok();
        let dtz = theirs.probe_dtz(&position).ok().map(|dtz| dtz.ignore_rounding());
        assert_eq!((ours.probe_wdl(&board), ours.probe_dtz(&board)), (wdl, dtz), "{board}");
        castling += usize::from(board.castling() != CastlingRights::NONE);
        en_passant += usize::from(board.en_passant().is_some());
        decided += usize::from(wdl.is_some());
    }
    // Only castling rights keep all tables from knowing a position.
    assert!(if is_full { castling + decided == 10_000 } else { decided > 1_000 }, "{castling} {decided}");
    assert!(castling > 500 && en_passant > 1_000, "{castling} {en_passant}");
    assert!(ours.take_failures().is_empty());
}

#[test]
fn a_list_of_folders_is_one_set_of_tables_and_what_is_not_there_is_named() {
    let TestTables { folder, is_full } = tables();
    let whole = open(&[&folder]);
    let missing = folder.join("nothing-here");
    let list = std::env::join_paths([missing.as_path(), Path::new(""), &folder, &folder]).expect("paths");
    let (tables, errors) = Tablebase::open(&list);
    assert_eq!((tables.len(), tables.max_pieces()), (whole.len(), whole.max_pieces()));
    assert_eq!(tables.materials(), whole.materials());
    assert!(whole.materials().is_sorted() && whole.materials().contains(&"KPvK".to_string()));
    assert_eq!(whole.materials().contains(&"KRvKP".to_string()), is_full);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().contains("nothing-here"), "{}", errors[0]);
    let (none, errors) = Tablebase::open(std::ffi::OsStr::new(""));
    assert!(none.is_empty() && errors.is_empty() && none.max_pieces() == 0);
    assert_eq!(none.probe_wdl(&"8/8/8/8/8/4k3/8/4K2Q w - - 0 1".parse().expect("a position")), None);
}

/// Damages a file: cuts it off, mostly to a length that tables can have, or flips bits, mostly in its header.
fn damage(bytes: &mut Vec<u8>, random: &mut SplitMix) {
    if random.below(4) == 0 {
        let length = random.below(bytes.len());
        bytes.truncate(if random.below(4) == 0 { length } else { length / 64 * 64 + 16 });
        return;
    }
    let header = if random.below(3) == 0 { bytes.len() } else { bytes.len().min(160) };
    for _ in 0..1 + random.below(3) {
        let bit = random.below(8 * header);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
#[ignore = "slow: thousands of damaged files"]
fn damaged_files_do_no_harm() {
    let folder = tables().folder;
    let scratch = Scratch::new("damage");
    let mut files: Vec<PathBuf> =
        folder.read_dir().expect("a folder").flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.metadata().is_ok_and(|data| data.len() < 400_000));
    files.sort_unstable();
    let mut random = SplitMix(1000);
    let (mut refused, mut failed) = (0, 0);
    for copy in 0..1_000 {
        let path = &files[copy % files.len()];
        let name = path.file_name().expect("a name").to_str().expect("text");
        let mut bytes = fs::read(path).expect("a table");
        damage(&mut bytes, &mut random);
        let damaged = scratch.0.join(name);
        fs::write(&damaged, bytes).expect("a file");
        let list = std::env::join_paths([&scratch.0, &folder]).expect("paths");
        let (tables, errors) = Tablebase::open(&list);
        refused += errors.len();
        for _ in 0..5 {
            let board = board_of(name, &mut random);
            tables.probe_wdl(&board);
            tables.probe_dtz(&board);
            let moves = board.legal_moves();
            Ranking::of(&tables, &board, &moves, true);
            let mut line = moves.iter().take(1).copied().collect();
            let mut steps = 0;
            caesura::tablebase::line::extend(&tables, &board, true, &mut line, (7, true), |_| {
                steps += 1;
                steps > 5
            });
        }
        failed += tables.take_failures().len();
        fs::remove_file(&damaged).expect("the file");
    }
    assert!(refused > 20 && failed > 200, "{refused} refused, {failed} failed");
    println!("1000 damaged files: {refused} were refused, {failed} failed when they were read");
}

#[test]
fn a_table_that_claims_the_wrong_side_to_move_is_refused() {
    // Only tables of pieces that are the same on both sides.
    let Some(folder) = full_tables() else { return };
    let name = "KPvKP.rtbz";
    let mut bytes = fs::read(folder.join(name)).expect("a table");
    // The flags of the first subtable: with this bit the library would look for ever.
    bytes[30] ^= 1;
    // The library knows the table by other names, too.
    for (index, damaged) in [name, "kpvkp.rtbz", "PKvKP.rtbz"].into_iter().enumerate() {
        let scratch = Scratch::new(&format!("side{index}"));
        fs::write(scratch.0.join(damaged), &bytes).expect("a file");
        let tables = open(&[&scratch.0, &folder]);
        let mut random = SplitMix(7);
        let known = (0..200).filter(|_| tables.probe_dtz(&board_of(name, &mut random)).is_some()).count();
        let failures = tables.take_failures();
        // Draws, and positions with a pawn that goes at once, need no distance.
        assert!(known > 0 && known < 200, "{damaged}: {known}");
        assert_eq!(failures.len(), 1, "{damaged}");
        assert!(failures[0].to_string().contains("KPvKP"), "{}", failures[0]);
    }
}

#[test]
fn a_table_is_taken_from_the_first_directory_under_any_name() {
    let TestTables { folder, is_full } = tables();
    let (name, other_name) = if is_full { ("KRvKP", "KPvrk") } else { ("KPvK", "kvPK") };
    let scratch = Scratch::new("names");
    let copy = scratch.0.join(format!("{other_name}.rtbw"));
    fs::copy(folder.join(format!("{name}.rtbw")), copy).expect("a file");
    let (all, both) = (open(&[&folder]), open(&[&scratch.0, &folder]));
    assert_eq!((both.len(), both.max_pieces()), (all.len(), all.max_pieces()));
    assert!(both.materials().contains(&other_name.to_string()));
    assert!(!both.materials().contains(&name.to_string()));
}
