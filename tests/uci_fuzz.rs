//! The whole UCI loop under nonsense: random bytes, commands with words lost, doubled, swapped and spoilt, and
//! sound commands in any order. It must not panic or hang, and answer every accepted `go` exactly once.
//!
//! Runs a few seconds; `CAESURA_FUZZ_SECONDS=60` makes it a minute, `CAESURA_FUZZ_SEED=n` repeats one script.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use caesura::uci::command::{self, Command};
use caesura::uci::{Output, Session};
use caesura::util::random::SplitMix;

/// A session that has not ended after this time is taken to hang.
const TIMEOUT: Duration = Duration::from_secs(60);

const COMMANDS: &[&str] = &[
    "uci",
    "uci experiments",
    "help",
    "license",
    "compiler",
    "flip",
    "# go infinite",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "debug on",
    "register later",
    "perft 2",
    "go perft 1",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 99 5000 moves e8g8 e1c1",
    "position fen nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RKNBBQNR w HAgb - 0 1",
    "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 8/PPk5/8/8/8/8/4Kppp/8 w - - 0 1 moves a7a8q",
    "position fen QQQQQQQk/8/8/8/8/8/8/KQQQQQQQ b - - 0 1",
    "go",
    "go infinite",
    "go ponder",
    "go depth 3",
    "go depth 1 infinite",
    "go nodes 500",
    "go movetime 2",
    "go mate 2 depth 4",
    "go wtime 20 btime 20 winc 1 binc 1",
    "go wtime -5 btime 0 movestogo 1",
    "go ponder wtime 20 btime 20",
    "go depth 2 searchmoves e2e4 d2d4 e1g1",
    "setoption name Hash value 1",
    "setoption name Hash value 3",
    "setoption name Clear Hash",
    "setoption name Threads value 1",
    "setoption name Threads value 3",
    "setoption name NumaPolicy value none",
    "setoption name NumaPolicy value auto",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 200",
    "setoption name Ponder value true",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_ShowWDL value true",
    "setoption name Move Overhead value 0",
    "setoption name nodestime value 1",
    "setoption name Pin value on",
    "setoption name Pin value off",
    "setoption name Minimal value true",
    "setoption name Minimal value false",
    "setoption name NullMove value off",
    "setoption name NullMove value extended",
    "setoption name NullMove value verified",
    "setoption name NullMove value variable",
    "setoption name NullMoveQuiescence value true",
    "setoption name NullMoveQuiescence value false",
    "setoption name NullMoveCounts value true",
];

const WORDS: &[&str] = &[
    "go",
    "depth",
    "nodes",
    "wtime",
    "btime",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "moves",
    "fen",
    "startpos",
    "name",
    "value",
    "setoption",
    "position",
    "-1",
    "0",
    "1",
    "99999999999999999999",
    "e2e4",
    "e1g1",
    "e7e8q",
    "a1a1",
    "-",
    "w",
    "KQkq",
    "8/8/8/8/8/8/8/8",
    "true",
    "Hash",
    "\u{0}",
    "\u{FFFD}é",
    "perft",
];

fn line(random: &mut SplitMix) -> Vec<u8> {
    if random.below(12) == 0 {
        let length = random.below(40);
        return (0..length).map(|_| random.next() as u8).filter(|&byte| byte != b'\n').collect();
    }
    let command = *random.pick(COMMANDS);
    if random.below(3) != 0 {
        return command.as_bytes().to_vec();
    }
    let mut words: Vec<&str> = command.split(' ').collect();
    for _ in 0..=random.below(3) {
        let place = random.below(words.len());
        match random.below(5) {
            0 if words.len() > 1 => drop(words.remove(place)),
            1 => words.insert(place, *random.pick(WORDS)),
            2 => words[place] = *random.pick(WORDS),
            3 => words.insert(place, words[place]),
            _ => {
                let other = random.below(words.len());
                words.swap(place, other);
            }
        }
    }
    let mut bytes = words.join(*random.pick(&[" ", " ", " ", "  ", "\t"])).into_bytes();
    if random.below(3) == 0 && !bytes.is_empty() {
        let place = random.below(bytes.len());
        bytes[place] = random.next() as u8;
        bytes.retain(|&byte| byte != b'\n');
    }
    bytes
}

