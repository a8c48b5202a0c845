//! What the session of a follower says, as far as people must know it.

use std::io::{self, Write};

use crate::link::Notes;

/// A writer that hands on the notes of a session: an option that is refused, a table without memory, files that are not
/// there. What it says of its searches is dropped, since the leader reports.
pub struct SessionNotes {
    notes: Notes,
    /// The beginning of a line whose end has not been written yet.
    line: Vec<u8>,
}

impl SessionNotes {
    /// A writer that hands on to `notes`.
    pub fn new(notes: Notes) -> SessionNotes {
        SessionNotes { notes, line: Vec::new() }
    }
}

impl Write for SessionNotes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                if let Some(note) = note(String::from_utf8_lossy(&line).trim_end()) {
                    (self.notes)(note);
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The text of a line that people must know.
fn note(line: &str) -> Option<&str> {
    let text = line.strip_prefix("info string ")?;
    // Options of the leader come while the last search still ends, and each size of the table is answered by its pages.
    let is_usual = text.starts_with("searching with ")
        || text.starts_with("table: ")
        || text.ends_with(" takes effect after the search");
    (!is_usual).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use caesura::util::sync::Mutex;

    use super::*;

    #[test]
    fn refusals_are_handed_on_and_searches_are_not() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&told);
        let mut writer = SessionNotes::new(Arc::new(move |text: &str| list.lock().push(text.to_string())));
        let said = "info depth 1 score cp 3\ninfo string searching with 1 thread\ninfo string no memory\nbestmove e2e4\n\
                    info string 'Hash' takes effect after the search\ninfo string table: 2 MB\ninfo string no such file\ninfo string half";
        for bytes in said.as_bytes().chunks(7) {
            writer.write_all(bytes).expect("taken");
        }
        assert_eq!(*told.lock(), ["no memory", "no such file"]);
    }
}
