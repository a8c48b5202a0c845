//! The lines of a session, and what interrupts a command that keeps the session busy.
//!
//! The session reads its input itself, since any other way would delay a `stop`. A few commands keep it from reading, such
//! as `perft`, `bench` and a `go` that waits for another: from the first of them on, a thread of its own reads ahead and
//! notices `stop`, `quit` and the end of the input.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, bounded, unbounded};
use parking_lot::{Condvar, Mutex};

use super::command::{self, Command};
use super::input::{self, Input};

/// Once the lines that were read ahead take more bytes than this, no further one is read, and what keeps the session busy ends:
/// a `stop` behind them would not be noticed.
const BYTES_AHEAD: usize = 16 << 20;
/// A line that comes within this time of the line before it, or of the command that keeps the session busy, belongs to the same
/// script.
const SAME_SCRIPT: Duration = Duration::from_millis(100);
/// A line that is read within this time was there already.
const NO_WAIT: Duration = Duration::from_millis(1);
/// How long a command that may take for ever goes on after a `quit` or an end of the input of the same script, so that
/// `echo perft 5 | caesura` shows a result.
pub(super) const SCRIPT_TIMEOUT: Duration = Duration::from_secs(10);

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The text of a line.
    Text(String),
    /// A line that is not UTF-8: its text, with U+FFFD for what is none.
    NotText(String),
    /// A line that is too long; it was skipped.
    TooLong,
    /// The end of the input.
    End,
}

impl Line {
    /// The memory that the line takes, in bytes.
    fn bytes(&self) -> usize {
        let text = match self {
            Line::Text(text) | Line::NotText(text) => text.len(),
            Line::TooLong | Line::End => 0,
        };
        size_of::<Line>() + text
    }
}

/// A line that was read ahead and begins or ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Go,
    Stop,
}

/// What the lines that were read ahead say about the command that is being executed.
///
/// Lines that come together are a script, whose commands are executed in their order. A `stop`, a `quit` or an end of the input
/// that comes later than a script is meant for all that is left of it.
#[derive(Debug, Default)]
pub(super) struct Interrupt {
    /// The `go`s and `stop`s that have been read and not been returned yet, in their order, each with its script.
    marks: Mutex<VecDeque<(Mark, u64)>>,
    /// When a `quit` or the end of the input was read, and its script.
    closing: Mutex<Option<(Instant, u64)>>,
    /// The script of the line that is being executed; scripts are counted in the order in which they come.
    executed: AtomicU64,
    /// The bytes of the lines that have been read and not been returned yet.
    ahead: Mutex<usize>,
    /// Some of them have been returned.
    returned: Condvar,
}

impl Interrupt {
    /// True if a command that began at `start` should end: at a `stop`, unless a `go` of the same script comes before it, which
    /// it is meant for, if the session closes as [`Interrupt::is_closing`] says, or if no further line is read until it ends.
    pub(super) fn is_due(&self, start: Instant, timeout: Duration) -> bool {
        let is_full = *self.ahead.lock() > BYTES_AHEAD;
        is_full || self.is_stopped() || self.is_closing(start, timeout)
    }

    fn is_stopped(&self) -> bool {
        let (marks, executed) = (self.marks.lock(), self.executed.load(Ordering::Relaxed));
        let is_late = |&(mark, script): &(Mark, u64)| mark == Mark::Stop && script > executed;
        marks.front().is_some_and(|&(mark, _)| mark == Mark::Stop) || marks.iter().any(is_late)
    }

    /// True from a `quit` or the end of the input on that came while a command was being executed that began at `start`, or
    /// later than the script of the command; if it came together with the command, once that has taken `timeout` since then.
    pub(super) fn is_closing(&self, start: Instant, timeout: Duration) -> bool {
        self.is_closing_at(start, timeout, Instant::now())
    }

    fn is_closing_at(&self, start: Instant, timeout: Duration, now: Instant) -> bool {
        self.closing.lock().is_some_and(|(closing, script)| {
            let is_late = closing > start + SAME_SCRIPT || script > self.executed.load(Ordering::Relaxed);
            is_late || now.saturating_duration_since(closing.max(start)) >= timeout
        })
    }

