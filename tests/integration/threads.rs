//! Several threads at work on one position.

use std::num::NonZeroU64;
use std::sync::Arc;

use caesura::bench::POSITIONS;
use caesura::board::notation::to_san;
use caesura::clock::Limits;
use caesura::search::reports::NullListener;

use crate::search_client::engine;

#[test]
fn a_search_without_a_node_limit_is_completed_by_every_number_of_threads() {
    for threads in [1, 2, 4, 16] {
        let mut engine = engine(threads);
        engine.set_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse().expect("a position"));
        for _ in 0..50 {
            engine.new_game().expect("idle");
            let outcome = engine.search(Limits::depth(4)).expect("idle");
            let best = outcome.best.expect("there are moves");
            assert_eq!(to_san(engine.board(), best), "Ra8#", "{threads} threads: {:?}", outcome.lines);
        }
    }
}

#[test]
fn threads_that_take_turns_search_the_same_tree_each_time() {
    // Nine threads are two groups with shared histories of their own.
    for threads in [1, 2, 5, 9] {
        let mut engine = engine(threads);
        for limits in
            [Limits::depth(7), Limits::nodes(6000), Limits { soft_nodes: Some(1500), ..Limits::default() }]
        {
            for turn_nodes in [7, 1024].map(NonZeroU64::new) {
                engine.options_mut().turn_nodes = turn_nodes;
                let mut run = |fen: &str| {
                    engine.new_game().expect("idle");
                    engine.set_position(fen.parse().expect("a position"));
                    let outcome = engine.search(limits.clone()).expect("idle");
                    let line = &outcome.lines[0];
                    (outcome.best, outcome.nodes, line.depth, line.score, line.pv.clone())
                };
                for fen in &POSITIONS[..2] {
                    let once = run(fen);
                    assert_eq!(
                        run(fen),
                        once,
                        "{threads} threads, turns of {turn_nodes:?}: {fen} {limits:?}"
                    );
                }
            }
        }
    }
}

/// Not in every position: the table may save a thread more than the others spend.
#[test]
fn more_threads_search_more_nodes_until_the_main_thread_has_reached_its_depth() {
    let nodes = [1, 2, 5].map(|threads| {
        let mut engine = engine(threads);
        engine.options_mut().turn_nodes = NonZeroU64::new(512);
        let search = |fen: &&str| {
            engine.new_game().expect("idle");
            engine.set_position(fen.parse().expect("a position"));
            engine.search(Limits::depth(8)).expect("idle").nodes
        };
        POSITIONS.iter().map(search).sum::<u64>()
    });
    assert!(nodes.is_sorted_by(|fewer, more| fewer * 5 < more * 4), "{nodes:?}");
}

#[test]
fn threads_that_take_turns_can_be_stopped_and_go_on() {
    let mut engine = engine(3);
    engine.options_mut().turn_nodes = NonZeroU64::new(100);
    for _ in 0..20 {
        let infinite = Limits { infinite: true, ..Limits::default() };
        engine.go(infinite, Arc::new(NullListener)).expect("idle");
        engine.stop();
        engine.wait();
    }
    let outcome = engine.search(Limits::nodes(10_000)).expect("idle");
    assert_eq!(outcome.nodes, 10_000);
}
