//! Outputs of fastchess, read from a program that prints them.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sprt::SprtError;
use sprt::fastchess::{self, Interrupt, Limit};
use tempfile::TempDir;
use toolkit::sequential::{Sprt, Verdict};

/// A program that prints a fixture, then its arguments.
fn fake(directory: &TempDir, fixture: &str) -> PathBuf {
    let path = directory.path().join("fastchess");
    let log = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
    fs::write(&path, format!("#!/bin/sh\ncat '{}'\necho \"$@\"\n", log.display())).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn play(fixture: &str) -> (TempDir, Vec<String>, Result<sprt::report::MatchReport, SprtError>) {
    let directory = TempDir::new().unwrap();
    let program = fake(&directory, fixture);
    let mut shown = Vec::new();
    let out = directory.path().join("out");
    let arguments = ["-rounds".into(), "200".into()];
    let end = fastchess::play(&program, &arguments, &out, &Interrupt::default(), |line| {
        shown.push(line.to_string())
    });
    (directory, shown, end.map(|end| end.report))
}

#[test]
fn the_last_report_counts() {
    let (directory, shown, report) = play("undecided.log");
    let report = report.unwrap();
    assert_eq!((report.games, report.pairs, report.verdict), (400, [9, 56, 78, 45, 12], Verdict::Undecided));
    let line = report.line(&Limit::Nodes(8000), Some(Sprt { elo0: -6.0, elo1: 0.0 }));
    assert_eq!(line, "−4 ± 23, 400 games, 8,000 nodes, SPRT (−6, 0) undecided: −0.07");
    let log = fs::read_to_string(directory.path().join("out/fastchess.log")).unwrap();
    assert!(log.contains("Finished game") && log.ends_with("-rounds 200\n"));
    assert!(shown.iter().any(|line| line.starts_with("LLR: ")));
    assert!(!shown.iter().any(|line| line.contains(" game ")));
}

#[test]
fn a_test_that_has_passed_is_read() {
    let (_directory, _, report) = play("passed.log");
    let report = report.unwrap();
    assert_eq!(report.verdict, Verdict::AcceptH1);
    let line = report.line(&Limit::Nodes(100), Some(Sprt { elo0: 0.0, elo1: 200.0 }));
    assert!(line.contains("SPRT (0, 200) passed: "), "{line}");
}

#[test]
fn a_match_without_a_report_is_an_error() {
    let (_directory, _, report) = play("broken.log");
    assert!(matches!(report, Err(SprtError::NoResult(_))), "{report:?}");
    let out = TempDir::new().unwrap();
    let nowhere =
        fastchess::play(&PathBuf::from("/no/such/program"), &[], out.path(), &Interrupt::default(), |_| ());
    assert!(matches!(nowhere, Err(SprtError::Run { .. })), "{nowhere:?}");
    // The directory is free for the next attempt.
    assert!(fs::read_dir(out.path()).unwrap().next().is_none());
}

#[test]
fn a_directory_keeps_the_test_that_it_has() {
    let (directory, _, report) = play("passed.log");
    assert!(report.is_ok(), "{report:?}");
    let (program, out) = (directory.path().join("fastchess"), directory.path().join("out"));
    let log = fs::read(out.join(fastchess::LOG)).unwrap();
    let again = fastchess::play(&program, &[], &out, &Interrupt::default(), |_| ());
    assert!(matches!(again, Err(SprtError::Occupied(_))), "{again:?}");
    assert_eq!(fs::read(out.join(fastchess::LOG)).unwrap(), log);
    // fastchess would add to games, whatever became of the log.
    fs::rename(out.join(fastchess::LOG), out.join(fastchess::GAMES)).unwrap();
    let again = fastchess::play(&program, &[], &out, &Interrupt::default(), |_| ());
    assert!(matches!(again, Err(SprtError::Occupied(_))), "{again:?}");
}

/// What fastchess does until it is interrupted: three pairs of games, with a report as often as `-ratinginterval` says. It ends
/// at SIGINT without another report, and at SIGTERM at once.
const UNTIL_INTERRUPTED: &str = r#"
trap 'echo "Tournament was interrupted."; echo "Finished match"; exit 1' INT
interval=0
while [ $# -gt 0 ]; do
    if [ "$1" = -ratinginterval ]; then interval=$2; fi
    shift
done
for pairs in 1 2 3; do
    if [ $((pairs % interval)) = 0 ]; then
        echo --------------------------------------------------
        echo "Results of new vs old (8000 nodes, 1t, 16MB, book.epd):"
        echo "Elo: 0.00 +/- 9.00, nElo: 0.00 +/- 9.00"
        echo "Games: $((2 * pairs)), Wins: 0, Losses: 0, Draws: $((2 * pairs)), Points: $pairs.0 (50.00 %)"
        echo "Ptnml(0-2): [0, 0, $pairs, 0, 0], WL/DD Ratio: 0.00"
        echo "LLR: 0.01 (0.3%) (-2.94, 2.94) [0.00, 5.00]"
        echo --------------------------------------------------
    fi
done
echo waiting
# Whole seconds only, so that the last one of them outlives the test by no more.
while :; do sleep 1; done
"#;

/// A match of the command line, in a repository of its own, by a program that prints `fixture` and goes on with `script`.
fn sprt(fixture: &str, script: &str, arguments: &[&str]) -> (TempDir, Command) {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    assert!(Command::new("git").args(["init", "--quiet"]).current_dir(path).status().unwrap().success());
    let program = fake(&directory, fixture);
    fs::write(&program, fs::read_to_string(&program).unwrap() + script).unwrap();
    fs::write(path.join("book.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - -\n".repeat(300)).unwrap();
    let mut sprt = Command::new(env!("CARGO_BIN_EXE_sprt"));
    if !arguments.contains(&"--new") {
        sprt.args(["--new", "fastchess", "--old", "fastchess"]);
    }
    sprt.args(["--book", "book.epd", "--fastchess", "./fastchess"]);
    sprt.args(arguments).current_dir(path).stdout(Stdio::piped()).stderr(Stdio::piped());
    (directory, sprt)
}

fn code_and_output(mut sprt: Command) -> (Option<i32>, String) {
    let output = sprt.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_exit_code_says_how_the_match_ended() {
    for (fixture, script, arguments, code) in [
        ("passed.log", "", &[][..], 0),
        ("undecided.log", "", &[], 1),
        ("undecided.log", "", &["--no-sprt", "--games", "400"], 0),
        ("undecided.log", "", &["--no-sprt", "--games", "401"], 0),
        ("undecided.log", "", &["--no-sprt", "--games", "402"], 1),
        // fastchess has crashed.
        ("passed.log", "exit 3", &[], 2),
        ("undecided.log", "exit 3", &["--no-sprt", "--games", "400"], 2),
    ] {
        let (directory, sprt) = sprt(fixture, script, arguments);
        let (found, output) = code_and_output(sprt);
        assert_eq!(found, Some(code), "{fixture} {script} {arguments:?}: {output}");
        let result = directory.path().join("target/sprt/fastchess-fastchess/result.txt");
        assert_eq!(fs::read_to_string(result).unwrap(), output);
    }
}

#[test]
fn bounds_are_two_numbers_in_order() {
    for bounds in [["nan", "5"], ["0", "nan"], ["-inf", "0"], ["0", "inf"], ["0", "0"], ["5", "0"]] {
        let (directory, sprt) = sprt("passed.log", "", &["--bounds", bounds[0], bounds[1]]);
        assert_eq!(code_and_output(sprt), (Some(2), String::new()), "{bounds:?}");
        assert!(!directory.path().join("target/sprt").exists(), "nothing is played");
    }
}

#[test]
fn every_test_has_a_directory_of_its_own() {
    let (directory, mut sprt) = sprt("passed.log", "", &[]);
    for _ in 0..3 {
        assert_eq!(sprt.output().unwrap().status.code(), Some(0));
    }
    let tests = fs::read_dir(directory.path().join("target/sprt")).unwrap();
    let mut names: Vec<_> = tests.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["fastchess-fastchess", "fastchess-fastchess-2", "fastchess-fastchess-3"]);
    sprt.args(["--out", "target/sprt/fastchess-fastchess"]);
    assert_eq!(sprt.output().unwrap().status.code(), Some(2));
}

#[test]
fn the_end_of_the_test_ends_the_match() {
    // Whole seconds only, so that the last one of them outlives the test by no more.
    let script = "trap 'exit 1' INT; while :; do sleep 1; done";
    for (arguments, code) in [(&[][..], 1), (&["--no-sprt"], 1)] {
        let (_directory, mut sprt) = sprt("undecided.log", script, arguments);
        let mut running = sprt.spawn().unwrap();
        let mut messages = BufReader::new(running.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(messages.any(|line| line.starts_with("LLR: ")));
        let id = running.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(messages.any(|line| line == "ending the games"));
        assert_eq!(running.wait().unwrap().code(), Some(code));
    }
}

#[test]
fn a_match_that_is_interrupted_keeps_all_pairs_also_if_its_group_gets_the_signal() {
    for signal in ["-INT", "-TERM"] {
        let (directory, mut sprt) = sprt("started.log", UNTIL_INTERRUPTED, &[]);
        let mut running = sprt.process_group(0).spawn().unwrap();
        let mut messages = BufReader::new(running.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(messages.any(|line| line == "waiting"));
        let group = format!("-{}", running.id());
        assert!(Command::new("kill").args([signal, "--", &group]).status().unwrap().success());
        let rest: Vec<String> = messages.collect();
        assert!(rest.contains(&"ending the games".to_string()), "{rest:?}");
        assert!(rest.iter().any(|line| line.starts_with("Games: 6,")), "the last report is shown: {rest:?}");
        assert_eq!(running.wait().unwrap().code(), Some(1));
        let result = directory.path().join("target/sprt/fastchess-fastchess/result.txt");
        let line = "+0 ± 9, 6 games, 8,000 nodes, SPRT (0, 5) undecided: 0.01\n";
        assert_eq!(fs::read_to_string(result).unwrap(), line, "{signal}");
    }
}

/// The arguments of a match between two of [`write_engine`].
const ENGINES: [&str; 6] = ["--new", "./engine", "--old", "./engine", "--out", "out"];

/// Writes an engine that lists the options `Plain`, `EvalFile` and, with an argument, `Hidden`, and refuses files that are not
/// there.
fn write_engine(directory: &TempDir) {
    let path = directory.path().join("engine");
    let script = r#"#!/bin/sh
while read -r line; do
    if [ "$line" = uci ]; then
        echo "option name Plain type check default false"
        echo "option name EvalFile type string"
        if [ "$1" = --experiments ]; then echo "option name Hidden type spin default 3 min 1 max 8"; fi
        echo uciok
    elif [ "$line" = isready ]; then
        echo readyok
    fi
    file=${line#setoption name EvalFile value }
    if [ "$line" != "$file" ] && [ ! -e "$file" ]; then echo "info string option 'EvalFile' is refused: no file"; fi
done
"#;
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_option_that_the_engine_lists_only_with_an_argument_is_set() {
    for (option, started) in [
        (&["--new-option", "Plain=true"][..], None),
        (&["--new-option", "Hidden=2"], Some("name=new args=--experiments option.")),
        (
            &["--new-option", "Plain=true", "--old-option", "Hidden=2"],
            Some("name=old args=--experiments option."),
        ),
    ] {
        let arguments = [&ENGINES[..], option].concat();
        let (directory, sprt) = sprt("passed.log", "", &arguments);
        write_engine(&directory);
        assert_eq!(code_and_output(sprt).0, Some(0), "{option:?}");
        let log = fs::read_to_string(directory.path().join("out/fastchess.log")).unwrap();
        assert_eq!(log.matches("args=").count(), usize::from(started.is_some()), "{option:?}: {log}");
        assert!(log.contains(started.unwrap_or("name=new option.")), "{option:?}: {log}");
    }
}

#[test]
fn a_relative_path_holds_in_the_folder_of_the_match() {
    let arguments = [&ENGINES[..], &["--new-option", "EvalFile=book.epd"]].concat();
    let (directory, sprt) = sprt("passed.log", "", &arguments);
    write_engine(&directory);
    assert_eq!(code_and_output(sprt).0, Some(0));
    let log = fs::read_to_string(directory.path().join("out/fastchess.log")).unwrap();
    let path = fs::canonicalize(directory.path()).unwrap().join("book.epd");
    assert!(log.contains(&format!("option.EvalFile={}", path.display())), "{log}");
}

#[test]
fn an_option_that_the_engine_does_not_get_is_an_error() {
    let (directory, mut of_engines) =
        sprt("passed.log", "", &[&ENGINES[..], &["--old-option", "None=1"]].concat());
    write_engine(&directory);
    let output = of_engines.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("'None'"), "{output:?}");
    assert!(!directory.path().join("out").exists(), "nothing is played");
    let (directory, mut of_engines) =
        sprt("passed.log", "", &[&ENGINES[..], &["--new-option", "EvalFile=none.nnue"]].concat());
    write_engine(&directory);
    let output = of_engines.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("'EvalFile' is refused"), "{output:?}");
    assert!(!directory.path().join("out").exists(), "nothing is played");
    // fastchess warns and would play on.
    let warning =
        "echo 'Warning; Invalid value for option Plain; 7'; trap 'exit 1' INT; while :; do sleep 1; done";
    let (directory, sprt) = sprt("passed.log", warning, &["--out", "out"]);
    assert_eq!(code_and_output(sprt), (Some(2), String::new()));
    assert!(!directory.path().join("out/result.txt").exists());
}

#[test]
fn no_more_pairs_are_played_than_the_book_has_openings() {
    for (limit, rounds) in [(&["--nodes", "500"][..], 300), (&["--tc", "8+0.08"], 600)] {
        let arguments = [limit, &["--no-sprt", "--games", "1200", "--out", "out"]].concat();
        let (directory, mut sprt) = sprt("undecided.log", "", &arguments);
        let output = sprt.output().unwrap();
        let log = fs::read_to_string(directory.path().join("out/fastchess.log")).unwrap();
        assert!(log.contains(&format!(" -rounds {rounds} ")), "{log}");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(messages.contains("300 openings"), rounds == 300, "{messages}");
    }
}
