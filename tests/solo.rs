//! The engine without threads plays what the one with threads plays.

use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::clock::Limits;
use caesura::engine::Engine;
use caesura::solo::Solo;

#[test]
fn one_thread_and_none_search_the_same_tree() {
    let mut engine = Engine::new(1, 2).expect("an engine");
    let mut solo = Solo::new(2).expect("memory");
    for limits in [
        Limits { depth: Some(5), ..Limits::default() },
        Limits { nodes: Some(700), ..Limits::default() },
        Limits { soft_nodes: Some(700), ..Limits::default() },
    ] {
        for fen in POSITIONS {
            let board: Board = fen.parse().expect("a position");
            engine.new_game().expect("idle");
            solo.new_game();
            engine.set_position(board.clone());
            let one = engine.search(limits.clone()).expect("a search");
            let none = solo.search(&board, limits.clone());
            assert_eq!((one.best, one.nodes), (none.best, none.nodes), "{fen} {limits:?}");
            assert_eq!(none.best.is_none(), board.legal_moves().is_empty(), "{fen}");
            if let Some(line) = none.lines.first() {
                assert_eq!(one.lines.first().map(|line| line.score), Some(line.score), "{fen} {limits:?}");
            }
        }
    }
}

#[test]
fn soft_nodes_end_a_search_only_between_iterations() {
    let mut solo = Solo::new(2).expect("memory");
    let board = Board::start();
    let limits = Limits { soft_nodes: Some(2000), ..Limits::default() };
    let outcome = solo.search(&board, limits);
    let depth = outcome.lines[0].depth;
    assert!(outcome.nodes >= 2000);
    let at = |depth| {
        let mut solo = Solo::new(2).expect("memory");
        solo.search(&board, Limits { depth: Some(depth), ..Limits::default() }).nodes
    };
    assert_eq!(outcome.nodes, at(depth));
    assert!(at(depth - 1) < 2000);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut solo = Solo::new(2).expect("memory");
    let board = Board::start();
    let last = *board.legal_moves().last().expect("a move");
    let limits = Limits { depth: Some(4), search_moves: vec![last], ..Limits::default() };
    assert_eq!(solo.search(&board, limits).best, Some(last));
}
