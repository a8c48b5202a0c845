//! The openings of a book, as fastchess counts them.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use toolkit::FileError;

use crate::SprtError;

/// The first bytes of a file that gzip has compressed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// True if the name is that of games in PGN; other books are positions in EPD.
pub fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

/// What a book holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Openings {
    /// The number of openings: games of a PGN file, lines of another that are not empty.
    pub count: u64,
    /// The lines whose position has stood in the book before, by placement, side to move, castling and en passant; 0 for games
    /// in PGN, which are not compared.
    pub repeated: u64,
}

/// Counts the openings of a book.
///
/// # Errors
/// If the file cannot be read, is compressed, has a comment or a line of blanks, which fastchess would take for an opening, or
/// has none.
pub fn openings(path: &Path) -> Result<Openings, SprtError> {
    let text = fs::read(path).map_err(FileError::at(path))?;
    if text.starts_with(&GZIP) {
        return Err(SprtError::CompressedBook(path.to_path_buf()));
    }
    let all = text.split(|&byte| byte == b'\n');
    let lines = all.clone().filter(|line| !line.trim_ascii().is_empty());
    if !is_pgn(path) {
        if lines.clone().any(|line| line.trim_ascii_start().starts_with(b"#")) {
            return Err(SprtError::CommentInBook(path.to_path_buf()));
        }
        let is_blank = |line: &[u8]| !matches!(line, b"" | b"\r") && line.trim_ascii().is_empty();
        if all.clone().any(is_blank) {
            return Err(SprtError::BlanksInBook(path.to_path_buf()));
        }
    }
    let (count, distinct) = if is_pgn(path) {
        // A game begins at the first of its tags.
        let mut after_tag = false;
        let games = lines.filter(|line| !std::mem::replace(&mut after_tag, is_tag(line)) && is_tag(line));
        let count = games.count();
        (count, count)
    } else {
        let distinct: HashSet<Vec<&[u8]>> = lines.clone().map(position_of).collect();
        (lines.count(), distinct.len())
    };
    if count == 0 {
        return Err(SprtError::EmptyBook(path.to_path_buf()));
    }
    Ok(Openings { count: count as u64, repeated: (count - distinct) as u64 })
}

/// The words of a line in EPD or FEN that say what its position is.
fn position_of(line: &[u8]) -> Vec<&[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(4).collect()
}

/// Is a line a tag of a game, such as `[Event "?"]`?
fn is_tag(line: &[u8]) -> bool {
    matches!(line, [b'[', letter, ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_as_repeated_whatever_stands_behind_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.epd");
        fs::write(&path, "8/8 w - -\n8/8 w - - bm e4;\r\n8/8 b - -\n\n8/8  w  - - 0 1\n").unwrap();
        assert_eq!(openings(&path).unwrap(), Openings { count: 4, repeated: 2 });
        let games = directory.path().join("a.pgn");
        fs::write(&games, "[Event \"a\"]\n[Event \"a\"]\n").unwrap();
        assert_eq!(openings(&games).unwrap().repeated, 0);
    }

    #[test]
    fn openings_are_games_or_lines() {
        let directory = tempfile::tempdir().unwrap();
        let count = |name: &str, text: &[u8]| {
            let path = directory.path().join(name);
            fs::write(&path, text).unwrap();
            openings(&path).map(|openings| openings.count)
        };
        assert_eq!(count("a.epd", b"one\n\ntwo\r\n\r\nthree").unwrap(), 3);
        assert!(matches!(count("c.epd", b"one\n \r\ntwo"), Err(SprtError::BlanksInBook(_))));
        assert!(matches!(count("c.epd", b"one\n\t"), Err(SprtError::BlanksInBook(_))));
        let games =
            b"[Event \"a\"]\n[Site \"?\"]\n\n1. e4 {good}\n[%emt 1] e5 *\n\n[Event \"b\"]\n\n1. d4 *\n";
        assert_eq!(count("a.pgn", games).unwrap(), 2);
        assert_eq!(count("a.epd", games).unwrap(), 6);
        assert_eq!(count("b.PGN", games).unwrap(), 2);
        assert!(matches!(count("c.epd", b"one\n # two\n"), Err(SprtError::CommentInBook(_))));
        assert!(matches!(count("b.epd", b"\n\n"), Err(SprtError::EmptyBook(_))));
        assert!(matches!(count("b.epd.gz", &[0x1f, 0x8b, 8]), Err(SprtError::CompressedBook(_))));
        assert!(matches!(openings(Path::new("/no/such/book")), Err(SprtError::File(_))));
    }
}
