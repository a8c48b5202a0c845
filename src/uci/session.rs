//! The UCI session: reads commands, executes them, answers.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::engine::{DEFAULT_HASH, DEFAULT_THREADS, Engine, EngineError, SearchObserver, SharedSearch};
use crate::perft;
use crate::util::build;
use crate::util::quote::{quote, quote_all};
use crate::util::random::SplitMix;
use crate::util::schedule::{self, Slice};
use crate::util::sync;

use super::bench_command::BenchCommand;
use super::command::{self, Command};
use super::eval_table;
use super::export_network;
use super::genfens;
use super::go_command;
use super::go_words::Go;
use super::help;
use super::info::{self, Style};
use super::input;
use super::lines::{Interrupt, Line, Lines, SCRIPT_TIMEOUT};
use super::options::table::{CLEAR_HASH, HASH};
use super::options::{self, OptionContext, OptionValue, SessionSettings, UciOption};
use super::output::Output;
use super::position_command;
use super::reporter::{ReportSettings, Reporter};
use super::speedtest_command;
use super::state_observer::{StateChange, StateObserver};
use super::strength::Handicap;
use super::tuner;

/// A command that waits for the end of a search.
enum Deferred {
    /// A new value of an option, and the line that sets it.
    Set(&'static UciOption, OptionValue, String),
    /// A new game.
    NewGame,
}

/// An engine that is controlled over UCI.
pub struct Session {
    engine: Engine,
    output: Arc<Output>,
    settings: SessionSettings,
    /// The reporter of the search that runs, or of one that has ended and was not yet waited for.
    reporter: Option<Arc<Reporter>>,
    /// `stop` was sent to the search of the reporter.
    stopping: bool,
    /// The search of the reporter ends by itself, without `stop` or `ponderhit`.
    bounded: bool,
    /// The search of the reporter ends by itself once it no longer ponders.
    bounded_after_hit: bool,
    deferred: Vec<Deferred>,
    /// `uci` lists the options of experiments, too.
    list_experiments: bool,
    /// A size of the table that has been set and not been used yet, and the line that set it.
    pending_hash: Option<(OptionValue, String)>,
    /// What interrupts a command that keeps the session busy.
    interrupt: Arc<Interrupt>,
    observer: Option<Arc<dyn StateObserver>>,
}

impl Session {
    /// A session whose answers go to `output`.
    ///
    /// # Errors
    /// If there is no memory or no thread for an engine of the default size.
    pub fn new(output: Arc<Output>) -> Result<Session, EngineError> {
        Ok(Session {
            engine: Engine::new(DEFAULT_THREADS, DEFAULT_HASH)?,
            output,
            settings: SessionSettings::default(),
            reporter: None,
            stopping: false,
            bounded: false,
            bounded_after_hit: false,
            deferred: Vec::new(),
            list_experiments: false,
            pending_hash: None,
            interrupt: Arc::default(),
            observer: None,
        })
    }

    /// Has the session list the options of experiments, too, in its answer to `uci`.
    pub fn listing_experiments(self) -> Session {
        Session { list_experiments: true, ..self }
    }

    /// Has the session report its changes of state (options, positions and new games) to an observer.
    pub fn observed_by(self, observer: Arc<dyn StateObserver>) -> Session {
        Session { observer: Some(observer), ..self }
    }

    /// Shares the searches of the session with other machines: see [`Engine::share_searches`].
    pub fn share_searches(&mut self, observer: Arc<dyn SearchObserver>) -> SharedSearch {
        self.engine.share_searches(observer)
    }

    /// Executes the commands of `input` until it ends, `quit` comes, or the output is closed. A search that is then
    /// running is stopped and sends its best move.
    ///
    /// # Errors
    /// If the input cannot be read: then it has ended.
    pub fn run(&mut self, input: impl BufRead + Send + 'static) -> io::Result<()> {
        schedule::request_slice(Slice::Short);
        let result = self.execute_all(Lines::new(input, Arc::clone(&self.interrupt)));
        self.engine.stop();
        self.engine.wait();
        result
    }

    fn execute_all(&mut self, mut lines: Lines<impl BufRead + Send + 'static>) -> io::Result<()> {
        while !self.output.is_closed() {
            match lines.next()? {
                Line::Text(line) => {
                    self.output.log_input(&line);
                    if command::parse(&line).is_ok_and(|command| self.takes_time(&command)) {
                        lines.read_ahead();
                    }
                    if !self.execute(&line) {
                        break;
                    }
                }
                Line::NotText(line) => {
                    self.output.log_input(&line);
                    self.output.info_string("a line that is not UTF-8 was ignored");
                }
                Line::TooLong => self.output.info_string(format_args!(
                    "a line of more than {} bytes was ignored",
                    input::MAX_LINE_BYTES
                )),
                Line::End => break,
            }
        }
        Ok(())
    }

