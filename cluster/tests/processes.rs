//! The program as people run it: several processes on this machine, over loopback, of which some are killed and some
//! frozen.

#![cfg(unix)]

mod program;

use program::{Host, Leader};

fn nodes(line: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&word| word != "nodes");
    words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[test]
fn two_nodes_search_and_one_answers() {
    let mut leader = Leader::start(&Host::local());
    let _node = leader.add(&Host::local(), "one");
    leader.program.send("position startpos moves e2e4\ngo infinite");
    leader.program.until(" depth 10 ");
    leader.program.send("stop");
    let lines = leader.program.until("bestmove");
    assert!(lines.iter().all(|line| !line.contains("cannot search")), "{lines:#?}");
    // What is reported beyond its own nodes comes from the other node, unless that had no processor in time.
    let is_sum = (0..100).any(|_| {
        leader.program.send("ucinewgame\nposition startpos\ngo nodes 20000");
        leader.program.until("bestmove").iter().any(|line| nodes(line) > 20_000)
    });
    assert!(is_sum, "the nodes of the other are never counted");
    assert!(leader.program.quits());
}

#[test]
fn killed_and_frozen_nodes_do_not_keep_the_first_from_answering() {
    let mut leader = Leader::start(&Host::local());
    let (killed, frozen) = (leader.add(&Host::local(), "killed"), leader.add(&Host::local(), "frozen"));
    leader.program.send("setoption name Hash value 8\nposition startpos moves d2d4\ngo infinite");
    leader.program.until(" depth 9 ");
    killed.signal("KILL");
    frozen.signal("STOP");
    leader.program.until("killed does not answer");
    leader.program.send("stop");
    leader.program.until("bestmove");
    for limit in ["movetime 50", "depth 8", "wtime 500 btime 500"] {
        leader.program.send(&format!("go {limit}"));
        leader.program.until("bestmove");
    }
    // A node that wakes up has missed some searches, and is there for the next one.
    frozen.signal("CONT");
    let _late = leader.add(&Host::local(), "late");
    leader.program.send("position startpos moves e2e4 e7e5\ngo infinite");
    leader.program.until(" depth 9 ");
    leader.program.send("stop");
    leader.program.until("bestmove");
    assert!(leader.program.quits());
}
