//! Input: lines of bytes, of any length and content.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is read, in bytes. The moves of the longest possible game take a twelfth of it.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// The text of a line.
    Text(&'a str),
    /// A line that is not UTF-8.
    NotText,
    /// A line of more than [`MAX_LINE_BYTES`] bytes; it was skipped.
    TooLong,
    /// The end of the input.
    End,
}

/// Reads the next line into `buffer`. A last line without a line end counts.
///
/// # Errors
/// What the reader says, but for interruptions.
pub fn read_line<'a>(reader: &mut impl BufRead, buffer: &'a mut Vec<u8>) -> io::Result<Input<'a>> {
    buffer.clear();
    let mut any = false;
    let mut too_long = false;
    loop {
        let bytes = match reader.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            if !any {
                return Ok(Input::End);
            }
            break;
        }
        any = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        too_long |= buffer.len() + part.len() > MAX_LINE_BYTES;
        if !too_long {
            buffer.extend_from_slice(part);
        }
        let used = end.map_or(bytes.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            break;
        }
    }
    if too_long {
        return Ok(Input::TooLong);
    }
    let Ok(text) = str::from_utf8(buffer) else { return Ok(Input::NotText) };
    // Shells of Windows put a byte-order mark before what they pipe.
    Ok(Input::Text(text.trim_start_matches('\u{FEFF}').trim_ascii()))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn all(input: impl Read, capacity: usize) -> Vec<String> {
        let mut reader = BufReader::with_capacity(capacity, input);
        let mut buffer = Vec::new();
        let mut lines = Vec::new();
        loop {
            lines.push(match read_line(&mut reader, &mut buffer).expect("reads") {
                Input::Text(text) => text.to_string(),
                Input::End => return lines,
                other => format!("{other:?}"),
            });
        }
    }

    #[test]
    fn lines_end_in_every_way() {
        for capacity in [1, 2, 7, 1000] {
            assert_eq!(all(&b"uci\r\n\nab c\xFF\nisready"[..], capacity), ["uci", "", "NotText", "isready"]);
            assert_eq!(all(&b""[..], capacity), [""; 0]);
            assert_eq!(all("\u{FEFF}uci\n".as_bytes(), capacity), ["uci"]);
        }
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let long = io::repeat(b'x').take(MAX_LINE_BYTES as u64);
        assert_eq!(all(long.chain(&b"\nuci\n"[..]), 4096)[1], "uci");
        let long = io::repeat(b'x').take(MAX_LINE_BYTES as u64 + 1);
        assert_eq!(all(long.chain(&b"\nuci\n"[..]), 4096), ["TooLong", "uci"]);
    }
}
