//! Searches that are shared with other machines: what goes out, and that what comes in is used, counted, and never
//! trusted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use caesura::board::{Board, notation};
use caesura::engine::{
    Engine, Info, Limits, Listener, Others, SearchObserver, SharedEntry, SharedResult, SharedSearch, SplitMix,
};
use caesura::types::Move;
use parking_lot::Mutex;

use crate::search_client::material;

/// What has not come after this long does not come.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Counts starts and ends.
#[derive(Default)]
struct Counter([AtomicUsize; 2]);

impl SearchObserver for Counter {
    fn search_started(&self) {
        self.0[0].fetch_add(1, SeqCst);
    }

    fn search_ended(&self) {
        self.0[1].fetch_add(1, SeqCst);
    }
}

/// Keeps the last line and the best move.
#[derive(Default)]
struct Last(Mutex<(Option<Info>, Option<Move>)>);

impl Listener for Last {
    fn line(&self, info: &Info) {
        self.0.lock().0 = Some(info.clone());
    }

    fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
        self.0.lock().1 = best;
    }
}

fn engine() -> (Engine, SharedSearch, Arc<Counter>) {
    let mut engine = Engine::new(1, 1).expect("memory and a thread");
    engine.set_network(material()).expect("idle");
    let counter = Arc::new(Counter::default());
    let shared = engine.share_searches(Arc::clone(&counter) as _);
    (engine, shared, counter)
}

fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < TIMEOUT, "it does not come");
        thread::yield_now();
    }
}

/// The best move and the last line of a search into which others speak once it has found something itself.
fn search_with(others: Others) -> (Option<Move>, Info) {
    search_with_those_of(Board::start().key(), others)
}

/// The best move and the last line of a search, where the others have searched the position of this key.
fn search_with_those_of(key: u64, others: Others) -> (Option<Move>, Info) {
    let (mut engine, shared, _) = engine();
    let last = Arc::new(Last::default());
    engine.go(Limits { infinite: true, ..Limits::default() }, Arc::clone(&last) as _).expect("idle");
    wait_for(|| shared.result());
    shared.set_others(key, others);
    engine.stop();
    engine.wait();
    let (line, best) = std::mem::take(&mut *last.0.lock());
    (best, line.expect("a line"))
}

fn result(depth: i32, moves: &str) -> SharedResult {
    let mut board = Board::start();
    let play = |text| {
        let m = notation::parse_uci(&board, text).expect("legal");
        board.make_move(m, &mut ());
        m
    };
    SharedResult { depth, score: 30, pv: moves.split(' ').map(play).collect() }
}

#[test]
fn a_deeper_result_of_another_machine_wins_the_vote() {
    let deep = result(200, "a2a4 h7h5 b2b4");
    let results = vec![deep.clone(), result(1, "h2h3")];
    let (best, line) = search_with(Others { nodes: 1 << 40, tb_hits: 7, results });
    assert_eq!(best, Some(deep.pv[0]));
    assert_eq!((line.depth, line.score, line.pv, line.tb_hits), (200, 30, deep.pv, 7));
    assert!(line.nodes > 1 << 40);
}

#[test]
fn a_result_for_another_position_has_no_vote() {
    let others = Others { nodes: 1 << 40, tb_hits: 7, results: vec![result(200, "a2a4")] };
    let (_, line) = search_with_those_of(Board::start().key() + 1, others);
    assert!(line.depth < 200 && line.nodes < 1 << 40 && line.tb_hits == 0);
}

#[test]
fn a_result_that_is_not_legal_has_no_vote() {
    let illegal = SharedResult { pv: result(200, "e2e4 e7e5").pv.split_off(1), ..result(200, "e2e4") };
    let (best, line) = search_with(Others { results: vec![illegal.clone()], ..Others::default() });
    assert!(best.is_some() && best != Some(illegal.pv[0]));
    assert!(line.depth < 200);
}

#[test]
fn entries_of_one_table_are_found_in_another() {
    let (mut engine, shared, counter) = engine();
    engine.go(Limits { infinite: true, ..Limits::default() }, Arc::new(Last::default())).expect("idle");
    let entry = wait_for(|| shared.take_entries(1).pop());
    assert!(entry.unpack().is_some_and(|entry| entry.depth >= 4), "{entry:?}");
    assert_eq!(shared.store([entry, SharedEntry { key: 1, word: 0 }]), 1, "one was refused");
    engine.stop();
    engine.wait();
    // The table can change its size although the search is still looked at.
    engine.set_hash(2).expect("idle");
    assert_eq!((shared.counts(), shared.result()), ((0, 0), None));
    assert_eq!(counter.0.each_ref().map(|count| count.load(SeqCst)), [1, 1]);
}

#[test]
fn a_table_full_of_lies_does_no_harm() {
    let (mut engine, shared, _) = engine();
    let mut keys = vec![Board::start().key()];
    for first in Board::start().legal_moves() {
        let mut board = Board::start();
        board.make_move(first, &mut ());
        keys.push(board.key());
        for second in board.legal_moves() {
            board.make_move(second, &mut ());
            keys.push(board.key());
            for third in board.legal_moves() {
                keys.push(board.key_after(third));
            }
            board.unmake_move(second, &mut ());
        }
    }
    let mut random = SplitMix(5);
    for _ in 0..20 {
        engine.new_game().expect("idle");
        let last = Arc::new(Last::default());
        let limits = Limits::nodes(20_000);
        engine.go(limits, Arc::clone(&last) as _).expect("idle");
        shared.store(keys.iter().map(|&key| SharedEntry { key, word: random.next() }));
        engine.wait();
        let best = last.0.lock().1;
        assert!(best.is_some_and(|m| Board::start().is_legal(m)), "{best:?}");
    }
}
