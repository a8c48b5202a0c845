//! Plays a game out: to its end by the rules of chess, by the scores of its players, or by its length.

use std::sync::atomic::{AtomicBool, Ordering};

use caesura::board::Board;
use caesura::types::{Color, Move, Value};

use crate::adjudication::{AdjudicationRules, Adjudicator};
use crate::game::{Ending, Winner};

/// What a player does when it is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOutcome {
    /// It plays a move, and scores the position before it in centipawns from its own point of view.
    Played(Move, Value),
    /// Its time is over.
    TimeForfeit,
    /// It gives no move, since the game is abandoned.
    Abandoned,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why; `None` if time ran out.
    pub ending: Option<Ending>,
    /// Who won.
    pub winner: Winner,
    /// The number of moves of both sides.
    pub plies: usize,
}

/// Plays a game from a position by the moves that the players choose. The rules of chess come before the scores, and those
/// before the limit of length, `max_plies`, with which it is drawn. `None` if it was abandoned.
///
/// # Errors
/// If a player fails.
pub fn play_out<E>(
    start: &Board,
    rules: AdjudicationRules,
    max_plies: usize,
    abandon: &AtomicBool,
    mut next_move: impl FnMut(&Board) -> Result<MoveOutcome, E>,
) -> Result<Option<Outcome>, E> {
    let mut board = start.clone();
    let mut adjudicator = Adjudicator::new(rules);
    let mut adjudicated = None;
    let mut plies = 0;
    loop {
        if abandon.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if let Some((ending, winner)) = Ending::by_rule(&board).or(adjudicated) {
            return Ok(Some(Outcome { ending: Some(ending), winner, plies }));
        }
        if plies >= max_plies {
            return Ok(Some(Outcome { ending: Some(Ending::TooLong), winner: Winner::Draw, plies }));
        }
        let side = board.side_to_move();
        match next_move(&board)? {
            MoveOutcome::Played(m, score) => {
                let white = if side == Color::White { score } else { -score };
                adjudicated = adjudicator.add_score(board.ply(), white);
                board.make_move(m, &mut ());
                plies += 1;
            }
            MoveOutcome::TimeForfeit => {
                return Ok(Some(Outcome { ending: None, winner: Winner::of(!side), plies }));
            }
            MoveOutcome::Abandoned => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use caesura::board::notation;

    use super::*;

    const RULES: AdjudicationRules =
        AdjudicationRules { win_plies: 1, draw_plies: 1, draw_from_ply: 2, ..AdjudicationRules::MATCH };

    /// What becomes of a position by these moves, in UCI notation, all with the same score.
    fn outcome(fen: &str, moves: &[&str], score: Value, max_plies: usize) -> Outcome {
        let start: Board = fen.parse().expect("a position");
        let mut moves = moves.iter();
        let played = play_out(&start, RULES, max_plies, &AtomicBool::new(false), |board| {
            let played = moves.next().and_then(|text| notation::parse_uci(board, text));
            played.map(|m| MoveOutcome::Played(m, score)).ok_or("no legal move is left")
        });
        played.expect("there are moves").expect("it is not abandoned")
    }

    #[test]
    fn the_rules_of_chess_come_before_the_scores_and_these_before_the_length() {
        let stalemate = outcome("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", &["e6f7"], 2000, 1);
        assert_eq!((stalemate.ending, stalemate.winner), (Some(Ending::Stalemate), Winner::Draw));
        let won = outcome("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", &["e6e7"], 2000, 1);
        assert_eq!((won.ending, won.winner), (Some(Ending::WinByScore), Winner::White));
    }

    #[test]
    fn a_draw_counts_from_the_ply_of_the_position_that_is_scored() {
        let (fen, moves) = ("7k/p7/8/8/8/8/P7/K7 w - - 0 1", ["a1b1", "h8g8", "b1a1", "g8h8"]);
        let end = |score, max_plies| outcome(fen, &moves, score, max_plies);
        let drawn = Outcome { ending: Some(Ending::DrawByScore), winner: Winner::Draw, plies: 3 };
        assert_eq!(end(0, 9), drawn);
        assert_eq!(end(100, 4), Outcome { ending: Some(Ending::TooLong), plies: 4, ..drawn });
    }

    #[test]
    fn time_runs_out_and_games_are_abandoned() {
        let end = |outcome| {
            play_out(&Board::start(), RULES, 9, &AtomicBool::new(false), |_| Ok::<_, ()>(outcome)).unwrap()
        };
        let lost = Outcome { ending: None, winner: Winner::Black, plies: 0 };
        assert_eq!(end(MoveOutcome::TimeForfeit), Some(lost));
        assert_eq!(end(MoveOutcome::Abandoned), None);
        let failed = play_out(&Board::start(), RULES, 9, &AtomicBool::new(false), |_| Err(7));
        assert_eq!(failed, Err(7));
    }
}
