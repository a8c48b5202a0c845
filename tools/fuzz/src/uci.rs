//! Whole UCI sessions.

use std::io::{self, Cursor, Write};
use std::sync::Arc;

use caesura::board::Board;
use caesura::board::notation::parse_uci;
use caesura::uci::command::{self, Command};
use caesura::uci::input::{self, Input};
use caesura::uci::position_command::board_after;
use caesura::uci::{Output, Session, StateChange, StateObserver, options};
use parking_lot::Mutex;

/// Lines of a session; more are not read.
const MAX_LINES: usize = 40;
/// Nodes of a search.
const NODES: u64 = 200;
/// The most megabytes and threads that an input can ask for.
const MAX_SIZE: u64 = 2;
/// The most bytes of an answer's line. The longest is a principal variation.
const MAX_ANSWER_BYTES: usize = 4000;

/// Whatever the lines are, the session ends; each `go` that is accepted is answered by one legal move, each `isready` and
/// `uci` by one answer, and no line of the output is long or holds what a terminal would obey.
///
/// Searches end after a few nodes. Lines that would reach for files, or keep the machine busy by right, are left out.
pub fn check(input: &[u8]) {
    let lines = lines(input);
    let text = Arc::new(Mutex::new(Vec::new()));
    let output = Arc::new(Output::new(Screen(Arc::clone(&text)), |_| ()));
    let session = Session::new(output).expect("a small engine");
    let mut session = session.observed_by(Arc::new(Observer));
    let script: Vec<u8> = lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect();
    session.run(Cursor::new(script)).expect("memory can be read");
    drop(session);
    let text = String::from_utf8(std::mem::take(&mut *text.lock())).expect("answers are UTF-8");
    check_answers(&lines, &text);
}

fn check_answers(lines: &[Vec<u8>], text: &str) {
    for answer in text.lines() {
        assert!(answer.len() <= MAX_ANSWER_BYTES, "{} bytes: {answer}", answer.len());
        assert!(!answer.contains(char::is_control), "{answer:?}");
    }
    // What comes behind `quit` is not executed.
    let parsed = || {
        let texts = lines.iter().filter_map(|line| str::from_utf8(line).ok());
        texts.filter_map(|text| command::parse(text).ok()).take_while(|command| *command != Command::Quit)
    };
    let commands = |wanted: fn(&Command<'_>) -> bool| parsed().filter(wanted).count();
    let count = |start: &str| text.lines().filter(|answer| answer.starts_with(start)).count();
    assert_eq!(count("readyok"), commands(|command| *command == Command::IsReady));
    assert_eq!(count("uciok"), commands(|command| matches!(command, Command::Uci { .. })));
    let searches = commands(|command| matches!(command, Command::Go(_)));
    let refused = count("info string 'go' ignored");
    let answers: Vec<&str> = text.lines().filter_map(|answer| answer.strip_prefix("bestmove ")).collect();
    assert_eq!(answers.len(), searches - refused, "{text}");
    if refused > 0 {
        // Which were refused depends on time.
        return;
    }
    let shown: Vec<Board> = text
        .lines()
        .filter_map(|answer| answer.strip_prefix("Fen: "))
        .map(|fen| fen.parse().expect(fen))
        .collect();
    let mut displays = 0;
    let mut answers = answers.into_iter();
    for command in parsed() {
        match command {
            Command::Display => displays += 1,
            Command::Go(_) => {
                let (answer, board) = (answers.next().expect("an answer"), &shown[displays - 1]);
                assert!(is_answer(answer, board), "{answer} in {board}");
            }
            _ => {}
        }
    }
}

/// True if this is what stands behind `bestmove` after a search of the position.
fn is_answer(answer: &str, board: &Board) -> bool {
    let best = answer.split(' ').next().unwrap_or_default();
    match parse_uci(board, best) {
        Some(m) => board.is_legal(m),
        None => best == "(none)" && board.legal_moves().is_empty(),
    }
}

/// The lines of an input that are tried: searches with a limit, and in front of each of them `d`, which shows its position.
fn lines(mut input: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    let mut buffer = Vec::new();
    while lines.len() < MAX_LINES {
        match input::read_line(&mut input, &mut buffer).expect("memory can be read") {
            Input::End => break,
            Input::Text(text) => {
                if let Some(line) = limited(text) {
                    if matches!(command::parse(&line), Ok(Command::Go(_))) {
                        lines.push(b"d".to_vec());
                    }
                    lines.push(line.into_bytes());
                }
            }
            Input::NotText | Input::TooLong => lines.push(buffer.clone()),
        }
    }
    lines
}

/// A line that may be executed; `None` if it would take long, or write or read a file.
fn limited(line: &str) -> Option<String> {
    match command::parse(line) {
        Ok(Command::Bench(_) | Command::Speedtest(..) | Command::GenFens(_) | Command::ExportNetwork(_)) => {
            None
        }
        Ok(Command::Perft(depth)) if depth > 2 => None,
        Ok(Command::Go(_)) => Some(format!("{line} nodes {NODES}")),
        Ok(Command::SetOption { name, value }) => {
            let is_harmless = options::find(&name).is_none_or(|option| match option.name {
                "Debug Log File" | "EvalFile" | "SyzygyPath" => value.is_none(),
                "Hash" | "Threads" => {
                    value.and_then(|value| value.parse().ok()).is_none_or(|value: u64| value <= MAX_SIZE)
                }
                _ => true,
            });
            is_harmless.then(|| line.to_string())
        }
        _ => Some(line.to_string()),
    }
}

/// Checks that what is told of a new position can be understood.
struct Observer;

impl StateObserver for Observer {
    fn state_changed(&self, change: StateChange<'_>) {
        let StateChange::Position(line) = change else { return };
        let Ok(Command::Position { fen, moves }) = command::parse(line) else {
            panic!("no position: {line}")
        };
        // Moves may be written in either way, whatever the option says now.
        let is_accepted = |chess960| board_after(fen.as_deref(), &moves, chess960).is_ok();
        assert!([false, true].into_iter().any(is_accepted), "{line}");
    }
}

/// Keeps what is written.
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
