//! The UCI options that an engine lists: fastchess sets no others.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::SprtError;

/// The argument with which Caesura lists the options of null-move experiments, too.
pub const EXPERIMENTS: &str = "--experiments";

/// How long an engine may take to answer `uci`: as long as fastchess gives it to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether an engine must be started with [`EXPERIMENTS`] to list all of these options, each `NAME=VALUE`.
///
/// # Errors
/// If it does not list one of them either way, cannot be run, or does not answer.
pub fn needs_experiments(program: &Path, options: &[String]) -> Result<bool, SprtError> {
    let names: Vec<&str> = options.iter().map(|option| option.split('=').next().unwrap_or(option)).collect();
    let lacks =
        |listed: &[String]| names.iter().copied().find(|name| !listed.iter().any(|found| found == name));
    if names.is_empty() || lacks(&listed(program, &[], PATIENCE)?).is_none() {
        return Ok(false);
    }
    match lacks(&listed(program, &[EXPERIMENTS], PATIENCE)?) {
        None => Ok(true),
        Some(name) => Err(SprtError::NoOption { path: program.to_path_buf(), name: name.to_string() }),
    }
}

/// The names of the options in the answer to `uci` of an engine that is started with these arguments; those before its end if
/// it ends without an answer.
///
/// # Errors
/// If it cannot be run, or neither ends nor answers within this time.
fn listed(program: &Path, arguments: &[&str], patience: Duration) -> Result<Vec<String>, SprtError> {
    let cannot_run = |source| SprtError::Run { path: program.to_path_buf(), source };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(cannot_run)?;
    // An engine that has ended answers nothing.
    let _ = child.stdin.as_mut().expect("piped").write_all(b"uci\n");
    let answers = BufReader::new(child.stdout.take().expect("piped"));
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // After the time limit no one waits for it.
        let _ = sender.send(option_names(answers));
    });
    let names = receiver.recv_timeout(patience);
    // It need not know the command `quit` to end.
    let _ = child.kill();
    child.wait().map_err(cannot_run)?;
    names.map_err(|_| SprtError::NoAnswer(program.to_path_buf()))
}

/// The names of the options that an engine lists before `uciok`, or before its end.
fn option_names(answers: impl BufRead) -> Vec<String> {
    let lines = answers.split(b'\n').map_while(Result::ok);
    let lines = lines.map(|line| String::from_utf8_lossy(&line).trim().to_string());
    let names = lines.take_while(|line| line != "uciok").filter_map(|line| {
        let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
        Some(name.to_string())
    });
    names.collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_never_answers_is_not_waited_for() {
        // It repeats the question, and waits for more.
        let silent = listed(Path::new("cat"), &[], Duration::from_millis(50));
        assert!(matches!(silent, Err(SprtError::NoAnswer(_))), "{silent:?}");
        assert_eq!(listed(Path::new("true"), &[], PATIENCE).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn names_of_options_may_have_several_words() {
        let answer: &[u8] = b"id name x\noption name Hash type spin\r\noption name Move Overhead type spin\nuciok\noption name No type button\n";
        assert_eq!(option_names(answer), ["Hash", "Move Overhead"]);
    }
}
