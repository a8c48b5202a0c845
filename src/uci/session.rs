//! The loop: commands in, answers out.

use std::io::BufRead;
use std::sync::Arc;
use std::time::Duration;

use crate::bench;
use crate::board::{Board, notation};
use crate::clock::Limits;
use crate::engine::{Engine, EngineError, MAX_THREADS};
use crate::nnue::Network;
use crate::nnue::simd::Native;
use crate::perft;
use crate::types::{Color, Depth, Move};
use crate::util::quote::quote;
use crate::util::schedule::{self, Slice};

use super::command::{self, Command, Go};
use super::info::Style;
use super::input::{self, Input};
use super::options::{
    self, DEFAULT_HASH, DEFAULT_THREADS, OptionContext, OptionValue, SessionSettings, UciOption,
};
use super::output::Output;
use super::reporter::Reporter;

/// What waits for the end of a search.
enum Deferred {
    /// A new value for the option at this place of the table.
    Set(usize, OptionValue),
    /// A new game.
    NewGame,
}

/// A conversation over UCI.
pub struct Session {
    engine: Engine,
    output: Arc<Output>,
    options: Vec<UciOption>,
    settings: SessionSettings,
    /// The reporter of the search that runs, or that ran last and has not been cleared away.
    reporter: Option<Arc<Reporter>>,
    /// That search was told to stop.
    stopping: bool,
    deferred: Vec<Deferred>,
}

impl Session {
    /// A conversation whose answers go to `output`.
    ///
    /// # Errors
    /// If the machine has no memory or no thread for the smallest engine.
    pub fn new(output: Arc<Output>) -> Result<Session, EngineError> {
        Ok(Session {
            engine: Engine::new(DEFAULT_THREADS, DEFAULT_HASH)?,
            output,
            options: options::table(),
            settings: SessionSettings::default(),
            reporter: None,
            stopping: false,
            deferred: Vec::new(),
        })
    }

    /// Obeys the commands of `input` until it ends, says `quit`, or nobody reads the answers any more. A
    /// search that is running then is stopped, and answers.
    pub fn run(&mut self, mut input: impl BufRead) {
        schedule::request_slice(Slice::Short);
        let mut buffer = Vec::new();
        while !self.output.is_closed() {
            match input::read_line(&mut input, &mut buffer) {
                Ok(Input::Text(line)) => {
                    if !self.execute(line) {
                        break;
                    }
                }
                Ok(Input::NotText) => self.output.info_string("a line that is not UTF-8 was ignored"),
                Ok(Input::TooLong) => self.output.info_string(format_args!(
                    "a line of more than {} bytes was ignored",
                    input::MAX_LINE_BYTES
                )),
                Ok(Input::End) | Err(_) => break,
            }
        }
        self.engine.stop();
        self.engine.wait();
    }

