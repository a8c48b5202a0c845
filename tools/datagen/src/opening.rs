//! Openings: random legal moves from a start position or from a position of a book.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use caesura::board::{Board, Setup};
use caesura::suite::{after_random_moves, epd};
use caesura::uci::position_line::{PositionLineError, board_of_line};
use caesura::util::random::unit_interval;
use caesura::util::regular_file::read_text;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use toolkit::FileError;

use crate::chess960;
use crate::game::{Ending, OpeningKind};

/// Why an opening book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A game cannot begin with the position of a line.
    #[error("{}:{line}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the position.
        source: BookLineError,
    },
    /// There is no position in the book.
    #[error("{}: no positions", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Why a game cannot begin with the position of a line.
#[derive(Debug, thiserror::Error)]
pub enum BookLineError {
    /// The line is neither EPD nor a FEN with or without moves.
    #[error("not a position")]
    Position(#[from] PositionLineError),
    /// The game is over in this position.
    #[error("the game is over in this position ({0:?})")]
    GameOver(Ending),
}

/// [`read_positions`] for matches: a position that comes again is left out, since with a limit of nodes its games would be the
/// same games again.
///
/// # Errors
/// As those of [`read_positions`].
pub fn read_distinct(path: &Path) -> Result<Vec<Setup>, BookError> {
    let mut seen = HashSet::new();
    let mut book = read_positions(path)?;
    book.retain(|setup| seen.insert(Board::from_setup(setup).key()));
    Ok(book)
}

/// Reads an opening book: one position a line as [`board_of_line`] reads it, where games begin behind the moves of a line.
/// Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If the file cannot be read, at the first line from which no game can be played, and if there is no position.
pub fn read_positions(path: &Path) -> Result<Vec<Setup>, BookError> {
    let path = path.to_path_buf();
    let text = File::open(&path).and_then(read_text).map_err(FileError::at(&path))?;
    let mut book = Vec::new();
    for (number, line) in epd::lines(&text) {
        match parse_line(line) {
            Ok(position) => book.push(position),
            Err(source) => return Err(BookError::Line { path, line: number, source }),
        }
    }
    if book.is_empty() { Err(BookError::Empty { path }) } else { Ok(book) }
}

fn parse_line(line: &str) -> Result<Setup, BookLineError> {
    let board = board_of_line(line)?;
    match Ending::by_rule(&board) {
        Some((ending, _)) => Err(BookLineError::GameOver(ending)),
        None => Ok(board.setup()),
    }
}

/// The random number generator of one game (ChaCha8): its numbers depend only on the seed of the run and the number of
/// the game.
#[derive(Clone, Debug)]
pub struct GameRng(ChaCha8Rng);

impl GameRng {
    /// The generator of game `index` of the run with this seed.
    pub fn new(seed: u64, index: u32) -> GameRng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..12].copy_from_slice(&index.to_le_bytes());
        GameRng(ChaCha8Rng::from_seed(key))
    }

    /// A uniformly distributed number below `end` (Lemire 2019, "Fast Random Integer Generation in an Interval", without
    /// its rejection step, whose bias is below one in billions here).
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        unit_interval(self.0.next_u64()) < probability
    }
}

/// Random moves behind a book position, or one more, if no other number is asked for.
pub const BOOK_PLIES: u8 = 2;

/// How the openings of a run are chosen.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    /// The share of games from Chess960 and double Chess960 start positions, half of it each.
    pub chess960: f64,
    /// The positions of the opening book.
    pub book: Vec<Setup>,
    /// The share of the other games that begin with a book position if there is a book.
    pub book_share: f64,
    /// Random moves behind a book position, or one more.
    pub book_plies: u8,
}

impl Openings {
    /// Draws the kind of opening of a game.
    pub fn choose_kind(&self, rng: &mut GameRng) -> OpeningKind {
        if rng.chance(self.chess960) {
            if rng.chance(0.5) { OpeningKind::Chess960 } else { OpeningKind::DoubleChess960 }
        } else if !self.book.is_empty() && rng.chance(self.book_share) {
            OpeningKind::Book
        } else {
            OpeningKind::Standard
        }
    }