    /// Waits until there is room for a further line.
    fn wait_for_room(&self) {
        self.returned.wait_while(&mut self.ahead.lock(), |ahead| *ahead > BYTES_AHEAD);
    }

    /// Takes in a line of a script that was read at `time`.
    fn on_line_read(&self, line: &Line, script: u64, time: Instant) {
        *self.ahead.lock() += line.bytes();
        match line {
            Line::End => self.close(script, time),
            Line::Text(text) if command::parse(text) == Ok(Command::Quit) => self.close(script, time),
            _ => self.marks.lock().extend(mark(line).map(|mark| (mark, script))),
        }
    }

    fn close(&self, script: u64, time: Instant) {
        self.closing.lock().get_or_insert((time, script));
    }

    /// Takes in that a line of a script is executed next.
    fn on_line_executed(&self, line: &Line, script: u64) {
        self.executed.store(script, Ordering::Relaxed);
        let mut ahead = self.ahead.lock();
        *ahead = ahead.saturating_sub(line.bytes());
        self.returned.notify_one();
        drop(ahead);
        if mark(line).is_some() {
            self.marks.lock().pop_front();
        }
    }
}

/// What a line does to searches, if it begins or ends one.
fn mark(line: &Line) -> Option<Mark> {
    let Line::Text(text) = line else { return None };
    match command::parse(text) {
        Ok(Command::Go(_)) => Some(Mark::Go),
        Ok(Command::Stop) => Some(Mark::Stop),
        _ => None,
    }
}

/// Where lines come from.
enum Source<R> {
    /// A reader, which is read when a line is asked for.
    Reader(R),
    /// A thread that reads ahead: lines, each with its script.
    Thread(Receiver<(io::Result<Line>, u64)>),
}

/// The lines of an input.
pub(super) struct Lines<R> {
    /// The source of the lines; `None` only while it changes.
    source: Option<Source<R>>,
    interrupt: Arc<Interrupt>,
}

impl<R: BufRead + Send + 'static> Lines<R> {
    /// The lines of `reader`, which report to `interrupt` once they are read ahead.
    pub(super) fn new(reader: R, interrupt: Arc<Interrupt>) -> Lines<R> {
        Lines { source: Some(Source::Reader(reader)), interrupt }
    }

    /// The next line.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Line> {
        match &mut self.source {
            Some(Source::Reader(reader)) => read(reader),
            Some(Source::Thread(lines)) => {
                let (line, script) = lines.recv().unwrap_or((Ok(Line::End), u64::MAX));
                self.interrupt.on_line_executed(line.as_ref().unwrap_or(&Line::End), script);
                line
            }
            None => Ok(Line::End),
        }
    }

    /// Has a thread read ahead from now on. If the system refuses it, lines are read when they are asked for, as before. What that
    /// thread finds without waiting was there already when this was called, however late the system lets it run.
    pub(super) fn read_ahead(&mut self) {
        let called = Instant::now();
        match self.source.take() {
            Some(Source::Reader(reader)) => {
                let (sender, lines) = unbounded();
                let (hand_over, handed_over) = bounded(1);
                let interrupt = Arc::clone(&self.interrupt);
                let work = move || {
                    // The reader comes once the thread has been started: with one that is refused it would be lost.
                    let Ok(mut reader) = handed_over.recv() else { return };
                    let (mut was_there, mut script) = (true, 0);
                    loop {
                        interrupt.wait_for_room();
                        let asked = Instant::now();
                        let line = read(&mut reader);
                        let time = Instant::now();
                        was_there &= time - asked < NO_WAIT;
                        script += u64::from(time - asked > SAME_SCRIPT);
                        // An input that cannot be read has ended.
                        let seen = line.as_ref().unwrap_or(&Line::End);
                        interrupt.on_line_read(seen, script, if was_there { called } else { time });
                        let end = *seen == Line::End;
                        if sender.send((line, script)).is_err() || end {
                            break;
                        }
                    }
                };
                // It is not waited for: it may be waiting for input when the session ends.
                let thread = std::thread::Builder::new().name("input".into()).spawn(work);
                self.source = match thread {
                    Ok(_) => {
                        // It waits for nothing else.
                        let _ = hand_over.send(reader);
                        Some(Source::Thread(lines))
                    }
                    Err(_) => Some(Source::Reader(reader)),
                };
            }
            other => self.source = other,
        }
    }
}

