//! A recorded game and its replay.

use caesura::board::{Board, Setup};
use caesura::types::{Color, Move};

/// The winner of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Winner {
    /// Black won.
    Black = 0,
    /// The game was drawn.
    Draw = 1,
    /// White won.
    White = 2,
}

impl Winner {
    /// All values in the order of their discriminants.
    pub const ALL: [Winner; 3] = [Winner::Black, Winner::Draw, Winner::White];

    /// The winner of this colour.
    pub const fn of(color: Color) -> Winner {
        match color {
            Color::White => Winner::White,
            Color::Black => Winner::Black,
        }
    }

    /// The points of a side: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub const fn points(self, color: Color) -> f32 {
        match (self, color) {
            (Winner::Draw, _) => 0.5,
            (Winner::White, Color::White) | (Winner::Black, Color::Black) => 1.0,
            _ => 0.0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate = 0,
    /// The side to move has no move and is not in check.
    Stalemate = 1,
    /// The position occurred for the third time.
    Repetition = 2,
    /// Fifty moves without a capture or pawn move.
    FiftyMoves = 3,
    /// Neither side has enough material to mate.
    Material = 4,
    /// Adjudicated: the scores of both sides agreed for long enough that one side wins.
    WinByScore = 5,
    /// Adjudicated: a mate was found.
    MateFound = 6,
    /// Adjudicated: the scores of both sides stayed near zero.
    DrawByScore = 7,
    /// The game reached the maximum length, or is a position by itself: recorded as drawn, but the true result is unknown.
    TooLong = 8,
}

impl Ending {
    /// All values in the order of their discriminants.
    pub const ALL: [Ending; 9] = [
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::Repetition,
        Ending::FiftyMoves,
        Ending::Material,
        Ending::WinByScore,
        Ending::MateFound,
        Ending::DrawByScore,
        Ending::TooLong,
    ];

    /// How the rules of chess end the game in this position, and the winner; `None` if it continues.
    pub fn by_rule(board: &Board) -> Option<(Ending, Winner)> {
        if board.count_legal_moves() == 0 {
            return Some(if board.in_check() {
                (Ending::Checkmate, Winner::of(!board.side_to_move()))
            } else {
                (Ending::Stalemate, Winner::Draw)
            });
        }
        if board.is_fifty_move_draw() {
            Some((Ending::FiftyMoves, Winner::Draw))
        } else if board.is_repetition(0) {
            Some((Ending::Repetition, Winner::Draw))
        } else if board.is_insufficient_material() {
            Some((Ending::Material, Winner::Draw))
        } else {
            None
        }
    }

    /// True for the endings of the rules of chess, false for adjudication.
    pub const fn is_by_rule(self) -> bool {
        (self as u8) <= Ending::Material as u8
    }
}

/// How a game was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OpeningKind {
    /// Random moves from the start position.
    Standard = 0,
    /// A line of a book, then random moves.
    Book = 1,
    /// Random moves from a Chess960 start.
    Chess960 = 2,
    /// Random moves from a double Chess960 start.
    DoubleChess960 = 3,
}

impl OpeningKind {
    /// All values in the order of their discriminants.
    pub const ALL: [OpeningKind; 4] =
        [OpeningKind::Standard, OpeningKind::Book, OpeningKind::Chess960, OpeningKind::DoubleChess960];
}

/// A move and the score of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub played: Move,
    /// The score for the side to move, in the engine's scale: centipawns, and from
    /// [`MATE_IN_MAX`](caesura::types::MATE_IN_MAX) on 32,000 less the plies to mate.
    pub score: i16,
}

/// A game from the first position after its opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of the game in its run. Together with the seed of the run it determines the opening. A
    /// [position by itself](Game::is_lone_position) has that of the game in whose searches it was evaluated.
    pub index: u32,
    /// The position after the opening.
    pub start: Setup,
    /// How it was opened.
    pub opening: OpeningKind,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The winner of the game.
    pub winner: Winner,
    /// Why it ended.
    pub ending: Ending,
}

