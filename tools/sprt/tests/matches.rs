//! Outputs of fastchess, read from a program that prints them.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use sprt::SprtError;
use sprt::fastchess::{self, Limit};
use sprt::report::{Sprt, Verdict};
use tempfile::TempDir;

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
    let report = fastchess::play(&program, &["-rounds".into(), "200".into()], &out, |line| {
        shown.push(line.to_string())
    });
    (directory, shown, report)
}

#[test]
fn the_last_report_counts() {
    let (directory, shown, report) = play("undecided.log");
    let report = report.unwrap();
    assert_eq!(
        (report.games, report.pairs, report.verdict()),
        (400, [9, 56, 78, 45, 12], Some(Verdict::Undecided))
    );
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
    assert_eq!(report.verdict(), Some(Verdict::Passed));
    let line = report.line(&Limit::Nodes(100), Some(Sprt { elo0: 0.0, elo1: 200.0 }));
    assert!(line.contains("SPRT (0, 200) passed: "), "{line}");
}

#[test]
fn a_match_without_a_report_is_an_error() {
    let (_directory, _, report) = play("broken.log");
    assert!(matches!(report, Err(SprtError::NoResult(_))), "{report:?}");
    let nowhere = fastchess::play(&PathBuf::from("/no/such/program"), &[], &std::env::temp_dir(), |_| ());
    assert!(matches!(nowhere, Err(SprtError::Run { .. })), "{nowhere:?}");
}
