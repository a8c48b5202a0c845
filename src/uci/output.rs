//! Output: whole lines, from any thread, one at a time.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::util::regular_file;
use crate::util::signals::ignore_file_size_limits;
use crate::util::streams;
use crate::util::sync::{AtomicBool, Mutex};

/// Where lines go. Once a line cannot be written, no other is tried.
pub struct Output {
    streams: Mutex<Streams>,
    /// Read without the lock.
    has_log: AtomicBool,
    closed: AtomicBool,
    on_closed: fn(io::Error),
}

struct Streams {
    writer: Box<dyn Write + Send>,
    /// The debug log: what is written, and what was read.
    log: Option<File>,
}

impl Streams {
    /// Adds lines to the log, if there is one, each after `mark`. Each has a line end in `text`. A log that cannot be
    /// written is closed, and an info string says so.
    fn log(&mut self, mark: &str, text: &str) -> io::Result<()> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let marked: String = text.lines().map(|line| format!("{mark} {line}\n")).collect();
        let Err(error) = log.write_all(marked.as_bytes()) else { return Ok(()) };
        self.log = None;
        writeln!(self.writer, "info string the debug log has ended: {error}")
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.log("<<", text)?;
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }
}

/// Opens a file for a debug log, which is written behind what is there.
///
/// # Errors
/// If it cannot be written, or is no regular file.
pub fn open_log(path: &Path) -> io::Result<File> {
    match regular_file::metadata(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::options().append(true).create(true).open(path),
    }
}

impl Output {
    /// Lines go to `writer`; `on_closed` is called with the cause when one could not be written.
    ///
    /// A program that should end with its reader passes a function that ends the process: its own thread may
    /// be waiting for input at that time.
    pub fn new(writer: impl Write + Send + 'static, on_closed: fn(io::Error)) -> Output {
        let streams = Streams { writer: Box::new(writer), log: None };
        Output {
            streams: Mutex::new(streams),
            has_log: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            on_closed,
        }
    }

    /// Lines go to the standard output. The process ends quietly when they are no longer read, and with a message and
    /// code 2 when they cannot be written, as on a full disk.
    pub fn standard() -> Output {
        ignore_file_size_limits();
        Output::new(streams::stdout(), |error| std::process::exit(write_error_code(&error).into()))
    }

    /// Writes one or more lines, separated by line ends, with nothing of another thread in between.
    pub fn line(&self, text: impl fmt::Display) {
        if self.is_closed() {
            return;
        }
        let text = format!("{text}\n");
        let mut streams = self.streams.lock();
        let result = streams.line(&text);
        self.note_end_of_log(&streams);
        drop(streams);
        self.close_on_error(result);
    }

    /// Begins a debug log of all lines that are written or read, or ends it. Lines that were read are marked `>>`, lines
    /// that were written `<<`. Of lines that are too long to be read, it has only what is answered.
    pub fn set_log(&self, log: Option<File>) {
        let mut streams = self.streams.lock();
        self.has_log.store(log.is_some(), Ordering::Relaxed);
        streams.log = log;
    }

    /// Adds a line that was read to the debug log, if there is one. If not, it does not wait for a line that is being written:
    /// `stop` must be heard even while the output is not read.
    pub fn log_input(&self, line: &str) {
        if !self.has_log.load(Ordering::Relaxed) {
            return;
        }
        let mut streams = self.streams.lock();
        let result = streams.log(">>", &format!("{line}\n"));
        self.note_end_of_log(&streams);
        drop(streams);
        self.close_on_error(result);
    }

    /// A log that could not be written has ended: from then on no input waits for the output.
    fn note_end_of_log(&self, streams: &Streams) {
        if streams.log.is_none() {
            self.has_log.store(false, Ordering::Relaxed);
        }
    }

    /// The lock must be free: the end of the process takes it again to flush.
    fn close_on_error(&self, result: io::Result<()>) {
        if let Err(error) = result {
            self.closed.store(true, Ordering::Relaxed);
            (self.on_closed)(error);
        }
    }

    /// Writes an `info string`.
    pub fn info_string(&self, text: impl fmt::Display) {
        self.line(format_args!("info string {text}"));
    }

    /// True once a line could not be written.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// The exit code of a program whose output cannot be written: 0 if it is not read any more, else 2, after a message to the
/// standard error output.
pub fn write_error_code(error: &io::Error) -> u8 {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return 0;
    }
    // There is no other place for the message.
    let _ = writeln!(io::stderr(), "caesura: the output cannot be written: {error}");
    2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::screen::Screen;

    #[test]
    fn the_log_has_what_goes_in_and_out_and_is_appended() {
        let path = std::env::temp_dir().join(format!("caesura-log-{}.txt", std::process::id()));
        let output = Output::new(io::sink(), |_| ());
        for _ in 0..2 {
            output.log_input("lost");
            output.set_log(Some(open_log(&path).expect("a file")));
            output.log_input("uci");
            output.log_input("");
            output.line("id name x\n\nuciok");
            output.line("");
            output.set_log(None);
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(text, ">> uci\n>> \n<< id name x\n<< \n<< uciok\n<< \n".repeat(2));
        assert_eq!(open_log(&std::env::temp_dir()).map(|_| ()).unwrap_err().to_string(), "not a file");
    }

    #[test]
    fn without_a_log_no_input_waits_for_the_output() {
        let output = Output::new(io::sink(), |_| ());
        // As a thread does whose line is not read.
        let _writing = output.streams.lock();
        output.log_input("stop");
    }

    #[test]
    fn a_log_that_cannot_be_written_ends_with_a_message() {
        let path = std::env::temp_dir().join(format!("caesura-read-only-{}.txt", std::process::id()));
        std::fs::write(&path, "").expect("written");
        let read_only = File::open(&path).expect("a file");
        let screen = Screen::default();
        let output = Output::new(screen.clone(), |_| ());
        output.set_log(Some(read_only));
        output.line("first");
        output.line("second");
        std::fs::remove_file(&path).expect("removed");
        let text = screen.text();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("info string the debug log has ended"), "{text}");
        assert_eq!(lines[1..], ["first", "second"]);
        assert!(!output.has_log.load(Ordering::Relaxed), "input would wait for the output");
        assert!(!output.is_closed());
    }
}
