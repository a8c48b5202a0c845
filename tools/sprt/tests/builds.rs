//! Revisions that are built.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use sprt::SprtError;
use sprt::build::{self, Program};
use tempfile::TempDir;

/// Runs git in a directory.
fn git(directory: &TempDir, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.arg("-C").arg(directory.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments);
    let output = git.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// The abbreviated hash of the revision that is checked out.
fn head(repository: &Path) -> String {
    let head =
        Command::new("git").arg("-C").arg(repository).args(["rev-parse", "--short=10", "HEAD"]).output();
    String::from_utf8(head.unwrap().stdout).unwrap().trim().to_string()
}

#[test]
fn a_program_is_a_file_or_a_revision_and_is_built_once() {
    let directory = TempDir::new().unwrap();
    let repository = directory.path();
    git(&directory, &["init", "--quiet"]);
    git(&directory, &["commit", "--quiet", "--allow-empty", "-m", "first"]);
    let hash = head(repository);
    let built = build::kept(repository, &hash).unwrap();
    // There is nothing to build in this repository.
    assert!(matches!(build::program("HEAD", repository), Err(SprtError::Failed { .. })));
    let checkout = build::checkout(repository, &hash);
    assert!(!built.exists() && !checkout.starts_with(repository) && !checkout.exists());
    fs::write(&built, "built before").unwrap();
    assert_eq!(build::program("HEAD", repository).unwrap(), Program { name: hash, path: built.clone() });
    let file = build::program(built.to_str().unwrap(), repository).unwrap();
    assert_eq!(file.path, fs::canonicalize(&built).unwrap());
    for wrong in ["no-such-revision", "", "--help"] {
        assert!(matches!(build::program(wrong, repository), Err(SprtError::Unknown(_))), "{wrong}");
    }
}

/// A repository whose program prints which network was named when it was compiled.
fn repository_with_program() -> TempDir {
    let directory = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    fs::create_dir(directory.path().join("src")).unwrap();
    write("Cargo.toml", "[package]\nname = \"caesura\"\nversion = \"0.1.0\"\n");
    write("Cargo.lock", "version = 4\n\n[[package]]\nname = \"caesura\"\nversion = \"0.1.0\"\n");
    write("src/main.rs", "fn main() { print!(\"{:?}\", option_env!(\"CAESURA_EVALFILE\")) }\n");
    write(".gitignore", "target\n");
    git(&directory, &["init", "--quiet"]);
    git(&directory, &["add", "."]);
    git(&directory, &["commit", "--quiet", "-m", "first"]);
    directory
}

/// Has the test of a revision against itself build its program, in an environment that names another network, and returns
/// what the program prints.
fn printed_by_head(repository: &Path) -> String {
    let output = test_head(repository).output().unwrap();
    let program = build::kept(&fs::canonicalize(repository).unwrap(), &head(repository)).unwrap();
    assert!(program.is_file(), "{output:?}");
    String::from_utf8(Command::new(program).output().unwrap().stdout).unwrap()
}

/// A test of the revision that is checked out against itself, which builds it and goes no further.
fn test_head(repository: &Path) -> Command {
    let mut sprt = Command::new(env!("CARGO_BIN_EXE_sprt"));
    sprt.args(["--new", "HEAD", "--old", "HEAD", "--book", "Cargo.toml", "--fastchess", "/no/such/program"]);
    sprt.current_dir(repository).env("CAESURA_EVALFILE", "/other.nnue");
    sprt
}

#[test]
fn a_revision_is_built_as_it_is_whatever_the_environment_and_a_killed_build_left() {
    let directory = repository_with_program();
    let repository = directory.path();
    let top =
        Command::new("git").args(["rev-parse", "--show-toplevel"]).current_dir(repository).output().unwrap();
    let top = String::from_utf8(top.stdout).unwrap();
    let checkout = build::checkout(Path::new(top.trim()), &head(repository));
    // A killed build leaves a worktree, which is locked while git fills it.
    git(
        &directory,
        &["worktree", "add", "--quiet", "--lock", "--detach", checkout.to_str().unwrap(), "HEAD"],
    );
    assert_eq!(printed_by_head(repository), "None");
    assert!(!checkout.exists());
    // Or a folder that git knows nothing of.
    fs::remove_file(build::kept(repository, &head(repository)).unwrap()).unwrap();
    fs::create_dir(&checkout).unwrap();
    fs::write(checkout.join("rest"), "").unwrap();
    assert_eq!(printed_by_head(repository), "None");
}

#[test]
fn settings_of_cargo_that_are_not_committed_change_no_build() {
    let directory = repository_with_program();
    let repository = directory.path();
    fs::create_dir_all(repository.join(".cargo")).unwrap();
    fs::write(repository.join(".cargo/config.toml"), "[env]\nCAESURA_EVALFILE = \"/tree.nnue\"\n").unwrap();
    // Nothing is built where they would hold.
    let inside = repository.join("tmp");
    fs::create_dir(&inside).unwrap();
    let refused = test_head(repository).env("TMPDIR", &inside).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("TMPDIR"), "{refused:?}");
    assert_eq!(printed_by_head(repository), "None");
}
