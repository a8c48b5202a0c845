//! When the main thread need not begin another iteration: pure rules over what the search has found so far.

use std::time::Duration;

use crate::clock::{self, Limits};
use crate::params;
use crate::types::{Depth, MATE, Move, Value, is_mate};

/// How the best move has changed from iteration to iteration.
#[derive(Clone, Copy, Debug, Default)]
pub struct BestMoveStability {
    best_move: Option<Move>,
    /// The iterations since the best move changed.
    stability: u32,
    /// The score of the last iteration.
    score: Option<Value>,
    /// By how much the score fell in the last iteration, in centipawns.
    drop: Value,
}

impl BestMoveStability {
    /// Takes in the best move and score of one more iteration.
    pub fn update(&mut self, best_move: Move, score: Value) {
        if self.best_move == Some(best_move) {
            self.stability += 1;
        } else {
            self.stability = 0;
            self.best_move = Some(best_move);
        }
        self.drop = self.score.map_or(0, |last| last - score);
        self.score = Some(score);
    }
}

/// What the search knows after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct IterationEnd {
    /// The depth of the iteration, in plies.
    pub depth: Depth,
    /// The score of the best move.
    pub score: Value,
    /// The nodes that the main thread has searched.
    pub nodes: u64,
    /// How many of them were searched below the best move.
    pub best_move_nodes: u64,
    /// The moves at the root that may be played: those that the endgame tables rank as high as the best, or all.
    pub root_moves: usize,
    /// The time since `go`, measured or counted in nodes.
    pub elapsed: Duration,
    /// The time that our clock has run since `go`; `None` while pondering.
    pub clock_time: Option<Duration>,
}

