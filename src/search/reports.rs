//! What a search reports to its listener, and the queue in which reports wait. The search itself never prints.

use std::sync::Arc;
use std::time::Duration;

use crate::types::{Bound, Depth, Move, Value};
use crate::util::sync::Mutex;

/// One principal variation with its score and statistics: what UCI's `info` reports.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// The nominal depth of the iteration, in plies.
    pub depth: Depth,
    /// The greatest distance from the root of a PV node in the search of this line, in plies.
    pub seldepth: usize,
    /// The rank of the line, from 1.
    pub multipv: usize,
    /// The score in centipawns for the side to move, mates counted down from `MATE`.
    pub score: Value,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// How full the transposition table is, per mille.
    pub hashfull: u32,
    /// Positions that were found in endgame tables, by all threads.
    pub tb_hits: u64,
    /// The principal variation, best move first.
    pub pv: Vec<Move>,
}

impl Info {
    /// Puts the line at its rank among others; it takes the place of all from that rank on, which are of an iteration before.
    pub fn put_into(&self, lines: &mut Vec<Info>) {
        lines.truncate(self.multipv.max(1) - 1);
        lines.push(self.clone());
    }
}

/// Receives the reports of a search. Each method does nothing unless it is implemented.
///
/// All calls come one at a time from the thread that watches the clock: a slow listener delays the best move.
pub trait Listener: Send + Sync {
    /// A principal variation is known.
    fn line(&self, _info: &Info) {}
    /// The search of a root move begins, the `number`th from 1, to this depth: that of the iteration, or up to three plies
    /// less after a fail-high of the root.
    fn current_move(&self, _depth: Depth, _m: Move, _number: usize) {}
    /// A free text, such as statistics that were asked for.
    fn note(&self, _text: &str) {}
    /// Something that the search wanted to use cannot be used, such as a damaged endgame table.
    fn warning(&self, _text: &str) {}
    /// The search has ended: exactly once a search, and the last call. No best move if there is no legal one.
    fn best_move(&self, _best: Option<Move>, _ponder: Option<Move>) {}
}

/// A listener that ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullListener;

impl Listener for NullListener {}

/// A report that waits for the coordinator.
#[derive(Debug)]
enum QueuedReport {
    Lines(Vec<Info>),
    CurrentMove(Depth, Move, usize),
}

/// The reports of one search on their way to the listener.
///
/// Search threads queue reports and the coordinator delivers them. A search thread that called the listener itself would
/// often lose its processor to the thread that this wakes, and with many threads get it back late, which would delay the
/// best move.
pub struct ReportQueue {
    queued: Mutex<Vec<QueuedReport>>,
    delivery: Mutex<Delivery>,
}

/// True of lines with the same rank, depth, score, bound, node count and moves.
fn is_same_line(a: &Info, b: &Info) -> bool {
    let key = |line: &Info| (line.depth, line.multipv, line.score, line.bound, line.nodes);
    key(a) == key(b) && a.pv == b.pv
}

/// The coordinator's end of the queue.
struct Delivery {
    /// None once the best move has been announced.
    listener: Option<Arc<dyn Listener>>,
    /// The last lines that were delivered, best first.
    last: Vec<Info>,
}

impl ReportQueue {
    /// An empty queue in front of a listener.
    pub fn new(listener: Arc<dyn Listener>) -> ReportQueue {
        ReportQueue {
            queued: Mutex::new(Vec::new()),
            delivery: Mutex::new(Delivery { listener: Some(listener), last: Vec::new() }),
        }
    }

    /// Queues principal variations, best first.
    pub fn queue_lines(&self, lines: &[Info]) {
        self.queued.lock().push(QueuedReport::Lines(lines.to_vec()));
    }

    /// Queues the report that the search of a root move begins, the `number`th from 1.
    pub fn queue_current_move(&self, depth: Depth, m: Move, number: usize) {
        self.queued.lock().push(QueuedReport::CurrentMove(depth, m, number));
    }

    /// Delivers what is queued, lines with this fill of the table (per mille). Nothing is delivered after the best move.
    pub fn deliver(&self, hashfull: u32) {
        let queued = std::mem::take(&mut *self.queued.lock());
        self.delivery.lock().deliver(queued, hashfull);
    }

    /// Delivers what is queued, the lines that the best move comes from unless they were the last report, notes, warnings,
    /// and the best move. Nothing is delivered after it.
    pub fn announce(
        &self,
        lines: &[Info],
        hashfull: u32,
        (notes, warnings): (&[String], &[String]),
        (best, ponder): (Option<Move>, Option<Move>),
    ) {
        let queued = std::mem::take(&mut *self.queued.lock());
        let mut delivery = self.delivery.lock();
        delivery.deliver(queued, hashfull);
        let is_last = lines.len() == delivery.last.len()
            && lines.iter().zip(&delivery.last).all(|(line, last)| is_same_line(line, last));
        if !is_last {
            delivery.deliver_lines(lines);
        }
        if let Some(listener) = delivery.listener.take() {
            notes.iter().for_each(|note| listener.note(note));
            warnings.iter().for_each(|warning| listener.warning(warning));
            listener.best_move(best, ponder);
        }
    }
}