    /// Obeys one line. False if it says to quit.
    fn execute(&mut self, line: &str) -> bool {
        let command = match command::parse(line) {
            Ok(command) => command,
            Err(error) => {
                self.output.info_string(error);
                return true;
            }
        };
        if self.reporter.as_ref().is_some_and(|reporter| reporter.is_done()) {
            self.wait();
        }
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => {
                self.try_finish();
                self.output.line("readyok");
            }
            Command::NewGame => {
                if self.try_finish() {
                    self.new_game();
                } else {
                    self.defer("ucinewgame", Deferred::NewGame);
                }
            }
            Command::Position { fen, moves } => self.position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Stop => {
                if self.reporter.is_some() {
                    self.stopping = true;
                    self.engine.stop();
                }
            }
            Command::PonderHit => {
                if self.reporter.is_some() {
                    self.engine.ponder_hit();
                } else {
                    self.output.info_string("'ponderhit' ignored, nothing is being searched");
                }
            }
            Command::Quit => return false,
            Command::Ignored => {}
            Command::Display => self.show(),
            Command::Eval => self.evaluate(),
            Command::Perft(depth) => {
                if self.finish_or_refuse("perft") {
                    perft_lines(self.engine.board(), depth, &self.output);
                }
            }
            Command::Bench([depth, threads, hash]) => {
                if self.finish_or_refuse("bench") {
                    self.bench(depth, threads, hash);
                }
            }
        }
        true
    }

    /// Waits for a search that has answered or was told to, and then does what waited for it. False if one
    /// is running that was not told to stop.
    fn try_finish(&mut self) -> bool {
        match &self.reporter {
            Some(reporter) if !self.stopping && !reporter.is_done() => false,
            _ => {
                self.wait();
                true
            }
        }
    }

    fn finish_or_refuse(&mut self, word: &str) -> bool {
        let settled = self.try_finish();
        if !settled {
            self.output.info_string(format_args!("'{word}' ignored, a search is running"));
        }
        settled
    }

    fn wait(&mut self) {
        if self.reporter.take().is_some() {
            self.engine.wait();
        }
        self.stopping = false;
        for deferred in std::mem::take(&mut self.deferred) {
            match deferred {
                Deferred::Set(place, value) => self.apply(place, value),
                Deferred::NewGame => self.new_game(),
            }
        }
    }

    fn new_game(&mut self) {
        if let Err(error) = self.engine.new_game() {
            self.output.info_string(error);
        }
    }

    fn defer(&mut self, what: &str, deferred: Deferred) {
        self.output.info_string(format_args!("'{what}' will count when the search has ended"));
        self.deferred.push(deferred);
    }

    fn identify(&self) {
        let options: String = self.options.iter().map(|option| format!("{option}\n")).collect();
        self.output.line(format_args!(
            "id name Caesura {}\nid author the Caesura developers\n{options}uciok",
            env!("CARGO_PKG_VERSION"),
        ));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(place) = options::find(&self.options, name) else {
            self.output.info_string(format_args!("unknown option {}", quote(name)));
            return;
        };
        match self.options[place].read(value) {
            Err(error) => self.output.info_string(error),
            Ok(value) if self.try_finish() => self.apply(place, value),
            Ok(value) => self.defer(self.options[place].name, Deferred::Set(place, value)),
        }
    }

    fn apply(&mut self, place: usize, value: OptionValue) {
        let mut notes = Vec::new();
        let mut target =
            OptionContext { engine: &mut self.engine, settings: &mut self.settings, notes: &mut notes };
        if let Err(error) = self.options[place].apply(&mut target, &value) {
            notes.push(error);
        }
        notes.iter().for_each(|note| self.output.info_string(note));
    }

    fn position(&mut self, fen: Option<&str>, moves: &[&str]) {
        match board_after(fen, moves, self.settings.chess960) {
            Ok(board) => self.engine.set_position(board),
            Err(error) => self.output.info_string(format_args!("{error}; the position stays as it was")),
        }
    }

    fn go(&mut self, go: &Go<'_>) {
        if !self.finish_or_refuse("go") {
            return;
        }
        for word in &go.unknown {
            self.output.info_string(format_args!("{} after 'go' ignored", quote(word)));
        }
        let board = self.engine.board();
        let (search_moves, refused) = search_moves(&go.search_moves, board);
        for word in refused {
            self.output.info_string(format_args!("search move {} ignored, it is not legal", quote(word)));
        }
        let style = Style { chess960: board.is_chess960(), wdl: self.settings.show_wdl };
        let limits = limits(go, board.side_to_move(), search_moves);
        let reporter = Arc::new(Reporter::new(Arc::clone(&self.output), style, self.settings.minimal));
        match self.engine.go(limits, Arc::clone(&reporter) as _) {
            Ok(()) => self.reporter = Some(reporter),
            Err(error) => self.output.info_string(error),
        }
    }

    fn show(&self) {
        let board = self.engine.board();
        let checkers: Vec<String> = board.checkers().into_iter().map(|square| square.to_string()).collect();
        self.output.line(format_args!(
            "{}\nFen: {}\nKey: {:016X}\nCheckers: {}",
            super::diagram::diagram(board),
            board,
            board.key(),
            checkers.join(" "),
        ));
    }

    fn evaluate(&self) {
        self.output.line(evaluation_line(self.engine.board(), self.engine.network()));
    }

    fn bench(&self, depth: Option<usize>, threads: Option<usize>, hash: Option<usize>) {
        let setup = bench::BenchConfig {
            depth: depth.map_or(bench::DEFAULT_DEPTH, |depth| Depth::try_from(depth).unwrap_or(Depth::MAX)),
            threads: threads.unwrap_or(bench::DEFAULT_THREADS).min(MAX_THREADS),
            hash: hash.unwrap_or(bench::DEFAULT_HASH).min(options::MAX_HASH),
            network: Arc::clone(self.engine.network()),
            null_move: self.engine.options().null_move,
            null_move_settings: self.engine.options().null_move_settings,
        };
        bench::remarks(&setup).iter().for_each(|remark| self.output.info_string(remark));
        match bench::run(&setup, |position| self.output.line(position)) {
            Ok(total) => {
                if setup.null_move_settings.report_counts {
                    self.output.info_string(total.null_counts);
                }
                self.output.line(total);
            }
            Err(error) => self.output.info_string(error),
        }
    }
}

