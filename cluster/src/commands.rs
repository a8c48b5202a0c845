//! The input of a follower's session: commands from a channel.

use std::io::{self, BufRead, Read};

use caesura::util::sync::Receiver;

/// Lines of a channel, as a reader; its end is that of the channel.
pub struct CommandReader {
    lines: Receiver<String>,
    line: Vec<u8>,
    read: usize,
}

impl CommandReader {
    /// Reads the lines of a channel, which have no line ends.
    pub fn new(lines: Receiver<String>) -> CommandReader {
        CommandReader { lines, line: Vec::new(), read: 0 }
    }
}

impl BufRead for CommandReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len()
            && let Ok(line) = self.lines.recv()
        {
            self.line = line.into_bytes();
            self.line.push(b'\n');
            self.read = 0;
        }
        Ok(&self.line[self.read..])
    }

    fn consume(&mut self, amount: usize) {
        self.read = self.line.len().min(self.read + amount);
    }
}

impl Read for CommandReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let amount = available.len().min(buffer.len());
        buffer[..amount].copy_from_slice(&available[..amount]);
        self.consume(amount);
        Ok(amount)
    }
}

#[cfg(test)]
mod tests {
    use caesura::util::sync::unbounded;

    use super::*;

    #[test]
    fn lines_come_one_by_one_and_end_with_the_channel() {
        let (sender, lines) = unbounded();
        let mut reader = CommandReader::new(lines);
        sender.send("position startpos".to_string()).expect("open");
        sender.send(String::new()).expect("open");
        drop(sender);
        let mut text = String::new();
        assert_eq!(reader.read_line(&mut text).expect("reads"), 18);
        reader.read_to_string(&mut text).expect("reads");
        assert_eq!(text, "position startpos\n\n");
    }
}