impl Delivery {
    fn deliver(&mut self, queued: Vec<QueuedReport>, hashfull: u32) {
        for report in queued {
            match report {
                QueuedReport::Lines(mut lines) => {
                    for line in &mut lines {
                        line.hashfull = hashfull;
                    }
                    self.deliver_lines(&lines);
                }
                QueuedReport::CurrentMove(depth, m, number) => {
                    if let Some(listener) = &self.listener {
                        listener.current_move(depth, m, number);
                    }
                }
            }
        }
    }

    fn deliver_lines(&mut self, lines: &[Info]) {
        let Some(listener) = &self.listener else {
            return;
        };
        for line in lines {
            listener.line(line);
            line.put_into(&mut self.last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    const NO_MOVES: (Option<Move>, Option<Move>) = (None, None);
    const NO_TEXTS: (&[String], &[String]) = (&[], &[]);

    #[derive(Default)]
    struct Recorder(Mutex<Vec<String>>);

    impl Listener for Recorder {
        fn line(&self, info: &Info) {
            self.0.lock().push(format!("line {} full {}", info.multipv, info.hashfull));
        }

        fn current_move(&self, _depth: Depth, _m: Move, number: usize) {
            self.0.lock().push(format!("move {number}"));
        }

        fn note(&self, text: &str) {
            self.0.lock().push(format!("note {text}"));
        }

        fn warning(&self, text: &str) {
            self.0.lock().push(format!("warning {text}"));
        }

        fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
            self.0.lock().push(format!("best {}", best.is_some()));
        }
    }

    fn queue() -> (ReportQueue, Arc<Recorder>) {
        let recorder = Arc::new(Recorder::default());
        (ReportQueue::new(Arc::clone(&recorder) as Arc<dyn Listener>), recorder)
    }

    fn a_move() -> Move {
        Move::new(Square::A1, Square::B1, MoveKind::Quiet)
    }

    fn line(nodes: u64) -> Info {
        Info { multipv: 1, nodes, pv: vec![a_move()], ..Info::default() }
    }

    #[test]
    fn reports_wait_for_delivery_and_keep_their_order() {
        let (queue, recorder) = queue();
        queue.queue_lines(&[line(5)]);
        queue.queue_current_move(7, a_move(), 3);
        assert!(recorder.0.lock().is_empty());
        queue.deliver(12);
        assert_eq!(*recorder.0.lock(), ["line 1 full 12", "move 3"]);
    }

    #[test]
    fn nothing_is_delivered_after_the_best_move() {
        let (queue, recorder) = queue();
        queue.queue_lines(&[line(5)]);
        // The line that the move comes from is the last report: it is not repeated.
        let texts = ["text", "fault"].map(str::to_string);
        queue.announce(&[line(5)], 0, (&texts[..1], &texts[1..]), (Some(a_move()), None));
        queue.queue_lines(&[line(6)]);
        queue.queue_current_move(8, a_move(), 4);
        queue.deliver(0);
        queue.announce(&[], 0, NO_TEXTS, NO_MOVES);
        assert_eq!(*recorder.0.lock(), ["line 1 full 0", "note text", "warning fault", "best true"]);
    }

    #[test]
    fn lines_that_were_not_reported_come_before_the_best_move() {
        let (queue, recorder) = queue();
        queue.queue_lines(&[line(5)]);
        queue.announce(&[line(6), Info { multipv: 2, ..line(6) }], 1, NO_TEXTS, NO_MOVES);
        assert_eq!(*recorder.0.lock(), ["line 1 full 1", "line 1 full 0", "line 2 full 0", "best false"]);
    }

    #[test]
    fn lines_that_differ_anywhere_from_those_reported_come_before_the_best_move() {
        let second = |m: Move| Info { multipv: 2, pv: vec![m, a_move()], ..line(5) };
        let other_move = Move::new(Square::A1, Square::C1, MoveKind::Quiet);
        let reported = [line(5), second(a_move())];
        let announced = |lines: &[Info]| {
            let (queue, recorder) = queue();
            queue.queue_lines(&reported);
            queue.announce(lines, 0, NO_TEXTS, NO_MOVES);
            let delivered = recorder.0.lock().len() - 1;
            delivered - reported.len()
        };
        assert_eq!(announced(&reported), 0);
        for first in [
            Info { depth: 1, ..line(5) },
            Info { score: 1, ..line(5) },
            Info { bound: Bound::Lower, ..line(5) },
            Info { pv: vec![other_move], ..line(5) },
        ] {
            assert_eq!(announced(&[first, second(a_move())]), 2);
        }
        assert_eq!(announced(&[line(5), second(other_move)]), 2);
        assert_eq!(announced(&[line(5)]), 1);
    }
}
