//! The options that a UCI engine lists in its answer to `uci`, and whether it takes them.

use std::io::{self, BufRead, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long an engine may take to answer `uci`: as long as fastchess gives it to start.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciOption {
    /// Its name, which may have several words.
    pub name: String,
    /// The values that it takes if it is a number (`type spin`).
    pub range: Option<RangeInclusive<i64>>,
}

/// Why the options of a program are not known.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It cannot be run.
    #[error("it cannot be run")]
    Run(#[from] io::Error),
    /// It neither answers nor ends.
    #[error("it does not answer")]
    NoAnswer,
}

impl UciOption {
    /// The option that a line of the answer lists, if it is such a line.
    pub fn parse(line: &str) -> Option<UciOption> {
        let (name, kind) = line.trim().strip_prefix("option name ")?.split_once(" type ")?;
        let after = |word: &str| {
            let mut words = kind.split_ascii_whitespace().skip_while(|&found| found != word).skip(1);
            words.next().and_then(|number| number.parse().ok())
        };
        let is_number = kind.split_ascii_whitespace().next() == Some("spin");
        let range = is_number.then(|| after("min").unwrap_or(i64::MIN)..=after("max").unwrap_or(i64::MAX));
        Some(UciOption { name: name.to_string(), range })
    }
}

/// What an engine has answered to `uci`.
#[derive(Debug)]
pub struct Answer<R> {
    /// The options that it lists.
    pub options: Vec<UciOption>,
    /// It has said `uciok`; else it has ended before.
    pub is_complete: bool,
    /// What it says from then on.
    pub output: R,
}

/// Sends `uci` to an engine, and returns its answer; `None` if it neither answers nor ends within this time.
pub fn ask<R: BufRead + Send + 'static>(
    input: &mut impl Write,
    output: R,
    patience: Duration,
) -> Option<Answer<R>> {
    // An engine that has ended answers nothing.
    let _ = input.write_all(b"uci\n").and_then(|()| input.flush());
    within(patience, move || read_answer(output))
}

/// What `work` returns, if it does within this time.
fn within<T: Send + 'static>(patience: Duration, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // After the time limit no one waits for it.
        let _ = sender.send(work());
    });
    receiver.recv_timeout(patience).ok()
}

/// The options that an engine lists that is started with these arguments; those before its end if it ends without an answer.
///
/// # Errors
/// If it cannot be run, or neither ends nor answers within this time.
pub fn listed(program: &Path, arguments: &[&str], patience: Duration) -> Result<Vec<UciOption>, ListError> {
    let mut command = Command::new(program);
    command.args(arguments);
    let answer = talk(command, |mut input, output| ask(&mut input, output, patience))?;
    answer.map(|answer| answer.options).ok_or(ListError::NoAnswer)
}

/// What an engine says when it does not take one of these options, each a name and a value: the lines of text, `info string`,
/// that name the option or a folder without endgame tables. The engine runs in the folder for temporary files, where relative
/// paths mean nothing.
///
/// # Errors
/// If it cannot be run, or does not answer within this time.
pub fn refusals(
    program: &Path,
    options: &[(&str, &str)],
    patience: Duration,
) -> Result<Vec<String>, ListError> {
    let mut command = Command::new(program);
    command.current_dir(std::env::temp_dir());
    let text = talk(command, |mut input, output| {
        let answer = ask(&mut input, output, patience).filter(|answer| answer.is_complete)?;
        for (name, value) in options {
            let _ = writeln!(input, "setoption name {name} value {value}");
        }
        let _ = input.write_all(b"isready\n").and_then(|()| input.flush());
        let mut output = answer.output;
        let (text, is_ready) = within(patience, move || read_up_to("readyok", &mut output))?;
        is_ready.then_some(text)
    })?;
    let text = text.ok_or(ListError::NoAnswer)?;
    let is_about = |line: &str, name: &str| line.starts_with("info string") && line.contains(name);
    // Of several folders of tables, one that has none is named by itself.
    let lacks_tables = |line: &str| line.starts_with("info string no tablebases from ");
    let refusal = |line: &&str| {
        let is_refusal = ["refused", "must be", "needs a value"].iter().any(|word| line.contains(word));
        lacks_tables(line) || is_refusal && options.iter().any(|(name, _)| is_about(line, name))
    };
    Ok(text.lines().filter(refusal).map(str::to_string).collect())
}

/// Runs an engine for a talk with it.
fn talk<T>(
    mut command: Command,
    talk: impl FnOnce(ChildStdin, BufReader<ChildStdout>) -> Option<T>,
) -> io::Result<Option<T>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let said = pipes.and_then(|(input, output)| talk(input, BufReader::new(output)));
    // It need not know the command `quit` to end.
    let _ = child.kill();
    child.wait()?;
    Ok(said)
}

/// Reads up to `uciok`, or to the end.
fn read_answer<R: BufRead>(mut output: R) -> Answer<R> {
    let (text, is_complete) = read_up_to("uciok", &mut output);
    Answer { options: text.lines().filter_map(UciOption::parse).collect(), is_complete, output }
}

/// Reads lines up to this one, or to the end: what came before it, and whether it came.
fn read_up_to(last: &str, output: &mut impl BufRead) -> (String, bool) {
    let (mut text, mut line) = (String::new(), Vec::new());
    loop {
        line.clear();
        if output.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
            return (text, false);
        }
        let read = String::from_utf8_lossy(&line);
        if read.trim() == last {
            return (text, true);
        }
        text.push_str(&read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let range = |line| UciOption::parse(line).map(|option| (option.name, option.range));
        let line = "option name Move Overhead type spin default 10 min 0 max 5000";
        assert_eq!(range(line), Some(("Move Overhead".into(), Some(0..=5000))));
        let line = "option name x type spin default 3 max 9 min -4";
        assert_eq!(range(line), Some(("x".into(), Some(-4..=9))));
        assert_eq!(range("option name x type spin"), Some(("x".into(), Some(i64::MIN..=i64::MAX))));
        assert_eq!(range("option name Ponder type check default false"), Some(("Ponder".into(), None)));
        for other in ["id name x type spin", "option name x", ""] {
            assert_eq!(range(other), None, "{other}");
        }
    }

    #[test]
    fn names_of_options_may_have_several_words() {
        let answer: &[u8] = b"id name x\noption name Hash type spin\r\noption name Move Overhead type spin\nuciok\noption name No type button\n";
        let answer = read_answer(answer);
        let names: Vec<&str> = answer.options.iter().map(|option| &*option.name).collect();
        assert_eq!(names, ["Hash", "Move Overhead"]);
        assert!(answer.is_complete && answer.output == b"option name No type button\n");
    }

    #[test]
    #[cfg(unix)]
    fn an_engine_that_never_answers_is_not_waited_for() {
        // It repeats the question, and waits for more.
        let silent = listed(Path::new("cat"), &[], Duration::from_millis(50));
        assert!(matches!(silent, Err(ListError::NoAnswer)), "{silent:?}");
        assert_eq!(listed(Path::new("true"), &[], PATIENCE).expect("it runs"), []);
        assert!(matches!(listed(Path::new("/nonexistent/engine"), &[], PATIENCE), Err(ListError::Run(_))));
    }
}
