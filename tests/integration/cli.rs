//! The command line as people and scripts meet it.

use std::path::PathBuf;
use std::process::{Command, Output};

use caesura::engine::shown_score;

use crate::net;

fn caesura(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_caesura")).args(arguments).output().expect("the program runs")
}

fn lines(arguments: &[&str]) -> Vec<String> {
    let output = caesura(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_string).collect()
}

/// A file of this test run alone.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("can be written");
    path.to_str().expect("text").to_string()
}

#[test]
fn bench_ends_with_its_signature() {
    let run = || lines(&["bench", "--depth", "3"]).pop().expect("a line");
    let (first, second) = (run(), run());
    let words: Vec<&str> = first.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{first}");
    assert!(words[0].parse::<u64>().is_ok_and(|nodes| nodes > 0) && words[2].parse::<u64>().is_ok());
    assert_eq!(words[0], second.split(' ').next().expect("a word"));
    // As in UCI.
    let third = lines(&["bench", "3"]).pop().expect("a line");
    assert_eq!(words[0], third.split(' ').next().expect("a word"));
}

/// The node count of a benchmark with these arguments.
fn bench_nodes(arguments: &[&str]) -> String {
    let last = lines(&[&["bench"], arguments].concat()).pop().expect("a line");
    last.split(' ').next().expect("a word").to_string()
}

#[test]
fn flags_go_with_arguments_that_set_something_else() {
    let small = bench_nodes(&["--depth", "6", "--hash", "1"]);
    assert_eq!(bench_nodes(&["6", "--hash", "1"]), small);
    assert_eq!(bench_nodes(&["6", "1", "--hash", "1"]), small);
    assert_eq!(bench_nodes(&["1", "1", "6"]), small);
    assert_eq!(bench_nodes(&["3", "--threads", "1"]), bench_nodes(&["3", "1"]));
    for wrong in [
        "bench 3 --depth 3",
        "bench 3 1 --threads 1",
        "bench 16 1 3 --hash 16",
        "speedtest 1 --threads 1",
        "speedtest 1 1 --hash 1",
        "speedtest 1 1 0.1 --seconds 0.1",
    ] {
        let output = caesura(&wrong.split(' ').collect::<Vec<_>>());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{wrong}: {message}");
        assert!(message.contains("cannot be used with"), "{wrong}: {message}");
    }
    for words in ["1 --hash 3 --seconds 0.1", "1 3 --seconds 0.1", "--threads 1 --hash 3 --seconds 0.1"] {
        let words = format!("speedtest {words} --rounds 1");
        let report = lines(&words.split(' ').collect::<Vec<_>>());
        assert!(report.contains(&format!("{:<27}: 3", "TT size [MiB]")), "{words}: {report:#?}");
    }
}

