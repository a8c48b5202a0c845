//! Checks the counts of every line of every suite, up to a number of nodes that keeps the test short. The program
//! checks them all: `cargo perft --suite perft/known.epd`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use caesura::cli::{PerftLine, parse_perft_line};
use caesura::perft::perft;
use caesura::suite::epd;

const THREADS: usize = 2;

/// The suites of a folder, in a fixed order.
fn suites(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "epd"));
    files.sort();
    files
}

/// The lines of some suites, each with its place.
fn lines(files: &[PathBuf]) -> Vec<(String, PerftLine)> {
    let mut lines = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (number, line) in epd::lines(&text) {
            let place = format!("{}:{number}", path.display());
            match parse_perft_line(line) {
                Ok(line) => lines.push((place, line)),
                Err(error) => panic!("{place}: {line}: {error}"),
            }
        }
    }
    lines
}

/// Checks every count that is at most `max_nodes` and lists the wrong ones. Returns how many there were.
fn check(lines: &[(String, PerftLine)], max_nodes: u64) -> usize {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let (checked, nodes) = (AtomicUsize::new(0), Mutex::new(0));
    let work = || {
        while let Some((place, line)) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut board = line.board.clone();
            for &(depth, expected) in line.counts.iter().filter(|(_, count)| *count <= max_nodes) {
                let found = perft(&mut board, depth);
                checked.fetch_add(1, Ordering::Relaxed);
                *nodes.lock().unwrap() += found;
                if found != expected {
                    let line =
                        format!("{place}: {}: depth {depth}: expected {expected}, got {found}", line.fen);
                    failures.lock().unwrap().push(line);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(work);
        }
    });
    let (failures, checked) = (failures.into_inner().unwrap(), checked.into_inner());
    assert!(checked > 0, "no count of {} lines is small enough", lines.len());
    assert!(failures.is_empty(), "{} wrong counts:\n{}", failures.len(), failures.join("\n"));
    eprintln!("{} lines, {checked} counts, {} nodes", lines.len(), nodes.into_inner().unwrap());
    checked
}

#[test]
fn our_suites() {
    let files = suites(&Path::new(env!("CARGO_MANIFEST_DIR")).join("perft"));
    let lines = lines(&files);
    assert!(files.len() >= 8 && lines.len() >= 300, "suites are missing");
    assert!(check(&lines, 2_000_000) >= lines.len(), "lines without a count");
}

/// The suites of others: in the folder that `CAESURA_PERFT` names, or that lies beside the repository.
#[test]
fn suites_of_others() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/perft");
    let folder = env::var_os("CAESURA_PERFT").map_or(beside.clone(), PathBuf::from);
    if folder == beside && !folder.is_dir() {
        eprintln!("skipped: CAESURA_PERFT names no folder of suites");
        return;
    }
    check(&lines(&suites(&folder)), 1_000_000);
}
