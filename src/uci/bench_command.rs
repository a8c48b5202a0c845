//! The `bench` command: `bench [DEPTH [THREADS]]`, or with Stockfish's arguments
//! `bench HASH THREADS LIMIT [default|current|FILE [depth|nodes|movetime|mate|perft|eval]]`.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bench::{self, BenchResult, PositionResult};
use crate::board::Board;
use crate::engine::{
    DEFAULT_HASH, DEFAULT_THREADS, Engine, EngineError, Limits, MAX_HASH, max_threads, shown_score,
};
use crate::perft;
use crate::suite::epd;
use crate::types::Depth;
use crate::util::quote::{quote, quote_path};
use crate::util::regular_file;

use super::output::Output;
use super::position_line::{PositionLineError, board_of_line};
use super::words::{at_least, integer};

/// Which positions are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Positions {
    /// The fixed positions of the benchmark.
    Default,
    /// The position that is set up.
    Current,
    /// The positions of this file, one a line: EPD, or a FEN and perhaps moves.
    File(PathBuf),
}

/// What is done with each position.
#[derive(Clone, Debug)]
enum Work {
    Search(Limits),
    Perft(u32),
    Eval,
}

/// Shows what the user should know besides the results.
type ShowRemarks<'a> = &'a dyn Fn(&[String]);

/// A `bench` command that has been parsed: the size of the table in megabytes and the threads, where they are given, the
/// positions, and what is done with each.
#[derive(Clone, Debug)]
pub struct BenchCommand {
    hash: Option<usize>,
    threads: Option<usize>,
    positions: Positions,
    work: Work,
}

/// Why a benchmark cannot be run.
#[derive(Debug)]
pub enum BenchError {
    /// A word makes no sense: it, and what should stand there.
    Word(String, &'static str),
    /// The file of positions cannot be read.
    File(PathBuf, io::Error),
    /// The file has no position.
    Empty(PathBuf),
    /// A line of the file is no position: its number, from 1.
    Line(PathBuf, usize, PositionLineError),
    /// The engine cannot do it.
    Engine(EngineError),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Word(word, wanted) => write!(f, "'bench' needs {wanted}, not {}", quote(word)),
            BenchError::File(path, error) => write!(f, "{}: {error}", quote_path(path)),
            BenchError::Empty(path) => write!(f, "{}: no positions", quote_path(path)),
            BenchError::Line(path, line, error) => {
                write!(f, "{}, line {line}: {error}", quote_path(path))
            }
            BenchError::Engine(error) => write!(f, "{error}"),
        }
    }
}

impl Error for BenchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BenchError::Word(..) | BenchError::Empty(_) => None,
            BenchError::File(_, error) => Some(error),
            BenchError::Line(.., error) => Some(error),
            BenchError::Engine(error) => Some(error),
        }
    }
}

impl From<EngineError> for BenchError {
    fn from(error: EngineError) -> BenchError {
        BenchError::Engine(error)
    }
}

/// A number of at least 1: smaller ones and those that do not fit are brought to the nearer end.
fn number(word: &str) -> Result<u64, BenchError> {
    let wanted = "numbers: a depth and threads, or hash, threads and a limit";
    let number = integer(word).ok_or_else(|| BenchError::Word(word.to_string(), wanted))?;
    Ok(at_least(number, 1))
}

fn up_to(number: u64, max: usize) -> usize {
    usize::try_from(number).unwrap_or(max).min(max)
}

fn work(kind: &str, limit: u64) -> Result<Work, BenchError> {
    let none = Limits::default;
    Ok(match kind {
        "depth" => Work::Search(depth(limit)),
        "nodes" => Work::Search(Limits::nodes(limit)),
        "movetime" => Work::Search(Limits { move_time: Some(Duration::from_millis(limit)), ..none() }),
        "mate" => Work::Search(Limits { mate: Some(u32::try_from(limit).unwrap_or(u32::MAX)), ..none() }),
        "perft" => Work::Perft(up_to(limit, perft::MAX_DEPTH as usize) as u32),
        "eval" => Work::Eval,
        other => {
            return Err(BenchError::Word(other.to_string(), "depth, nodes, movetime, mate, perft or eval"));
        }
    })
}

fn depth(limit: u64) -> Limits {
    Limits::depth(Depth::try_from(limit).unwrap_or(Depth::MAX))
}

