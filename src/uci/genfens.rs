//! Openings for games: `genfens N seed S book B [plies P] [limit CP]`, as OpenBench asks engines for them.
//!
//! An opening begins with the start position or a random line of the book, goes on with random legal moves, and is kept
//! if neither side stands much better and no other opening of the call is the same.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::io;
use std::num::ParseIntError;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use crate::board::Board;
use crate::engine::{Engine, EngineError, Limits, Network};
use crate::suite::{after_random_moves, epd};
use crate::types::Value;
use crate::util::quote::{quote, quote_path};
use crate::util::random::SplitMix;
use crate::util::regular_file;

use super::position_line::{PositionLineError, board_of_line};

/// Random moves after the start position, or one more.
const PLIES: usize = 8;
/// Random moves after a position of a book, or one more.
const BOOK_PLIES: usize = 4;
/// The greatest number of random moves that can be asked for.
const MAX_PLIES: usize = 100;
/// The best score of either side with which an opening is kept, in centipawns.
const LIMIT: Value = 300;
/// Nodes of the search that gives the score.
const NODES: u64 = 1000;
/// Openings that are tried in vain one after the other before the call ends.
const TRIES: usize = 2000;

/// The openings that are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number of openings to generate.
    pub count: usize,
    /// The seed of the random moves: the same one gives the same openings.
    pub seed: u64,
    /// The book, one position a line as [`board_of_line`] reads it; without one, openings begin with the start position.
    pub book: Option<PathBuf>,
    /// Random moves, or one more; without a number 8, or 4 with a book.
    pub plies: Option<usize>,
    /// The best score of either side with which an opening is kept, in centipawns.
    pub limit: Value,
}

/// Why there are no openings, or not enough.
#[derive(Debug)]
pub enum GenFensError {
    /// The words of the command make no sense.
    Usage(UsageError),
    /// The book cannot be read.
    Book(PathBuf, io::Error),
    /// A line of the book is no position: its number, from 1.
    Line(PathBuf, usize, PositionLineError),
    /// The book has no position.
    Empty(PathBuf),
    /// This many openings in a row were no good.
    Exhausted(usize),
    /// There is no engine to judge openings.
    Engine(EngineError),
}

impl fmt::Display for GenFensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenFensError::Usage(problem) => {
                write!(f, "{problem}; use 'genfens N seed S book None|FILE [plies P] [limit CENTIPAWNS]'")
            }
            GenFensError::Book(path, error) => write!(f, "book {}: {error}", quote_path(path)),
            GenFensError::Line(path, line, error) => {
                write!(f, "book {}, line {line}: {error}", quote_path(path))
            }
            GenFensError::Empty(path) => write!(f, "book {}: no positions", quote_path(path)),
            GenFensError::Exhausted(tries) => write!(f, "the last {tries} openings were no good"),
            GenFensError::Engine(error) => write!(f, "{error}"),
        }
    }
}

impl Error for GenFensError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            GenFensError::Book(_, error) => Some(error),
            GenFensError::Line(.., error) => Some(error),
            GenFensError::Engine(error) => Some(error),
            GenFensError::Usage(error) => Some(error),
            GenFensError::Empty(_) | GenFensError::Exhausted(_) => None,
        }
    }
}

/// Why the words after `genfens` make no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsageError {
    /// The number of openings is missing.
    MissingCount,
    /// This word has no value behind it.
    MissingValue(String),
    /// This word is unknown.
    UnknownWord(String),
    /// This is no number that fits.
    Number(String, ParseIntError),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsageError::MissingCount => write!(f, "the number is missing"),
            UsageError::MissingValue(word) => write!(f, "{} needs a value", quote(word)),
            UsageError::UnknownWord(word) => write!(f, "{} is unknown", quote(word)),
            UsageError::Number(text, _) => write!(f, "{} is no number that fits", quote(text)),
        }
    }
}

impl Error for UsageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            UsageError::Number(_, error) => Some(error),
            UsageError::MissingCount | UsageError::MissingValue(_) | UsageError::UnknownWord(_) => None,
        }
    }
}

impl From<UsageError> for GenFensError {
    fn from(error: UsageError) -> GenFensError {
        GenFensError::Usage(error)
    }
}

impl Request {
    /// What the words after `genfens` ask for.
    ///
    /// # Errors
    /// If the number of openings is missing, a word is unknown, or the value of one is missing or malformed.
    pub fn parse(text: &str) -> Result<Request, GenFensError> {
        let mut words = text.split_ascii_whitespace();
        let first = words.next().ok_or(UsageError::MissingCount)?;
        let mut request = Request { count: number(first)?, seed: 0, book: None, plies: None, limit: LIMIT };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| UsageError::MissingValue(word.to_string()))?;
            match word {
                "seed" => request.seed = number(value)?,
                "book" => request.book = Some(value.into()).filter(|_| !value.eq_ignore_ascii_case("none")),
                "plies" => request.plies = Some(number::<usize>(value)?.min(MAX_PLIES)),
                "limit" => request.limit = number(value)?,
                other => return Err(UsageError::UnknownWord(other.to_string()).into()),
            }
        }
        Ok(request)
    }
}

fn number<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, UsageError> {
    text.parse().map_err(|cause| UsageError::Number(text.to_string(), cause))
}

/// Where openings begin.
struct Book<'a> {
    path: &'a Path,
    /// The lines with a position, and their numbers from 1.
    lines: Vec<(usize, &'a str)>,
}

