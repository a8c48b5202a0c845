//! The launcher among programs that are stand-ins for the engine.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use caesura::util::cpu::{self, Feature};
use tempfile::TempDir;

/// Writes a program that prints its name, its arguments and its input, and ends with code 7.
fn add(folder: &Path, name: &str, mode: u32) {
    let path = folder.join(name);
    fs::write(&path, "#!/bin/sh\nbasename \"$0\"\necho \"$@\"\ncat\nexit 7\n").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("made executable");
}

fn launch(folder: &Path) -> Output {
    let mut child = Command::new(folder.join("caesura"))
        .args(["bench", "two words"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the launcher starts");
    // It does not read if there is nothing to run.
    let _ = child.stdin.take().expect("piped").write_all(b"quit\n");
    child.wait_with_output().expect("the launcher ends")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("text")
}

// One test: a file that one thread has open for writing cannot be run, and another thread's new process may hold it.
#[test]
fn the_best_program_beside_it_runs_with_arguments_and_streams() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let folder = folder.path();
    fs::hard_link(env!("CARGO_BIN_EXE_launcher"), folder.join("caesura")).expect("linked");

    let nothing = launch(folder);
    assert_eq!(nothing.status.code(), Some(2));
    assert_eq!(text(&nothing.stdout), "");
    let error = text(&nothing.stderr);
    assert!(error.starts_with("caesura: no program for this processor in "), "{error}");
    assert!(error.ends_with("caesura-x86-64\n"), "{error}");

    add(folder, "caesura-x86-64", 0o755);
    let plain = launch(folder);
    assert_eq!(text(&plain.stdout), "caesura-x86-64\nbench two words\nquit\n");
    assert_eq!((text(&plain.stderr), plain.status.code()), ("", Some(7)));

    let builds: Vec<&str> = cpu::release_builds(Feature::is_present).collect();
    for build in builds.iter().rev() {
        add(folder, &format!("caesura-{build}"), 0o755);
        assert_eq!(text(&launch(folder).stdout).lines().next(), Some(&*format!("caesura-{build}")));
    }
    // Those for other processors.
    let slow_pext = |feature: &Feature| feature.name != "vaes";
    for build in cpu::release_builds(|_| true).chain(cpu::release_builds(slow_pext)) {
        if !builds.contains(&build) {
            add(folder, &format!("caesura-{build}"), 0o755);
        }
    }
    assert_eq!(text(&launch(folder).stdout).lines().next(), Some(&*format!("caesura-{}", builds[0])));

    let best = format!("caesura-{}", builds[0]);
    add(folder, &best, 0o644);
    let refused = launch(folder);
    let error = text(&refused.stderr);
    assert!(error.starts_with("caesura: cannot run ") && error.contains(&format!("{best}: ")), "{error}");
    if let Some(next) = builds.get(1) {
        assert!(text(&refused.stdout).starts_with(&format!("caesura-{next}\n")));
        assert_eq!(refused.status.code(), Some(7));
    }
}
