//! Programs that speak UCI, and the nodes of a cluster, as processes on this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program that has not answered for this long hangs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A program that speaks UCI.
pub struct Program {
    process: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
}

impl Program {
    /// Starts a program.
    pub fn start(mut command: Command) -> Program {
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        let input = process.stdin.take().expect("piped");
        Program { process, input, lines }
    }

    /// Sends lines.
    pub fn send(&mut self, lines: &str) {
        writeln!(self.input, "{lines}").expect("the program reads");
    }

    /// The lines up to one that contains a text, this one included.
    pub fn until(&self, text: &str) -> Vec<String> {
        self.until_arrival(text).0
    }

    /// The lines up to one that contains a text, this one included, and when that one arrived, whatever has been done since.
    pub fn until_arrival(&self, text: &str) -> (Vec<String>, Instant) {
        let mut lines = Vec::new();
        let start = Instant::now();
        loop {
            let left = TIMEOUT.saturating_sub(start.elapsed());
            let next = self.lines.recv_timeout(left);
            let (arrival, line) = next.unwrap_or_else(|_| panic!("no {text} in {lines:#?}"));
            let is_last = line.contains(text);
            lines.push(line);
            if is_last {
                return (lines, arrival);
            }
        }
    }

    /// True if the program ends without an error when it is told to.
    pub fn quits(mut self) -> bool {
        self.send("quit");
        self.process.wait().expect("ends").success()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where a node runs.
#[derive(Clone, Debug)]
pub struct Host {
    /// What starts a program there: a command and its first arguments. Nothing for this machine itself.
    pub launcher: Vec<String>,
    /// The IPv4 address at which others reach it.
    pub address: String,
}

impl Host {
    /// This machine, over loopback.
    pub fn local() -> Host {
        Host { launcher: Vec::new(), address: "127.0.0.1".into() }
    }

    fn node(&self, arguments: &[&str]) -> Command {
        let mut words = self.launcher.iter().map(String::as_str);
        let program = env!("CARGO_BIN_EXE_caesura-cluster");
        let mut command = Command::new(words.next().unwrap_or(program));
        command.args(words);
        if !self.launcher.is_empty() {
            command.arg(program);
        }
        command.args(arguments).arg("--no-discovery").stderr(Stdio::null());
        command
    }
}

/// The first node of a cluster.
pub struct Leader {
    /// The program.
    pub program: Program,
    address: String,
}

impl Leader {
    /// Starts a leader that can be joined from other hosts.
    pub fn start(host: &Host) -> Leader {
        // Free now, and hardly taken by another within a moment.
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
        let address = format!("{}:{port}", host.address);
        Leader { program: Program::start(host.node(&["--listen", &address])), address }
    }

    /// Starts another node.
    pub fn start_node(&self, host: &Host, name: &str) -> Node {
        let mut command = host.node(&["--join", &self.address, "--name", name]);
        Node(command.stdout(Stdio::piped()).spawn().expect("starts"))
    }

    /// Starts another node, and waits until it is there.
    pub fn add(&self, host: &Host, name: &str) -> Node {
        let node = self.start_node(host, name);
        self.program.until(&format!("{name} has joined"));
        node
    }
}

/// Another node.
pub struct Node(Child);

impl Node {
    /// Sends a signal: `STOP` freezes it, `CONT` wakes it up, `KILL` ends it.
    pub fn signal(&self, name: &str) {
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