impl BenchCommand {
    /// What the text after `bench` asks for, whose words are separated by white space: see [`BenchCommand::from_words`].
    ///
    /// # Errors
    /// If a word is not of the kind that stands in its place.
    pub fn parse(text: &str) -> Result<BenchCommand, BenchError> {
        BenchCommand::from_words(&text.split_ascii_whitespace().collect::<Vec<_>>())
    }

    /// What the words after `bench` ask for: up to two numbers are a depth and threads; with three or more the words are
    /// Stockfish's. The name of a file may hold spaces.
    ///
    /// # Errors
    /// If a word is not of the kind that stands in its place.
    pub fn from_words(words: &[&str]) -> Result<BenchCommand, BenchError> {
        let mut command = BenchCommand {
            hash: None,
            threads: None,
            positions: Positions::Default,
            work: Work::Search(depth(bench::DEFAULT_DEPTH as u64)),
        };
        match *words {
            [] => {}
            [limit] => command.work = Work::Search(depth(number(limit)?)),
            [limit, threads] => {
                command.work = Work::Search(depth(number(limit)?));
                command.threads = Some(up_to(number(threads)?, max_threads()));
            }
            [hash, threads, limit, ref rest @ ..] => {
                command.hash = Some(up_to(number(hash)?, MAX_HASH));
                command.threads = Some(up_to(number(threads)?, max_threads()));
                let limit = number(limit)?;
                command.positions = match rest.first() {
                    None | Some(&"default") => Positions::Default,
                    Some(&"current") => Positions::Current,
                    Some(path) => Positions::File(path.into()),
                };
                command.work = work(rest.get(1).unwrap_or(&"depth"), limit)?;
                if let Some(word) = rest.get(2) {
                    return Err(BenchError::Word((*word).to_string(), "nothing behind the kind of limit"));
                }
            }
        }
        Ok(command)
    }

    /// Runs the benchmark in an engine of its own, which evaluates, makes null moves and places its threads as `model`
    /// does, writes a line for each position, and returns the total. `show_remarks` gets those on the engine's threads, and at
    /// the end the warnings of the searches. Ends soon, without a total, when `is_cancelled` returns true.
    ///
    /// # Errors
    /// If the file of positions cannot be read, or the system has no memory or threads for the engine.
    pub fn run(
        &self,
        model: &Engine,
        output: &Output,
        show_remarks: ShowRemarks<'_>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<BenchResult>, BenchError> {
        let positions = self.positions(model, is_cancelled)?;
        let mut engine = self.engine(model)?;
        show_remarks(&engine.placement().remarks);
        self.run_positions(&mut engine, &positions, (output, show_remarks), is_cancelled)
    }

    /// The engine that runs the benchmark.
    fn engine(&self, model: &Engine) -> Result<Engine, BenchError> {
        let mut engine =
            Engine::new(self.threads.unwrap_or(DEFAULT_THREADS), self.hash.unwrap_or(DEFAULT_HASH))?;
        engine.set_numa_policy(model.numa_policy().clone())?;
        engine.set_pin(model.pin())?;
        engine.options_mut().move_overhead = Duration::ZERO;
        engine.set_network(Arc::clone(model.network()))?;
        engine.options_mut().null_move = model.options().null_move;
        engine.options_mut().null_move_helpers = model.options().null_move_helpers;
        engine.options_mut().null_move_settings = model.options().null_move_settings;
        engine.options_mut().tablebases = model.options().tablebases.clone();
        Ok(engine)
    }

    /// Runs the benchmark in `engine`, with the threads and the table that it has where the command names none. Otherwise
    /// like [`BenchCommand::run`], but `show_remarks` gets nothing on the threads if they stay as they are.
    ///
    /// # Errors
    /// If the file of positions cannot be read, or the system has no memory or threads for the engine.
    pub fn run_in(
        &self,
        engine: &mut Engine,
        output: &Output,
        show_remarks: ShowRemarks<'_>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<BenchResult>, BenchError> {
        let positions = self.positions(engine, is_cancelled)?;
        if let Some(threads) = self.threads {
            engine.set_threads(threads)?;
            show_remarks(&engine.placement().remarks);
        }
        // After the threads, which touch its memory.
        if let Some(hash) = self.hash {
            engine.set_hash(hash)?;
        }
        self.run_positions(engine, &positions, (output, show_remarks), is_cancelled)
    }

