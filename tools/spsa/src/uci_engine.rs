//! A UCI engine in another process.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use caesura::types::Value;
use toolkit::uci_options::{PATIENCE, UciOption, ask};
use toolkit::uci_score::shown_score;

use crate::{EngineFault, TuneError};

/// How often an engine that was asked to end is looked at before it is killed, and the time between two looks.
const END_CHECKS: u32 = 500;
const END_CHECK_EVERY: Duration = Duration::from_millis(10);

/// The answer of an engine to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReply {
    /// The move, in UCI notation.
    pub best_move: String,
    /// The last score, in centipawns for the side to move, as the engine shows it: for Caesura not on the scale of its search,
    /// by which `lab` adjudicates with the same rules.
    pub score: Value,
}

/// The flag of Windows for a process that Ctrl-C in its parent's console does not reach.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// A running UCI engine. Dropping it ends the process.
pub struct UciEngine {
    path: PathBuf,
    /// The process; `None` for an engine behind other pipes.
    child: Option<Child>,
    input: Box<dyn Write + Send>,
    output: Box<dyn BufRead + Send>,
    /// The spin options with their ranges.
    options: BTreeMap<String, RangeInclusive<i64>>,
}

impl UciEngine {
    /// Starts an engine with one thread and a transposition table of this many megabytes.
    ///
    /// # Errors
    /// If it cannot be started or is not a UCI engine.
    pub fn start(path: &Path, hash: u32) -> Result<UciEngine, TuneError> {
        UciEngine::start_within(path, hash, PATIENCE)
    }

    fn start_within(path: &Path, hash: u32, patience: Duration) -> Result<UciEngine, TuneError> {
        let fail = |source| TuneError::Engine { path: path.to_path_buf(), source };
        let mut command = Command::new(path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A process group of its own, so that Ctrl-C does not end the engine in the middle of a game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
        let mut child = command.spawn().map_err(|error| fail(EngineFault::Start(error)))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(fail(EngineFault::Ended));
        };
        let player = UciEngine::silent(path, Some(child), Box::new(input));
        player.handshake(Box::new(BufReader::new(output)), hash, patience)
    }

    /// Connects to an engine through a pair of pipes. Errors name it `path`.
    ///
    /// # Errors
    /// If it is not a UCI engine.
    pub fn connect(
        path: &Path,
        input: impl Write + Send + 'static,
        output: impl BufRead + Send + 'static,
        hash: u32,
    ) -> Result<UciEngine, TuneError> {
        UciEngine::silent(path, None, Box::new(input)).handshake(Box::new(output), hash, PATIENCE)
    }

    /// An engine that has said nothing yet.
    fn silent(path: &Path, child: Option<Child>, input: Box<dyn Write + Send>) -> UciEngine {
        let output = Box::new(io::empty());
        UciEngine { path: path.to_path_buf(), child, input, output, options: BTreeMap::new() }
    }

    /// Waits this long for the answer to `uci`; later ones are waited for without a limit.
    fn handshake(
        mut self,
        output: Box<dyn BufRead + Send>,
        hash: u32,
        patience: Duration,
    ) -> Result<UciEngine, TuneError> {
        let Some(answer) = ask(&mut self.input, output, patience) else {
            return Err(self.error(EngineFault::NoAnswer));
        };
        if !answer.is_complete {
            return Err(self.error(EngineFault::Ended));
        }
        self.output = answer.output;
        let numbers = answer.options.into_iter().filter_map(|UciOption { name, range }| Some((name, range?)));
        self.options = numbers.collect();
        self.set_option("Threads", 1)?;
        self.set_option("Hash", i64::from(hash))?;
        self.wait_until_ready()?;
        Ok(self)
    }

    pub(crate) fn error(&self, fault: EngineFault) -> TuneError {
        TuneError::Engine { path: self.path.clone(), source: fault }
    }

    fn send(&mut self, line: &str) -> Result<(), TuneError> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|_| self.error(EngineFault::Ended))
    }

    /// Reads lines up to the first one for which `meaning` returns a value.
    fn read_until<T>(&mut self, mut meaning: impl FnMut(&str) -> Option<T>) -> Result<T, TuneError> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.output.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
                return Err(self.error(EngineFault::Ended));
            }
            if let Some(found) = meaning(String::from_utf8_lossy(&line).trim()) {
                return Ok(found);
            }
        }
    }

    /// Sets a spin option.
    ///
    /// # Errors
    /// If the engine has no such option, would refuse the value, or has ended.
    pub fn set_option(&mut self, name: &str, value: i64) -> Result<(), TuneError> {
        let Some(range) = self.options.get(name) else {
            return Err(self.error(EngineFault::NoOption(name.to_string())));
        };
        if !range.contains(&value) {
            let (min, max) = range.clone().into_inner();
            return Err(self.error(EngineFault::OutOfRange { name: name.to_string(), min, max, value }));
        }
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// Waits until the engine has processed all commands.
    ///
    /// # Errors
    /// If it has ended.
    pub fn wait_until_ready(&mut self) -> Result<(), TuneError> {
        self.send("isready")?;
        self.read_until(|line| (line == "readyok").then_some(()))
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If the engine has ended.
    pub fn new_game(&mut self) -> Result<(), TuneError> {
        self.send("ucinewgame")?;
        self.wait_until_ready()
    }

    /// Searches a position within this many nodes. `position` is the argument of the UCI command of that name.
    ///
    /// # Errors
    /// If the engine has ended or names no move.
    pub fn go(&mut self, position: &str, nodes: u64) -> Result<SearchReply, TuneError> {
        self.send(&format!("position {position}\ngo nodes {nodes}"))?;
        let mut score = 0;
        let best = self.read_until(|line| {
            if let Some(said) = line.strip_prefix("info ").and_then(shown_score) {
                score = said;
            }
            let mut words = line.split_ascii_whitespace();
            (words.next() == Some("bestmove")).then(|| words.next().unwrap_or_default().to_string())
        })?;
        if best.is_empty() {
            Err(self.error(EngineFault::NoMove))
        } else {
            Ok(SearchReply { best_move: best, score })
        }
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        let asked = self.send("quit");
        // An engine that does not know the command ends with its input.
        self.input = Box::new(io::sink());
        if let Some(child) = &mut self.child {
            let ends = asked.is_ok()
                && (0..END_CHECKS).any(|_| {
                    let has_ended = !matches!(child.try_wait(), Ok(None));
                    if !has_ended {
                        thread::sleep(END_CHECK_EVERY);
                    }
                    has_ended
                });
            if !ends {
                let _ = child.kill();
            }
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_an_engine_is_an_error() {
        let missing = UciEngine::start(Path::new("/nonexistent/engine"), 1);
        assert!(matches!(missing, Err(TuneError::Engine { .. })));
        // It ends at once.
        let other = UciEngine::start(Path::new("true"), 1);
        assert!(matches!(other, Err(TuneError::Engine { .. })));
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_never_answers_is_not_waited_for() {
        // It repeats the question, and waits for more.
        let silent = UciEngine::start_within(Path::new("cat"), 1, Duration::from_millis(50));
        assert!(matches!(silent, Err(TuneError::Engine { source: EngineFault::NoAnswer, .. })));
    }
}
