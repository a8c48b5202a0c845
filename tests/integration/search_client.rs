//! An engine that is searched with, and a listener that checks what it hears.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use caesura::board::Board;
use caesura::board::notation::to_uci;
use caesura::clock::Limits;
use caesura::engine::{Engine, MATERIAL_NETWORK, Network, load_network};
use caesura::search::reports::{Info, Listener};
use caesura::single_threaded::SingleThreadedEngine;
use caesura::topology::NumaPolicy;
use caesura::types::{Bound, MATE, Move, is_mate};

/// A report of the engine.
#[derive(Debug)]
pub(crate) enum Event {
    Line(Info),
    BestMove(Option<Move>, Option<Move>),
}

/// Sends every report to the channel.
pub(crate) struct ChannelListener(pub(crate) Sender<Event>);

impl Listener for ChannelListener {
    fn line(&self, info: &Info) {
        self.0.send(Event::Line(info.clone())).expect("the test listens");
    }

    fn best_move(&self, best: Option<Move>, ponder: Option<Move>) {
        self.0.send(Event::BestMove(best, ponder)).expect("the test listens");
    }
}

/// All reports of one search.
pub(crate) struct SearchLog {
    pub(crate) lines: Vec<Info>,
    pub(crate) best: Option<Move>,
    pub(crate) ponder: Option<Move>,
}

impl SearchLog {
    /// The last report of the best line.
    pub(crate) fn last(&self) -> &Info {
        self.lines.iter().rev().find(|line| line.multipv == 1).expect("a line")
    }
}

/// The evaluation that counts material: what is searched does not change with the embedded network.
pub(crate) fn material() -> Arc<Network> {
    load_network(MATERIAL_NETWORK.as_ref()).expect("built in")
}

/// An engine without threads that counts material.
pub(crate) fn single_threaded_engine() -> SingleThreadedEngine {
    let mut engine = SingleThreadedEngine::new(2).expect("memory");
    engine.set_network(material());
    engine
}

/// An engine that counts material, whose threads all search, however few processors there are.
pub(crate) fn engine(threads: usize) -> Engine {
    let mut engine = Engine::new(threads, 16).expect("starts");
    engine.set_network(material()).expect("idle");
    engine.set_numa_policy(NumaPolicy::Off).expect("idle");
    assert_eq!((engine.threads(), engine.active_threads()), (threads, threads));
    engine
}

pub(crate) fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn start(engine: &mut Engine, board: &Board, limits: Limits) -> Receiver<Event> {
    let (sender, receiver) = channel();
    engine.set_position(board.clone());
    engine.go(limits, Arc::new(ChannelListener(sender))).expect("idle");
    receiver
}

/// Waits for the end, and checks that it comes once and that every line can be played.
pub(crate) fn finish(engine: &Engine, board: &Board, heard: Receiver<Event>) -> SearchLog {
    engine.wait();
    assert!(!engine.is_searching());
    let mut report = SearchLog { lines: Vec::new(), best: None, ponder: None };
    let mut answers = 0;
    for word in heard.try_iter() {
        assert_eq!(answers, 0, "{word:?} after the best move");
        match word {
            Event::Line(line) => report.lines.push(line),
            Event::BestMove(best, ponder) => {
                answers += 1;
                (report.best, report.ponder) = (best, ponder);
            }
        }
    }
    assert_eq!(answers, 1, "{board}");
    for line in &report.lines {
        check_line(board, line);
    }
    if let Some(best) = report.best {
        assert!(board.legal_moves().contains(&best), "{board}: {best:?}");
        if let Some(ponder) = report.ponder {
            let mut next = board.clone();
            next.make_move(best, &mut ());
            assert!(next.legal_moves().contains(&ponder), "{board}: {best:?} {ponder:?}");
        }
    } else {
        assert!(report.ponder.is_none() && board.legal_moves().is_empty(), "{board}");
    }
    report
}

pub(crate) fn search(engine: &mut Engine, board: &Board, limits: Limits) -> SearchLog {
    let heard = start(engine, board, limits);
    finish(engine, board, heard)
}

/// A line is legal from end to end, goes on after no draw, and if it mates, ends with the mate that its score says.
fn check_line(root: &Board, line: &Info) {
    let mut board = root.clone();
    let text: Vec<String> = line.pv.iter().map(|&m| to_uci(m, false).to_string()).collect();
    let place =
        format!("{root}: depth {} score {} {:?}: {}", line.depth, line.score, line.bound, text.join(" "));
    for (ply, &m) in line.pv.iter().enumerate() {
        assert!(board.legal_moves().contains(&m), "{place}: {m:?} is illegal");
        assert!(ply == 0 || !board.is_draw(ply), "{place}: goes on after a draw at ply {ply}");
        board.make_move(m, &mut ());
    }
    assert!(line.score.abs() <= MATE, "{place}");
    if is_mate(line.score) && line.bound == Bound::Exact {
        assert_eq!(line.pv.len() as i32, MATE - line.score.abs(), "{place}: the length of the mate");
        assert!(board.in_check() && board.legal_moves().is_empty(), "{place}: no mate at the end");
    }
}
