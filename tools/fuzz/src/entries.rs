//! Table entries that other machines send.

use std::sync::Arc;

use caesura::board::Board;
use caesura::engine::{Engine, Info, Limits, Listener, NoSearchObserver, SharedEntry};
use caesura::types::Move;
use parking_lot::Mutex;

use crate::bytes;
use crate::network::MATERIAL;

/// Nodes of a search.
const NODES: u64 = 400;
/// Bytes of an entry: two that choose its position, and its word.
const ENTRY_BYTES: usize = 10;

/// Keeps what a search reports.
#[derive(Default)]
struct Reports(Mutex<(Vec<Info>, Option<Move>)>);

impl Listener for Reports {
    fn line(&self, info: &Info) {
        self.0.lock().0.push(info.clone());
    }

    fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
        self.0.lock().1 = best;
    }
}

/// The first line is a position; entries follow, each for it or a position at most two moves from it.
///
/// Whatever they say, a search that finds them ends, and its lines and its move are legal.
pub fn check(data: &[u8]) {
    let (text, data) = bytes::line(data);
    let Ok(board) = text.parse::<Board>() else { return };
    let mut engine = Engine::new(1, 1).expect("memory and a thread");
    engine.set_network(Arc::clone(&MATERIAL)).expect("idle");
    engine.set_position(board.clone());
    let shared = engine.share_searches(Arc::new(NoSearchObserver));
    let mut search = |nodes| {
        let reports = Arc::new(Reports::default());
        let limits = Limits::nodes(nodes);
        engine.go(limits, Arc::clone(&reports) as _).expect("idle");
        engine.wait();
        is_legal(&board, &reports);
    };
    // Entries are taken in by a search.
    search(1);
    shared.store(data.chunks_exact(ENTRY_BYTES).map(|bytes| entry(&board, bytes)));
    search(NODES);
}

fn entry(board: &Board, bytes: &[u8]) -> SharedEntry {
    let (choices, word) = bytes.split_at(2);
    let mut board = board.clone();
    for &choice in choices {
        let moves = board.legal_moves();
        if let Some(&m) = moves.get(usize::from(choice) % (moves.len() + 1)) {
            board.make_move(m, &mut ());
        }
    }
    let word = word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    SharedEntry { key: board.key(), word }
}

fn is_legal(board: &Board, reports: &Reports) {
    let (lines, best) = &*reports.0.lock();
    assert_eq!(best.is_none(), board.legal_moves().is_empty(), "{board}");
    assert!(best.is_none_or(|best| board.is_legal(best)), "{board}");
    for line in lines {
        let mut board = board.clone();
        for &m in &line.pv {
            assert!(board.is_legal(m), "{board} {:?}", line.pv);
            board.make_move(m, &mut ());
        }
    }
}