    fn run_positions(
        &self,
        engine: &mut Engine,
        positions: &PositionList,
        (output, show_remarks): (&Output, ShowRemarks<'_>),
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<BenchResult>, BenchError> {
        let is_cancelled = || is_cancelled() || output.is_closed();
        let report = |position: PositionResult| output.line(position);
        let total = match &self.work {
            Work::Search(limits) => {
                let boards = (positions.count, positions.boards());
                bench::run_positions(engine, boards, limits, &is_cancelled, report)?
            }
            Work::Perft(depth) => for_each_position(positions, output, &is_cancelled, |board| {
                perft::perft_until(&mut board.clone(), *depth, &is_cancelled).unwrap_or(0)
            }),
            Work::Eval => for_each_position(positions, output, &is_cancelled, |board| {
                output.line(format_args!(
                    "{:+} centipawns for the side to move, {board}",
                    shown_score(engine.network_output(board).value(), board.material())
                ));
                1
            }),
        };
        show_remarks(&total.warnings);
        Ok((!is_cancelled()).then_some(total))
    }

    /// The positions; not all of a file if `is_cancelled` returns true meanwhile.
    fn positions(&self, model: &Engine, is_cancelled: &dyn Fn() -> bool) -> Result<PositionList, BenchError> {
        Ok(match &self.positions {
            Positions::Default => PositionList::of(bench::boards()),
            Positions::Current => PositionList::of(vec![model.board().clone()]),
            Positions::File(path) => PositionList::read(path, is_cancelled)?,
        })
    }
}

/// The positions of a benchmark. Of a file only the text is kept: a board takes much more.
struct PositionList {
    count: usize,
    boards: Vec<Board>,
    text: String,
}

impl PositionList {
    fn of(boards: Vec<Board>) -> PositionList {
        PositionList { count: boards.len(), boards, text: String::new() }
    }

    /// The positions of a file, one a line as [`board_of_line`] reads it, up to that at which `is_cancelled` returns true. Empty
    /// lines and comments after `#` are skipped.
    fn read(path: &Path, is_cancelled: &dyn Fn() -> bool) -> Result<PositionList, BenchError> {
        let text = regular_file::read_to_string(path)
            .map_err(|error| BenchError::File(path.to_path_buf(), error))?;
        let mut count = 0;
        for (number, line) in epd::lines(&text).take_while(|_| !is_cancelled()) {
            board_of_line(line).map_err(|error| BenchError::Line(path.to_path_buf(), number, error))?;
            count += 1;
        }
        if count == 0 && !is_cancelled() {
            return Err(BenchError::Empty(path.to_path_buf()));
        }
        Ok(PositionList { count, boards: Vec::new(), text })
    }

    /// Each position once, made when it is asked for.
    fn boards(&self) -> impl Iterator<Item = Board> + '_ {
        let of_file = epd::lines(&self.text).filter_map(|(_, line)| board_of_line(line).ok());
        self.boards.iter().cloned().chain(of_file).take(self.count)
    }
}

/// Does with each position what is not a search, and counts as nodes what `count` returns.
fn for_each_position(
    positions: &PositionList,
    output: &Output,
    is_cancelled: &dyn Fn() -> bool,
    mut count: impl FnMut(&Board) -> u64,
) -> BenchResult {
    let mut total = BenchResult::default();
    for (number, board) in (1..).zip(positions.boards()) {
        if is_cancelled() {
            break;
        }
        let started = Instant::now();
        let nodes = count(&board);
        let time = started.elapsed();
        if is_cancelled() {
            break;
        }
        total.nodes += nodes;
        total.time += time;
        output.line(PositionResult { number, count: positions.count, nodes, time });
    }
    total
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;

    use super::*;
    use crate::engine::{MATERIAL_NETWORK, NumaPolicy, Pin, SchemeName, load_network};
    use crate::uci::screen::Screen;

    fn lines(words: &str) -> Result<Vec<String>, BenchError> {
        let mut model = Engine::new(1, 1).expect("memory");
        let network = load_network(std::path::Path::new(MATERIAL_NETWORK)).expect("a network");
        model.set_network(network).expect("idle");
        let screen = Screen::default();
        let output = Output::new(screen.clone(), |_| ());
        let total = BenchCommand::parse(words)?.run(&model, &output, &|_| (), &|| false)?;
        output.line(total.expect("not cancelled"));
        Ok(screen.text().lines().map(str::to_string).collect())
    }

    fn nodes(words: &str) -> u64 {
        let lines = lines(words).unwrap_or_else(|error| panic!("{words}: {error}"));
        lines.last().and_then(|line| line.split(' ').next()?.parse().ok()).expect("a number")
    }

    #[test]
    fn its_engine_is_set_like_that_of_the_session() {
        let mut model = Engine::new(1, 1).expect("memory");
        model.set_numa_policy(NumaPolicy::Off).expect("idle");
        model.set_network(load_network(Path::new(MATERIAL_NETWORK)).expect("a network")).expect("idle");
        let options = model.options_mut();
        options.null_move = SchemeName::Verified;
        options.null_move_helpers = Some(SchemeName::Off);
        options.null_move_settings.report_counts = true;
        options.tablebases.probe_limit = 3;
        for pin in Pin::ALL {
            model.set_pin(pin).expect("idle");
            let engine =
                BenchCommand::parse("1 2 1").and_then(|command| command.engine(&model)).expect("memory");
            assert_eq!((engine.pin(), engine.numa_policy(), engine.threads()), (pin, &NumaPolicy::Off, 2));
            assert!(Arc::ptr_eq(engine.network(), model.network()));
            let (found, expected) = (engine.options(), model.options());
            assert_eq!(found.null_move, expected.null_move);
            assert_eq!(found.null_move_helpers, expected.null_move_helpers);
            assert_eq!(found.null_move_settings, expected.null_move_settings);
            assert_eq!(found.tablebases.probe_limit, expected.tablebases.probe_limit);
        }
    }

    #[test]
    fn both_orders_of_arguments_are_understood() {
        assert_eq!(nodes("2"), nodes("16 1 2"));
        assert_eq!(nodes("2 1"), nodes("16 1 2 default depth"));
        assert_eq!(nodes("1 1 4 current perft"), 197_281);
        assert_eq!(nodes("1 1 1 default eval"), bench::POSITIONS.len() as u64);
        assert!((900..1100).contains(&nodes("1 1 1000 current nodes")));
    }

    #[test]
    fn positions_come_from_a_file() {
        let path = std::env::temp_dir().join(format!("caesura-bench-{}.epd", std::process::id()));
        let positions = "# one\n\n8/8/8/8/8/8/8/K1k5 w - - bm Ka2;\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\
                         8/8/8/8/8/8/8/1K2k3 w - - 0 1 moves b1a1 e1d1\n";
        fs::write(&path, positions).expect("written");
        let name = path.display();
        let found = lines(&format!("1 1 1 {name} perft"));
        // Latin-1, as the names of old suites.
        fs::write(&path, b"8/8/8/8/8/8/8/K1k5 w - - id \"Andr\xe9\";\n").expect("written");
        assert!(lines(&format!("1 1 1 {name} perft")).expect("counts")[1].starts_with("1 nodes "));
        fs::write(&path, "# nothing\n\n").expect("written");
        assert!(matches!(lines(&format!("1 1 1 {name} perft")), Err(BenchError::Empty(_))));
        let broken = ["8/8 w", "8/8/8/8/8/8/8/K1k5 w - - -3 x1 garbage"].map(|line| {
            fs::write(&path, line).expect("written");
            lines(&format!("1 1 1 {name} perft"))
        });
        fs::remove_file(&path).expect("removed");
        // 1, 15 and 3 moves.
        assert!(found.expect("counts")[3].starts_with("19 nodes "));
        for broken in broken {
            assert!(matches!(broken, Err(BenchError::Line(_, 1, _))), "{broken:?}");
        }
        assert!(matches!(lines(&format!("1 1 1 {name}")), Err(BenchError::File(..))));
    }

    #[test]
    fn a_file_is_not_read_to_its_end_once_the_command_is_cancelled() {
        let path = std::env::temp_dir().join(format!("caesura-bench-cancelled-{}.epd", std::process::id()));
        let line = "8/8/8/8/8/8/8/K1k5 w - - 0 1\n";
        fs::write(&path, format!("{line}{line}{line}no position\n")).expect("written");
        let (asked, model) = (Cell::new(0), Engine::new(1, 1).expect("memory"));
        let is_cancelled = || asked.replace(asked.get() + 1) >= 2;
        let command = BenchCommand::parse(&format!("1 1 1 {} eval", path.display())).expect("a command");
        let total = command.run(&model, &Output::new(io::sink(), |_| ()), &|_| (), &is_cancelled);
        fs::remove_file(&path).expect("removed");
        assert!(matches!(total, Ok(None)), "{total:?}");
    }

    #[test]
    fn words_of_another_kind_are_refused() {
        for words in ["x", "1 x", "1 1 x", "1 1 1 default colour", "1 1 1 default depth 3", "--3"] {
            assert!(matches!(BenchCommand::parse(words), Err(BenchError::Word(..))), "{words}");
        }
    }
}
