//! Runs fastchess.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use toolkit::FileError;
use toolkit::progress::thousands;
use toolkit::sequential::{ERROR, Sprt};

use crate::SprtError;
use crate::book::is_pgn;
use crate::build::Program;
use crate::options::{EXPERIMENTS, must_take, needs_experiments, with_absolute_paths};
use crate::report::{MatchReport, ReportReader};
use crate::shown::ShownLines;

/// The file with all that fastchess writes, in the directory of a match.
pub const LOG: &str = "fastchess.log";
/// The file with the games, there too.
pub const GAMES: &str = "games.pgn";
/// How long a move may exceed a clock that counts nodes, in milliseconds of real time.
const NODESTIME_MARGIN: u64 = 600_000;

/// What limits a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// This many nodes.
    Nodes(u64),
    /// A time control in the syntax of fastchess, `minutes:seconds+increment`.
    Clock(String),
    /// A time control, and the nodes that count as a millisecond.
    NodesAsTime(String, u64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "{} nodes", thousands(*nodes)),
            Limit::Clock(control) => write!(f, "{control}"),
            Limit::NodesAsTime(control, rate) => write!(f, "{control} at {rate} nodes a millisecond"),
        }
    }
}

/// A side of the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The program.
    pub program: Program,
    /// UCI options, each `NAME=VALUE`.
    pub options: Vec<String>,
    /// Whether the program is started with [`EXPERIMENTS`].
    pub experiments: bool,
}

impl Side {
    /// A side with these options.
    ///
    /// # Errors
    /// If the program does not list one of them or refuses its value, or cannot be run.
    pub fn new(program: Program, options: Vec<String>) -> Result<Side, SprtError> {
        let options = with_absolute_paths(options)?;
        let experiments = needs_experiments(&program.path, &options)?;
        must_take(&program.path, &options)?;
        Ok(Side { program, options, experiments })
    }

    /// The number that its own options give to an option, of several the last, as fastchess has it.
    fn number(&self, option: &str) -> Option<u32> {
        let value = |text: &'_ String| Some(text.strip_prefix(option)?.strip_prefix('=')?.parse().ok());
        self.options.iter().rev().find_map(value).flatten()
    }

    /// Its search threads: `threads` unless its own options say otherwise.
    fn threads(&self, threads: u32) -> u32 {
        self.number("Threads").unwrap_or(threads)
    }

    /// Whether its threads search in turns, which is as repeatable as one thread.
    fn searches_in_turns(&self) -> bool {
        self.number("TurnNodes").is_some_and(|nodes| nodes > 0)
    }
}

/// The search threads of the side that has more of them, where each has `threads` unless its options say otherwise.
pub fn most_threads(threads: u32, sides: [&Side; 2]) -> u32 {
    sides.map(|side| side.threads(threads)).into_iter().fold(1, u32::max)
}

/// How the match is played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSettings {
    /// The limit of a move.
    pub limit: Limit,
    /// The test that ends the match; `None`: all games are played.
    pub sprt: Option<Sprt>,
    /// The openings, as an absolute path. A name that ends in `.pgn` is in PGN, any other in EPD.
    pub book: PathBuf,
    /// The seed of the order of the openings.
    pub seed: u64,
    /// The most games, two for each opening: an odd number is rounded down, 1 up.
    pub games: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// The transposition table of each side, in megabytes.
    pub hash: u32,
    /// The search threads of each side.
    pub threads: u32,
}

impl MatchSettings {
    /// The most pairs of games, at least one.
    pub fn pairs(&self) -> u64 {
        (self.games / 2).max(1)
    }

    /// True if an opening that comes again is the same pair of games again, and no evidence: nodes limit the moves of one
    /// thread, or of threads that search in turns.
    pub fn repeats_games(&self, new: &Side, old: &Side) -> bool {
        let repeats = |side: &Side| side.threads(self.threads) == 1 || side.searches_in_turns();
        !matches!(self.limit, Limit::Clock(_)) && repeats(new) && repeats(old)
    }

