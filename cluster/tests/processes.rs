//! The program as people run it: several processes on this machine, over loopback, of which some are killed and some
//! frozen.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program that has not answered for this long hangs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The first node of a cluster.
struct Leader {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    address: String,
}

impl Leader {
    fn start() -> Leader {
        // Free now, and hardly taken by another within a moment.
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
        let address = format!("127.0.0.1:{port}");
        let mut process = program(&["--listen", &address]).stdin(Stdio::piped()).spawn().expect("starts");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = process.stdin.take().expect("piped");
        Leader { process, input, lines, address }
    }

    fn send(&mut self, lines: &str) {
        writeln!(self.input, "{lines}").expect("the program reads");
    }

    /// The lines up to one that contains a text, this one included.
    fn until(&self, text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let start = Instant::now();
        loop {
            let left = TIMEOUT.saturating_sub(start.elapsed());
            lines.push(self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no {text} in {lines:#?}")));
            if lines.last().is_some_and(|line| line.contains(text)) {
                return lines;
            }
        }
    }

    /// Adds a node, and waits until it is there.
    fn add(&self, name: &str) -> Node {
        let node = Node(program(&["--join", &self.address, "--name", name]).spawn().expect("starts"));
        self.until(&format!("{name} has joined"));
        node
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Another node.
struct Node(Child);

impl Node {
    /// Sends a signal: `STOP` freezes it, `CONT` wakes it up, `KILL` ends it.
    fn signal(&self, name: &str) {
        let pid = self.0.id().to_string();
        let sent = Command::new("kill").args([format!("-{name}"), pid]).status().expect("kill is there");
        assert!(sent.success());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caesura-cluster"));
    command.args(arguments).arg("--no-discovery").stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn nodes(line: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&word| word != "nodes");
    words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[test]
fn two_nodes_search_and_one_answers() {
    let mut leader = Leader::start();
    let _node = leader.add("one");
    leader.send("position startpos moves e2e4\ngo infinite");
    leader.until(" depth 10 ");
    leader.send("stop");
    let lines = leader.until("bestmove");
    assert!(lines.iter().all(|line| !line.contains("cannot search")), "{lines:#?}");
    // What is reported beyond its own nodes comes from the other node, unless that had no processor in time.
    let is_sum = (0..100).any(|_| {
        leader.send("ucinewgame\nposition startpos\ngo nodes 20000");
        leader.until("bestmove").iter().any(|line| nodes(line) > 20_000)
    });
    assert!(is_sum, "the nodes of the other are never counted");
    leader.send("quit");
    assert!(leader.process.wait().expect("ends").success());
}

#[test]
fn killed_and_frozen_nodes_do_not_keep_the_first_from_answering() {
    let mut leader = Leader::start();
    let (killed, frozen) = (leader.add("killed"), leader.add("frozen"));
    leader.send("setoption name Hash value 8\nposition startpos moves d2d4\ngo infinite");
    leader.until(" depth 9 ");
    killed.signal("KILL");
    frozen.signal("STOP");
    leader.until("killed does not answer");
    leader.send("stop");
    leader.until("bestmove");
    for limit in ["movetime 50", "depth 8", "wtime 500 btime 500"] {
        leader.send(&format!("go {limit}"));
        leader.until("bestmove");
    }
    // Whoever wakes up has missed some searches, and is there for the next one.
    frozen.signal("CONT");
    let _late = leader.add("late");
    leader.send("position startpos moves e2e4 e7e5\ngo infinite");
    leader.until(" depth 9 ");
    leader.send("stop");
    leader.until("bestmove");
    leader.send("quit");
    assert!(leader.process.wait().expect("ends").success());
}
