//! The engine's facade: limits are kept to the node, every question is answered once, and nothing that is asked of an
//! engine at a bad moment hurts it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use caesura::board::Board;
use caesura::board::notation::parse_uci;
use caesura::clock::Limits;
use caesura::engine::{Engine, EngineError, NodeRate, SearchResult};
use caesura::search::FIRST_ITERATION_NODES;
use caesura::search::reports::Info;
use caesura::topology::NumaPolicy;
use caesura::types::{Depth, Move, Value, mated_in};

use crate::search_client::{
    ChannelListener, Event, SearchLog, board, engine, finish, material, search, start,
};

const INFINITE: Limits = Limits {
    time: [None; 2],
    increment: [Duration::ZERO; 2],
    moves_to_go: None,
    move_time: None,
    nodes: None,
    soft_nodes: None,
    depth: None,
    mate: None,
    infinite: true,
    ponder: false,
    search_moves: Vec::new(),
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// The last lines, best first.
fn finals(report: &SearchLog) -> &[Info] {
    let first = report.lines.iter().rposition(|line| line.multipv == 1).expect("a line");
    &report.lines[first..]
}

/// Waits for a line of this kind, which must come before the best move.
fn wait_for_line(heard: &Receiver<Event>, wanted: impl Fn(&Info) -> bool) {
    loop {
        match heard.recv().expect("the search goes on") {
            Event::Line(line) if wanted(&line) => return,
            Event::Line(_) => {}
            Event::BestMove(..) => panic!("an answer before the hit"),
        }
    }
}

#[test]
fn a_finished_game_is_answered_at_once() {
    for threads in [1, 4] {
        let mut engine = engine(threads);
        for (fen, score) in [(MATED, mated_in(0)), (STALEMATED, 0)] {
            for limits in [
                Limits::depth(5),
                Limits::nodes(1),
                Limits { move_time: Some(Duration::from_secs(60)), ..Limits::depth(3) },
                Limits { move_time: Some(Duration::MAX), ..Limits::depth(3) },
            ] {
                let report = search(&mut engine, &board(fen), limits);
                assert_eq!((report.best, report.lines.len()), (None, 1), "{fen}");
                assert_eq!((report.last().score, report.last().pv.len()), (score, 0), "{fen}");
            }
        }
    }
}

#[test]
fn under_infinite_and_ponder_even_a_finished_game_waits() {
    let mut engine = engine(2);
    for fen in [MATED, STALEMATED] {
        for limits in [INFINITE, Limits { ponder: true, ..Limits::default() }] {
            let board = board(fen);
            let heard = start(&mut engine, &board, limits.clone());
            assert!(matches!(heard.recv(), Ok(Event::Line(line)) if line.pv.is_empty()), "{fen}");
            assert!(engine.is_searching() && heard.try_recv().is_err(), "{fen}: an answer before the stop");
            if limits.ponder {
                engine.ponder_hit()
            } else {
                engine.stop()
            }
            assert!(matches!(heard.recv(), Ok(Event::BestMove(None, None))), "{fen}");
            engine.wait();
        }
    }
}

#[test]
fn one_thread_searches_as_many_nodes_as_it_may() {
    let mut engine = engine(1);
    for fen in [KIWIPETE, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] {
        engine.set_position(board(fen));
        // The first iteration is completed in any case.
        engine.new_game().expect("idle");
        let first = engine.search(Limits::depth(1)).expect("idle").nodes;
        assert!((1..FIRST_ITERATION_NODES).contains(&first), "{fen}: {first}");
        for limit in [1, 2, 3, first, first + 1, 2000, 12_345] {
            engine.new_game().expect("idle");
            let outcome = engine.search(Limits::nodes(limit)).expect("idle");
            assert_eq!(outcome.nodes, limit.max(first), "{fen}");
            assert!(outcome.best.is_some_and(|best| engine.board().legal_moves().contains(&best)));
            assert!(outcome.lines.iter().all(|line| line.nodes <= limit.max(first)));
        }
    }
}

#[test]
fn several_threads_search_no_more_nodes_than_they_may_but_for_a_first_iteration() {
    let mut engine = engine(4);
    let board = board(KIWIPETE);
    for limit in [1, 2, 5, 100, 12_345, 50_000] {
        let most = limit + FIRST_ITERATION_NODES;
        let report = search(&mut engine, &board, Limits::nodes(limit));
        assert!(report.lines.iter().all(|line| line.nodes <= most), "{limit}");
        engine.set_position(board.clone());
        let outcome = engine.search(Limits::nodes(limit)).expect("idle");
        assert!(outcome.nodes <= most && outcome.best.is_some(), "{} of {limit}", outcome.nodes);
    }
}

#[test]
fn a_depth_is_searched_and_no_more() {
    for threads in [1, 3] {
        let mut engine = engine(threads);
        for limit in 1..=8 {
            engine.new_game().expect("idle");
            let report = search(&mut engine, &board(KIWIPETE), Limits::depth(limit));
            let depths: Vec<Depth> = report.lines.iter().map(|line| line.depth).collect();
            assert_eq!(depths.iter().max(), Some(&limit), "{depths:?}");
            assert!(depths.is_sorted() || threads > 1, "{depths:?}");
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let board = board(KIWIPETE);
    for threads in [1, 3] {
        let mut engine = engine(threads);
        for wanted in [&["a2a3"][..], &["a2a3", "h1g1", "e1c1"], &["e5f7", "d5e6"]] {
            let search_moves: Vec<Move> =
                wanted.iter().map(|text| parse_uci(&board, text).expect(text)).collect();
            let report = search(
                &mut engine,
                &board,
                Limits { search_moves: search_moves.clone(), ..Limits::depth(7) },
            );
            assert!(report.lines.iter().all(|line| search_moves.contains(&line.pv[0])), "{wanted:?}");
            assert!(report.best.is_some_and(|best| search_moves.contains(&best)), "{wanted:?}");
        }
    }
    // More lines than moves were asked for.
    let mut engine = engine(1);
    engine.options_mut().multi_pv = 5;
    let search_moves = ["a2a3", "b2b3"].map(|text| parse_uci(&board, text).expect(text)).to_vec();
    assert_eq!(finals(&search(&mut engine, &board, Limits { search_moves, ..Limits::depth(4) })).len(), 2);
}

#[test]
fn a_repetition_that_the_opponent_can_force_is_seen_in_quiescence() {
    for (fen, moves, answered) in [
        ("6k1/7p/8/8/8/Q7/7P/6K1 w - - 0 1", ["g1h1", "g8f7", "h1g1", "f7g8", "g1h1", "g8f7"], "h1g1"),
        // The side that repeats is in check, and has another evasion.
        (
            "6k1/6p1/r7/7Q/8/8/PPP2PPP/R4RK1 w - - 0 1",
            ["h5e8", "g8h7", "e8h5", "h7g8", "h5e8", "g8h7"],
            "e8h5",
        ),
    ] {
        let mut board = board(fen);
        for text in moves {
            board.make_move(parse_uci(&board, text).expect(text), &mut ());
        }
        let search_moves = vec![parse_uci(&board, answered).expect(answered)];
        let report = search(&mut engine(1), &board, Limits { search_moves, ..Limits::depth(1) });
        assert_eq!(finals(&report)[0].score, 0, "{fen}: the king goes back to g8");
    }
}

#[test]
fn several_lines_differ_and_are_sorted() {
    for (fen, lines) in [(KIWIPETE, 5), (KIWIPETE, 300), ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 30)] {
        let board = board(fen);
        let expected = lines.min(board.legal_moves().len());
        for threads in [1, 3] {
            let mut engine = engine(threads);
            engine.options_mut().multi_pv = lines;
            let report = search(&mut engine, &board, Limits::depth(6));
            let finals = finals(&report);
            assert_eq!(finals.len(), expected, "{fen}");
            for (index, line) in finals.iter().enumerate() {
                assert_eq!(line.multipv, index + 1);
                assert!(finals[..index].iter().all(|better| better.pv[0] != line.pv[0]), "{fen}");
                assert!(finals[..index].iter().all(|better| better.score >= line.score), "{fen}");
            }
            assert_eq!(report.best, Some(finals[0].pv[0]), "{fen}");
        }
    }
}

/// What must be the same in two equal searches.
fn fingerprint(outcome: &SearchResult) -> (u64, Value, Vec<Move>) {
    let line = outcome.lines.first().expect("a line");
    (outcome.nodes, line.score, line.pv.clone())
}

#[test]
fn one_thread_repeats_itself_after_a_new_game() {
    let mut engine = engine(1);
    for fen in [KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
        engine.set_position(board(fen));
        let mut fingerprints = Vec::new();
        for _ in 0..3 {
            engine.new_game().expect("idle");
            fingerprints.push(fingerprint(&engine.search(Limits::depth(9)).expect("idle")));
        }
        assert!(
            fingerprints.iter().all(|fingerprint| *fingerprint == fingerprints[0]),
            "{fen}: {fingerprints:?}"
        );
    }
    // An engine that has just been made is as good as a new game.
    let mut fresh = self::engine(1);
    fresh.set_position(board(KIWIPETE));
    engine.set_position(board(KIWIPETE));
    engine.new_game().expect("idle");
    let limits = Limits::nodes(30_000);
    assert_eq!(
        fingerprint(&fresh.search(limits.clone()).expect("idle")),
        fingerprint(&engine.search(limits).expect("idle"))
    );
}

#[test]
fn a_stop_is_never_lost() {
    for threads in [1, 2, 4, 32] {
        let mut engine = engine(threads);
        let board = board(KIWIPETE);
        for limits in [INFINITE, Limits::default(), Limits { ponder: true, ..Limits::default() }] {
            for _ in 0..10 {
                let heard = start(&mut engine, &board, limits.clone());
                engine.stop();
                assert!(finish(&engine, &board, heard).best.is_some());
            }
        }
    }
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    for threads in [1, 3] {
        let mut engine = engine(threads);
        let board = board(KIWIPETE);
        let time = Duration::from_millis(15);
        let limits = Limits { ponder: true, move_time: Some(time), ..Limits::default() };
        for _ in 0..3 {
            let heard = start(&mut engine, &board, limits.clone());
            // The search goes on although the time of the move is over.
            wait_for_line(&heard, |line| line.time > time);
            assert!(engine.is_searching());
            engine.ponder_hit();
            assert!(finish(&engine, &board, heard).best.is_some());
        }
        // Searched to the end before the hit: the answer waits for it.
        let heard = start(&mut engine, &board, Limits { depth: Some(2), ..limits });
        wait_for_line(&heard, |line| line.depth == 2);
        assert!(engine.is_searching());
        engine.ponder_hit();
        assert!(finish(&engine, &board, heard).best.is_some());
        // A hit without a search does nothing.
        engine.ponder_hit();
        engine.stop();
    }
}

#[test]
fn a_busy_engine_says_so() {
    let mut engine = engine(2);
    let board = board(KIWIPETE);
    let heard = start(&mut engine, &board, INFINITE);
    let (sender, second) = channel();
    assert!(matches!(
        engine.go(Limits::depth(1), Arc::new(ChannelListener(sender))),
        Err(EngineError::Searching)
    ));
    assert!(matches!(engine.set_threads(3), Err(EngineError::Searching)));
    assert!(matches!(engine.set_hash(8), Err(EngineError::Searching)));
    assert!(matches!(engine.clear_hash(), Err(EngineError::Searching)));
    assert!(matches!(engine.new_game(), Err(EngineError::Searching)));
    // A new position is for the next search.
    engine.set_position(Board::start());
    engine.stop();
    assert!(finish(&engine, &board, heard).best.is_some());
    assert!(second.try_recv().is_err());
    assert_eq!(engine.threads(), 2);
    assert!(search(&mut engine, &Board::start(), Limits::depth(3)).best.is_some());
}

#[test]
fn threads_come_and_go() {
    let mut engine = engine(1);
    let board = board(KIWIPETE);
    for threads in [64, 2, 1, 7] {
        engine.set_threads(threads).expect("starts");
        assert_eq!((engine.threads(), engine.active_threads()), (threads, threads));
        assert!(search(&mut engine, &board, Limits::nodes(5_000)).best.is_some());
    }
    for impossible in [0, caesura::engine::max_threads() + 1, usize::MAX] {
        assert!(
            matches!(engine.set_threads(impossible), Err(EngineError::ThreadCount { .. })),
            "{impossible}"
        );
        assert_eq!(engine.threads(), 7);
        assert!(search(&mut engine, &board, Limits::nodes(2_000)).best.is_some());
    }
}

#[test]
fn no_more_threads_search_than_there_are_processors_unless_the_policy_says_so() {
    let mut engine = engine(1);
    let board = board(KIWIPETE);
    let machine = engine.machine();
    let processors = machine.parallelism(&machine.allowed);
    engine.set_numa_policy(NumaPolicy::Auto).expect("idle");
    for threads in [processors + 3, processors, 1] {
        engine.set_threads(threads).expect("starts");
        let active = threads.min(processors);
        assert_eq!((engine.threads(), engine.active_threads()), (threads, active));
        let limits = [Limits::depth(5), Limits::nodes(5_000), Limits { mate: Some(1), ..Limits::depth(4) }];
        for limits in limits {
            engine.new_game().expect("idle");
            assert!(search(&mut engine, &board, limits).best.is_some());
            assert_eq!(engine.nodes_by_thread().len(), active);
            assert_eq!(engine.nodes_by_thread().iter().sum::<u64>(), engine.nodes());
            assert_eq!(engine.thread_start_times().len(), active);
        }
        for limits in [INFINITE, Limits { ponder: true, ..Limits::default() }] {
            let heard = start(&mut engine, &board, limits);
            engine.stop();
            assert!(finish(&engine, &board, heard).best.is_some());
        }
    }
    engine.set_threads(processors + 3).expect("starts");
    for (policy, active) in [(NumaPolicy::Off, processors + 3), (NumaPolicy::Auto, processors)] {
        engine.set_numa_policy(policy).expect("idle");
        assert_eq!((engine.threads(), engine.active_threads()), (processors + 3, active));
    }
}

#[test]
fn an_impossible_hash_changes_nothing() {
    let mut engine = engine(2);
    let board = board(KIWIPETE);
    for impossible in [0, 1 << 40, usize::MAX] {
        assert!(matches!(engine.set_hash(impossible), Err(EngineError::Hash(_))), "{impossible}");
        assert!(search(&mut engine, &board, Limits::depth(4)).best.is_some());
    }
    for megabytes in [1, 64, 3] {
        engine.set_hash(megabytes).expect("fits");
        assert!(search(&mut engine, &board, Limits::depth(4)).best.is_some());
    }
}

/// Nodes of each move of a game at 200+10, with 20 nodes a millisecond, both sides played by one engine with White's clock.
fn nodes_of_a_game(reported: impl Fn(u64) -> u64) -> Vec<u64> {
    let mut engine = engine(1);
    engine.options_mut().nodestime = NodeRate::new(20);
    let mut position = Board::start();
    (0..12)
        .map(|played| {
            let time = Some(Duration::from_millis(if played == 0 { 200 } else { reported(played) }));
            let increment = [Duration::from_millis(10); 2];
            engine.set_position(position.clone());
            let limits = Limits { time: [time; 2], increment, ..Limits::default() };
            let outcome = engine.search(limits).expect("idle");
            position.make_move(outcome.best.expect("a move"), &mut ());
            outcome.nodes
        })
        .collect()
}

#[test]
fn a_clock_that_counts_nodes_depends_on_nothing_else() {
    let game = nodes_of_a_game(|played| 200 - 5 * played);
    // Whatever the clock of the interface shows, and however busy the machine is.
    let over = AtomicBool::new(false);
    let again = std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let again = nodes_of_a_game(|played| 3_600_000 * played);
        over.store(true, Ordering::Relaxed);
        again
    });
    assert_eq!(game, again);
    // 4,000 nodes at the start and 200 a move are never exceeded.
    let spent: u64 = game.iter().sum();
    assert!((1000..4000 + 200 * game.len() as u64).contains(&spent), "{game:?}");
}

