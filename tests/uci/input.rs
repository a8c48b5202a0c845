//! Positions, long and bad input, and commands that take long.

use super::*;

#[test]
fn a_bad_position_keeps_the_former() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4");
    let fen = client.fen();
    for bad in [
        "position",
        "position fen",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves e2e4 nonsense",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
        "position fen 4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
        &format!("position fen {START} moves a1a8"),
    ] {
        let lines = client.ask(bad);
        assert_eq!((lines.len(), count(&lines, "info string")), (1, 1), "{bad}: {lines:#?}");
        assert_eq!(client.fen(), fen, "{bad}");
    }
    client.send(&format!("position fen {START} moves g1f3"));
    assert_ne!(client.fen(), fen);
}

#[test]
fn nonsense_is_named_and_changes_nothing() {
    let mut client = Client::start();
    for line in
        ["", "   ", "garbage", "\u{0}\u{7}", "go depth", "go depth x", "go wtime", "go garbage", "joho uci"]
    {
        let lines = client.ask(line);
        assert_eq!((lines.len(), count(&lines, "info string")), (1, 1), "{line:?}: {lines:#?}");
    }
    client.send_bytes(b"\xFF\xFE go depth 1\n\xC3\n");
    assert_eq!(count(&client.ask("debug on"), "info string a line that is not UTF-8"), 2);
    let mut long = vec![b'x'; 3 << 20];
    long.push(b'\n');
    client.send_bytes(&long);
    assert!(notes(&client.ask("stop"), "bytes"));
    assert_eq!(client.fen(), START);
    assert_eq!(client.ask("stop\nstop"), [""; 0]);
}

#[test]
fn castling_is_written_as_the_option_says() {
    let mut client = Client::start();
    let castle = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    client.send(castle);
    assert_eq!(best(&client.go("go depth 2 searchmoves e1g1")), "e1g1");
    client.send("setoption name UCI_Chess960 value true");
    client.send(castle);
    assert_eq!(best(&client.go("go depth 2 searchmoves e1h1")), "e1h1");
    // A position that only Chess960 has is taken in any case.
    client.send("setoption name UCI_Chess960 value false");
    let lines = client.ask("position fen 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1 moves e1b1");
    assert_eq!(lines, [""; 0]);
    assert!(client.fen().contains(" b "));
}

#[test]
fn games_of_thousands_of_plies_load() {
    let mut client = Client::start();
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(2500);
    client.send(&format!("position startpos moves{shuffle}"));
    assert!(client.fen().ends_with(" 5001"), "{}", client.fen());
    assert_ne!(best(&client.go("go depth 2")), "(none)");
}

#[test]
fn commands_that_take_time_are_interrupted() {
    let deep =
        ["perft 9", "go perft 20", "bench 60", "speedtest 1 1 9999", "genfens 999999999 seed 1 book None"];
    for command in deep {
        let mut client = Client::start();
        // What comes behind it is executed in order, once it has ended.
        client.send(&format!("setoption name EvalFile value <material>\n{command}\nisready"));
        client.send("stop");
        let lines = client.until("readyok");
        assert!(
            notes(&lines, " interrupted") && count(&lines, "Nodes searched") == 0,
            "{command}: {} lines, first {:#?}",
            lines.len(),
            lines.first()
        );
        assert_ne!(best(&client.go("go depth 2")), "(none)");
        client.send("perft 3");
        assert_eq!(client.until("Nodes searched").last().map(String::as_str), Some("Nodes searched: 8902"));
        client.send_and_let_work(command);
        client.send("quit");
        assert!(client.end().1.success());
    }
    for command in deep {
        let mut client = Client::start();
        client.send_and_let_work(command);
        client.close_input();
        let (lines, status) = client.end();
        assert!(status.success() && notes(&lines, " interrupted"), "{command}: {} lines", lines.len());
    }
    // Also behind more lines than an interface would send.
    let mut client = Client::start();
    client.send(&format!("perft 9\n{}stop", "isready\n".repeat(2000)));
    let lines = client.until_line("interrupted", |line| line.ends_with(" interrupted"));
    assert_eq!(count(&lines, "Nodes searched"), 0);
    client.send("quit");
    assert!(client.end().1.success());
    // A script that ends with its input, or with `quit`, has its result.
    for script in
        ["perft 3", "perft 3\nquit\n", "bench 1\n", "bench 1\nquit", "go nodes 10000\nwait\nbench 1\nquit"]
    {
        let mut client = Client::start();
        client.send_bytes(script.as_bytes());
        client.close_input();
        let (lines, _) = client.end();
        assert!(
            count(&lines, "Nodes searched") == 1 || lines.iter().any(|line| line.ends_with(" nps")),
            "{script}"
        );
    }
}

#[test]
fn a_stop_of_a_later_search_interrupts_nothing_before_it() {
    for (command, result) in [("perft 4", "Nodes searched: 197281"), ("bench 2", " nps")] {
        let mut client = Client::start();
        client.send(&format!("{command}\nposition startpos\ngo infinite\nstop\nquit"));
        let (lines, _) = client.end();
        assert!(lines.iter().any(|line| line.ends_with(result)), "{command}: {lines:#?}");
        assert_eq!(count(&lines, "bestmove "), 1, "{command}: {lines:#?}");
    }
}

#[test]
fn an_end_ends_what_is_waited_for() {
    let mut client = Client::start();
    client.send_and_let_work("go depth 200\nwait\nisready");
    client.close_input();
    let (lines, status) = client.end();
    assert!(status.success() && count(&lines, "bestmove") == 1, "{lines:#?}");
}

#[test]
fn what_comes_later_than_a_script_ends_all_of_it() {
    for end in ["stop\nquit", "quit"] {
        let mut client = Client::start();
        client.send_and_let_work("go depth 200\nwait\ngo depth 200\nwait\nperft 20\ngo depth 200\nwait");
        client.send(end);
        let (lines, status) = client.end();
        assert!(status.success() && count(&lines, "bestmove") == 3, "{end}: {lines:#?}");
        assert!(notes(&lines, "perft interrupted"), "{end}: {lines:#?}");
    }
}

#[test]
fn a_refused_position_says_what_go_answers_for() {
    let mut client = Client::start();
    let lines = client.ask("position startpos moves e2e4 e2e4");
    assert!(notes(&lines, "'go' answers for that one"), "{lines:#?}");
}

#[test]
fn messages_repeat_no_megabytes_and_no_control_characters() {
    let mut client = Client::start();
    let many = "x ".repeat(100_000);
    let long = "\u{1b}[2J".repeat(50_000);
    for line in [
        format!("go {many}"),
        format!("go depth 1 searchmoves {many}"),
        format!("go depth 1 {many}"),
        format!("setoption name {many} value {many}"),
        format!("setoption name Hash value {long}"),
        format!("setoption name EvalFile value {long}"),
        format!("setoption name NumaPolicy value {long}"),
        format!("position fen {many}"),
        format!("position fen {long} w - - 0 1"),
        format!("position startpos moves {long}"),
        long.clone(),
    ] {
        let lines = client.ask(&line);
        let start = &line[..30];
        assert!(lines.len() < 10, "{start}: {} lines", lines.len());
        assert!(
            lines.iter().all(|line| line.len() < 1000 && !line.contains('\u{1b}')),
            "{start}: {lines:#?}"
        );
    }
}