fn read(reader: &mut impl BufRead) -> io::Result<Line> {
    let mut buffer = Vec::new();
    Ok(match input::read_line(reader, &mut buffer)? {
        Input::Text(text) => Line::Text(text.to_string()),
        Input::NotText => Line::NotText(String::from_utf8_lossy(&buffer).into_owned()),
        Input::TooLong => Line::TooLong,
        Input::End => Line::End,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_the_same_when_they_are_read_ahead() {
        let lines = |ahead: usize| {
            let mut lines = Lines::new(&b"uci\n\xFF\nstop\n\nquit"[..], Arc::default());
            let mut all = Vec::new();
            while all.last() != Some(&Line::End) {
                if all.len() == ahead {
                    lines.read_ahead();
                }
                all.push(lines.next().expect("memory can be read"));
            }
            all
        };
        let text = |text: &str| Line::Text(text.to_string());
        let not_text = Line::NotText("\u{FFFD}".to_string());
        let expected = [text("uci"), not_text, text("stop"), text(""), text("quit"), Line::End];
        for ahead in [0, 1, 3, 99] {
            assert_eq!(lines(ahead), expected);
        }
    }

    /// An input that fails.
    struct Broken;

    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::IsADirectory.into())
        }
    }

    #[test]
    fn an_input_that_cannot_be_read_is_an_error_and_ends_what_is_executed() {
        for ahead in [false, true] {
            let (interrupt, input) = (Arc::default(), io::Read::chain(&b"uci\n"[..], Broken));
            let mut lines = Lines::new(io::BufReader::new(input), Arc::clone(&interrupt));
            if ahead {
                lines.read_ahead();
            }
            assert_eq!(lines.next().expect("a line"), Line::Text("uci".to_string()));
            assert_eq!(lines.next().expect_err("an error").kind(), io::ErrorKind::IsADirectory);
            let start = Instant::now();
            assert_eq!(interrupt.is_closing(start, Duration::ZERO), ahead);
        }
    }

    #[test]
    fn a_stop_is_noticed_behind_many_lines_and_where_there_is_no_room_for_it() {
        let interrupt = Interrupt::default();
        let start = Instant::now();
        (0..100_000).for_each(|_| interrupt.on_line_read(&Line::Text("isready".to_string()), 0, start));
        assert!(!interrupt.is_due(start, SCRIPT_TIMEOUT));
        interrupt.on_line_read(&Line::Text("stop".to_string()), 0, start);
        assert!(interrupt.is_due(start, SCRIPT_TIMEOUT));

        let (interrupt, long) = (Arc::new(Interrupt::default()), Line::Text("x".repeat(BYTES_AHEAD / 2)));
        interrupt.on_line_read(&long, 0, start);
        assert!(!interrupt.is_due(start, SCRIPT_TIMEOUT));
        interrupt.wait_for_room();
        interrupt.on_line_read(&long, 0, start);
        assert!(interrupt.is_due(start, SCRIPT_TIMEOUT) && !interrupt.is_closing(start, SCRIPT_TIMEOUT));
        let waiting = Arc::clone(&interrupt);
        let reader = std::thread::spawn(move || waiting.wait_for_room());
        interrupt.on_line_executed(&long, 0);
        assert!(!interrupt.is_due(start, SCRIPT_TIMEOUT));
        reader.join().expect("there is room");
    }

    #[test]
    fn a_stop_interrupts_until_it_is_executed() {
        let interrupt = Interrupt::default();
        let (start, stop) = (Instant::now(), Line::Text("stop".to_string()));
        interrupt.on_line_read(&Line::Text("isready".to_string()), 0, start);
        assert!(!interrupt.is_due(start, SCRIPT_TIMEOUT));
        interrupt.on_line_read(&stop, 0, start);
        assert!(interrupt.is_due(start, SCRIPT_TIMEOUT) && !interrupt.is_closing(start, SCRIPT_TIMEOUT));
        interrupt.on_line_executed(&stop, 0);
        assert!(!interrupt.is_due(start, SCRIPT_TIMEOUT));
    }

    #[test]
    fn a_stop_behind_a_go_interrupts_only_from_that_go_on() {
        let (interrupt, start) = (Interrupt::default(), Instant::now());
        let lines = [
            "position startpos",
            "go infinite",
            "stop",
            "stop",
            "go perft 9",
            "go nodes 1",
            "stop",
            "isready",
        ]
        .map(|text| Line::Text(text.to_string()));
        lines.iter().for_each(|line| interrupt.on_line_read(line, 0, start));
        let is_due_after = |line| {
            interrupt.on_line_executed(line, 0);
            interrupt.is_due(start, SCRIPT_TIMEOUT)
        };
        let due: Vec<bool> = lines.iter().map(is_due_after).collect();
        assert_eq!(due, [false, true, true, false, false, true, false, false]);
    }

    #[test]
    fn a_stop_that_comes_later_interrupts_all_that_was_read_before_it() {
        let (interrupt, start) = (Interrupt::default(), Instant::now());
        let lines =
            ["go infinite", "stop", "go depth 200", "wait", "go depth 200", "wait", "stop", "perft 9"]
                .map(|text| Line::Text(text.to_string()));
        let scripts = [0, 0, 0, 0, 0, 0, 1, 1];
        let due_after = || {
            lines.iter().zip(scripts).map(|(line, script)| {
                interrupt.on_line_executed(line, script);
                interrupt.is_due(start, Duration::MAX)
            })
        };
        lines
            .iter()
            .zip(scripts)
            .take(6)
            .for_each(|(line, script)| interrupt.on_line_read(line, script, start));
        assert!(!interrupt.is_due(start, Duration::MAX));
        lines
            .iter()
            .zip(scripts)
            .skip(6)
            .for_each(|(line, script)| interrupt.on_line_read(line, script, start));
        assert!(interrupt.is_due(start, Duration::MAX));
        let due: Vec<bool> = due_after().collect();
        assert_eq!(due, [true, true, true, true, true, true, false, false]);
    }

    #[test]
    fn the_end_of_a_script_leaves_time_and_a_late_one_does_not() {
        let start = Instant::now();
        for line in [Line::End, Line::Text("quit".to_string())] {
            let (script, late) = (Interrupt::default(), Interrupt::default());
            script.on_line_read(&line, 0, start);
            assert!(!script.is_closing_at(start, SCRIPT_TIMEOUT, start + SCRIPT_TIMEOUT / 2));
            assert!(script.is_closing_at(start, SCRIPT_TIMEOUT, start + SCRIPT_TIMEOUT));
            assert!(!script.is_closing_at(start, Duration::MAX, start + SCRIPT_TIMEOUT));
            // A later command of the script has its own time.
            let second = start + 2 * SCRIPT_TIMEOUT;
            assert!(!script.is_closing_at(second, SCRIPT_TIMEOUT, second + SCRIPT_TIMEOUT / 2));
            assert!(script.is_closing_at(second, SCRIPT_TIMEOUT, second + SCRIPT_TIMEOUT));
            let time = start + 2 * SAME_SCRIPT;
            late.on_line_read(&line, 0, time);
            assert!(late.is_closing_at(start, Duration::MAX, time));
            // Later than the script of a command that has not begun yet.
            let late = Interrupt::default();
            late.on_line_read(&line, 1, start);
            assert!(late.is_closing_at(second, Duration::MAX, second));
            late.on_line_executed(&Line::Text("perft 9".to_string()), 1);
            assert!(!late.is_closing_at(second, SCRIPT_TIMEOUT, second));
        }
    }
}