#[test]
fn a_new_game_begins_with_a_new_node_clock() {
    let mut engine = engine(1);
    engine.options_mut().nodestime = NodeRate::new(1);
    let limits = |time| Limits { time: [Some(Duration::from_millis(time)); 2], ..Limits::default() };
    let poor = engine.search(limits(200)).expect("idle").nodes;
    let still_poor = engine.search(limits(1_000_000)).expect("idle").nodes;
    engine.new_game().expect("idle");
    let rich = engine.search(limits(100_000)).expect("idle").nodes;
    assert!(poor <= FIRST_ITERATION_NODES && still_poor <= FIRST_ITERATION_NODES, "{poor} {still_poor}");
    assert!(rich > 1000, "{rich}");
}

#[test]
fn another_rate_begins_with_a_new_node_clock() {
    let limits = |time| Limits { time: [Some(Duration::from_millis(time)); 2], ..Limits::default() };
    for between in [NodeRate::new(2), None] {
        let mut engine = engine(1);
        let mut nodes = |rate, time| {
            engine.options_mut().nodestime = rate;
            engine.search(limits(time)).expect("idle").nodes
        };
        let poor = nodes(NodeRate::new(1), 200);
        assert!(poor <= FIRST_ITERATION_NODES, "{poor}");
        let (other, back) = (nodes(between, 50), nodes(NodeRate::new(1), 100_000));
        assert!(other > 0 && back > 1000, "{between:?}: {other}, then {back}");
    }
}