/// True if the search may end after this iteration although the hard limit has not been reached: a mate as short as was
/// asked for is found, for either side, the soft node limit or the soft time limit is reached, or the only move that may be
/// played at the root has been looked at.
///
/// `soft` is the soft time limit; like the soft node limit it is scaled by the stability of the best move, the fall of the
/// score, and the share of nodes below the best move. While pondering no clock runs; once the opponent has played the
/// expected move, the time that it took counts as thought, but a fixed time a move is meant from that moment on,
/// unless nodes count as time.
pub fn is_soft_limit_reached(
    limits: &Limits,
    soft: Option<Duration>,
    stability: &BestMoveStability,
    end: &IterationEnd,
) -> bool {
    if let Some(moves) = limits.mate
        && is_mate(end.score)
        && i64::from(MATE - end.score.abs()) <= 2 * i64::from(moves) - i64::from(end.score > 0)
    {
        return true;
    }
    let effort = end.best_move_nodes as f64 / end.nodes.max(1) as f64;
    let scale = clock::soft_scale(stability.stability, stability.drop, effort);
    if limits.soft_nodes.is_some_and(|nodes| end.nodes as f64 >= nodes as f64 * scale) {
        return true;
    }
    let (Some(soft), Some(clock_time)) = (soft, end.clock_time) else {
        return false;
    };
    if limits.move_time.is_some() {
        return clock_time >= soft;
    }
    if end.root_moves == 1 && end.depth >= params::clock_forced_move_depth() {
        return true;
    }
    end.elapsed.as_secs_f64() >= soft.as_secs_f64() * scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::types::{mate_in, mated_in};

    const SECOND: Duration = Duration::from_secs(1);

    fn end() -> IterationEnd {
        IterationEnd {
            depth: 12,
            score: 20,
            nodes: 10_000,
            best_move_nodes: 5000,
            root_moves: 30,
            elapsed: Duration::ZERO,
            clock_time: Some(Duration::ZERO),
        }
    }

    fn reached(limits: &Limits, soft: Option<Duration>, end: IterationEnd) -> bool {
        is_soft_limit_reached(limits, soft, &BestMoveStability::default(), &end)
    }

    #[test]
    fn without_a_limit_the_search_goes_on() {
        let limits = Limits::default();
        assert!(!reached(&limits, None, IterationEnd { elapsed: 1000 * SECOND, root_moves: 1, ..end() }));
        assert!(!reached(&limits, None, IterationEnd { score: mate_in(1), ..end() }));
    }

    #[test]
    fn a_mate_ends_the_search_that_asked_for_it() {
        for moves in 1..6 {
            let limits = Limits { mate: Some(moves), ..Limits::default() };
            for plies in 1..12 {
                let found = reached(&limits, None, IterationEnd { score: mate_in(plies), ..end() });
                assert_eq!(found, plies < 2 * moves as usize, "mate in {plies} plies of {moves} moves");
            }
            // The side to move is mated in as many moves of the other side.
            for plies in (2..14).step_by(2) {
                let found = reached(&limits, None, IterationEnd { score: mated_in(plies), ..end() });
                assert_eq!(found, plies <= 2 * moves as usize, "mated in {plies} plies of {moves} moves");
            }
            for score in [30_000, -30_000] {
                assert!(!reached(&limits, None, IterationEnd { score, ..end() }));
            }
        }
    }

    #[test]
    fn soft_nodes_end_the_search_between_iterations() {
        let limits = Limits { soft_nodes: Some(10_000), ..Limits::default() };
        let ends_at = |effort: f64| {
            let reached = |nodes: u64| {
                let best_move_nodes = (nodes as f64 * effort) as u64;
                reached(&limits, None, IterationEnd { nodes, best_move_nodes, ..end() })
            };
            (1000..50_000).step_by(50).find(|&nodes| reached(nodes)).expect("it ends")
        };
        // As much as the clock would scale its limit by, within the steps of the test.
        for effort in [0.25, 0.5, 1.0] {
            let ratio = ends_at(effort) as f64 / (10_000.0 * clock::soft_scale(0, 0, effort));
            assert!((ratio - 1.0).abs() < 0.01, "{effort}: {ratio}");
        }
    }

    #[test]
    fn the_soft_limit_stretches_while_the_best_move_changes_and_the_score_falls() {
        let moves = Board::start().legal_moves();
        let ends_at = |stability: &BestMoveStability| {
            let reached = |milliseconds: u64| {
                let elapsed = Duration::from_millis(milliseconds);
                let end = IterationEnd { elapsed, clock_time: Some(elapsed), ..end() };
                is_soft_limit_reached(&Limits::default(), Some(SECOND), stability, &end)
            };
            (0..20_000).step_by(10).find(|&time| reached(time)).expect("it ends")
        };
        let run = |scores: &[Value], change: bool| {
            let mut stability = BestMoveStability::default();
            for (index, &score) in scores.iter().enumerate() {
                stability.update(moves[if change { index % 2 } else { 0 }], score);
            }
            ends_at(&stability)
        };
        let calm = run(&[20; 10], false);
        assert!(run(&[20; 10], true) > calm);
        assert!(run(&[20, 20, 20, 20, 20, 20, 20, 20, 20, -60], false) > calm);
        assert!(run(&[20; 2], false) > calm, "a best move that has only just come up");
    }

    #[test]
    fn a_forced_move_is_played_at_once_on_a_clock_and_not_in_a_fixed_time() {
        let forced = IterationEnd { root_moves: 1, ..end() };
        assert!(reached(&Limits::default(), Some(SECOND), forced));
        assert!(!reached(&Limits::default(), Some(SECOND), IterationEnd { depth: 5, ..forced }));
        let fixed = Limits { move_time: Some(SECOND), ..Limits::default() };
        assert!(!reached(&fixed, Some(SECOND), forced));
    }

    #[test]
    fn pondering_stops_no_search_and_a_fixed_time_begins_with_the_hit() {
        let long = IterationEnd { elapsed: 100 * SECOND, ..end() };
        assert!(!reached(&Limits::default(), Some(SECOND), IterationEnd { clock_time: None, ..long }));
        // On a clock the time before the hit counts.
        assert!(reached(&Limits::default(), Some(SECOND), long));
        let fixed = Limits { move_time: Some(SECOND), ..Limits::default() };
        assert!(!reached(&fixed, Some(SECOND), long));
        assert!(reached(&fixed, Some(SECOND), IterationEnd { clock_time: Some(SECOND), ..long }));
    }
}