    /// Plays a random opening of this kind: 8 or 9 random legal moves from a start position, or
    /// [`Openings::book_plies`] or one more from a book position. The board has no history of these moves, because the game
    /// record does not have them. `None` if the game ended during the opening.
    pub fn random_opening(&self, kind: OpeningKind, rng: &mut GameRng) -> Option<Board> {
        let (board, plies) = match kind {
            OpeningKind::Standard => (Board::start(), 8),
            OpeningKind::Book => {
                (Board::from_setup(self.book.get(rng.below(self.book.len()))?), usize::from(self.book_plies))
            }
            OpeningKind::Chess960 => {
                let number = rng.below(chess960::START_POSITIONS);
                (chess960::start_position(number, number), 8)
            }
            OpeningKind::DoubleChess960 => (
                chess960::start_position(
                    rng.below(chess960::START_POSITIONS),
                    rng.below(chess960::START_POSITIONS),
                ),
                8,
            ),
        };
        let plies = plies + rng.below(2);
        after_random_moves(board, plies, |bound| rng.below(bound))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use caesura::types::Color;

    use super::*;

    #[test]
    fn random_numbers_depend_on_seed_and_game_alone() {
        let numbers = |seed, index| -> Vec<usize> {
            let mut rng = GameRng::new(seed, index);
            (0..8).map(|_| rng.below(1000)).collect()
        };
        assert_eq!(numbers(1, 2), numbers(1, 2));
        assert_ne!(numbers(1, 2), numbers(2, 1));
        assert_ne!(numbers(1, 2), numbers(1, 3));
        let mut rng = GameRng::new(0, 0);
        let seen: HashSet<usize> = (0..200).map(|_| rng.below(6)).collect();
        assert_eq!(seen, (0..6).collect());
        assert!(!rng.chance(0.0) && rng.chance(1.0));
    }

    #[test]
    fn openings_come_in_the_given_shares() {
        let book = vec![Board::start().setup()];
        let openings = Openings { chess960: 0.5, book, book_share: 0.5, book_plies: 0 };
        let mut counts = [0; 4];
        for index in 0..4000 {
            let mut rng = GameRng::new(9, index);
            counts[openings.choose_kind(&mut rng) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        for book_plies in [0, BOOK_PLIES, 5] {
            let openings = Openings { book_plies, ..openings.clone() };
            let plies: HashSet<u32> = (0..200)
                .filter_map(|index| openings.random_opening(OpeningKind::Book, &mut GameRng::new(9, index)))
                .map(|board| board.ply())
                .collect();
            let wanted = u32::from(book_plies);
            assert_eq!(plies, HashSet::from([wanted, wanted + 1]));
        }
        let plain = Openings::default();
        let mut seen = HashSet::new();
        for index in 0..200 {
            let mut rng = GameRng::new(9, index);
            assert_eq!(plain.choose_kind(&mut rng), OpeningKind::Standard);
            if let Some(board) = plain.random_opening(OpeningKind::Standard, &mut rng) {
                assert!(matches!(board.ply(), 8 | 9));
                seen.insert(board.key());
            }
        }
        assert!(seen.len() > 190, "{}", seen.len());
    }

    #[test]
    fn book_lines_are_fen_or_epd_and_errors_give_the_line() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert!(parse_line(start).is_ok());
        assert!(parse_line(&format!("{start} 0 1")).is_ok());
        assert!(parse_line(&format!("{start} bm e4; id \"x\";")).is_ok());
        let moved = parse_line(&format!("{start} 0 1 moves e2e4")).map(|setup| setup.side_to_move);
        assert_eq!(moved.expect("a position"), Color::Black);
        assert!(parse_line(&format!("{start} 0 1 garbage")).is_err());
        assert!(parse_line(&format!("{start} moves e2e5")).is_err());
        assert!(parse_line("8/8/8/8/8/8/8/8 w - -").is_err());
        assert!(parse_line("8/8/8/8/8/4k3/8/4K3 w - - 0 1").unwrap_err().to_string().contains("over"));
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("book.epd");
        fs::write(&path, format!("# a comment\n{start}\n\nnonsense\n")).unwrap();
        assert!(matches!(read_positions(&path), Err(BookError::Line { line: 4, .. })));
        fs::write(&path, "\n").unwrap();
        assert!(matches!(read_positions(&path), Err(BookError::Empty { .. })));
        fs::write(&path, format!("{start}\n{start} moves e2e4\n{start} 0 1\n{start} 0 1 moves e2e4\n"))
            .unwrap();
        assert_eq!((read_positions(&path).unwrap().len(), read_distinct(&path).unwrap().len()), (4, 2));
    }
}
