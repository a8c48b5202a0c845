//! The standard streams, also where another process has made them non-blocking: they wait all the same.
//!
//! Whether reads and writes block belongs to the open file, which a terminal or pipe shares with all processes that have it.

use std::io::{self, ErrorKind, Read, Write};
use std::time::Duration;

/// How long it takes at most until a stream is tried again.
const INTERVAL: Duration = Duration::from_millis(5);

/// The standard input, whose reads wait for input.
pub fn stdin() -> impl Read + Send {
    Waiting { stream: io::stdin(), wait: || wait_for(Direction::Input) }
}

/// The standard output, whose writes wait for room.
pub fn stdout() -> impl Write + Send {
    Waiting { stream: io::stdout(), wait: || wait_for(Direction::Output) }
}

/// A stream that is tried again, after `wait`, where it would have to block.
struct Waiting<S, W> {
    stream: S,
    wait: W,
}

impl<S, W: Fn()> Waiting<S, W> {
    fn repeat<T>(&mut self, mut attempt: impl FnMut(&mut S) -> io::Result<T>) -> io::Result<T> {
        loop {
            match attempt(&mut self.stream) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => (self.wait)(),
                result => return result,
            }
        }
    }
}

impl<S: Read, W: Fn()> Read for Waiting<S, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.repeat(|stream| stream.read(buffer))
    }
}

impl<S: Write, W: Fn()> Write for Waiting<S, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.repeat(|stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.repeat(Write::flush)
    }
}

enum Direction {
    Input,
    Output,
}

/// Waits until a standard stream is worth another try.
fn wait_for(direction: Direction) {
    cfg_select! {
        unix => {
            let (fd, events) = match direction {
                Direction::Input => (libc::STDIN_FILENO, libc::POLLIN),
                Direction::Output => (libc::STDOUT_FILENO, libc::POLLOUT),
            };
            let mut stream = libc::pollfd { fd, events, revents: 0 };
            // SAFETY: the list has one element, and nothing else has it.
            let found = unsafe { libc::poll(&raw mut stream, 1, -1) };
            if found < 0 {
                std::thread::sleep(INTERVAL);
            }
        }
        _ => {
            let _ = direction;
            std::thread::sleep(INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A stream that would block at every other try, and takes or gives a byte at the others.
    struct Hesitant {
        bytes: Vec<u8>,
        is_ready: bool,
    }

    impl Hesitant {
        fn new(bytes: &[u8]) -> Hesitant {
            Hesitant { bytes: bytes.to_vec(), is_ready: false }
        }

        fn attempt(&mut self) -> io::Result<()> {
            self.is_ready = !self.is_ready;
            if self.is_ready { Err(ErrorKind::WouldBlock.into()) } else { Ok(()) }
        }
    }

    impl Read for Hesitant {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.attempt()?;
            if self.bytes.is_empty() {
                return Err(ErrorKind::TimedOut.into());
            }
            buffer[0] = self.bytes.remove(0);
            Ok(1)
        }
    }

    impl Write for Hesitant {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.attempt()?;
            self.bytes.extend(bytes.first());
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.attempt()
        }
    }

    #[test]
    fn nothing_is_lost_or_doubled_where_a_stream_would_block() {
        let waits = Cell::new(0);
        let wait = || waits.set(waits.get() + 1);
        let mut output = Waiting { stream: Hesitant::new(b""), wait };
        output.write_all(b"uciok\n").and_then(|()| output.flush()).expect("written");
        assert_eq!((output.stream.bytes, waits.replace(0)), (b"uciok\n".to_vec(), 7));
        let mut input = Waiting { stream: Hesitant::new(b"quit"), wait };
        let mut text = Vec::new();
        // Other errors are errors.
        assert_eq!(input.read_to_end(&mut text).expect_err("an error").kind(), ErrorKind::TimedOut);
        assert_eq!((text, waits.get()), (b"quit".to_vec(), 5));
    }
}