#[test]
fn a_time_for_the_move_is_counted_in_nodes_too() {
    for threads in [1, 3] {
        let mut engine = engine(threads);
        engine.options_mut().nodestime = NodeRate::new(100);
        let limits = Limits { move_time: Some(Duration::from_millis(210)), ..Limits::default() };
        // The overhead of 10 milliseconds is kept back.
        let nodes = engine.search(limits).expect("idle").nodes;
        assert!(nodes <= 20_000 && nodes > 5_000, "{threads}: {nodes}");
    }
}

#[test]
fn a_node_clock_is_charged_whatever_comes_between_two_searches() {
    type Change = fn(&mut Engine) -> Result<(), EngineError>;
    const BETWEEN: [Change; 5] = [
        |engine| engine.set_threads(1),
        |engine| engine.set_threads(2),
        |engine| engine.set_hash(2),
        |engine| engine.clear_hash(),
        |engine| engine.set_network(Arc::clone(engine.network())),
    ];
    for (index, between) in BETWEEN.iter().enumerate() {
        let mut engine = engine(1);
        engine.options_mut().nodestime = NodeRate::new(20);
        let time = [Some(Duration::from_millis(1000)); 2];
        let limits = Limits { time, moves_to_go: Some(1), ..Limits::default() };
        let first = engine.search(limits.clone()).expect("idle").nodes;
        between(&mut engine).expect("idle");
        let second = engine.search(limits).expect("idle").nodes;
        // A first iteration may be completed by nodes that the clock does not have.
        let spent = first + second.saturating_sub(FIRST_ITERATION_NODES);
        assert!(first > 10_000 && spent <= 20_000, "{index}: {first} {second}");
    }
}

#[test]
fn each_search_makes_what_the_last_one_stored_old() {
    let end: Board = board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
    let mut pooled = Engine::new(1, 1).expect("starts");
    pooled.set_network(material()).expect("idle");
    let mut search = |board: &Board, limits| {
        pooled.set_position(board.clone());
        pooled.search(limits).expect("idle").lines[0].hashfull
    };
    assert!(search(&Board::start(), Limits::nodes(100_000)) > 200);
    assert!(search(&end, Limits::depth(1)) < 10);
}