#[test]
fn explain_writes_lines_of_json_or_a_page() {
    const FEN: &str = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1";
    let lines = lines(&["explain", FEN, "--depth", "6", "--plies", "2", "--scheme", "extended"]);
    assert!(lines.len() > 5, "{lines:?}");
    for (number, line) in lines.iter().enumerate() {
        let start = format!("{{\"scheme\":\"extended\",\"id\":{number},\"parent\":");
        assert!(line.starts_with(&start) && line.ends_with('}'), "{line}");
    }
    assert!(lines[0].contains("\"kind\":\"PV node\"") && lines[0].contains("\"move\":\"\""));
    let page = file("explained.html", "");
    let output = caesura(&[
        "explain",
        "--html",
        &page,
        "--depth",
        "5",
        "--max-nodes",
        "9",
        "--scheme",
        "off",
        "--scheme",
        "Tuned",
    ]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    // Both trees are larger than that.
    let remarks = String::from_utf8_lossy(&output.stderr);
    assert_eq!(remarks.matches("only the first 9 nodes are shown").count(), 2, "{remarks}");
    let text = std::fs::read_to_string(&page).expect("a page");
    assert_eq!(text.matches("\"id\":8,").count(), 2);
    assert!(
        text.contains("{\"scheme\":\"off\",\"summary\":")
            && text.contains("{\"scheme\":\"tuned\",\"summary\":")
    );
    let in_mode = |mode| {
        let page = file("explained_in_a_mode.html", "");
        let output = caesura(&["explain", "--html", &page, "--depth", "6", mode, "--null-move-r", "2"]);
        assert!(output.status.success(), "{output:?}");
        std::fs::read_to_string(&page).expect("a page")
    };
    let (plain, falcon) = (in_mode("--plain"), in_mode("--falcon"));
    assert!(plain.contains(" at depth 6, plain; ") && falcon.contains(" at depth 6, falcon; "));
    let nodes = |page: &str| {
        let summary = page.split(" at depth 6, ").nth(1).expect("a summary");
        summary.split(' ').find_map(|word| word.parse::<u64>().ok()).expect("a number of nodes")
    };
    assert_ne!(nodes(&plain), nodes(&falcon), "the modes search alike");
    let three = ["explain", "--scheme", "off", "--scheme", "off", "--scheme", "off"];
    for wrong in
        [&["explain", "--scheme", "none"][..], &["explain", "8/8 w"], &["explain", "--depth", "99"], &three]
    {
        assert_eq!(caesura(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn messages_repeat_no_control_characters_and_no_megabytes() {
    let long = "y".repeat(100_000);
    for arguments in [["\u{1b}[2J", ""], ["--x\u{7}", ""], ["bench", "z\u{1b}"], [&long, ""], ["eval", &long]]
    {
        let output = caesura(&arguments);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.len() < 2000 && !text.contains(['\u{7}', '\u{1b}']), "{text:?}");
    }
}

#[test]
fn bench_takes_stockfishs_arguments() {
    assert_eq!(bench_nodes(&["3"]), bench_nodes(&["--depth", "3"]));
    assert_eq!(bench_nodes(&["16", "1", "3"]), bench_nodes(&["3", "1"]));
    assert_eq!(bench_nodes(&["1", "1", "3", "current", "perft"]), "8902");
    let king = "8/8/8/8/8/8/8/1K2k3 w - -";
    let positions = file("two positions.fen", &format!("{king} bm Ka1;\n{king} 0 1 moves b1a1 e1d1\n"));
    assert_eq!(bench_nodes(&["1", "1", "1", &positions, "perft"]), "8");
    let broken = file("broken.fen", &format!("{king} -3 x1 garbage\n"));
    for wrong in [
        &["bench", "x"][..],
        &["bench", "3", "--depth", "3"],
        &["bench", "1", "1", "1", "no/such/file"],
        &["bench", "1", "1", "1", &broken],
    ] {
        assert_eq!(caesura(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn null_moves_are_counted_where_that_is_asked() {
    let suite = file("counted.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n");
    for command in [&["bench", "3"][..], &["bench", "--depth", "3"], &["suite", &suite, "--depth", "4"]] {
        let counts = |flag: &[&str]| {
            let printed = lines(&[command, flag].concat());
            printed.iter().filter(|line| line.contains("null moves: ")).count()
        };
        assert_eq!((counts(&[]), counts(&["--null-counts"])), (0, 1), "{command:?}");
    }
    let verbose = lines(&["bench", "3", "--verbose"]);
    assert_eq!(verbose.len(), lines(&["bench", "3"]).len() + 1);
    assert!(verbose.iter().all(|line| !line.starts_with("info string")), "{verbose:#?}");
}

#[test]
fn perft_counts() {
    for arguments in [&["perft", "4"][..], &["perft", "4", "--threads", "2"], &["perft", "4", "--hash", "1"]]
    {
        assert!(lines(arguments)[0].starts_with("197281 nodes "), "{arguments:?}");
    }
    let divided =
        lines(&["perft", "2", "--divide", "--chess960", "--fen", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]);
    assert_eq!(divided.len(), 27);
    assert!(divided.iter().any(|line| line.starts_with("e1h1: ")) && divided[26].starts_with("568 nodes "));
    assert!(lines(&["perft", "0"])[0].starts_with("1 nodes "));
}

#[test]
fn any_material_is_counted_but_not_searched() {
    let fen = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
    assert!(lines(&["perft", "1", "--fen", fen])[0].starts_with("270 nodes "));
    assert_eq!(lines(&["perft", "1", "--divide", "--fen", fen]).len(), 271);
    assert_eq!(caesura(&["perft", "1", "--fen", "8/8/8/4k3/8/8/8/K6K w - - 0 1"]).status.code(), Some(2));
    for command in ["search", "eval"] {
        assert_eq!(caesura(&[command, fen]).status.code(), Some(2), "{command}");
    }
}

#[test]
fn perft_suites_pass_and_fail() {
    let good = file(
        "good.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D4 197281 ;D3 4865609\n",
    );
    assert_eq!(lines(&["perft", "--suite", &good, "--max-nodes", "200000"]), ["3 passed, 0 failed"]);
    let output = caesura(&["perft", "--suite", &good, "--max-nodes", "19"]);
    assert_eq!(output.status.code(), Some(2), "nothing was checked");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no count is at most --max-nodes 19"));
    // It writes no moves, and each line of the suite says how its rooks castle.
    assert_eq!(caesura(&["perft", "--suite", &good, "--chess960"]).status.code(), Some(2));
    let output = caesura(&["perft", "--suite", &good]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    let found: Vec<&str> = text.lines().collect();
    assert_eq!(found.len(), 2);
    assert!(found[0].contains("depth 3: 8902 instead of 4865609"));
    assert_eq!(found[1], "3 passed, 1 failed");

    // A depth that is beyond all counting is not an operation of another name.
    let deep = file(
        "deep.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D4294967297 7 ;Dx 1\n",
    );
    let output = caesura(&["perft", "--suite", &deep]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("line 1: depth 4294967295 is more than "), "{text}");

    let unread =
        file("unread.epd", "nonsense\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n");
    let output = caesura(&["perft", "--suite", &unread]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("line 1: ") && text.ends_with("1 passed, 1 failed\n"), "{text}");
}

#[test]
fn a_search_is_shown_as_a_table() {
    let table = lines(&["search", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "--depth", "4"]);
    assert!(table.iter().any(|line| line.contains("#1") && line.ends_with("1. Ra8#")), "{table:#?}");
    assert_eq!(table.last().map(String::as_str), Some("best move Ra8#"));
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".split(' ');
    let words: Vec<&str> = ["search"].into_iter().chain(fen).chain(["--nodes", "500"]).collect();
    assert_eq!(lines(&words).last().map(String::as_str), Some("best move Ra8#"));
    let lines = lines(&["search", "--movetime", "50", "--multipv", "2", "--threads", "2", "--hash", "2"]);
    assert!(lines.len() > 3 && lines.last().is_some_and(|line| line.starts_with("best move ")));
}

#[test]
fn suites_are_solved_and_missed() {
    let suite = file(
        "suite.epd",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"first\";\n\
         6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - am Ra8#; id \"second\";\n\
         6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #1; id \"third\";\n",
    );
    let found = lines(&["suite", &suite, "--depth", "4"]);
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("missed second: am Ra8#, found Ra8#"), "{}", found[0]);
    assert_eq!(found[1], "solved 2 of 3");
    let graded = file("graded.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - c8 \"9 4\"; c9 \"g1f1 a1a8\";\n");
    assert_eq!(
        lines(&["suite", &graded, "--nodes", "1000"]).last().map(String::as_str),
        Some("solved 0 of 1, 4 of 9 points")
    );
}

#[test]
fn the_evaluation_is_shown() {
    let ahead = lines(&["eval", "4k3/8/8/8/8/8/8/QQQQK3 b - - 0 1"]);
    assert!(ahead[0].starts_with("static evaluation +"), "{ahead:?}");
    let table = lines(&["eval"]);
    assert!(table.iter().filter(|line| line.ends_with("used here")).count() == 1, "{table:#?}");
    let material = |fen| lines(&["eval", "--eval-file", "<material>", fen]);
    // The value in hundredths of a pawn.
    let value = |table: &[String]| -> f64 {
        let number = table[0].split(' ').nth(2).and_then(|number| number.parse::<f64>().ok());
        100.0 * number.unwrap_or_else(|| panic!("{table:?}"))
    };
    let most = material("4k3/8/8/8/8/8/8/QQQQK3 b - - 0 1");
    let is_shown = |table: &[String], least, most, material| {
        let bounds = f64::from(shown_score(least, material))..=f64::from(shown_score(most, material));
        bounds.contains(&value(table).round())
    };
    assert!(is_shown(&most, 1680, 1690, 36) && most != ahead, "{most:?}");
    let queen = material("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1");
    assert!(is_shown(&queen, 950, 960, 9), "{queen:?}");
}

#[test]
fn the_doctor_fills_a_page() {
    let page = lines(&["doctor", "--threads", "3", "--hash", "4", "--numa-policy", "none"]);
    for title in ["Program", "Machine", "Placement of 3 threads, NumaPolicy none", "Memory", "Limits"] {
        assert!(page.iter().any(|line| line == title), "{page:#?}");
    }
    let row = |name: &str| page.iter().find(|line| line.trim_start().starts_with(name));
    assert!(
        row("placement").is_some_and(|line| line.ends_with("1 network: threads 0-2 unbound")),
        "{page:#?}"
    );
    assert!(row("active threads").is_some_and(|line| line.ends_with(" 3")), "{page:#?}");
    assert!(page.len() < 50 && row("table of 4 MB").is_some() && row("affinity mask").is_some());
}

// The address sanitizer needs terabytes.
#[cfg(all(target_os = "linux", not(address_sanitizer)))]
#[test]
fn a_machine_that_refuses_memory_is_described_all_the_same() {
    let program = env!("CARGO_BIN_EXE_caesura");
    let script =
        format!("ulimit -v 400000; exec '{program}' doctor --threads 1 --hash 4000 --numa-policy none");
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    let [page, error] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    for expected in ["\nMachine\n", "\n  error ", "\nMemory\n", "\n  address space        409600000\n"] {
        assert!(page.contains(expected), "{expected:?} in {page}");
    }
    assert!(error.starts_with("caesura: ") && error.contains("4000"), "{error}");
}

#[cfg(all(target_os = "linux", not(address_sanitizer)))]
#[test]
fn an_error_at_the_start_is_told_to_who_reads_it() {
    let program = env!("CARGO_BIN_EXE_caesura");
    let to_a_gui = "info string network: memory: ";
    for (arguments, told) in
        [(" bench 1", "caesura: network: memory: "), ("", to_a_gui), (" --experiments", to_a_gui)]
    {
        // More than the program takes to start, less than the network takes.
        let run = |kilobytes: u32| {
            let script = format!("ulimit -v {kilobytes}; exec '{program}'{arguments} </dev/null");
            Command::new("sh").args(["-c", &script]).output().expect("a shell")
        };
        let refused = (8_000..60_000).step_by(1000).map(run).find(|output| output.status.code() == Some(2));
        let output = refused.expect("a start that is refused");
        let [read, other] =
            if told == to_a_gui { [output.stdout, output.stderr] } else { [output.stderr, output.stdout] };
        assert!(String::from_utf8_lossy(&read).starts_with(told) && other.is_empty());
    }
}

#[test]
fn the_speed_is_tested() {
    let [json, svg] = ["speed.json", "speed.svg"].map(|name| file(name, ""));
    let report = lines(&[
        "speedtest",
        "--threads",
        "2",
        "--hash",
        "2",
        "--seconds",
        "0.2",
        "--rounds",
        "2",
        "--scaling",
        "--numa-policy",
        "none",
        "--json",
        &json,
        "--plot",
        &svg,
    ]);
    for name in ["Thread count", "Threads that search"] {
        assert!(report.contains(&format!("{name:<27}: 2")), "{report:#?}");
    }
    assert!(report.iter().any(|line| line.starts_with("stop to bestmove [ms]")), "{report:#?}");
    assert!(std::fs::read_to_string(&svg).is_ok_and(|text| text.matches("<circle").count() == 2));
    assert!(std::fs::read_to_string(&json).is_ok_and(|text| text.contains("\"Nodes/second\"")));
}

#[cfg(unix)]
#[test]
fn results_for_the_file_of_the_standard_output_stand_behind_what_was_printed() {
    let path = file("printed.txt", "");
    let program = env!("CARGO_BIN_EXE_caesura");
    let words = "speedtest 1 1 0.1 --rounds 1 --numa-policy none --json /dev/stdout";
    let script = format!("exec '{program}' {words} > '{path}'");
    let status = Command::new("sh").args(["-c", &script]).status().expect("a shell");
    let text = std::fs::read_to_string(&path).expect("text");
    assert!(status.success() && text.ends_with("}\n"), "{text}");
    assert!(
        text.find("Thread count  ").zip(text.find("\"Nodes/second\"")).is_some_and(|(a, b)| a < b),
        "{text}"
    );
}

#[test]
fn a_network_can_be_named() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("named.nnue");
    std::fs::write(&path, net::random_file(23)).expect("written");
    let path = path.to_str().expect("text");
    assert!(lines(&["eval", "--eval-file", path]) != lines(&["eval"]));
    // As the default is shown in UCI.
    assert_eq!(lines(&["eval", "--eval-file", "<empty>"]), lines(&["eval"]));
    let signature = |arguments: &[&str]| {
        let last = lines(&[&["bench", "--depth", "3"], arguments].concat()).pop().expect("a line");
        last.split(' ').next().expect("a word").to_string()
    };
    assert_ne!(signature(&["--eval-file", path]), signature(&[]));
    for command in ["search", "bench", "eval"] {
        assert!(
            !lines(
                &[
                    &[command, "--eval-file", path][..],
                    &["--depth", "2"][..if command == "eval" { 0 } else { 2 }]
                ]
                .concat()
            )
            .is_empty()
        );
    }
}

#[test]
fn errors_end_with_two_and_a_message() {
    let broken = file("broken.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra9;\n");
    let nothing = file("nothing.epd", "# no position\n\n");
    let both = file("both", "");
    for arguments in [
        &["nonsense"][..],
        &["--nonsense"],
        &["bench", "--depth", "0"],
        &["bench", "--threads", "0"],
        &["perft"],
        &["perft", "x"],
        &["perft", "3", "--suite", "x"],
        &["perft", "--suite", "no/such/file.epd"],
        &["perft", "2", "--fen", "nonsense"],
        &["search", "nonsense"],
        &["search", "--depth", "3", "--nodes", "3"],
        &["search", "--depth", "246"],
        &["suite", "no/such/file.epd"],
        &["suite", &broken],
        &["suite", &nothing],
        &["perft", "--suite", &nothing],
        &["bench", "1", "1", "1", &nothing],
        &["search", "startpos", "moves", "e2e5"],
        &["eval", "8/8/8/8/8/8/8/8", "w", "-", "-"],
        &["eval", "--eval-file", "no/such/file.nnue"],
        &["bench", "--eval-file", &broken],
        &["search", "--eval-file", "."],
        &["doctor", "--numa-policy", "0:0"],
        &["doctor", "--threads", "0"],
        &["speedtest", "--seconds", "0"],
        &["speedtest", "--seconds", "nan"],
        &["speedtest", "--plot", "x.svg"],
        &["speedtest", "1", "16", "x"],
        &["speedtest", "1", "--threads", "2"],
        &["speedtest", "--scaling", "--json", &both, "--plot", &both],
        &["--experiments", "bench", "1"],
        // Known before an hour of measuring.
        &["speedtest", "--seconds", "3600", "--json", "no/such/folder/x.json"],
        &["speedtest", "--seconds", "3600", "--scaling", "--plot", "no/such/folder/x.svg"],
    ] {
        let output = caesura(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(lines(&["--help"]).len() > 5);
    assert!(lines(&["--version"])[0].starts_with("caesura "));
    let help = lines(&["--help"]).join("\n");
    // No command is required.
    assert!(help.contains("Usage: caesura [OPTIONS]\n") && help.contains("caesura <COMMAND>\n"), "{help}");
    assert!(help.contains("Examples:"), "{help}");
}

#[test]
fn arguments_can_be_uci_commands() {
    let last = |arguments: &[&str]| lines(arguments).pop().expect("a line");
    assert!(last(&["go depth 3"]).starts_with("bestmove "));
    assert!(last(&["go", "depth", "3"]).starts_with("bestmove "));
    assert_eq!(last(&["go perft 3", "quit", "d"]), "Nodes searched: 8902");
    assert!(last(&["go infinite", "stop"]).starts_with("bestmove "));
    let lines = lines(&["position startpos moves e2e4", "go nodes 1000", "d"]);
    let best = lines.iter().position(|line| line.starts_with("bestmove ")).expect("a best move");
    assert!(lines[best..].iter().any(|line| line.starts_with("Fen: ") && line.contains(" b ")), "{lines:#?}");
}

#[test]
fn a_debug_log_has_the_commands_among_the_arguments() {
    let path = file("arguments.log", "");
    lines(&[&format!("setoption name Debug Log File value {path}"), "isready", "quit"]);
    let log = std::fs::read_to_string(path).expect("a log");
    assert_eq!(log, ">> isready\n<< readyok\n>> quit\n");
}

#[cfg(unix)]
#[test]
fn a_log_that_may_grow_no_further_ends_alone() {
    let path = file("limited.log", "");
    let program = env!("CARGO_BIN_EXE_caesura");
    let script =
        format!("ulimit -f 0; exec '{program}' 'setoption name Debug Log File value {path}' isready");
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.ends_with("readyok\n"), "{output:?}");
    assert!(text.starts_with("info string the debug log has ended: "), "{text}");
}

// The file system of macOS has no such names.
#[cfg(all(unix, not(target_vendor = "apple")))]
#[test]
fn file_names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let name = |name: &[u8]| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(OsStr::from_bytes(name));
    let run = |arguments: &[&OsStr]| {
        Command::new(env!("CARGO_BIN_EXE_caesura")).args(arguments).output().expect("the program runs")
    };
    let network = name(b"net\xFF.nnue");
    std::fs::write(&network, net::random_file(24)).expect("written");
    let output = run(&["eval".as_ref(), "--eval-file".as_ref(), network.as_os_str()]);
    assert!(output.status.success(), "{output:?}");
    let json = name(b"speed\xFF.json");
    let words = "speedtest 1 1 0.1 --rounds 1 --json";
    let words: Vec<&OsStr> = words.split(' ').map(OsStr::new).chain([json.as_os_str()]).collect();
    let output = run(&words);
    assert!(output.status.success(), "{output:?}");
    assert!(std::fs::read_to_string(&json).is_ok_and(|text| text.contains("\"Nodes/second\"")));
    for words in
        [["suite".as_ref(), OsStr::from_bytes(b"\xFF.epd")], ["eval".as_ref(), OsStr::from_bytes(b"\xFF")]]
    {
        let output = run(&words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    }
}
