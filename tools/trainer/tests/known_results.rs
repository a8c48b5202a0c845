//! What endgame tables know overrules how a game ended.

use caesura::board::{Board, notation};
use datagen::{Ending, Game, OpeningKind, Ply, Winner};
use toolkit::test_tables;
use trainer::known_results::{PlyResult, known_results, open};

/// A game of these moves that ended like this.
fn game(start: &str, moves: &[&str], winner: Winner) -> Game {
    let mut board: Board = start.parse().expect(start);
    let setup = board.setup();
    let mut plies = Vec::new();
    for text in moves {
        let played = notation::parse_uci(&board, text).expect(text);
        plies.push(Ply { played, score: 30 });
        board.make_move(played, &mut ());
    }
    Game {
        index: 0,
        start: setup,
        opening: OpeningKind::Standard,
        plies,
        winner,
        ending: Ending::DrawByScore,
    }
}

#[test]
fn a_position_in_the_tables_decides_what_came_before() {
    let (directory, is_full) = test_tables::folder();
    let tables = open(&directory).expect("tables");
    // No table knows them until White leaves the rook to be taken; the rest is lost.
    let (start, moves) = if is_full {
        ("8/3k3r/8/3P4/3K4/8/8/6R1 w - - 0 1", ["g1g7", "h7g7", "d4e5", "g7g5"])
    } else {
        ("8/3k4/8/7p/8/8/8/K3R3 w - - 0 1", ["e1e7", "d7e7", "a1b2", "h5h4"])
    };
    let thrown_away = game(start, &moves, Winner::Draw);
    let black = |is_exact| PlyResult { winner: Some(Winner::Black), is_exact };
    let results = known_results(&thrown_away, Some(&tables)).expect("legal");
    assert_eq!(results, [black(false), black(true), black(true), black(true)]);
    // The pawn's king stands behind it: a draw, and Black to move the same.
    let given = game("4k3/8/8/4P3/4K3/8/8/8 w - - 0 1", &["e4d5", "e8d7"], Winner::White);
    let draw = PlyResult { winner: Some(Winner::Draw), is_exact: true };
    assert_eq!(known_results(&given, Some(&tables)).expect("legal"), [draw; 2]);
}

#[test]
fn without_tables_a_game_is_judged_by_its_end() {
    let played = game("4k3/8/8/4P3/4K3/8/8/8 w - - 0 1", &["e4d5", "e8d7"], Winner::White);
    let white = PlyResult { winner: Some(Winner::White), is_exact: false };
    assert_eq!(known_results(&played, None).expect("legal"), [white; 2]);
    let unknown = PlyResult { winner: None, is_exact: false };
    let cut_short = Game { ending: Ending::TooLong, ..played };
    assert_eq!(known_results(&cut_short, None).expect("legal"), [unknown; 2]);
}

#[test]
fn a_directory_without_tables_is_refused() {
    for directory in [
        tempfile::TempDir::new().expect("a directory").path().join("none"),
        env!("CARGO_MANIFEST_DIR").into(),
    ] {
        assert!(open(&directory).is_err(), "{}", directory.display());
    }
}
