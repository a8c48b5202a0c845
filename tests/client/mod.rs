//! A conversation with the program, as an interface has it.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A program that has not answered for this long hangs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The program, waiting for commands.
pub(crate) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the program and reads its greeting.
    pub(crate) fn start() -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_caesura"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8(line).expect("answers are UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut client = Client { input: process.stdin.take(), process, lines };
        let greeting = client.until("");
        assert!(greeting[0].starts_with("Caesura ") && greeting[0].contains("help"), "{greeting:?}");
        client
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// The lines up to one that begins with `last`, this one included.
    pub(crate) fn until(&mut self, last: &str) -> Vec<String> {
        self.until_line(last, |line| line.starts_with(last))
    }

    /// The lines up to one that `is_last` accepts, this one included. `what` describes it.
    pub(crate) fn until_line(&mut self, what: &str, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok(line) => {
                    let found = is_last(&line);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Err(error) => panic!("no '{what}' ({error}) after {lines:#?}"),
            }
        }
    }

    /// Sends lines and reads what comes up to the answer of an `isready` behind them.
    pub(crate) fn ask(&mut self, lines: &str) -> Vec<String> {
        self.send(&format!("{lines}\nisready"));
        let mut answer = self.until("readyok");
        answer.pop();
        answer
    }

    /// Sends lines and waits until the program has worked for a quarter of a second since, so that what comes next comes later
    /// than what belongs to the same script (a tenth): a command that has computed for so long began as long ago, however slow
    /// the machine. Only Linux says how long a program has worked; elsewhere that time is waited for.
    pub(crate) fn send_and_let_work(&mut self, lines: &str) {
        let before = self.ticks();
        self.send(lines);
        let start = Instant::now();
        if before.is_none() {
            std::thread::sleep(Duration::from_millis(300));
        }
        while self.ticks() < before.map(|ticks| ticks + 25) {
            assert!(start.elapsed() < TIMEOUT, "the program does not work at {lines}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The time that all threads of the program have computed, in hundredths of a second, if the system reports it.
    fn ticks(&self) -> Option<u64> {
        let line = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        // The name of the program, in brackets, may hold spaces; from the state on there are none.
        let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    }

    /// Sends a `go` and reads up to its best move.
    pub(crate) fn go(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.until("bestmove")
    }

    /// The position that the program has.
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.ask("d");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.unwrap_or_else(|| panic!("no FEN in {lines:#?}")).to_string()
    }

    /// Ends the input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// The lines that are still to come, and how the program ended. It must end by itself.
    pub(crate) fn end(mut self) -> (Vec<String>, ExitStatus) {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the program goes on after {lines:#?}"),
            }
        }
        (lines, wait(&mut self.process))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Already gone, unless a test failed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until a process has ended, but not for ever.
pub(crate) fn wait(process: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = process.try_wait().expect("can be waited for") {
            return status;
        }
        assert!(start.elapsed() < TIMEOUT, "the program does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}
