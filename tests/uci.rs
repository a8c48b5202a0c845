//! The program as an interface meets it: what goes in, and what must come out.

mod client;
mod net;

use std::io::Write;
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
        for go in ["go infinite", "go infinite depth 1", "go infinite nodes 1"] {
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
        "position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
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
fn options_out_of_range_are_refused() {
    let mut client = Client::start();
    for line in [
        "setoption",
        "setoption name",
        "setoption name Nonsense value 1",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value <empty>",
        "setoption name Hash value 0",
        "setoption name Hash value -5",
        "setoption name Hash value 99999999999999999999999",
        "setoption name Threads value many",
        "setoption name Threads value 1000000000",
        "setoption name MultiPV value 0",
        "setoption name Ponder value perhaps",
        "setoption name Pin value sometimes",
        "setoption name NumaPolicy value fast",
        "setoption name NumaPolicy value 0-",
        "setoption name NumaPolicy value 0:0",
        "setoption name NumaPolicy value 60000-65000",
        "setoption name NullMove value other",
        "setoption name NullMoveR value 0",
        "setoption name NullMoveDR value 9",
    ] {
        let lines = client.ask(line);
        assert_eq!((lines.len(), count(&lines, "info string")), (1, 1), "{line}: {lines:#?}");
    }
    for line in [
        "setoption name hash value 2",
        "setoption  name  clear   hash",
        "setoption name THREADS value 2",
        "setoption name Move Overhead value 20",
        "setoption name MoveOverhead value 30",
        "setoption name cores value 1",
        "setoption name move overhead value 0",
        "setoption name Pin value OFF",
        "setoption name NumaPolicy value NONE",
        "setoption name numapolicy value 0",
        "setoption name NumaPolicy value hardware",
        "setoption name NumaPolicy value system",
        "setoption name NumaPolicy value auto",
        "setoption name NumaPolicy value",
        "setoption name NumaPolicy",
        "setoption name EvalFile value <empty>",
        "setoption name Ponder value true",
        "setoption name NullMove value VERIFIED",
        "setoption name NullMoveR value 2",
        "setoption name NullMovePlain value true",
        "setoption name NullMoveCounts value true",
    ] {
        // What is said is about the machine: on some there is something to say.
        let lines = client.ask(line);
        assert_eq!(count(&lines, "info string"), lines.len(), "{line}: {lines:#?}");
        assert!(
            lines.iter().all(|line| !line.contains("must be") && !line.contains("as it was")),
            "{lines:#?}"
        );
    }
    let lines = client.go("go depth 6");
    assert_eq!(count(&lines, "info string null moves: "), 1, "{lines:#?}");
    assert_ne!(best(&client.go("go depth 3")), "(none)");
}

#[test]
fn the_number_of_searching_threads_is_reported() {
    let mut client = Client::start();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if processors < 1024 {
        let lines = client.ask("setoption name Threads value 1024");
        assert!(notes(&lines, "1024 threads, but "), "{lines:#?}");
        assert_ne!(best(&client.go("go depth 3")), "(none)");
        client.ask("setoption name Threads value 2");
    }
    let lines = client.ask("setoption name NumaPolicy value none");
    assert!(!notes(&lines, "threads, but "), "{lines:#?}");
    let lines = client.ask(&format!("setoption name Threads value {}", processors + 1));
    assert!(notes(&lines, "will take turns on "), "{lines:#?}");
    assert_ne!(best(&client.go("go depth 3")), "(none)");
}

#[test]
fn commands_during_a_search_wait_or_are_refused() {
    let mut client = Client::start();
    client.send("position startpos\ngo infinite");
    let lines = client.ask(
        "go depth 1\nsetoption name MultiPV value 3\nsetoption name Hash value 4\nsetoption name Threads value 2\n\
         ucinewgame\nposition startpos moves e2e4\ngo\nperft 2\nbench 1\nsetoption name Hash value 0\ngarbage",
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
    assert!(notes(&lines, "'a1a5'") && best(&lines) != "(none)");
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
fn a_network_is_loaded_or_the_former_evaluation_stays() {
    let path = |name: &str| format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let good = path("a good one.nnue");
    let damaged = path("damaged.nnue");
    let mut file = net::random_file(22);
    std::fs::write(&good, &file).expect("written");
    file[5000] ^= 1;
    std::fs::write(&damaged, &file).expect("written");

    let mut client = Client::start();
    let mut evaluations = |commands: &str| {
        client.send(&format!("{commands}\neval\nisready"));
        let lines = client.until("readyok");
        let networks = count(&lines, "static evaluation");
        (lines, networks)
    };
    let (own, _) = evaluations("position startpos");
    let (first, networks) = evaluations(&format!("setoption name EvalFile value {good}"));
    assert!(networks == 1 && !notes(&first, "") && first != own, "{first:?}");
    for (value, reason) in [
        (damaged.as_str(), "damaged"),
        ("no/such/file.nnue", "No such file"),
        (env!("CARGO_TARGET_TMPDIR"), "not a file"),
    ] {
        let (lines, _) = evaluations(&format!("setoption name EvalFile value {value}"));
        assert!(notes(&lines, ""), "{value}: {lines:?}");
        assert!(cfg!(not(unix)) || notes(&lines, reason), "{value}: {lines:?}");
        assert_eq!(lines.iter().find(|line| line.starts_with("static")), Some(&first[0]), "{value}");
    }
    let (lines, _) = evaluations("setoption name EvalFile value");
    let value = |lines: &[String]| lines.iter().find(|line| line.starts_with("static")).cloned();
    assert_eq!(value(&lines), value(&own), "an empty name is the embedded network");
    client.send("go depth 4");
    assert_ne!(best(&client.until("bestmove")), "0000");
}

#[test]
fn a_network_is_exported_but_no_file_is_overwritten() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let [given, exported] = ["given.nnue", "an exported one.nnue"].map(|name| folder.join(name));
    std::fs::write(&given, net::random_file(25)).expect("written");
    // It may be there from the last run.
    let _ = std::fs::remove_file(&exported);
    let mut client = Client::start();
    client.send(&format!("setoption name EvalFile value {}", given.display()));
    let lines = client.ask(&format!("export_net {}", exported.display()));
    assert!(notes(&lines, " is in "), "{lines:?}");
    assert!(std::fs::read(&exported).expect("a file") == net::random_file(25));
    for path in [exported.as_path(), std::path::Path::new("no/such/folder/x.nnue")] {
        let lines = client.ask(&format!("export_net {}", path.display()));
        assert!(notes(&lines, " is not in "), "{lines:?}");
    }
}

#[test]
fn a_debug_log_is_kept() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("a log.txt");
    // It may be there from the last run.
    let _ = std::fs::remove_file(&path);
    let mut client = Client::start();
    assert_eq!(client.ask(&format!("setoption name Debug Log File value {}", path.display())), [""; 0]);
    client.ask("setoption name Debug Log File value");
    client.ask("d");
    let log = std::fs::read_to_string(&path).expect("a log");
    assert_eq!(log, ">> isready\n<< readyok\n>> setoption name Debug Log File value\n");
    let lines = client.ask("setoption name Debug Log File value no/such/folder/log.txt");
    assert!(notes(&lines, "stays as it was"), "{lines:?}");
}

#[test]
fn the_operator_reads_what_searches() {
    let mut client = Client::start();
    let lines = client.go("go depth 2");
    assert!(
        lines[0].starts_with("info string searching with 1 thread and a hash table of 16 MB"),
        "{lines:#?}"
    );
    client.send("setoption name PgnComment value true");
    let lines = client.go("go depth 3");
    assert!(lines[lines.len() - 2].starts_with("info string pgncomment wdl "), "{lines:#?}");
    assert!(client.ask("params").iter().all(|line| line.split(", ").count() == 7));
    let openings = client.ask("genfens 3 seed 5 book None");
    assert_eq!(count(&openings, "info string genfens "), 3, "{openings:#?}");
    assert!(notes(&client.ask("genfens"), "no openings"));
    let report = client.ask("speedtest 1 1 1");
    assert_eq!(count(&report, "Thread count"), 1, "{report:#?}");
}

#[test]
fn a_limited_engine_plays_legal_moves() {
    let mut client = Client::start();
    client.send("setoption name Skill Level value 0\nposition startpos");
    let moves: std::collections::BTreeSet<String> =
        (0..30).map(|_| best(&client.go("go depth 4")).to_string()).collect();
    assert!(moves.len() > 1, "{moves:?}");
    client.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 2000");
    let lines = client.go("go depth 5");
    assert!(lines.iter().all(|line| !line.contains(" multipv 2 ")), "{lines:#?}");
    client.send(MATED);
    assert_eq!(best(&client.go("go depth 3")), "(none)");
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
fn wait_reads_no_further_before_the_best_move() {
    let mut client = Client::start();
    let lines = client.ask("wait\ngo nodes 20000\nwait\ngo depth 3\nwait");
    assert_eq!(count(&lines, "bestmove"), 2, "{lines:#?}");
    let lines = client.ask("go infinite\nwait");
    assert!(notes(&lines, "'wait' ignored") && count(&lines, "bestmove") == 0, "{lines:#?}");
    client.send("stop\nwait\nd");
    client.until("bestmove");
    client.until("Fen: ");
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
fn perft_and_bench_are_interrupted() {
    let deep = ["perft 9", "go perft 20", "bench 60"];
    for command in deep {
        let mut client = Client::start();
        // What comes behind it is executed in order, once it has ended.
        client.send(&format!("setoption name EvalFile value <material>\n{command}\nisready"));
        client.send("stop");
        let lines = client.until("readyok");
        assert!(
            notes(&lines, " interrupted") && count(&lines, "Nodes searched") == 0,
            "{command}: {lines:#?}"
        );
        assert_ne!(best(&client.go("go depth 2")), "(none)");
        client.send("perft 3");
        assert_eq!(client.until("Nodes searched").last().map(String::as_str), Some("Nodes searched: 8902"));
        client.send(command);
        // Later than what could belong to the same script.
        std::thread::sleep(std::time::Duration::from_millis(300));
        client.send("quit");
        assert!(client.end().1.success());
    }
    for command in deep {
        let mut client = Client::start();
        client.send(command);
        std::thread::sleep(std::time::Duration::from_millis(300));
        client.close_input();
        let (lines, status) = client.end();
        assert!(status.success() && notes(&lines, " interrupted"), "{command}: {lines:#?}");
    }
    // A script that ends with its input, or with `quit`, has its result.
    for script in ["perft 3", "perft 3\nquit\n", "bench 1\n", "bench 1\nquit"] {
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
fn the_size_of_the_table_counts_from_the_next_isready_or_search() {
    let mut client = Client::start();
    client.send(
        "setoption name Hash value 2\nsetoption name Hash value 3\nsetoption name Threads value 2\nuci",
    );
    let lines = client.until("uciok");
    assert!(!notes(&lines, "table: "), "{lines:#?}");
    let lines = client.ask("");
    assert_eq!(count(&lines, "info string table: 3 MB"), 1, "{lines:#?}");
    assert_eq!(client.ask("debug on"), [""; 0]);
    client.send("setoption name Hash value 4");
    let lines = client.go("go depth 1");
    assert_eq!(count(&lines, "info string table: 4 MB"), 1, "{lines:#?}");
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
        drop(process.stdout.take());
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
