//! Putting tasks to an engine.

use std::fmt;

use crate::engine::Limits;
use crate::engine::{Engine, EngineError, SearchResult};
use crate::types::Move;

use super::test_position::{TestPosition, Verdict};

/// A task that was not solved.
#[derive(Clone, Debug)]
pub struct Unsolved<'a> {
    /// The task.
    pub task: &'a TestPosition,
    /// What was played instead.
    pub found: Option<Move>,
    /// The points that this got.
    pub points: u32,
}

/// How a suite went.
#[derive(Clone, Debug, Default)]
pub struct SuiteReport<'a> {
    /// How many tasks there were.
    pub total: usize,
    /// How many were solved.
    pub solved: usize,
    /// The points of graded moves.
    pub points: u64,
    /// The most points that could be had.
    pub max_points: u64,
    /// The tasks that were not solved.
    pub unsolved: Vec<Unsolved<'a>>,
}

impl fmt::Display for SuiteReport<'_> {
    /// The last line: `solved S of N`, with the points of a graded suite.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "solved {} of {}", self.solved, self.total)?;
        if self.max_points > 0 {
            write!(f, ", {} of {} points", self.points, self.max_points)?;
        }
        Ok(())
    }
}

/// Lets the engine search every task, each as a new game, and reports each as it is judged.
///
/// # Errors
/// If the engine is busy with another search.
pub fn run<'a>(
    engine: &mut Engine,
    tasks: &'a [TestPosition],
    limits: &Limits,
    mut judged: impl FnMut(&TestPosition, &SearchResult, Verdict),
) -> Result<SuiteReport<'a>, EngineError> {
    let mut report = SuiteReport { total: tasks.len(), ..SuiteReport::default() };
    for task in tasks {
        engine.new_game()?;
        engine.set_position(task.board.clone());
        let result = engine.search(limits.clone())?;
        let verdict = task.judge(&result);
        report.points += u64::from(verdict.points);
        report.max_points += u64::from(task.max_points());
        if verdict.solved {
            report.solved += 1;
        } else {
            report.unsolved.push(Unsolved { task, found: result.best, points: verdict.points });
        }
        judged(task, &result, verdict);
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_counted() {
        let tasks = TestPosition::parse_all(
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"mate\";\n\
             6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #1;\n\
             6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - am Ra8#; id \"perverse\";\n\
             6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - c8 \"10 1\"; c9 \"a1a8 g1f1\";",
        )
        .expect("tasks");
        let mut engine = Engine::new(1, 1).expect("an engine");
        let limits = Limits::depth(4);
        let mut judged = 0;
        let report = run(&mut engine, &tasks, &limits, |_, _, _| judged += 1).expect("runs");
        assert_eq!((judged, report.solved, report.unsolved.len()), (4, 3, 1));
        assert_eq!(report.unsolved[0].task.id, "perverse");
        assert_eq!(report.to_string(), "solved 3 of 4, 10 of 10 points");
    }

    #[test]
    fn points_may_be_many() {
        let line = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - c8 \"4294967295 1\"; c9 \"a1a8 g1f1\";\n";
        let tasks = TestPosition::parse_all(&line.repeat(2)).expect("tasks");
        let mut engine = Engine::new(1, 1).expect("an engine");
        let limits = Limits::depth(4);
        let report = run(&mut engine, &tasks, &limits, |_, _, _| {}).expect("runs");
        assert_eq!(report.to_string(), "solved 2 of 2, 8589934590 of 8589934590 points");
    }
}
