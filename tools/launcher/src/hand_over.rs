//! One program in the place of another.

use std::env;
use std::io;
use std::path::Path;
use std::process::Command;

/// Runs `program` with the arguments of this one in its place. Returns only if that fails, and why.
#[cfg(unix)]
pub fn hand_over(program: &Path) -> io::Error {
    use std::os::unix::process::CommandExt;

    Command::new(program).args(env::args_os().skip(1)).exec()
}

/// Runs `program` with the arguments and the standard streams of this one, and ends with its exit code. Returns only if it
/// does not start, and why.
#[cfg(not(unix))]
pub fn hand_over(program: &Path) -> io::Error {
    match Command::new(program).args(env::args_os().skip(1)).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}