/// The static evaluation of a position in words.
pub fn evaluation_line(board: &Board, network: &Network) -> String {
    let value = network.evaluate::<Native>(board);
    let value = if board.side_to_move() == Color::White { value } else { -value };
    format!("static evaluation {:+.2} pawns for White, network {}", f64::from(value) / 100.0, network.name())
}

/// Counts the nodes below each move, and writes them as they come.
pub fn perft_lines(board: &Board, depth: u32, output: &Output) {
    let mut board = board.clone();
    let mut total = 0;
    for m in board.legal_moves() {
        board.make_move(m, &mut ());
        let nodes = perft::perft(&mut board, depth.saturating_sub(1));
        board.unmake_move(m, &mut ());
        total += nodes;
        output.line(format_args!("{}: {nodes}", notation::to_uci(m, board.is_chess960())));
        if output.is_closed() {
            return;
        }
    }
    output.line(format_args!("\nNodes searched: {total}"));
}

/// The board that `position` asks for, whole or not at all.
fn board_after(fen: Option<&str>, moves: &[&str], chess960: bool) -> Result<Board, String> {
    let mut board = match fen {
        Some(fen) => fen.parse::<Board>().map_err(|error| format!("bad FEN: {error}"))?,
        None => Board::start(),
    };
    board.set_chess960(chess960 || !board.castles_as_standard());
    for (played, text) in moves.iter().enumerate() {
        let m = notation::parse_uci(&board, text)
            .ok_or_else(|| format!("move {} {} is not legal", played + 1, quote(text)))?;
        board.make_move(m, &mut ());
    }
    Ok(board)
}

/// The legal moves among some words, and the other words.
fn search_moves<'a>(words: &[&'a str], board: &Board) -> (Vec<Move>, Vec<&'a str>) {
    let (mut moves, mut refused) = (Vec::new(), Vec::new());
    for &word in words {
        match notation::parse_uci(board, word) {
            Some(m) => moves.push(m),
            None => refused.push(word),
        }
    }
    (moves, refused)
}

fn limits(go: &Go<'_>, side: Color, search_moves: Vec<Move>) -> Limits {
    let milliseconds = |time: Option<u64>| time.map(Duration::from_millis);
    let mut time = go.clock.map(milliseconds);
    // Clocks are ticking, but nobody said how: an increment of zero alone must not mean for ever.
    if time == [None; 2] && go.increment.iter().any(Option::is_some) {
        time[side.index()] = Some(Duration::ZERO);
    }
    Limits {
        time,
        increment: go.increment.map(|time| milliseconds(time).unwrap_or_default()),
        moves_to_go: go.moves_to_go,
        move_time: milliseconds(go.move_time),
        nodes: go.nodes,
        soft_nodes: None,
        depth: go.depth.map(|depth| Depth::try_from(depth).unwrap_or(Depth::MAX)),
        mate: go.mate,
        infinite: go.infinite,
        ponder: go.ponder,
        search_moves,
    }
}
