//! The engine without threads plays what the one with threads plays.

use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::clock::Limits;
use caesura::engine::Engine;

use crate::search_client::{material, single_threaded_engine};

#[test]
fn one_thread_and_none_search_the_same_tree() {
    let mut pooled = Engine::new(1, 2).expect("an engine");
    pooled.set_network(material()).expect("idle");
    let mut single = single_threaded_engine();
    for limits in
        [Limits::depth(5), Limits::nodes(700), Limits { soft_nodes: Some(700), ..Limits::default() }]
    {
        for fen in POSITIONS {
            let board: Board = fen.parse().expect("a position");
            pooled.new_game().expect("idle");
            single.new_game();
            pooled.set_position(board.clone());
            let one = pooled.search(limits.clone()).expect("a search");
            let none = single.search(&board, limits.clone());
            assert_eq!((one.best, one.nodes), (none.best, none.nodes), "{fen} {limits:?}");
            assert_eq!(none.best.is_none(), board.legal_moves().is_empty(), "{fen}");
            if let Some(line) = none.lines.first() {
                assert_eq!(one.lines.first().map(|line| line.score), Some(line.score), "{fen} {limits:?}");
            }
        }
    }
}

#[test]
fn one_thread_and_none_keep_as_much_from_move_to_move() {
    let mut pooled = Engine::new(1, 2).expect("an engine");
    pooled.set_network(material()).expect("idle");
    let mut single = single_threaded_engine();
    let mut board: Board = POSITIONS[2].parse().expect("a position");
    for ply in 0..12 {
        pooled.set_position(board.clone());
        let one = pooled.search(Limits::depth(8)).expect("a search");
        let none = single.search(&board, Limits::depth(8));
        assert_eq!((one.best, one.nodes), (none.best, none.nodes), "{ply}: {board}");
        board.make_move(one.best.expect("a move"), &mut ());
    }
}

#[test]
fn soft_nodes_end_a_search_only_between_iterations() {
    let mut engine = single_threaded_engine();
    let board = Board::start();
    let limits = Limits { soft_nodes: Some(2000), ..Limits::default() };
    let outcome = engine.search(&board, limits);
    let depth = outcome.lines[0].depth;
    let at = |depth| {
        let mut engine = single_threaded_engine();
        engine.search(&board, Limits::depth(depth)).nodes
    };
    assert_eq!(outcome.nodes, at(depth));
    // How the search goes scales the limit; more of it is still more.
    let [less, more] = [1000, 8000]
        .map(|nodes| Limits { soft_nodes: Some(nodes), ..Limits::default() })
        .map(|limits| single_threaded_engine().search(&board, limits).nodes);
    assert!(less < more && (less..=more).contains(&outcome.nodes));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = single_threaded_engine();
    let board = Board::start();
    let last = *board.legal_moves().last().expect("a move");
    let limits = Limits { depth: Some(4), search_moves: vec![last], ..Limits::default() };
    assert_eq!(engine.search(&board, limits).best, Some(last));
}
