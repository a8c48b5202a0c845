//! The moves at the root.

use crate::board::Board;
use crate::params;
use crate::types::{Bound, Move, Value, is_decisive};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its rank by the endgame tables: a move is searched only together with those of its rank. 0 if they do not know it.
    pub tb_rank: i32,
    /// Its value by the endgame tables.
    pub tb_value: Option<Value>,
    /// The score of its last search, in the current iteration or, if that has not searched it yet, in an earlier one; `None`
    /// before the first search, and where the last one showed only that it is not better than the best.
    pub score: Option<Value>,
    /// The last score that was known when the current iteration began.
    pub previous_score: Option<Value>,
    /// The mean of its scores that are not decisive, the last ones counting most.
    pub mean_score: Option<Value>,
    /// How to read the score.
    pub bound: Bound,
    /// The greatest distance from the root of a PV node, in plies, in the search of its line until its last score was known.
    pub seldepth: usize,
    /// Nodes searched below it since the start.
    pub nodes: u64,
    /// Its principal variation, the move itself first.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// A move that has not been searched.
    pub fn new(m: Move) -> RootMove {
        RootMove {
            m,
            tb_rank: 0,
            tb_value: None,
            score: None,
            previous_score: None,
            mean_score: None,
            bound: Bound::Exact,
            seldepth: 0,
            nodes: 0,
            pv: vec![m],
        }
    }

    /// Begins an iteration: a score becomes the previous one, too, and, unless it is decisive, is taken into the mean, half
    /// of which it makes.
    pub fn begin_iteration(&mut self) {
        self.previous_score = self.score.or(self.previous_score);
        if let Some(score) = self.score.filter(|&score| !is_decisive(score)) {
            self.mean_score = Some(self.mean_score.map_or(score, |mean| (mean + score) / 2));
        }
    }

    /// The score round which the next iteration's window lies: the last one, drawn towards the mean, of which it makes a half
    /// itself, since a score that jumps often jumps back (the practice of Stockfish since 2021; with eight other changes 11 ± 11 Elo,
    /// 2,200 games at 8,000 nodes); the last one itself if it is decisive. In centipawns.
    pub fn expected_score(&self) -> Option<Value> {
        let last = self.previous_score?;
        if is_decisive(last) {
            return Some(last);
        }
        let mean = self.mean_score.unwrap_or(last);
        Some(last + (mean - last) * params::aspiration_mean() / 16)
    }

    /// What root moves are sorted by: their rank by the tables, then scored moves first, then by the last score that was known before the
    /// iteration.
    fn order(&self) -> (i32, i32, i32) {
        (self.tb_rank, self.score.unwrap_or(i32::MIN), self.previous_score.unwrap_or(i32::MIN))
    }
}

/// The moves to search at the root of a position: those of `searchmoves` that are legal, or, if none is, all legal moves.
pub fn root_moves(board: &Board, search_moves: &[Move]) -> Vec<Move> {
    let mut moves = board.legal_moves().to_vec();
    if moves.iter().any(|m| search_moves.contains(m)) {
        moves.retain(|m| search_moves.contains(m));
    }
    moves
}

/// Sorts the best moves to the front; equal ones keep their order.
pub fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|m| std::cmp::Reverse(m.order()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::mate_in;

    #[test]
    fn scored_moves_come_first_and_the_others_by_their_last_score() {
        let legal = Board::start().legal_moves();
        let scores = [
            (None, Some(5)),
            (Some(-3), None),
            (None, Some(7)),
            (Some(9), Some(-50)),
            (None, None),
            (Some(-3), None),
        ];
        let mut moves: Vec<RootMove> = legal
            .iter()
            .zip(scores)
            .map(|(&m, (score, previous_score))| RootMove { score, previous_score, ..RootMove::new(m) })
            .collect();
        sort(&mut moves);
        let order = [3, 1, 5, 2, 0, 4].map(|index| legal[index]);
        assert!(moves.iter().map(|root| root.m).eq(order), "equal moves keep their order");
    }

    #[test]
    fn an_iteration_remembers_the_last_score_that_was_known() {
        let mut root = RootMove::new(Board::start().legal_moves()[0]);
        root.score = Some(12);
        root.begin_iteration();
        assert_eq!(root.previous_score, Some(12));
        root.score = None;
        root.begin_iteration();
        assert_eq!(root.previous_score, Some(12));
    }

    #[test]
    fn the_next_score_is_expected_between_the_last_one_and_the_mean() {
        let mut root = RootMove::new(Board::start().legal_moves()[0]);
        assert_eq!(root.expected_score(), None);
        for (score, mean) in [(40, 40), (0, 20), (-20, 0)] {
            root.score = Some(score);
            root.begin_iteration();
            assert_eq!(root.mean_score, Some(mean));
            let expected = root.expected_score().expect("a score");
            assert!(
                expected.abs_diff(score) <= mean.abs_diff(score) && (expected - score) * (mean - score) >= 0
            );
        }
        root.score = Some(mate_in(3));
        root.begin_iteration();
        assert_eq!(root.expected_score(), Some(mate_in(3)));
        root.score = Some(30);
        root.begin_iteration();
        let expected = root.expected_score().expect("a score");
        assert!((0..=30).contains(&expected), "a mate that was not one leaves no trace: {expected}");
    }

    #[test]
    fn moves_that_are_not_legal_are_not_searched() {
        let board = Board::start();
        let legal = board.legal_moves().to_vec();
        let other: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a position");
        let foreign = other.legal_moves().into_iter().find(|m| !legal.contains(m)).expect("another move");
        assert_eq!(root_moves(&board, &[]), legal);
        assert_eq!(root_moves(&board, &[legal[3], foreign]), [legal[3]]);
        assert_eq!(root_moves(&board, &[foreign]), legal);
    }
}
