//! TD(λ): targets from the scores along the rest of the game.
//!
//! A short search sees a few plies, but the game was played on by searches that saw further. The mean of what all of
//! them said, each weighing less than the one before it, is a better guess of a position's worth than what the first said
//! alone, and less noisy than the result, in which it ends. (TD(λ): Richard Sutton, "Learning to Predict by the Methods
//! of Temporal Differences", 1988; for chess Jonathan Baxter, Andrew Tridgell, Lex Weaver, "KnightCap", 1998.)

use datagen::Game;

/// How a recorded score becomes one to learn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreTargets {
    /// What scores are multiplied by, before anything else.
    pub factor: f64,
    /// Centipawns of a logit of 1, after that.
    pub scale: f64,
    /// What the plies after a position weigh together, 0 to 1: each weighs this much less than the one before it. At 0 a
    /// score is that of the position's own search.
    pub lambda: f64,
}

impl ScoreTargets {
    /// Scores as they were recorded.
    pub const RECORDED: ScoreTargets = ScoreTargets { factor: 1.0, scale: 1.0, lambda: 0.0 };

    /// The score to learn at each ply of a game, in centipawns for the side to move. What does not fit into 16 bits is
    /// cut off.
    pub fn of(&self, game: &Game) -> Vec<i16> {
        let own = game.plies.iter().map(|ply| f64::from(ply.score) * self.factor);
        if self.lambda == 0.0 {
            return own.map(|score| score.round() as i16).collect();
        }
        let own: Vec<f64> = own.collect();
        let side_after = |plies: usize| {
            if plies.is_multiple_of(2) { game.start.side_to_move } else { !game.start.side_to_move }
        };
        let mut ahead = f64::from(game.winner.points(side_after(own.len())));
        let mut targets: Vec<i16> = own
            .iter()
            .rev()
            .map(|score| {
                let seen = logistic(score / self.scale);
                ahead = seen + self.lambda * (1.0 - ahead - seen);
                (self.scale * (ahead / (1.0 - ahead)).ln()).round() as i16
            })
            .collect();
        targets.reverse();
        targets
    }
}

/// The logistic function: the expected score, from 0 to 1, of an evaluation in units of its scale.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use caesura::board::Board;
    use caesura::types::{Move, MoveKind, Square};
    use datagen::game::{Ending, OpeningKind, Ply, Winner};

    use super::*;

    /// A game with these scores, each for its side to move. The moves do not matter.
    fn game(scores: &[i16], winner: Winner) -> Game {
        let played = Move::new(Square::E2, Square::E4, MoveKind::Quiet);
        let plies = scores.iter().map(|&score| Ply { played, score }).collect();
        let (start, opening, ending) = (Board::start().setup(), OpeningKind::Standard, Ending::TooLong);
        Game { index: 0, start, opening, plies, winner, ending }
    }

    #[test]
    fn without_lambda_scores_are_only_stretched() {
        let targets = ScoreTargets { factor: 1.5, scale: 210.0, lambda: 0.0 };
        assert_eq!(targets.of(&game(&[10, -20, 30_000], Winner::White)), [15, -30, i16::MAX]);
        assert_eq!(ScoreTargets::RECORDED.of(&game(&[7, -9], Winner::Draw)), [7, -9]);
    }

    #[test]
    fn what_both_sides_agree_on_stays() {
        let targets = ScoreTargets { factor: 2.0, scale: 210.0, lambda: 0.9 };
        let even = targets.of(&game(&[0, 0, 0, 0], Winner::Draw));
        assert_eq!(even, [0, 0, 0, 0]);
        let long: Vec<i16> = (0..400).map(|ply| if ply % 2 == 0 { 50 } else { -50 }).collect();
        let learnt = targets.of(&game(&long, Winner::Draw));
        assert_eq!((learnt[0], learnt[1]), (100, -100));
    }

    #[test]
    fn later_plies_and_the_result_weigh_less_the_further_they_are() {
        let targets = ScoreTargets { factor: 1.0, scale: 210.0, lambda: 0.5 };
        let expectation = |score: i16| logistic(f64::from(score) / 210.0);
        // White is to move, then Black, and Black wins.
        let learnt = targets.of(&game(&[0, 300], Winner::Black));
        let second = 0.5 * expectation(300) + 0.5;
        assert!((expectation(learnt[1]) - second).abs() < 1e-3);
        assert!((expectation(learnt[0]) - (0.25 + 0.5 * (1.0 - second))).abs() < 1e-3);
        let alone = ScoreTargets { lambda: 1.0, ..targets }.of(&game(&[0, 300], Winner::Black));
        assert_eq!(alone, [i16::MIN, i16::MAX], "at 1 only the result counts");
    }

    #[test]
    fn mates_do_not_leave_the_range() {
        let targets = ScoreTargets { factor: 1.0, scale: 210.0, lambda: 0.8 };
        let learnt = targets.of(&game(&[31_990, -31_990, 31_995], Winner::White));
        assert!(learnt[0] > 3000 && learnt[1] < -3000 && learnt[2] > 3000, "{learnt:?}");
    }
}
