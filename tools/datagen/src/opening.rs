//! Where games begin: random legal moves from a start position or a book line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use caesura::board::{Board, fen};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::chess960;
use crate::game::{Ending, OpeningKind};

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The system cannot read it.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line is no position that a game can begin with.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no line.
    #[error("{}: no positions", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Reads a book: a position a line, in FEN or EPD. Empty lines and lines that begin with `#` are passed over.
///
/// # Errors
/// At the first line that is no position, or no position to play on.
pub fn read_book(path: &Path) -> Result<Vec<Board>, BookError> {
    let path = path.to_path_buf();
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return Err(BookError::Io { path, error }),
    };
    let mut book = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match parse_line(line) {
            Ok(board) => book.push(board),
            Err(reason) => return Err(BookError::Line { path, line: index + 1, reason }),
        }
    }
    if book.is_empty() { Err(BookError::Empty { path }) } else { Ok(book) }
}

fn parse_line(line: &str) -> Result<Board, String> {
    // A FEN has two counters after its four fields, an EPD has operations there.
    let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let counters = fields.iter().skip(4).take(2).take_while(|field| is_number(field)).count();
    let fen = fields[..fields.len().min(4 + counters)].join(" ");
    let board = Board::from_setup(&fen::parse(&fen).map_err(|error| error.to_string())?);
    match Ending::by_rule(&board) {
        Some((ending, _)) => Err(format!("the game is over here ({ending:?})")),
        None => Ok(board),
    }
}

/// The random numbers of one game: they depend on the seed of the run and the number of the game, and on nothing
/// else.
#[derive(Clone, Debug)]
pub struct GameRng(ChaCha8Rng);

impl GameRng {
    /// The dice of a game.
    pub fn new(seed: u64, index: u32) -> GameRng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..12].copy_from_slice(&index.to_le_bytes());
        GameRng(ChaCha8Rng::from_seed(key))
    }

    /// A number below `end`, each as likely as the other to within one in billions (Lemire 2019, "Fast Random
    /// Integer Generation in an Interval", without its last correction).
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.0.next_u64() >> 11) as f64) < probability * (1u64 << 53) as f64
    }
}

/// What openings are made of.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    /// The share of games from Chess960 and double Chess960 starts, half of it each.
    pub chess960: f64,
    /// Positions to begin with.
    pub book: Vec<Board>,
    /// The share of the other games that begin with a book position, if there is a book.
    pub book_share: f64,
}

impl Openings {
    /// What kind of opening the next game has.
    pub fn choose_kind(&self, dice: &mut GameRng) -> OpeningKind {
        if dice.chance(self.chess960) {
            if dice.chance(0.5) { OpeningKind::Chess960 } else { OpeningKind::DoubleChess960 }
        } else if !self.book.is_empty() && dice.chance(self.book_share) {
            OpeningKind::Book
        } else {
            OpeningKind::Standard
        }
    }

    /// An opening of this kind: 8 or 9 random legal moves, 2 or 3 after a book line. The board knows nothing of
    /// the way there, as a reader of the record will not. `None` if the game is over before it began.
    pub fn random_opening(&self, kind: OpeningKind, dice: &mut GameRng) -> Option<Board> {
        let (mut board, plies) = match kind {
            OpeningKind::Standard => (Board::start(), 8),
            OpeningKind::Book => (self.book.get(dice.below(self.book.len()))?.clone(), 2),
            OpeningKind::Chess960 => {
                let number = dice.below(chess960::START_POSITIONS);
                (chess960::start_position(number, number), 8)
            }
            OpeningKind::DoubleChess960 => (
                chess960::start_position(
                    dice.below(chess960::START_POSITIONS),
                    dice.below(chess960::START_POSITIONS),
                ),
                8,
            ),
        };
        for _ in 0..plies + dice.below(2) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                return None;
            }
            board.make(moves[dice.below(moves.len())], &mut ());
        }
        let board = Board::from_setup(&board.setup());
        Ending::by_rule(&board).is_none().then_some(board)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn dice_depend_on_seed_and_game_alone() {
        let roll = |seed, index| -> Vec<usize> {
            let mut dice = GameRng::new(seed, index);
            (0..8).map(|_| dice.below(1000)).collect()
        };
        assert_eq!(roll(1, 2), roll(1, 2));
        assert_ne!(roll(1, 2), roll(2, 1));
        assert_ne!(roll(1, 2), roll(1, 3));
        let mut dice = GameRng::new(0, 0);
        let seen: HashSet<usize> = (0..200).map(|_| dice.below(6)).collect();
        assert_eq!(seen, (0..6).collect());
        assert!(!dice.chance(0.0) && dice.chance(1.0));
    }

    #[test]
    fn openings_come_in_the_shares_that_were_asked_for() {
        let book = vec![Board::start()];
        let openings = Openings { chess960: 0.5, book, book_share: 0.5 };
        let mut counts = [0; 4];
        for index in 0..4000 {
            let mut dice = GameRng::new(9, index);
            counts[openings.choose_kind(&mut dice) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        let plain = Openings::default();
        let mut seen = HashSet::new();
        for index in 0..200 {
            let mut dice = GameRng::new(9, index);
            assert_eq!(plain.choose_kind(&mut dice), OpeningKind::Standard);
            if let Some(board) = plain.random_opening(OpeningKind::Standard, &mut dice) {
                assert!(matches!(board.ply(), 8 | 9));
                seen.insert(board.key());
            }
        }
        assert!(seen.len() > 190, "{}", seen.len());
    }

    #[test]
    fn book_lines_are_fen_or_epd_and_errors_name_the_line() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert!(parse_line(start).is_ok());
        assert!(parse_line(&format!("{start} 0 1")).is_ok());
        assert!(parse_line(&format!("{start} bm e4; id \"x\";")).is_ok());
        assert!(parse_line("8/8/8/8/8/8/8/8 w - -").is_err());
        assert!(parse_line("8/8/8/8/8/4k3/8/4K3 w - - 0 1").unwrap_err().contains("over"));
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("book.epd");
        fs::write(&path, format!("# a comment\n{start}\n\nnonsense\n")).unwrap();
        assert!(matches!(read_book(&path), Err(BookError::Line { line: 4, .. })));
        fs::write(&path, "\n").unwrap();
        assert!(matches!(read_book(&path), Err(BookError::Empty { .. })));
    }
}