    /// Executes lines as the command line gives them, up to `quit`: each after the search of the one before, unless that
    /// has no end of its own. The last search is waited for, even if that takes for ever.
    pub fn run_lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        for line in lines {
            self.output.log_input(line);
            if self.output.is_closed() || !self.execute(line) {
                self.engine.stop();
                break;
            }
            if self.bounded {
                self.wait();
            }
        }
        self.engine.wait();
    }

    /// Executes one line. False for `quit`.
    fn execute(&mut self, line: &str) -> bool {
        // What the end of a search has left to do counts as time of the next one.
        let received = sync::Instant::now();
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
            Command::Uci { experiments } => self.identify(experiments),
            Command::IsReady => {
                if self.try_finish() {
                    self.apply_pending_hash();
                }
                self.output.line("readyok");
            }
            Command::NewGame => {
                self.note_change(StateChange::NewGame);
                if self.try_finish() {
                    self.new_game();
                } else {
                    self.defer("ucinewgame", Deferred::NewGame);
                }
            }
            Command::Position { fen, moves } => self.position(line, fen.as_deref(), &moves),
            Command::Go(go) => self.go(&go, received),
            Command::SetOption { name, value } => self.set_option(line, &name, value),
            Command::Stop => {
                if self.reporter.is_some() {
                    self.stopping = true;
                    self.engine.stop();
                }
            }
            Command::PonderHit => {
                if self.reporter.is_some() {
                    self.engine.ponder_hit();
                    self.bounded = self.bounded_after_hit;
                } else {
                    self.output.info_string("'ponderhit' ignored, nothing is being searched");
                }
            }
            Command::Quit => return false,
            Command::Ignored => {}
            Command::Wait => self.wait_for_search(),
            Command::Help => self.output.line(help::commands()),
            Command::License => self.output.line(help::LICENSE),
            Command::Compiler => self.output.line(build::description()),
            Command::Flip => self.flip(),
            Command::GenFens(words) => {
                if self.finish_or_refuse("genfens") {
                    self.genfens(words);
                }
            }
            Command::Params => tuner::lines().for_each(|line| self.output.line(line)),
            Command::ExportNetwork(path) => {
                self.output.info_string(export_network::export(self.engine.network(), path));
            }
            Command::Display => self.show(),
            Command::Eval => self.evaluate(),
            Command::Perft(depth) => {
                if self.finish_or_refuse("perft") {
                    self.perft(depth);
                }
            }
            Command::Speedtest(words, numbers) => {
                if self.finish_or_refuse("speedtest") {
                    let is_cancelled = self.cancellation(Duration::MAX);
                    match speedtest_command::run(words, numbers, &self.engine, &is_cancelled) {
                        _ if is_cancelled() => self.output.info_string("speedtest interrupted"),
                        Ok(report) => self.output.line(report),
                        Err(error) => self.output.info_string(error),
                    }
                }
            }
            Command::Bench(words) => {
                if self.finish_or_refuse("bench") {
                    self.bench(words);
                }
            }
        }
        true
    }

    /// True if a search is running that was not stopped.
    fn is_searching(&self) -> bool {
        self.reporter.as_ref().is_some_and(|reporter| !self.stopping && !reporter.is_done())
    }

    /// True if a search is running that was not stopped, and ends by itself.
    fn is_search_bounded(&self) -> bool {
        self.bounded && self.is_searching()
    }

    /// True of a command that keeps the session from reading its input for a while.
    fn takes_time(&self, command: &Command<'_>) -> bool {
        command.takes_time() || matches!(command, Command::Go(_)) && self.is_search_bounded()
    }

    /// Waits for a search that has sent its best move or was stopped, then executes what was deferred. False if a search
    /// is running that was not stopped.
    fn try_finish(&mut self) -> bool {
        let idle = !self.is_searching();
        if idle {
            self.wait();
        }
        idle
    }

    /// Waits for a running search, as scripts expect that send one `go` behind the other. False, with a message, if it may have
    /// no end.
    fn finish_or_refuse(&mut self, word: &str) -> bool {
        if self.is_search_bounded() {
            self.wait_for_search();
        }
        let idle = self.try_finish();
        if !idle {
            self.output.info_string(format_args!("'{word}' ignored, a search is running"));
        }
        idle
    }

    fn wait(&mut self) {
        if self.reporter.take().is_some() {
            self.engine.wait();
        }
        self.stopping = false;
        for deferred in std::mem::take(&mut self.deferred) {
            match deferred {
                Deferred::Set(option, value, line) => self.apply_or_keep(option, value, &line),
                Deferred::NewGame => self.new_game(),
            }
        }
    }

    fn wait_for_search(&mut self) {
        if self.reporter.is_some() && !self.stopping && !self.bounded {
            let end = if self.bounded_after_hit { "'stop' or 'ponderhit'" } else { "'stop'" };
            let note = format_args!("'wait' ignored, the search may have no end before {end}");
            return self.output.info_string(note);
        }
        let start = Instant::now();
        self.engine.wait_until(|| self.interrupt.is_due(start, Duration::MAX));
        self.wait();
    }

    /// Whether a command that begins now is to end early. After a `quit` or an end of the input of the same script it may
    /// go on for `timeout`.
    fn cancellation(&self, timeout: Duration) -> impl Fn() -> bool + '_ {
        let start = Instant::now();
        move || self.interrupt.is_due(start, timeout) || self.output.is_closed()
    }

    fn bench(&self, words: &str) {
        // The benchmark that the signature is of ends by itself; one with words may be of any length.
        let is_cancelled =
            self.cancellation(if words.trim().is_empty() { Duration::MAX } else { SCRIPT_TIMEOUT });
        let report = |remarks: &[String]| remarks.iter().for_each(|remark| self.output.info_string(remark));
        let run = |command: BenchCommand| command.run(&self.engine, &self.output, &report, &is_cancelled);
        match BenchCommand::parse(words).and_then(run) {
            Ok(Some(total)) => {
                if self.engine.options().null_move_settings.report_counts {
                    self.output.info_string(total.null_counts);
                }
                self.output.line(total);
            }
            Ok(None) => self.output.info_string("bench interrupted"),
            Err(error) => self.output.info_string(error),
        }
    }

    fn genfens(&self, words: &str) {
        let is_cancelled = self.cancellation(Duration::MAX);
        let written = genfens::Request::parse(words).and_then(|request| {
            genfens::generate(&request, self.engine.network(), &is_cancelled, |board| {
                self.output.info_string(format_args!("genfens {board}"));
            })
        });
        // Not with `genfens` in front, where readers expect a position.
        match written {
            _ if is_cancelled() => self.output.info_string("openings interrupted"),
            Ok(()) => {}
            Err(error) => self.output.info_string(format_args!("no openings: {error}")),
        }
    }

    fn new_game(&mut self) {
        if let Err(error) = self.engine.new_game() {
            self.output.info_string(error);
        }
    }

    fn defer(&mut self, what: &str, deferred: Deferred) {
        self.output.info_string(format_args!("'{what}' takes effect after the search"));
        self.deferred.push(deferred);
    }

    fn identify(&self, experiments: bool) {
        let shown = |option: &&UciOption| experiments || self.list_experiments || !option.is_experiment();
        let options: String =
            options::all().iter().filter(shown).map(|option| format!("{option}\n")).collect();
        self.output.line(format_args!(
            "id name Caesura {}\nid author the Caesura developers\n{options}uciok",
            env!("CARGO_PKG_VERSION"),
        ));
    }

    fn note_change(&self, change: StateChange<'_>) {
        if let Some(observer) = &self.observer {
            observer.state_changed(change);
        }
    }

    fn set_option(&mut self, line: &str, name: &str, value: Option<&str>) {
        let Some(option) = options::find(name) else {
            self.output.info_string(format_args!("unknown option {}", quote(name)));
            return;
        };
        match option.parse(value) {
            Err(error) => self.output.info_string(error),
            Ok(value) if self.try_finish() => self.apply_or_keep(option, value, line),
            Ok(value) => self.defer(option.name, Deferred::Set(option, value, line.to_string())),
        }
    }

    /// Applies an option, unless it is the size of the table: its memory is allocated when it is needed, once, by all
    /// threads that there are then, where they are then. Interfaces set `Threads` after it as often as before.
    fn apply_or_keep(&mut self, option: &'static UciOption, value: OptionValue, line: &str) {
        if option.name == HASH {
            self.pending_hash = Some((value, line.to_string()));
        } else {
            if option.name == CLEAR_HASH {
                self.apply_pending_hash();
            }
            self.apply(option, &value, line);
        }
    }

    fn apply_pending_hash(&mut self) {
        if let Some((option, (value, line))) = options::find(HASH).zip(self.pending_hash.take()) {
            self.apply(option, &value, &line);
        }
    }

    /// Gives an option the value that `line` sets. The observer hears of it unless it is refused.
    fn apply(&mut self, option: &UciOption, value: &OptionValue, line: &str) {
        let mut notes = Vec::new();
        let mut context = OptionContext {
            engine: &mut self.engine,
            settings: &mut self.settings,
            notes: &mut notes,
            output: Some(&self.output),
        };
        let result = option.apply(&mut context, value);
        notes.iter().for_each(|note| self.output.info_string(note));
        match result {
            Err(error) => self.output.info_string(error),
            Ok(()) => self.note_change(match option.name {
                CLEAR_HASH => StateChange::NewGame,
                name => StateChange::Option(name, line),
            }),
        }
    }

    fn flip(&mut self) {
        self.engine.set_position(self.engine.board().with_colors_flipped());
        self.note_change(StateChange::Position(&format!("position fen {}", self.engine.board())));
    }

    fn position(&mut self, line: &str, fen: Option<&str>, moves: &[&str]) {
        match position_command::board_after(fen, moves, self.settings.chess960) {
            Ok(board) => {
                self.engine.set_position(board);
                self.note_change(StateChange::Position(line));
            }
            Err(error) => self.output.info_string(format_args!(
                "{error}; the position stays as it was, and 'go' answers for that one"
            )),
        }
    }

    fn go(&mut self, go: &Go<'_>, received: sync::Instant) {
        let received = (!self.is_searching()).then_some(received);
        if !self.finish_or_refuse("go") {
            return;
        }
        // A script that sent the command during another search has no clock that runs.
        let received = received.unwrap_or_else(sync::Instant::now);
        self.apply_pending_hash();
        if !go.unknown.is_empty() {
            self.output.info_string(format_args!("{} after 'go' ignored", quote_all(&go.unknown)));
        }
        let board = self.engine.board();
        let (search_moves, refused) = go_command::search_moves(&go.search_moves, board);
        if !refused.is_empty() {
            let all = if search_moves.is_empty() { "; all moves are searched" } else { "" };
            self.output.info_string(format_args!("not legal, not searched: {}{all}", quote_all(&refused)));
        }
        let (chess960, wdl, material) = (board.is_chess960(), self.settings.show_wdl, board.material());
        let style = Style { chess960, wdl, material };
        let limits = go_command::limits(go, board.side_to_move(), search_moves);
        let (bounded, bounded_after_hit) = (limits.has_end(), limits.has_end_after_hit());
        let multi_pv = self.engine.options().multi_pv;
        let level = self.settings.strength.limit();
        let handicap = level.map(|level| Handicap::of_level(level, SplitMix(seed())));
        if let Some(handicap) = &handicap {
            self.engine.options_mut().multi_pv = multi_pv.max(handicap.lines);
        }
        let settings = ReportSettings {
            style,
            minimal: self.settings.minimal,
            pgn_comment: self.settings.pgn_comment,
            multi_pv,
            handicap,
        };
        if !self.settings.minimal {
            self.output.info_string(info::start_note(&self.engine));
        }
        let reporter = Arc::new(Reporter::new(Arc::clone(&self.output), settings));
        let started = self.engine.go_since(received, limits, Arc::clone(&reporter) as _);
        self.engine.options_mut().multi_pv = multi_pv;
        match started {
            Ok(()) => {
                self.reporter = Some(reporter);
                (self.bounded, self.bounded_after_hit) = (bounded, bounded_after_hit);
            }
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
        if let (Some(wdl), dtz) = self.engine.probe_tablebases() {
            let dtz = dtz.map_or_else(|| "unknown".to_string(), |dtz| dtz.0.to_string());
            self.output.line(format_args!("Tablebases: WDL {} ({wdl:?}), DTZ {dtz}", wdl as i32));
        }
        for failure in self.engine.take_tablebase_failures() {
            self.output.info_string(failure);
        }
    }

    fn evaluate(&self) {
        self.output.line(eval_table::table(&self.engine));
    }

    /// Writes the perft count of each legal move as soon as it is known, then their sum.
    fn perft(&self, depth: u32) {
        let is_cancelled = self.cancellation(SCRIPT_TIMEOUT);
        let board = self.engine.board();
        let report = |m, nodes| self.output.line(perft::root_move_line(board, m, nodes));
        match perft::divide_until(&mut board.clone(), depth, &is_cancelled, report) {
            Some(total) => self.output.line(format_args!("\nNodes searched: {total}")),
            None => self.output.info_string("perft interrupted"),
        }
    }
}

/// What chance begins with, another number for every search.
fn seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
