//! The program as an interface meets it: what goes in, and what must come out.

#[path = "../client/mod.rs"]
mod client;
mod input;
#[path = "../net/mod.rs"]
mod net;
mod options;
mod searches;

use std::io::{BufRead, Write};
use std::process::{Command, Stdio};

use client::Client;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATED: &str = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

fn best(lines: &[String]) -> &str {
    lines.last().and_then(|line| line.split(' ').nth(1)).expect("a best move")
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// True if there is an `info string` with this text in it.
fn notes(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.starts_with("info string ") && line.contains(text))
}

fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|&word| word != name).nth(1)
}

#[test]
fn the_program_introduces_itself() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    assert_eq!((count(&lines, "id name Caesura "), count(&lines, "id author ")), (1, 1));
    // What interfaces look for by name; `tests/readme.rs` has all options.
    for option in [
        "Hash type spin default 16 min 1 max ",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max ",
        "MultiPV type spin default 1 min 1 max ",
        "Ponder type check default false",
        "UCI_Chess960 type check default false",
    ] {
        assert_eq!(count(&lines, &format!("option name {option}")), 1, "{option}");
    }
    client.send_bytes(b"isready\r\nquit\r\n");
    let (lines, status) = client.end();
    assert_eq!(lines, ["readyok"]);
    assert!(status.success());
}

#[test]
fn people_are_answered() {
    let mut client = Client::start();
    assert!(client.ask("help").iter().any(|line| line.trim_start().starts_with("export_net")));
    assert!(client.ask("license").iter().any(|line| line.contains("GNU General Public License")));
    assert!(client.ask("compiler").iter().any(|line| line.contains("rustc")));
    assert!(notes(&client.ask("halp"), "type help"));
    assert_eq!(client.ask("# a comment\n#"), [""; 0]);
    client.send("position startpos moves e2e4\nflip");
    assert_eq!(client.fen(), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

#[test]
fn words_beyond_the_protocol() {
    let mut client = Client::start();
    client.send("position startpos");
    for perft in ["perft 3", "go perft 3"] {
        let lines = client.ask(perft);
        assert!(lines.iter().any(|line| line == "e2e4: 600"), "{lines:#?}");
        assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 8902"));
    }
    assert_eq!(client.fen(), START);
    assert!(client.ask("eval").iter().any(|line| line.contains("evaluation")));
    let lines = client.ask("bench 1");
    let total: Vec<&str> = lines.last().expect("lines").split(' ').collect();
    assert!(matches!(total[..], [_, "nodes", _, "nps"]), "{total:?}");
    assert_eq!(client.fen(), START);
}

#[test]
fn the_end_of_the_input_stops_and_quits() {
    for go in ["", "go infinite\n", "go ponder\n", "go depth 1\n", "go infinite"] {
        let mut client = Client::start();
        client.send_bytes(go.as_bytes());
        client.close_input();
        let (lines, status) = client.end();
        assert!(status.success());
        assert_eq!(count(&lines, "bestmove"), usize::from(!go.is_empty()), "{go:?}: {lines:#?}");
    }
}

#[test]
fn quit_ends_a_search() {
    for go in ["go infinite", "go ponder", "go movetime 100000", "go wtime 1000000 btime 1000000"] {
        let mut client = Client::start();
        client.send(go);
        client.send("quit");
        let (lines, status) = client.end();
        assert!(status.success());
        assert_eq!(count(&lines, "bestmove"), 1);
    }
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    for commands in ["isready\n", "go depth 3\n", "go infinite\nisready\n", "perft 5\n", "bench 3\n"] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_caesura"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut output = std::io::BufReader::new(process.stdout.take().expect("piped"));
        output.read_line(&mut String::new()).expect("the greeting");
        drop(output);
        let mut input = process.stdin.take().expect("piped");
        input.write_all(commands.as_bytes()).and_then(|()| input.flush()).expect("the program reads");
        // The input stays open: the program must end without it.
        assert!(client::wait(&mut process).success(), "{commands}");
        let mut complaints = String::new();
        let mut stderr = process.stderr.take().expect("piped");
        std::io::Read::read_to_string(&mut stderr, &mut complaints).expect("text");
        assert_eq!(complaints, "", "{commands}");
    }
}
