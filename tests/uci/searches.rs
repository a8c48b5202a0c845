//! What `go`, `stop` and their kin are answered.

use caesura::board::Board;
use caesura::board::notation::parse_uci;

use super::*;

#[test]
fn lines_of_thought_are_complete() {
    let mut client = Client::start();
    client.send("setoption name uci_showwdl value TRUE\nposition startpos");
    let lines = client.go("go depth 4");
    let line = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
    for name in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"] {
        assert!(field(line, name).is_some_and(|value| value.parse::<u64>().is_ok()), "{name}: {line}");
    }
    assert!(matches!(field(line, "score"), Some("cp" | "mate")), "{line}");
    let chances: i32 =
        line.split(' ').skip_while(|&word| word != "wdl").skip(1).take(3).flat_map(str::parse::<i32>).sum();
    assert_eq!(chances, 1000, "{line}");
    assert_eq!(field(line, "pv"), Some(best(&lines)));
}

#[test]
fn stop_before_the_first_node() {
    let mut client = Client::start();
    for _ in 0..50 {
        client.send("go infinite\nstop");
        let lines = client.until("bestmove");
        assert_ne!(best(&lines), "(none)");
        assert_eq!(client.ask(""), ["info string empty line ignored"]);
    }
}

#[test]
fn a_search_whose_first_iteration_does_not_end_is_stopped_like_any_other() {
    // Nine queens a side.
    const HOSTILE: &str =
        "position fen r2n3Q/1N1qb1q1/1R1RN1kn/QqQ1qq2/bQ3Q1q/q2Q1B1B/qQQ4K/1Q1q1r2 w - - 0 1";
    let mut client = Client::start();
    client.send("setoption name EvalFile value <material>");
    let searched = |lines: &[String]| {
        let line = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
        assert_eq!(field(line, "pv"), Some(best(lines)), "{lines:#?}");
        field(line, "depth").and_then(|depth| depth.parse::<u32>().ok()).expect("a depth")
    };
    for round in 0..3 {
        client.send(HOSTILE);
        searched(&client.go("go movetime 20"));
        client.ask(["ucinewgame", "setoption name Hash value 2", "stop"][round]);
        client.send("position startpos");
        assert!(searched(&client.go("go depth 3")) == 3);
        client.send(HOSTILE);
        searched(&client.go("go nodes 1"));
        client.send("go infinite\nstop");
        searched(&client.until("bestmove"));
    }
    client.send("go infinite\nquit");
    let (lines, status) = client.end();
    assert!(status.success() && lines.last().is_some_and(|line| line.starts_with("bestmove ")));
}