impl Game {
    /// Starts a replay.
    pub fn replay(&self) -> Replay<'_> {
        Replay { game: self, board: Board::from_setup(&self.start), ply: 0, made: 0 }
    }

    /// A position by itself with its best move and score, which a search of the game of this number and opening has evaluated.
    pub fn lone_position(index: u32, opening: OpeningKind, start: Setup, best: Ply) -> Game {
        Game { index, start, opening, plies: vec![best], winner: Winner::Draw, ending: Ending::TooLong }
    }

    /// True for a position by itself, with its best move and score, which is no game: what a run records of those that searches
    /// evaluate.
    pub fn is_lone_position(&self) -> bool {
        self.ending == Ending::TooLong && self.plies.len() == 1
    }

    /// True if every move is legal.
    pub fn is_legal(&self) -> bool {
        let mut replay = self.replay();
        loop {
            match replay.next_position() {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }
}

/// A position of a game with the move, score and result.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The position with its history.
    pub board: &'a Board,
    /// The move that was played.
    pub played: Move,
    /// The score for the side to move; see [`Ply::score`].
    pub score: i16,
    /// The winner of the game.
    pub winner: Winner,
    /// The number of recorded plies before it.
    pub ply: usize,
}

impl Position<'_> {
    /// The score for White.
    pub fn white_score(&self) -> i16 {
        match self.board.side_to_move() {
            Color::White => self.score,
            Color::Black => -self.score,
        }
    }

    /// The result for the side to move: 1 won, 0.5 drawn, 0 lost.
    pub fn result(&self) -> f32 {
        self.winner.points(self.board.side_to_move())
    }
}

/// An illegal move in a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply} of game {index} is illegal: {played:?}")]
pub struct ReplayError {
    /// The number of the game in its run.
    pub index: u32,
    /// The number of plies before the move.
    pub ply: usize,
    /// The move.
    pub played: Move,
}

/// Replays a game position by position. Moves are checked before they are played, so that untrusted records can be
/// replayed.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    game: &'a Game,
    board: Board,
    ply: usize,
    made: usize,
}

impl Replay<'_> {
    /// The next position; `None` at the end of the game.
    ///
    /// # Errors
    /// If the move played there is illegal. The replay then stays where it is.
    pub fn next_position(&mut self) -> Result<Option<Position<'_>>, ReplayError> {
        self.catch_up();
        let Some(&Ply { played, score }) = self.game.plies.get(self.ply) else {
            return Ok(None);
        };
        if !self.board.is_legal(played) {
            return Err(ReplayError { index: self.game.index, ply: self.ply, played });
        }
        self.ply += 1;
        Ok(Some(Position { board: &self.board, played, score, winner: self.game.winner, ply: self.ply - 1 }))
    }

    /// The board after the move of the last position; after the last `next_position`, the final position of the game.
    pub fn board(&mut self) -> &Board {
        self.catch_up();
        &self.board
    }

    /// Makes the move of the last position that was returned.
    fn catch_up(&mut self) {
        if self.made < self.ply {
            self.board.make_move(self.game.plies[self.made].played, &mut ());
            self.made += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::some_game;

    #[test]
    fn a_replay_shows_every_position_and_the_last_board() {
        let game = some_game(3, 60);
        let mut replay = game.replay();
        let mut seen = 0;
        let mut board = Board::from_setup(&game.start);
        while let Some(position) = replay.next_position().unwrap() {
            assert_eq!(position.board.key(), board.key());
            assert_eq!(position.ply, seen);
            assert_eq!(
                position.white_score() == position.score,
                position.board.side_to_move() == Color::White
            );
            board.make_move(position.played, &mut ());
            seen += 1;
        }
        assert_eq!(seen, game.plies.len());
        assert_eq!(replay.board().key(), board.key());
    }

    #[test]
    fn an_illegal_move_is_reported_where_it_stands() {
        let mut game = some_game(0, 20);
        game.plies.swap(4, 5);
        let mut replay = game.replay();
        let error = loop {
            match replay.next_position() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the game was replayed"),
                Err(error) => break error,
            }
        };
        assert_eq!(error, ReplayError { index: 0, ply: 4, played: game.plies[4].played });
    }

    #[test]
    fn results_are_seen_from_both_sides() {
        assert_eq!(Winner::White.points(Color::White), 1.0);
        assert_eq!(Winner::White.points(Color::Black), 0.0);
        assert_eq!(Winner::Draw.points(Color::Black), 0.5);
        for (index, winner) in Winner::ALL.into_iter().enumerate() {
            assert_eq!(winner as usize, index);
        }
        for (index, ending) in Ending::ALL.into_iter().enumerate() {
            assert_eq!(ending as usize, index);
        }
        for (index, opening) in OpeningKind::ALL.into_iter().enumerate() {
            assert_eq!(opening as usize, index);
        }
    }
}
