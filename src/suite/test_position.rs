//! What a position asks for, and whether an answer is right.

use std::error::Error;
use std::fmt;
use std::num::ParseIntError;

use crate::board::fen::FenError;
use crate::board::notation::SanError;
use crate::board::{Board, notation};
use crate::engine::SearchResult;
use crate::types::{Move, Score};
use crate::util::quote::quote;

use super::epd::{self, EpdRecord};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Play one of these (`bm`, if any) and none of those (`am`).
    Moves {
        /// The good moves.
        best: Vec<Move>,
        /// The bad moves.
        avoid: Vec<Move>,
    },
    /// Announce a mate in at most this many moves (`bm #n`, `dm n`); negative: being mated.
    Mate(i32),
    /// Play a move for points (`c8` the points, `c9` the moves as UCI writes them).
    Graded(Vec<(Move, u32)>),
}

/// A position and what is asked of it.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// The name (`id`), or else the number of the line.
    pub id: String,
    /// The position.
    pub board: Board,
    /// What is asked.
    pub goal: Goal,
    /// The goal, as the line has it.
    pub wanted: String,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The answer is right; of graded moves, it is the best.
    pub solved: bool,
    /// The points of a graded move.
    pub points: u32,
}

/// Why a line is no test position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPositionError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The position is no FEN.
    Fen(FenError),
    /// The line has none of the operations `bm`, `am`, `dm`, `c8` with `c9`.
    NoGoal,
    /// The operand of `dm` or `bm #` is no distance to mate: its text, and why it is no number, if it is none.
    MateDistance(String, Option<ParseIntError>),
    /// A move in SAN is not legal: its text, and why.
    San(String, SanError),
    /// A move of `c9` is not legal.
    IllegalMove(String),
    /// An operand of `c8` is no number of points: its text, and why.
    Points(String, ParseIntError),
    /// There are this many operands of `c8` for this many of `c9`.
    PointsForMoves(usize, usize),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Fen(error) => write!(f, "bad position: {error}"),
            Problem::NoGoal => write!(f, "no goal: no bm, am, dm or c8 with c9"),
            Problem::MateDistance(text, _) => write!(f, "{} is no distance to mate", quote(text)),
            Problem::San(text, error) => write!(f, "{}: {error}", quote(text)),
            Problem::IllegalMove(text) => write!(f, "move {} (c9) is not legal", quote(text)),
            Problem::Points(text, _) => write!(f, "{} (c8) is no number of points", quote(text)),
            Problem::PointsForMoves(points, moves) => {
                write!(f, "{points} points (c8) for {moves} moves (c9)")
            }
        }
    }
}

impl fmt::Display for TestPositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Error for TestPositionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            Problem::Fen(error) => Some(error),
            Problem::San(_, error) => Some(error),
            Problem::MateDistance(_, Some(error)) | Problem::Points(_, error) => Some(error),
            Problem::MateDistance(_, None)
            | Problem::NoGoal
            | Problem::IllegalMove(_)
            | Problem::PointsForMoves(..) => None,
        }
    }
}

impl TestPosition {
    /// The task of a line. Where moves are given they decide; a distance to mate (`dm`) counts alone.
    ///
    /// # Errors
    /// If the position is bad, a move is not legal in it, or nothing is asked.
    pub fn parse(number: usize, line: &str) -> Result<TestPosition, TestPositionError> {
        let record = epd::parse(line);
        let fail = |problem| TestPositionError { line: number, problem };
        let board: Board = record.fen.parse().map_err(|error| fail(Problem::Fen(error)))?;
        let (goal, wanted) = goal(&record, &board).map_err(fail)?;
        let id = record.operands("id").and_then(|id| id.first()).filter(|id| !id.is_empty());
        Ok(TestPosition { id: id.cloned().unwrap_or_else(|| format!("line {number}")), board, goal, wanted })
    }

    /// The tasks of a file.
    ///
    /// # Errors
    /// The first line that is no task.
    pub fn parse_all(text: &str) -> Result<Vec<TestPosition>, TestPositionError> {
        epd::lines(text).map(|(number, line)| TestPosition::parse(number, line)).collect()
    }

