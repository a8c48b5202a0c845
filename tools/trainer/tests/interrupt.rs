//! Ctrl-C while the trainer works.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// Far longer than anything here takes.
const LONG: Duration = Duration::from_secs(120);

/// Sends what Ctrl-C sends.
fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Does in another thread what may wait for the child, which is ended if it takes too long.
fn within_limit<T: Send + 'static>(child: &mut Child, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = mpsc::channel();
    thread::spawn(move || done.send(work()));
    result.recv_timeout(LONG).unwrap_or_else(|error| {
        let _ = child.kill();
        panic!("the trainer does not go on: {error}");
    })
}

#[test]
fn a_second_interrupt_leaves_no_scratch_files() {
    let directory = TempDir::new().unwrap();
    let [scratch, pipe] = ["scratch", "some.games"].map(|name| directory.path().join(name));
    fs::create_dir(&scratch).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = Command::new(env!("CARGO_BIN_EXE_trainer"))
        .current_dir(&directory)
        .args(["train", "--data", "some.games", "--out", "net.nnue", "--scratch", "scratch"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once it reads from the pipe, in which nothing ever comes, it sees no first interrupt.
    let writer = within_limit(&mut child, move || File::create(pipe).unwrap());
    let prepared: Vec<_> = fs::read_dir(&scratch).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(prepared.len(), 1);
    fs::write(prepared[0].join("some.records"), "positions").unwrap();
    interrupt(&child);
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let line = within_limit(&mut child, move || {
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        line
    });
    assert!(line.contains("press Ctrl-C again"), "{line}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    drop(writer);
}
