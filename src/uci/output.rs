//! Output: whole lines, from any thread, one at a time.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// Where lines go. Once a line cannot be written, no other is tried.
pub struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    closed: AtomicBool,
    on_closed: fn(),
}

impl Output {
    /// Lines go to `writer`; `on_closed` is called when one could not be written.
    ///
    /// A program that should end with its reader passes a function that ends the process: its own thread may
    /// be waiting for input at that time.
    pub fn new(writer: impl Write + Send + 'static, on_closed: fn()) -> Output {
        Output { writer: Mutex::new(Box::new(writer)), closed: AtomicBool::new(false), on_closed }
    }

    /// Lines go to the standard output, and the process ends quietly once they can no longer be written.
    pub fn standard() -> Output {
        Output::new(std::io::stdout(), || std::process::exit(0))
    }

    /// Writes one or more lines, separated by line ends, with nothing of another thread in between.
    pub fn line(&self, text: impl fmt::Display) {
        if self.is_closed() {
            return;
        }
        let text = format!("{text}\n");
        let mut writer = self.writer.lock();
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            // Ending the process flushes, which takes the lock again.
            drop(writer);
            self.closed.store(true, Ordering::Relaxed);
            (self.on_closed)();
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