    /// What an answer is worth.
    pub fn judge(&self, result: &SearchResult) -> Verdict {
        match &self.goal {
            Goal::Moves { best, avoid } => {
                let right = |m: Move| (best.is_empty() || best.contains(&m)) && !avoid.contains(&m);
                Verdict { solved: result.best.is_some_and(right), points: 0 }
            }
            Goal::Mate(wanted) => {
                let found = result.lines.first().map(|line| Score::from(line.score));
                let solved = matches!(found, Some(Score::Mate(found))
                    if found.signum() == wanted.signum() && found.unsigned_abs() <= wanted.unsigned_abs());
                Verdict { solved, points: 0 }
            }
            Goal::Graded(moves) => {
                let points =
                    moves.iter().find(|(m, _)| Some(*m) == result.best).map_or(0, |&(_, points)| points);
                Verdict { solved: points > 0 && points == self.max_points(), points }
            }
        }
    }

    /// The most points that an answer can get.
    pub fn max_points(&self) -> u32 {
        match &self.goal {
            Goal::Graded(moves) => moves.iter().map(|&(_, points)| points).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// What the operations ask for, and the words in which they do.
fn goal(record: &EpdRecord, board: &Board) -> Result<(Goal, String), Problem> {
    if let (Some(points), Some(moves)) = (record.operands("c8"), record.operands("c9"))
        && let (Some(points), Some(moves)) = (words(points), words(moves))
    {
        return Ok((Goal::Graded(graded(&points, &moves, board)?), format!("bm {}", moves.join(" "))));
    }
    let best = record.operands("bm").unwrap_or_default();
    let avoid = record.operands("am").unwrap_or_default();
    if let [mate] = best
        && let Some(count) = mate.strip_prefix('#')
    {
        return Ok((Goal::Mate(distance(count)?), format!("bm {mate}")));
    }
    if !best.is_empty() || !avoid.is_empty() {
        let wanted = [("bm", best), ("am", avoid)]
            .into_iter()
            .filter(|(_, moves)| !moves.is_empty())
            .map(|(name, moves)| format!("{name} {}", moves.join(" ")))
            .collect::<Vec<_>>()
            .join("; ");
        let (best, avoid) = (san_moves(best, board)?, san_moves(avoid, board)?);
        if best.is_empty() && avoid.is_empty() {
            return Err(Problem::NoGoal);
        }
        return Ok((Goal::Moves { best, avoid }, wanted));
    }
    match record.operands("dm") {
        Some([count]) => Ok((Goal::Mate(distance(count)?), format!("dm {count}"))),
        _ => Err(Problem::NoGoal),
    }
}

/// The words of operands; `None` if there are none. Graded suites hold all in one pair of quotation marks.
fn words(operands: &[String]) -> Option<Vec<&str>> {
    let words: Vec<&str> = operands.iter().flat_map(|operand| operand.split_ascii_whitespace()).collect();
    (!words.is_empty()).then_some(words)
}

fn distance(text: &str) -> Result<i32, Problem> {
    let fail = |cause| Problem::MateDistance(text.to_string(), cause);
    match text.parse() {
        Ok(0) => Err(fail(None)),
        count => count.map_err(|cause| fail(Some(cause))),
    }
}

fn san_moves(words: &[String], board: &Board) -> Result<Vec<Move>, Problem> {
    // Commas may stand between moves, and "e.p." behind one.
    let moves =
        words.iter().flat_map(|word| word.split(',')).filter(|word| !["", "e.p.", "ep"].contains(word));
    moves
        .map(|word| notation::parse_san(board, word).map_err(|error| Problem::San(word.to_string(), error)))
        .collect()
}

fn graded(points: &[&str], moves: &[&str], board: &Board) -> Result<Vec<(Move, u32)>, Problem> {
    if points.len() != moves.len() {
        return Err(Problem::PointsForMoves(points.len(), moves.len()));
    }
    moves
        .iter()
        .zip(points)
        .map(|(m, points)| {
            let m = notation::parse_uci(board, m).ok_or_else(|| Problem::IllegalMove((*m).to_string()))?;
            let number = points.parse().map_err(|cause| Problem::Points((*points).to_string(), cause))?;
            Ok((m, number))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Info;
    use crate::types::{Value, mate_in, mated_in};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn task(operations: &str) -> TestPosition {
        TestPosition::parse(7, &format!("{START} {operations}")).expect("a task")
    }

    fn verdict(task: &TestPosition, m: &str, score: Value) -> Verdict {
        task.judge(&SearchResult {
            best: notation::parse_uci(&task.board, m),
            lines: vec![Info { score, ..Info::default() }],
            ..SearchResult::default()
        })
    }

    #[test]
    fn moves_to_play_and_to_avoid() {
        let either = task("bm e4 Nf3; id \"x.1\";");
        assert_eq!(either.id, "x.1");
        assert!(verdict(&either, "e2e4", 0).solved && verdict(&either, "g1f3", 0).solved);
        assert!(!verdict(&either, "d2d4", 0).solved && !verdict(&either, "0000", 0).solved);
        let avoid = task("am f3;");
        assert_eq!((avoid.id.as_str(), avoid.wanted.as_str()), ("line 7", "am f3"));
        assert!(!verdict(&avoid, "f2f3", 0).solved && verdict(&avoid, "e2e4", 0).solved);
        let both = task("bm e4; am d4 f3; dm 15;");
        assert_eq!(both.wanted, "bm e4; am d4 f3");
        assert!(verdict(&both, "e2e4", 0).solved);
    }

    #[test]
    fn mates() {
        for operations in ["bm #3;", "dm 3;"] {
            let mate = task(operations);
            assert!(verdict(&mate, "e2e4", mate_in(5)).solved && verdict(&mate, "e2e4", mate_in(1)).solved);
            assert!(
                !verdict(&mate, "e2e4", mate_in(7)).solved && !verdict(&mate, "e2e4", mated_in(2)).solved
            );
            assert!(!verdict(&mate, "e2e4", 900).solved);
        }
        let mated = task("bm #-2;");
        assert!(verdict(&mated, "e2e4", mated_in(4)).solved && !verdict(&mated, "e2e4", mated_in(6)).solved);
    }

    #[test]
    fn any_distance_to_mate_can_be_asked_for() {
        let mated = task("dm -2147483648;");
        assert!(verdict(&mated, "e2e4", mated_in(4)).solved && !verdict(&mated, "e2e4", mate_in(3)).solved);
    }

    #[test]
    fn graded_moves() {
        let graded = task("bm e4; c8 \"10 4\"; c9 \"e2e4 d2d4\";");
        assert_eq!(graded.max_points(), 10);
        assert_eq!(verdict(&graded, "e2e4", 0), Verdict { solved: true, points: 10 });
        assert_eq!(verdict(&graded, "d2d4", 0), Verdict { solved: false, points: 4 });
        assert_eq!(verdict(&graded, "a2a3", 0), Verdict::default());
    }

    #[test]
    fn commas_and_the_mark_of_en_passant_are_no_moves() {
        let line = "8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1 bm exd3 e.p.; am Kb4,Kb3 , Ka3;";
        let task = TestPosition::parse(1, line).expect("a task");
        let Goal::Moves { best, avoid } = &task.goal else { panic!("moves") };
        assert_eq!((best.len(), avoid.len()), (1, 3));
    }

    #[test]
    fn lines_that_ask_for_nothing_or_nonsense() {
        for operations in [
            "",
            "id \"x\";",
            "bm e5;",
            "bm e.p.;",
            "am , ;",
            "bm #0;",
            "dm x;",
            "c8 \"1 2\"; c9 \"e2e4\";",
            "c8 \"x\"; c9 \"e2e4\";",
        ] {
            let error = TestPosition::parse(7, &format!("{START} {operations}")).expect_err(operations);
            assert!(error.to_string().starts_with("line 7: "));
        }
        assert!(TestPosition::parse(1, "8/8/8/8/8/8/8/8 w - - bm e4;").is_err());
        assert_eq!(TestPosition::parse_all("# nothing\n\n").map(|tasks| tasks.len()), Ok(0));
    }
}
