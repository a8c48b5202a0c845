//! Whose best move to play.

use std::collections::HashMap;

use crate::params;
use crate::search::results::ThreadResult;
use crate::types::{Depth, Move, Value, is_win};

/// The vote of one thread or another machine: its best move, and how much it knows of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vote {
    /// Its best move.
    pub(super) best_move: Move,
    /// The score of that move, in centipawns for the side to move.
    pub(super) score: Value,
    /// The depth of its last completed iteration, in plies.
    pub(super) depth: Depth,
    /// True if it has proved that all moves lose.
    pub(super) is_proved_loss: bool,
}

impl Vote {
    /// The vote of a thread; `None` if it has no move yet.
    pub(super) fn of_thread(result: &ThreadResult) -> Option<Vote> {
        let is_proved_loss = result.is_proved_loss();
        Some(Vote {
            best_move: result.best_move()?,
            score: result.score,
            depth: result.depth,
            is_proved_loss,
        })
    }
}

/// The index of the vote whose move to play; `None` without any votes.
///
/// Each thread votes for its best move with a weight that grows with score and depth, and among those that voted for the
/// winner, the one of greatest weight is taken (the practice of Stockfish). A proved win needs no majority: the nearest
/// mate is played. A proved loss is believed if no thread has searched deeper, whatever others of the same depth say.
///
/// Threads that are far behind do not vote. The weights assume that all are about equally deep, but where threads share
/// processors, a few that had hardly any time would outvote the one that did the work, with hopes that it has refuted.
/// Of four threads on two processors, two of them at the lowest priority, that was a part of what they lost to two threads:
/// −75 ± 55 Elo with such votes (80 games), −53 ± 55 without (60).
pub(super) fn select_vote(votes: &[Vote]) -> Option<usize> {
    let deepest = votes.iter().map(|vote| vote.depth).max()?;
    // Of equals the first counts: `max_by_key` takes the last.
    let votes = votes.iter().enumerate();
    if let Some((index, vote)) = votes.clone().rev().max_by_key(|(_, vote)| vote.score)
        && is_win(vote.score)
    {
        return Some(index);
    }
    if let Some((index, vote)) = votes.clone().rev().max_by_key(|(_, vote)| (vote.depth, vote.is_proved_loss))
        && vote.is_proved_loss
    {
        return Some(index);
    }
    let votes: Vec<(usize, &Vote)> = votes.filter(|(_, vote)| is_deep_enough(vote.depth, deepest)).collect();
    let worst = votes.iter().map(|(_, vote)| vote.score).min().unwrap_or(0);
    let weight = |vote: &Vote| {
        i64::from(vote.score - worst + params::vote_score_offset()) * i64::from(vote.depth.max(1))
    };
    let mut totals: HashMap<Move, i64> = HashMap::new();
    for (_, vote) in &votes {
        *totals.entry(vote.best_move).or_default() += weight(vote);
    }
    votes
        .iter()
        .rev()
        .max_by_key(|(_, vote)| (totals.get(&vote.best_move), weight(vote)))
        .map(|&(index, _)| index)
}

/// True if a thread of this depth votes. Threads with processors of their own are closer together than this.
fn is_deep_enough(depth: Depth, deepest: Depth) -> bool {
    let lag = deepest * params::vote_depth_lag_share() / 16;
    deepest - depth <= lag.max(params::vote_depth_lag())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::reports::Info;
    use crate::types::{MoveKind, Square, is_loss, mate_in, mated_in};

    fn winner(votes: &[(Square, Depth, Value)]) -> usize {
        let vote = |&(to, depth, score)| {
            let best_move = Move::new(Square::A1, to, MoveKind::Quiet);
            Vote { best_move, score, depth, is_proved_loss: is_loss(score) }
        };
        select_vote(&votes.iter().map(vote).collect::<Vec<_>>()).expect("a vote")
    }

    #[test]
    fn the_majority_wins_unless_a_mate_is_proved() {
        let (a, b) = (Square::B1, Square::C1);
        assert_eq!(winner(&[(a, 10, 20), (b, 10, 20), (b, 10, 20)]), 1);
        assert_eq!(winner(&[(a, 10, 20), (b, 10, 20)]), 0);
        assert_eq!(winner(&[(a, 10, 20), (b, 11, 20)]), 1);
        assert_eq!(winner(&[(a, 10, 20), (a, 10, 20), (b, 10, mate_in(5))]), 2);
        assert_eq!(winner(&[(a, 10, mate_in(7)), (b, 10, mate_in(5)), (a, 12, mate_in(7))]), 1);
        assert_eq!(select_vote(&[]), None);
    }

    #[test]
    fn threads_that_are_far_behind_do_not_vote() {
        let (a, b) = (Square::B1, Square::C1);
        assert_eq!(winner(&[(a, 20, 10), (b, 8, 150), (b, 9, 150), (b, 14, 150)]), 0);
        assert_eq!(winner(&[(b, 8, 150), (b, 9, 150), (a, 20, 10)]), 2);
        // Their scores do not make the scores of the others look alike either.
        assert_eq!(winner(&[(a, 20, 60), (a, 20, 60), (b, 20, 100), (b, 5, -3000)]), 2);
        assert_eq!(winner(&[(a, 20, 10), (b, 15, 20), (b, 16, 20)]), 2);
        assert_eq!(winner(&[(a, 3, 10), (b, 1, 20), (b, 1, 20)]), 1);
        assert_eq!(winner(&[(a, 20, 10), (b, 5, mate_in(3))]), 1);
    }

    #[test]
    fn a_proved_loss_is_believed_unless_a_deeper_thread_disagrees() {
        let (a, b) = (Square::B1, Square::C1);
        assert_eq!(winner(&[(a, 40, mated_in(4)), (b, 9, -1200)]), 0);
        assert_eq!(winner(&[(b, 9, -1200), (a, 40, mated_in(4)), (b, 9, -1200)]), 1);
        assert_eq!(winner(&[(a, 8, mated_in(4)), (b, 9, -1200)]), 1);
        assert_eq!(winner(&[(a, 9, mated_in(4)), (b, 9, -1200)]), 0);
        assert_eq!(winner(&[(b, 9, -1200), (a, 9, mated_in(4))]), 1);
    }

    #[test]
    fn a_loss_in_the_middle_of_an_iteration_is_one_vote_of_many() {
        let result = |to: Square, score: Value, depth_of_line: Depth| {
            let pv = vec![Move::new(Square::A1, to, MoveKind::Quiet)];
            ThreadResult {
                depth: 20,
                score,
                lines: vec![Info { depth: depth_of_line, score, pv, ..Info::default() }],
            }
        };
        let (a, b) = (Square::B1, Square::C1);
        let winner = |lost: ThreadResult| {
            let results = [lost, result(a, 0, 20), result(a, 0, 20)];
            select_vote(&results.map(|result| Vote::of_thread(&result).expect("a move")))
        };
        assert_eq!(winner(result(b, mated_in(10), 20)), Some(0));
        assert_eq!(winner(result(b, mated_in(10), 21)), Some(1));
    }
}