    /// Leaves out games that would be played [again](MatchSettings::repeats_games). Returns whether there are fewer games now
    /// than were asked for.
    pub fn bound_by(&mut self, openings: u64, new: &Side, old: &Side) -> bool {
        let is_bound = self.repeats_games(new, old) && openings < self.pairs();
        if is_bound {
            self.games = 2 * openings;
        }
        is_bound
    }

    /// The arguments of fastchess for a match of `new` against `old`.
    pub fn arguments(&self, new: &Side, old: &Side) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        for (name, side) in [("new", new), ("old", old)] {
            let mut cmd = OsString::from("cmd=");
            cmd.push(&side.program.path);
            arguments.extend(["-engine".into(), cmd, format!("name={name}").into()]);
            if side.experiments {
                arguments.push(format!("args={EXPERIMENTS}").into());
            }
            // Of two values of an option fastchess uses the last, so the side's own come behind.
            arguments.push(format!("option.Hash={}", self.hash).into());
            arguments.push(format!("option.Threads={}", self.threads).into());
            if let Limit::NodesAsTime(_, rate) = &self.limit {
                arguments.push(format!("option.nodestime={rate}").into());
            }
            arguments.extend(side.options.iter().map(|option| format!("option.{option}").into()));
        }
        let mut words = |text: String| arguments.extend(text.split(' ').map(OsString::from));
        words("-each proto=uci".to_string());
        words(match &self.limit {
            Limit::Nodes(nodes) => format!("tc=inf nodes={nodes}"),
            Limit::Clock(control) => format!("tc={control}"),
            Limit::NodesAsTime(control, _) => format!("tc={control} timemargin={NODESTIME_MARGIN}"),
        });
        let mut book = OsString::from("file=");
        book.push(&self.book);
        let format = if is_pgn(&self.book) { "format=pgn" } else { "format=epd" };
        arguments.extend(["-openings".into(), book, format.into(), "order=random".into()]);
        let mut words = |text: String| arguments.extend(text.split(' ').map(OsString::from));
        words(format!("-srand {} -repeat -games 2 -rounds {}", self.seed, self.pairs()));
        // A report after every pair: fastchess writes none when it is interrupted.
        words(format!("-concurrency {} -ratinginterval 1 -report penta=true", self.concurrency));
        words(format!("-pgnout file={GAMES} -output format=fastchess -recover"));
        if let Some(Sprt { elo0, elo1 }) = self.sprt {
            words(format!("-sprt elo0={elo0} elo1={elo1} alpha={ERROR} beta={ERROR} model=logistic"));
        }
        arguments
    }
}

/// fastchess, which is killed if its end was not waited for.
struct Running<'a> {
    child: Child,
    interrupt: &'a Interrupt,
}

impl Running<'_> {
    /// Waits for the end. The number of the process may be another's from then on, so that no signal is sent to it.
    fn wait(&mut self) -> io::Result<ExitStatus> {
        self.interrupt.set_process(None);
        self.child.wait()
    }
}

impl Running<'_> {
    /// Ends the games: fastchess ends its engines, too, where it can be interrupted.
    fn end(&mut self) {
        if cfg!(unix) {
            send_interrupt(self.child.id());
        } else {
            // It may have ended.
            let _ = self.child.kill();
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Neither can fail but for a process that has ended.
        let _ = self.child.kill();
        let _ = self.wait();
    }
}

/// Ends a match from outside: it may be asked to before fastchess runs.
#[derive(Debug, Default)]
pub struct Interrupt(Mutex<InterruptState>);

#[derive(Debug, Default)]
struct InterruptState {
    /// The number of fastchess's process, while it runs.
    process: Option<u32>,
    requested: bool,
}

impl Interrupt {
    /// Asks fastchess to end its games and to report.
    pub fn request(&self) {
        let mut state = self.lock();
        state.requested = true;
        state.process.into_iter().for_each(send_interrupt);
    }

