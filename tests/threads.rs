//! Several threads at work on one position.

use caesura::board::notation::to_san;
use caesura::clock::Limits;
use caesura::engine::Engine;
use caesura::topology::NumaPolicy;

#[test]
fn a_search_without_a_node_limit_is_completed_by_every_number_of_threads() {
    for threads in [1, 2, 4, 16] {
        let mut engine = Engine::new(threads, 1).expect("starts");
        engine.set_numa_policy(NumaPolicy::Off).expect("idle");
        engine.set_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse().expect("a position"));
        for _ in 0..50 {
            engine.new_game().expect("idle");
            let outcome = engine.search(Limits { depth: Some(4), ..Limits::default() }).expect("idle");
            let best = outcome.best.expect("there are moves");
            assert_eq!(to_san(engine.board(), best), "Ra8#", "{threads} threads: {:?}", outcome.lines);
        }
    }
}
