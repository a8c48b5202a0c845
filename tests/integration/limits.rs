//! The program where memory is short and where its output cannot be written: a message and an exit code, and what it had
//! before stays.

#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_caesura");

/// Runs the program with these arguments and this input, in an address space of this many megabytes. The address
/// sanitizer needs terabytes.
#[cfg(not(address_sanitizer))]
fn limited(megabytes: usize, arguments: &[&str], input: &str) -> std::process::Output {
    let mut process = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &(megabytes << 10).to_string(), PROGRAM])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    process.stdin.take().expect("piped").write_all(input.as_bytes()).expect("the program reads");
    process.wait_with_output().expect("ends")
}

#[test]
#[cfg(not(address_sanitizer))]
fn threads_that_do_not_fit_are_refused_and_a_search_goes_on() {
    for megabytes in [300, 400, 1000, 2000] {
        let input = "setoption name EvalFile value <material>\nsetoption name NumaPolicy value none\n\
                     setoption name Threads value 2\nsetoption name Threads value 1024\nisready\n\
                     setoption name Hash value 100000\nisready\ngo depth 2\n";
        let output = limited(megabytes, &[], input);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{megabytes} MB: {output:?}");
        assert!(text.contains("threads: 1024 cannot be started"), "{megabytes} MB: {text}");
        assert!(text.contains("no transposition table of 100000 MB"), "{megabytes} MB: {text}");
        assert!(text.contains("searching with 2 threads"), "{megabytes} MB: {text}");
        assert!(text.contains("\nbestmove ") && !text.contains("bestmove (none)"), "{megabytes} MB: {text}");
    }
}

#[test]
#[cfg(not(address_sanitizer))]
fn subcommands_that_find_no_memory_say_so() {
    for arguments in [
        &["doctor", "--threads", "1024", "--numa-policy", "none"][..],
        &["doctor", "--hash", "100000"],
        &["perft", "3", "--hash", "100000"],
        &["perft", "3", "--hash", "1000"],
        &["bench", "--hash", "100000"],
        &["speedtest", "--threads", "1024", "--numa-policy", "none", "--seconds", "1"],
    ] {
        let output = limited(800, arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(output.stderr.starts_with(b"caesura: "), "{arguments:?}: {output:?}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let suite = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("failing.epd");
    std::fs::write(&suite, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 21\n")
        .expect("written");
    for arguments in [
        &["bench", "--depth", "1"][..],
        &["perft", "1"],
        &["perft", "--suite", suite.to_str().expect("text")],
        &["--help"],
        &["--version"],
        &[],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let mut process = Command::new(PROGRAM)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        // It may end before it reads.
        let _ = process.stdin.take().expect("piped").write_all(b"uci\n");
        let output = process.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("cannot be written"),
            "{arguments:?}: {output:?}"
        );
    }
}