#[test]
fn a_mate_in_one_is_found_in_one_node() {
    let mut client = Client::start();
    client
        .send("setoption name EvalFile value <material>\nposition fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    assert_eq!(best(&client.go("go nodes 1")), "a1a8");
}

#[test]
fn every_go_has_one_answer() {
    let mut client = Client::start();
    let mut answers = 0;
    for round in 0..40 {
        client.send(["go depth 1", "go nodes 100", "go movetime 1", "go wtime 1 btime 1"][round % 4]);
        answers += count(&client.until("bestmove"), "bestmove");
    }
    client.send("quit");
    answers += count(&client.end().0, "bestmove");
    assert_eq!(answers, 40);
}

#[test]
fn mate_and_stalemate_are_answered_at_once() {
    let mut client = Client::start();
    for (position, score) in [(MATED, "score mate 0"), (STALEMATE, "score cp 0")] {
        client.send(position);
        for go in ["go depth 5", "go wtime 1000 btime 1000", "go movetime 10000", "go nodes 5", "go mate 2"] {
            let lines = client.go(go);
            assert_eq!(best(&lines), "(none)");
            assert!(lines.iter().any(|line| line.contains(score)), "{go}: {lines:#?}");
        }
    }
}

#[test]
fn infinite_waits_for_stop_even_without_a_move() {
    let mut client = Client::start();
    for position in ["position startpos", MATED, STALEMATE] {
        for go in ["go infinite", "go infinite depth 1", "go infinite nodes 1", "go infinite movetime 1"] {
            client.send(position);
            client.send(go);
            // The first iteration, or the score of a finished game.
            let mut lines = client.until("info depth");
            lines.extend(client.ask("isready\nisready"));
            assert_eq!(count(&lines, "bestmove"), 0, "{position}, {go}");
            client.send("stop");
            assert_eq!(best(&client.until("bestmove")) == "(none)", position != "position startpos");
        }
    }
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut client = Client::start();
    for position in ["position startpos", MATED] {
        for (go, milliseconds, end) in [
            ("go ponder wtime 100 btime 100", 100, "ponderhit"),
            ("go ponder depth 1", 0, "ponderhit"),
            ("go ponder movetime 1", 5, "ponderhit"),
            ("go ponder wtime 100 btime 100", 100, "stop"),
            ("go ponder infinite", 0, "ponderhit\nstop"),
        ] {
            client.send(position);
            client.send(go);
            // The search goes on although its time is over.
            let over = |line: &str| {
                let time = field(line, "time").and_then(|time| time.parse::<u64>().ok());
                time.is_some_and(|time| position == MATED || time >= milliseconds)
            };
            let mut lines = client.until_line("a line after the time of the move", over);
            lines.extend(client.ask("isready"));
            assert_eq!(count(&lines, "bestmove"), 0, "{position}, {go}");
            client.send(end);
            client.until("bestmove");
        }
    }
    assert!(notes(&client.ask("ponderhit"), "ponderhit"));
}

#[test]
fn commands_during_a_search_wait_or_are_refused() {
    let mut client = Client::start();
    client.send("position startpos\ngo infinite");
    let lines = client.ask(
        "go depth 1\nsetoption name MultiPV value 3\nsetoption name Hash value 4\nsetoption name Threads value 2\n\
         ucinewgame\nposition startpos moves e2e4\ngo\nperft 2\nbench 1\ngenfens 1 seed 1 book None\nsetoption name Hash value 0\ngarbage",
    );
    assert_eq!(count(&lines, "bestmove"), 0);
    for text in [
        "'go' ignored",
        "'MultiPV'",
        "'Hash'",
        "'Threads'",
        "'ucinewgame'",
        "'perft' ignored",
        "'bench' ignored",
        "'genfens' ignored",
    ] {
        assert!(notes(&lines, text), "{text}: {lines:#?}");
    }
    client.send("stop");
    client.until("bestmove");
    let lines = client.go("go depth 3");
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:#?}");
    assert!(client.fen().contains(" b "), "the next position is another");
    client.send("quit");
    assert_eq!(count(&client.end().0, "bestmove"), 0);
}

#[test]
fn commands_behind_a_search_that_ends_by_itself_wait_for_it() {
    let mut client = Client::start();
    let lines = client.ask(
        "go nodes 30000\nposition startpos moves e2e4\ngo depth 3\nperft 1\ngo depth 2\ngenfens 1 seed 1 book None\nbench 1",
    );
    assert_eq!((count(&lines, "bestmove"), count(&lines, "Nodes searched: 20")), (3, 1), "{lines:#?}");
    assert!(!notes(&lines, "ignored"), "{lines:#?}");
    // A `stop` behind them ends what they wait for.
    client.send("go depth 200\ngo depth 200\nstop");
    client.until("bestmove");
    client.until("bestmove");
}

#[test]
fn stop_ends_a_wait() {
    let mut client = Client::start();
    client.send("go depth 200\nwait\nstop\nd");
    client.until("bestmove");
    client.until("Fen: ");
}

#[test]
fn a_go_right_after_stop_is_heard() {
    let mut client = Client::start();
    for _ in 0..20 {
        client.send("go infinite\nstop\nposition startpos moves e2e4\ngo depth 1");
        client.until("bestmove");
        client.until("bestmove");
    }
}

#[test]
fn clocks_that_have_run_out_still_give_a_move() {
    let mut client = Client::start();
    for go in [
        "go wtime 0 btime 0",
        "go wtime -500 btime -500 winc -3",
        "go wtime 1 btime 1 movestogo 1",
        "go btime 1000",
        "go winc 0 binc 0",
        "go winc 10",
        "go movestogo 5",
        "go movetime 0",
        "go movetime -1",
        "go wtime 100 btime 100 movestogo 0",
        "go depth 0",
        "go nodes 0",
    ] {
        assert_ne!(best(&client.go(go)), "(none)", "{go}");
    }
    assert!(notes(&client.go("go rtime 5 depth 1"), "'rtime'"));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut client = Client::start();
    assert_eq!(best(&client.go("go depth 3 searchmoves a2a3")), "a2a3");
    assert_eq!(best(&client.go("go searchmoves a2a3 depth 3")), "a2a3");
    let lines = client.go("go searchmoves e2e5 h2h3 nonsense depth 2");
    assert_eq!(best(&lines), "h2h3");
    assert!(notes(&lines, "'e2e5'") && notes(&lines, "'nonsense'"));
    let lines = client.go("go depth 2 searchmoves a1a5");
    assert!(notes(&lines, "'a1a5'; all moves are searched") && best(&lines) != "(none)");
}

#[test]
fn a_limited_engine_plays_legal_moves() {
    let mut client = Client::start();
    client.send("setoption name Skill Level value 0\nposition startpos");
    let moves: std::collections::BTreeSet<String> =
        (0..30).map(|_| best(&client.go("go depth 4")).to_string()).collect();
    assert!(moves.len() > 1, "{moves:?}");
    assert!(moves.iter().all(|m| parse_uci(&Board::start(), m).is_some()), "{moves:?}");
    client.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 2000");
    let lines = client.go("go depth 5");
    assert!(lines.iter().all(|line| !line.contains(" multipv 2 ")), "{lines:#?}");
    client.send(MATED);
    assert_eq!(best(&client.go("go depth 3")), "(none)");
}

#[test]
fn wait_reads_no_further_before_the_best_move() {
    let mut client = Client::start();
    let lines = client.ask("wait\ngo nodes 20000\nwait\ngo depth 3\nwait");
    assert_eq!(count(&lines, "bestmove"), 2, "{lines:#?}");
    let lines = client.ask("go infinite\nwait");
    assert!(notes(&lines, "'wait' ignored") && count(&lines, "bestmove") == 0, "{lines:#?}");
    client.send("stop\nwait\nd");
    client.until("bestmove");
    client.until("Fen: ");
    // There may be no such mate.
    client.send("go mate 1\nwait\nstop");
    client.until("info string 'wait' ignored");
    client.until("bestmove");
    // Pondering ends with the hit.
    let lines = client.ask("go ponder movetime 300\nwait\nponderhit\nwait\ngo depth 1\nwait");
    assert_eq!(lines.iter().filter(|line| line.contains("'wait' ignored")).count(), 1, "{lines:#?}");
    assert!(notes(&lines, "no end before 'stop' or 'ponderhit'"), "{lines:#?}");
    assert_eq!(count(&lines, "bestmove"), 2, "{lines:#?}");
    let lines = client.ask("go ponder infinite\nwait\nponderhit\nwait\nstop");
    assert_eq!(lines.iter().filter(|line| line.ends_with("no end before 'stop'")).count(), 2, "{lines:#?}");
}

#[test]
fn minimal_output_is_one_line_and_the_move() {
    let mut client = Client::start();
    client.send("setoption name Minimal value true");
    let lines = client.go("go depth 6");
    assert_eq!((count(&lines, "info depth 6 "), lines.len()), (1, 2), "{lines:#?}");
    client.send("setoption name MultiPV value 2");
    assert_eq!(client.go("go depth 3").len(), 3);
}

#[test]
fn a_stalemate_is_a_certain_draw() {
    let mut client = Client::start();
    client.send("setoption name UCI_ShowWDL value true");
    for (position, chances) in [(STALEMATE, "wdl 0 1000 0"), (MATED, "wdl 0 0 1000")] {
        client.send(position);
        let lines = client.go("go depth 1");
        assert!(lines.iter().any(|line| line.contains(chances)), "{lines:#?}");
    }
}
