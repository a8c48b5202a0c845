//! The UCI options that an engine lists: fastchess sets no others.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::SprtError;

/// The argument with which Caesura lists the options of null-move experiments, too.
pub const EXPERIMENTS: &str = "--experiments";

/// Whether an engine must be started with [`EXPERIMENTS`] to list all of these options, each `NAME=VALUE`.
///
/// # Errors
/// If it does not list one of them either way, or cannot be run.
pub fn needs_experiments(program: &Path, options: &[String]) -> Result<bool, SprtError> {
    let names: Vec<&str> = options.iter().map(|option| option.split('=').next().unwrap_or(option)).collect();
    let lacks =
        |listed: &[String]| names.iter().copied().find(|name| !listed.iter().any(|found| found == name));
    if names.is_empty() || lacks(&listed(program, &[])?).is_none() {
        return Ok(false);
    }
    match lacks(&listed(program, &[EXPERIMENTS])?) {
        None => Ok(true),
        Some(name) => Err(SprtError::NoOption { path: program.to_path_buf(), name: name.to_string() }),
    }
}

/// The names of the options in the answer to `uci` of an engine that is started with these arguments; those before its end if
/// it ends without an answer.
fn listed(program: &Path, arguments: &[&str]) -> Result<Vec<String>, SprtError> {
    let cannot_run = |source| SprtError::Run { path: program.to_path_buf(), source };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(cannot_run)?;
    // An engine that has ended answers nothing.
    let _ = child.stdin.as_mut().expect("piped").write_all(b"uci\n");
    let answers = BufReader::new(child.stdout.take().expect("piped")).split(b'\n').map_while(Result::ok);
    let lines = answers.map(|line| String::from_utf8_lossy(&line).trim().to_string());
    let names = lines.take_while(|line| line != "uciok").filter_map(|line| {
        let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
        Some(name.to_string())
    });
    let names = names.collect();
    // It need not know the command `quit` to end.
    let _ = child.kill();
    child.wait().map_err(cannot_run)?;
    Ok(names)
}