    /// True if the match was to end early.
    pub fn is_requested(&self) -> bool {
        self.lock().requested
    }

    /// Says which process plays the match, if any.
    fn set_process(&self, process: Option<u32>) {
        let mut state = self.lock();
        state.process = process;
        if state.requested {
            process.into_iter().for_each(send_interrupt);
        }
    }

    fn lock(&self) -> MutexGuard<'_, InterruptState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn send_interrupt(process: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    // A process that has ended needs no signal.
    let _ = i32::try_from(process).ok().and_then(Pid::from_raw).map(|pid| kill_process(pid, Signal::INT));
}

/// Nothing here, where Ctrl-C comes to fastchess as well.
#[cfg(not(unix))]
fn send_interrupt(_process: u32) {}

/// How a match ended.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The last report.
    pub report: MatchReport,
    /// How fastchess ended.
    pub status: ExitStatus,
}

/// Plays a match in `directory`, which gets [`LOG`] and [`GAMES`]. `show` gets the lines of fastchess that [`ShownLines`]
/// chooses.
///
/// # Errors
/// If the directory has a log or games of another test, fastchess cannot be run, a file cannot be written, an option was not
/// set, or there is no result.
pub fn play(
    fastchess: &Path,
    arguments: &[OsString],
    directory: &Path,
    interrupt: &Interrupt,
    mut show: impl FnMut(&str),
) -> Result<Match, SprtError> {
    fs::create_dir_all(directory).map_err(FileError::at(directory))?;
    let log_path = directory.join(LOG);
    // fastchess would add to the games of another test.
    if directory.join(GAMES).exists() {
        return Err(SprtError::Occupied(directory.to_path_buf()));
    }
    let fail = FileError::at(&log_path);
    let cannot_run = |source| SprtError::Run { path: fastchess.to_path_buf(), source };
    let mut command = Command::new(fastchess);
    command.args(arguments).current_dir(directory).stdin(Stdio::null()).stdout(Stdio::piped());
    // A process group of its own: a signal to the group of this process, SIGTERM above all, would end it without a word.
    #[cfg(unix)]
    command.process_group(0);
    let file = File::create_new(&log_path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => SprtError::Occupied(directory.to_path_buf()),
        _ => fail(error).into(),
    })?;
    let mut log = BufWriter::new(file);
    let mut child = command.spawn().map_err(|source| {
        // The next attempt may have the directory.
        let _ = fs::remove_file(&log_path);
        cannot_run(source)
    })?;
    let output = child.stdout.take().expect("piped");
    let mut running = Running { child, interrupt };
    interrupt.set_process(Some(running.child.id()));
    let (mut reader, mut shown) = (ReportReader::default(), ShownLines::default());
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).map_err(cannot_run)? > 0 {
        let text = String::from_utf8_lossy(&line);
        log.write_all(&line).and_then(|()| log.flush()).map_err(&fail)?;
        let was_set = reader.option_warning().is_none();
        reader.read(text.trim());
        if was_set && reader.option_warning().is_some() {
            running.end();
        }
        shown.read(text.trim_end(), reader.pairs()).iter().for_each(|line| show(line));
        line.clear();
    }
    shown.finish().iter().for_each(|line| show(line));
    let status = running.wait().map_err(cannot_run)?;
    if let Some(message) = reader.option_warning() {
        return Err(SprtError::OptionNotSet { message: message.to_string(), log: log_path.clone() });
    }
    let report = reader.finish().ok_or_else(|| SprtError::NoResult(log_path.clone()))?;
    Ok(Match { report, status })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(path: &str, options: &[&str]) -> Side {
        let options = options.iter().map(|&option| option.to_string()).collect();
        Side { program: Program { name: "a".to_string(), path: path.into() }, options, experiments: false }
    }

    fn settings(limit: Limit, sprt: Option<Sprt>) -> MatchSettings {
        let book = "/books/my book.epd".into();
        MatchSettings { limit, sprt, book, seed: 7, games: 101, concurrency: 3, hash: 16, threads: 2 }
    }

    fn line(settings: &MatchSettings) -> String {
        let words = settings.arguments(&side("/bin/one", &["NullMove=off"]), &side("/bin/two", &[]));
        words.iter().map(|word| format!("{} ", word.to_str().unwrap())).collect()
    }

    #[test]
    fn no_opening_comes_twice_with_the_same_games() {
        let clock = || Limit::Clock("8+0.08".to_string());
        let counted = || Limit::NodesAsTime("8+0.08".to_string(), 400);
        for (limit, threads, options, openings, games) in [
            (Limit::Nodes(8000), 1, &[][..], 50, 101),
            (Limit::Nodes(8000), 1, &[], 49, 98),
            (counted(), 1, &["NullMove=off"], 3, 6),
            // Times and threads make other games of an opening.
            (clock(), 1, &[], 3, 101),
            (Limit::Nodes(8000), 2, &[], 3, 101),
            (Limit::Nodes(8000), 1, &["Threads=2"], 3, 101),
        ] {
            let mut settings = MatchSettings { threads, ..settings(limit, None) };
            let is_bound = settings.bound_by(openings, &side("/new", options), &side("/old", &[]));
            assert_eq!((settings.games, is_bound), (games, games < 101), "{settings:?}");
        }
    }

    #[test]
    fn the_side_with_more_threads_says_how_many_processors_a_game_takes() {
        for (threads, new, old, most) in [
            (1, &[][..], &[][..], 1),
            (8, &["NullMove=off"], &[], 8),
            (1, &["Threads=4"], &[], 4),
            (8, &["Threads=2"], &["Threads=3"], 3),
            (8, &["Threads=2"], &[], 8),
            (1, &["Threads=6", "Threads=2"], &["Threads=0"], 2),
        ] {
            assert_eq!(
                most_threads(threads, [&side("/new", new), &side("/old", old)]),
                most,
                "{new:?} {old:?}"
            );
        }
    }

    #[test]
    fn arguments_are_those_of_the_match() {
        let sprt = Some(Sprt { elo0: -3.0, elo1: 2.5 });
        let nodes = line(&settings(Limit::Nodes(8000), sprt));
        for part in [
            "-engine cmd=/bin/one name=new option.Hash=16 option.Threads=2 option.NullMove=off -engine ",
            " -engine cmd=/bin/two name=old option.Hash=16 option.Threads=2 -each proto=uci tc=inf nodes=8000 ",
            " -srand 7 -repeat -games 2 -rounds 50 -concurrency 3 ",
            " -report penta=true ",
            " -sprt elo0=-3 elo1=2.5 alpha=0.05 beta=0.05 ",
        ] {
            assert!(nodes.contains(part), "{part}: {nodes}");
        }
        let hidden = Side { experiments: true, ..side("/bin/two", &[]) };
        let words = settings(Limit::Nodes(1), None).arguments(&side("/bin/one", &[]), &hidden);
        assert_eq!(words.iter().filter(|&word| word == "args=--experiments").count(), 1);
        // A path with a space stays one argument.
        let words = settings(Limit::Nodes(1), None).arguments(&side("/a b", &[]), &side("/c", &[]));
        assert!(words.iter().any(|word| word == "file=/books/my book.epd"));
        assert!(words.iter().any(|word| word == "cmd=/a b"));
        let clock = line(&settings(Limit::Clock("8+0.08".to_string()), None));
        assert!(clock.contains(" tc=8+0.08 -openings") && !clock.contains("-sprt"), "{clock}");
        let counted = line(&settings(Limit::NodesAsTime("8+0.08".to_string(), 400), None));
        assert!(counted.contains(" tc=8+0.08 timemargin="), "{counted}");
        assert!(counted.contains(" option.nodestime=400 option.NullMove=off "), "{counted}");
    }
}