/// False for what would be right to do but takes too long or too much of the machine.
fn bearable(line: &[u8]) -> bool {
    let number = |value: Option<&str>| value.and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
    match str::from_utf8(line).map(command::parse) {
        Ok(Ok(Command::Quit | Command::Bench(_) | Command::Speedtest(..))) => false,
        Ok(Ok(Command::Perft(depth))) => depth <= 2,
        Ok(Ok(Command::SetOption { name, value })) => {
            !matches!(name.to_ascii_lowercase().as_str(), "hash" | "threads") || number(value) <= 8
        }
        _ => true,
    }
}

fn script(seed: u64) -> Vec<Vec<u8>> {
    let mut random = SplitMix(seed);
    let length = 1 + random.below(60);
    (0..length).map(|_| line(&mut random)).filter(|line| bearable(line)).collect()
}

/// Hands out a script piece by piece, with pauses in which searches can get on.
struct Keyboard {
    rest: Vec<u8>,
    random: SplitMix,
}

impl Read for Keyboard {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.random.below(8) == 0 {
            std::thread::sleep(Duration::from_micros(self.random.below(3000) as u64));
        }
        let count = (1 + self.random.below(200)).min(buffer.len()).min(self.rest.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Keeps what is written; breaks after this many writes.
#[derive(Clone)]
struct Screen {
    text: Arc<Mutex<Vec<u8>>>,
    writes_left: usize,
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes_left = self.writes_left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        self.text.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn shown(lines: &[Vec<u8>]) -> String {
    lines.iter().map(|line| format!("{}\n", line.escape_ascii())).collect()
}

/// Runs one script to its end and returns what was written.
fn run(seed: u64, lines: &[Vec<u8>], writes: usize) -> String {
    let mut random = SplitMix(!seed);
    let mut rest = lines.join(&b'\n');
    // The last line may end with the input.
    if !rest.is_empty() && random.below(2) == 0 {
        rest.push(b'\n');
    }
    let capacity = 1 + random.below(100);
    let input = BufReader::with_capacity(capacity, Keyboard { rest, random });
    let text = Arc::new(Mutex::new(Vec::new()));
    let screen = Screen { text: Arc::clone(&text), writes_left: writes };
    let (sender, receiver) = channel();
    let conversation = std::thread::spawn(move || {
        let output = Arc::new(Output::new(screen, |_| ()));
        let mut session = Session::new(output).expect("a small engine");
        session.run(input).expect("it can be read");
        drop(session);
        // The receiver is gone only if it took too long.
        let _ = sender.send(());
    });
    match receiver.recv_timeout(TIMEOUT) {
        Ok(()) => {}
        Err(RecvTimeoutError::Timeout) => panic!("seed {seed} hangs:\n{}", shown(lines)),
        Err(RecvTimeoutError::Disconnected) => panic!("seed {seed} panics:\n{}", shown(lines)),
    }
    conversation.join().expect("it has ended");
    let text = std::mem::take(&mut *text.lock().expect("no panic"));
    String::from_utf8(text).expect("answers are UTF-8")
}

fn check(seed: u64) {
    let lines = script(seed);
    let answers = run(seed, &lines, usize::MAX);
    let parsed = |wanted: fn(&Command<'_>) -> bool| {
        let commands = lines.iter().filter_map(|line| str::from_utf8(line).ok());
        commands.filter(|line| command::parse(line).is_ok_and(|command| wanted(&command))).count()
    };
    let count = |start: &str| answers.lines().filter(|line| line.starts_with(start)).count();
    let context = || format!("seed {seed}:\n{}\nanswers:\n{answers}", shown(&lines));

    let accepted = parsed(|command| matches!(command, Command::Go(_))) - count("info string 'go' ignored");
    assert_eq!(count("bestmove "), accepted, "{}", context());
    assert_eq!(count("readyok"), parsed(|command| *command == Command::IsReady), "{}", context());
    assert_eq!(count("uciok"), parsed(|command| matches!(command, Command::Uci { .. })), "{}", context());
}

fn seconds() -> u64 {
    std::env::var("CAESURA_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(4)
}

#[test]
fn nonsense_neither_breaks_nor_confuses_the_loop() {
    if let Some(seed) = std::env::var("CAESURA_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()) {
        check(seed);
        return;
    }
    let start = Instant::now();
    let mut seed = 0;
    while seed < 20 || start.elapsed() < Duration::from_secs(seconds()) {
        check(seed);
        seed += 1;
    }
    println!("{seed} scripts");
}

#[test]
fn an_output_that_breaks_ends_the_loop() {
    for seed in 0..30 {
        run(seed, &script(seed), seed as usize);
    }
}