impl<'a> Book<'a> {
    fn new(path: &'a Path, text: &'a str) -> Result<Book<'a>, GenFensError> {
        let lines: Vec<_> = epd::lines(text).collect();
        if lines.is_empty() { Err(GenFensError::Empty(path.to_path_buf())) } else { Ok(Book { path, lines }) }
    }

    /// A random position of the book.
    fn position(&self, random: &mut SplitMix) -> Result<Board, GenFensError> {
        let (number, line) = self.lines[random.below(self.lines.len())];
        board_of_line(line).map_err(|error| GenFensError::Line(self.path.to_path_buf(), number, error))
    }
}

/// The path of the book of a request, and its text.
fn read_book(path: &Path) -> Result<(&Path, String), GenFensError> {
    let text = regular_file::read_to_string(path);
    text.map(|text| (path, text)).map_err(|error| GenFensError::Book(path.to_path_buf(), error))
}

/// Finds the openings and hands each to `found`, until `is_cancelled` returns true at the latest.
///
/// # Errors
/// If the book cannot be read, there is no memory for a small engine, or no opening is good enough.
pub fn generate(
    request: &Request,
    network: &Arc<Network>,
    is_cancelled: &dyn Fn() -> bool,
    mut found: impl FnMut(&Board),
) -> Result<(), GenFensError> {
    let text = request.book.as_deref().map(read_book).transpose()?;
    let book = text.as_ref().map(|(path, text)| Book::new(path, text)).transpose()?;
    let mut engine = Engine::new(1, 1).map_err(GenFensError::Engine)?;
    engine.set_network(Arc::clone(network)).map_err(GenFensError::Engine)?;
    let mut random = SplitMix(request.seed);
    let mut seen = HashSet::new();
    let (mut missing, mut failures) = (request.count, 0);
    while missing > 0 && !is_cancelled() {
        if failures == TRIES {
            return Err(GenFensError::Exhausted(TRIES));
        }
        failures += 1;
        let (start, plies) = match &book {
            Some(book) => (book.position(&mut random)?, BOOK_PLIES),
            None => (Board::start(), PLIES),
        };
        let plies = request.plies.unwrap_or(plies) + random.below(2);
        let Some(board) = after_random_moves(start, plies, |bound| random.below(bound)) else { continue };
        if !seen.insert(board.key()) || !is_balanced(&mut engine, &board, request.limit)? {
            continue;
        }
        (missing, failures) = (missing - 1, 0);
        found(&board);
    }
    Ok(())
}

fn is_balanced(engine: &mut Engine, board: &Board, limit: Value) -> Result<bool, GenFensError> {
    // Each opening is judged as if it were the first, so that equal seeds give equal openings.
    engine.new_game().map_err(GenFensError::Engine)?;
    engine.set_position(board.clone());
    let limits = Limits::nodes(NODES);
    let result = engine.search(limits).map_err(GenFensError::Engine)?;
    Ok(result.lines.first().is_some_and(|line| line.score.abs() <= limit))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::engine::{MATERIAL_NETWORK, load_network};

    fn fens(words: &str) -> Result<Vec<String>, GenFensError> {
        let network = load_network(Path::new(MATERIAL_NETWORK)).expect("a network");
        let mut fens = Vec::new();
        generate(&Request::parse(words)?, &network, &|| false, |board| fens.push(board.to_string()))?;
        Ok(fens)
    }

    #[test]
    fn openings_differ_and_depend_on_the_seed_alone() {
        let first = fens("12 seed 7 book None").expect("openings");
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 12);
        assert_eq!(fens("12 seed 7 book none plies 8").expect("openings"), first);
        assert_ne!(fens("12 seed 8 book None").expect("openings"), first);
        for fen in &first {
            assert_eq!(fen.split(' ').count(), 6);
            let board: Board = fen.parse().expect(fen);
            assert!(!board.legal_moves().is_empty(), "{fen}");
        }
        assert!(first.iter().any(|fen| fen.contains(" w ")) && first.iter().any(|fen| fen.contains(" b ")));
    }

    #[test]
    fn openings_begin_in_the_book() {
        let path = std::env::temp_dir().join(format!("caesura-book-{}.epd", std::process::id()));
        let name = path.display();
        fs::write(&path, "# two\n\n4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - hmvc 0; fmvn 9;\r\n")
            .expect("written");
        let found = fens(&format!("3 seed 1 book {name} plies 0 limit 1000"));
        let broken = ["w", "w - - 0 1 garbage"].map(|rest| {
            fs::write(&path, format!("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 {rest}\n")).expect("written");
            fens(&format!("1 seed 1 book {name}"))
        });
        fs::write(&path, "\n").expect("written");
        let empty = fens(&format!("1 seed 1 book {name}"));
        fs::remove_file(&path).expect("removed");
        assert!(found.expect("openings").iter().all(|fen| fen.contains("k") && !fen.contains('q')));
        for broken in broken {
            assert!(matches!(broken, Err(GenFensError::Line(_, 1, _))), "{broken:?}");
        }
        assert!(matches!(empty, Err(GenFensError::Empty(_))), "{empty:?}");
        assert!(matches!(fens(&format!("1 book {name}")), Err(GenFensError::Book(..))));
        assert!(matches!(fens("1 book ."), Err(GenFensError::Book(..))));
    }

    #[test]
    fn there_may_be_no_opening() {
        assert!(matches!(fens("2 seed 1 plies 0 limit -1"), Err(GenFensError::Exhausted(_))));
        for words in ["", "x", "-1", "3 seed", "3 seed x", "3 colour blue", "3 plies -1"] {
            assert!(matches!(fens(words), Err(GenFensError::Usage(_))), "{words}");
        }
    }
}
