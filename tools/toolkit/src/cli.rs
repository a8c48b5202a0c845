//! What the command lines of the tools have in common: the thread count, ranges of numbers, Ctrl-C and messages.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;

use caesura::util::signals::{ignore_file_size_limits, keep_hang_ups_ignored};
use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, value_parser};

use crate::ordered::Control;

/// The command line; a wrong one ends the process. From here on a file that may grow no further is an error of writing.
pub fn parse<P: Parser>() -> P {
    ignore_file_size_limits();
    P::parse()
}

/// Parses a number of threads.
pub fn thread_count() -> RangedI64ValueParser<u16> {
    value_parser!(u16).range(1..=1024)
}

/// The option `--threads`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Threads {
    /// Number of threads; by default one for each processor.
    #[arg(long, value_parser = thread_count())]
    threads: Option<u16>,
}

impl Threads {
    /// The number given on the command line, or the number of processors.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(available_processors, usize::from)
    }
}

/// The number of threads that can run at the same time; 1 if the system does not say.
pub fn available_processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// An argument that is not a number, or is outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("expected a number from {} to {}", range.start(), range.end())]
pub struct NumberError {
    range: RangeInclusive<f64>,
}

/// Parses a number that must lie in a range; for `value_parser` of `clap`.
///
/// # Errors
/// If the text is not a number or the number is out of range.
pub fn parse_number<T: FromStr + PartialOrd + Copy + Into<f64>>(
    text: &str,
    range: RangeInclusive<T>,
) -> Result<T, NumberError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| NumberError { range: (*range.start()).into()..=(*range.end()).into() })
}

/// Parses a share, from 0 to 1.
///
/// # Errors
/// If the text is not such a number.
pub fn parse_share(text: &str) -> Result<f64, NumberError> {
    parse_number(text, 0.0..=1.0)
}

/// Installs a handler for Ctrl-C and for the signals that ask a process to terminate. It calls `on_interrupt` each time
/// with the control that is returned. A hang-up that was ignored stays so: what `nohup` started outlives its terminal.
///
/// # Errors
/// If the system does not accept the handler, or there is one already.
pub fn handle_interrupts(
    mut on_interrupt: impl FnMut(&Control) + Send + 'static,
) -> Result<Arc<Control>, ctrlc::Error> {
    let control = Arc::new(Control::default());
    let handled = Arc::clone(&control);
    keep_hang_ups_ignored(|| ctrlc::set_handler(move || on_interrupt(&handled)))?;
    Ok(control)
}

/// As [`handle_interrupts`], for work that stores what it has: the first signal stops it, and `message` says so; the second one
/// ends the process, with code 130, after `clean_up` has removed what nothing else will.
///
/// # Errors
/// If the system does not accept the handler, or there is one already.
pub fn stop_or_exit(
    message: &'static str,
    mut clean_up: impl FnMut() + Send + 'static,
) -> Result<Arc<Control>, ctrlc::Error> {
    handle_interrupts(move |control| {
        if control.is_interrupted() {
            clean_up();
            std::process::exit(130);
        }
        control.interrupt();
        print_message(message);
    })
}

/// Writes a line to standard output.
///
/// # Errors
/// If it cannot be written, as when the reader of a pipe has gone.
pub fn print_line(line: impl fmt::Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Writes a line to standard error. A line that cannot be written is lost: messages must not end the work.
pub fn print_message(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes an error with all its causes to standard error.
pub fn print_error(severity: &str, error: &dyn Error) {
    print_message(format_args!("{severity}: {}", ErrorChain(error)));
}

/// Displays an error followed by its causes, separated by colons.
pub struct ErrorChain<'a>(pub &'a dyn Error);

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::error::FileError;

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(parse_number("0.5", 0.0..=1.0), Ok(0.5));
        for text in ["1.5", "-1", "NaN", "half", ""] {
            let error = parse_number(text, 0.0..=1.0).unwrap_err();
            assert_eq!(error.to_string(), "expected a number from 0 to 1", "{text}");
        }
    }

    #[test]
    fn an_error_is_shown_with_its_causes() {
        let cause = io::Error::other("the disk is on fire");
        let error = FileError::at(Path::new("x.games"))(cause);
        assert_eq!(ErrorChain(&error).to_string(), "cannot access x.games: the disk is on fire");
    }
}
