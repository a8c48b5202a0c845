//! TD(λ): targets from the scores along the rest of the game.
//!
//! A short search sees a few plies, but the game was played on by searches that saw further. The mean of what all of
//! them said, each weighing less than the one before it, is a better guess of a position's worth than what the first said
//! alone, and less noisy than the result, in which it ends (or the last score, if the game was ended by its length).
//! (TD(λ): Richard Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988; for chess Jonathan Baxter,
//! Andrew Tridgell, Lex Weaver, "KnightCap", 1998.)

use caesura::types::Color;
use datagen::Game;
use datagen::game::Winner;

use crate::known_results::PlyResult;

/// The least score of a position that endgame tables know to be won, in centipawns: most have greater ones, by which the
/// search distinguishes the shorter way from the longer.
pub const TABLE_WIN: f64 = 600.0;

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
    /// What the search's fading towards the fifty-move rule has taken from the scores of a game is given back where the game
    /// is read, before [`ScoreTargets::of`] sees it.
    pub unfade: bool,
}

impl ScoreTargets {
    /// Scores as they were recorded.
    pub const RECORDED: ScoreTargets = ScoreTargets { factor: 1.0, scale: 1.0, lambda: 0.0, unfade: false };

    /// The score to learn at each ply of a game with these results, in centipawns for the side to move. What does not fit
    /// into 16 bits is cut off. Where a result is exact, the score agrees with it, and nothing that comes after counts.
    pub fn of(&self, game: &Game, results: &[PlyResult]) -> Vec<i16> {
        let side_after = |plies: usize| {
            if plies.is_multiple_of(2) { game.start.side_to_move } else { !game.start.side_to_move }
        };
        let own = game.plies.iter().zip(results).enumerate().map(|(index, (ply, result))| {
            let score = f64::from(ply.score) * self.factor;
            let exact = result.winner.filter(|_| result.is_exact);
            (exact.map_or(score, |winner| agreeing(score, winner, side_after(index))), result)
        });
        if self.lambda == 0.0 {
            return own.map(|(score, _)| score.round() as i16).collect();
        }
        let own: Vec<(f64, &PlyResult)> = own.collect();
        // What the search after the last ply would have found, for the side to move there.
        let after = side_after(own.len());
        let unknown = || own.last().map_or(0.5, |(score, _)| 1.0 - logistic(score / self.scale));
        let winner = results.last().and_then(|result| result.winner);
        let mut ahead = winner.map_or_else(unknown, |winner| f64::from(winner.points(after)));
        let mut targets: Vec<i16> = own
            .iter()
            .rev()
            .map(|(score, result)| {
                let seen = logistic(score / self.scale);
                if result.is_exact {
                    ahead = seen;
                    return score.round() as i16;
                }
                ahead = seen + self.lambda * (1.0 - ahead - seen);
                (self.scale * (ahead / (1.0 - ahead)).ln()).round() as i16
            })
            .collect();
        targets.reverse();
        targets
    }
}

/// The score of `side`, in centipawns, made to agree with who wins.
fn agreeing(score: f64, winner: Winner, side: Color) -> f64 {
    match winner {
        Winner::Draw => 0.0,
        winner if winner == Winner::of(side) => score.max(TABLE_WIN),
        _ => score.min(-TABLE_WIN),
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
    use datagen::game::{Ending, OpeningKind, Ply};

    use super::*;
    use crate::known_results::known_results;

    /// A game with these scores, each for its side to move. The moves do not matter.
    fn game(scores: &[i16], winner: Winner) -> Game {
        let played = Move::new(Square::E2, Square::E4, MoveKind::Quiet);
        let plies = scores.iter().map(|&score| Ply { played, score }).collect();
        let (start, opening, ending) = (Board::start().setup(), OpeningKind::Standard, Ending::DrawByScore);
        Game { index: 0, start, opening, plies, winner, ending }
    }

    /// The targets of a game that is judged by its end.
    fn of(targets: &ScoreTargets, game: &Game) -> Vec<i16> {
        targets.of(game, &known_results(game, None).unwrap())
    }

    #[test]
    fn without_lambda_scores_are_only_stretched() {
        let targets = ScoreTargets { factor: 1.5, scale: 210.0, lambda: 0.0, unfade: false };
        assert_eq!(of(&targets, &game(&[10, -20, 30_000], Winner::White)), [15, -30, i16::MAX]);
        assert_eq!(of(&ScoreTargets::RECORDED, &game(&[7, -9], Winner::Draw)), [7, -9]);
    }

    #[test]
    fn what_both_sides_agree_on_stays() {
        let targets = ScoreTargets { factor: 2.0, scale: 210.0, lambda: 0.9, unfade: false };
        let even = of(&targets, &game(&[0, 0, 0, 0], Winner::Draw));
        assert_eq!(even, [0, 0, 0, 0]);
        let long: Vec<i16> = (0..400).map(|ply| if ply % 2 == 0 { 50 } else { -50 }).collect();
        let learnt = of(&targets, &game(&long, Winner::Draw));
        assert_eq!((learnt[0], learnt[1]), (100, -100));
    }

    #[test]
    fn later_plies_and_the_result_weigh_less_the_further_they_are() {
        let targets = ScoreTargets { factor: 1.0, scale: 210.0, lambda: 0.5, unfade: false };
        let expectation = |score: i16| logistic(f64::from(score) / 210.0);
        // White is to move, then Black, and Black wins.
        let learnt = of(&targets, &game(&[0, 300], Winner::Black));
        let second = 0.5 * expectation(300) + 0.5;
        assert!((expectation(learnt[1]) - second).abs() < 1e-3);
        assert!((expectation(learnt[0]) - (0.25 + 0.5 * (1.0 - second))).abs() < 1e-3);
        let alone = of(&ScoreTargets { lambda: 1.0, ..targets }, &game(&[0, 300], Winner::Black));
        assert_eq!(alone, [i16::MIN, i16::MAX], "at 1 only the result counts");
    }

    #[test]
    fn a_game_ended_by_its_length_goes_on_as_its_last_score_says() {
        let targets = ScoreTargets { factor: 1.0, scale: 210.0, lambda: 0.5, unfade: false };
        let ended = |scores: &[i16]| Game { ending: Ending::TooLong, ..game(scores, Winner::Draw) };
        assert_eq!(of(&targets, &ended(&[300])), [300]);
        assert_eq!(of(&targets, &ended(&[300, -300])), [300, -300]);
        let learnt = of(&targets, &ended(&[0, 300]));
        assert_eq!(learnt[1], 300);
        let expected = 0.25 + 0.5 * (1.0 - logistic(300.0 / 210.0));
        assert!((logistic(f64::from(learnt[0]) / 210.0) - expected).abs() < 1e-3);
    }

    #[test]
    fn mates_do_not_leave_the_range() {
        let targets = ScoreTargets { factor: 1.0, scale: 210.0, lambda: 0.8, unfade: false };
        let learnt = of(&targets, &game(&[31_990, -31_990, 31_995], Winner::White));
        assert!(learnt[0] > 3000 && learnt[1] < -3000 && learnt[2] > 3000, "{learnt:?}");
    }

    #[test]
    fn an_exact_result_overrules_its_score_and_what_comes_after() {
        let exact = |winner| PlyResult { winner: Some(winner), is_exact: true };
        let guess = PlyResult { winner: Some(Winner::Draw), is_exact: false };
        let played = game(&[50, -80, 700, 900], Winner::Black);
        for lambda in [0.0, 0.5] {
            let targets = ScoreTargets { factor: 1.0, scale: 210.0, lambda, unfade: false };
            let won = targets.of(&played, &[guess, exact(Winner::White), exact(Winner::White), guess]);
            assert_eq!((won[1], won[2]), (-TABLE_WIN as i16, 700), "{lambda}");
            let drawn = targets.of(&played, &[guess, exact(Winner::Draw), exact(Winner::Draw), guess]);
            assert_eq!((drawn[1], drawn[2]), (0, 0), "{lambda}");
            let lost = targets.of(&played, &[guess, guess, exact(Winner::Black), exact(Winner::Black)]);
            assert_eq!((lost[2], lost[3]), (-TABLE_WIN as i16, 900), "{lambda}");
            // What White's first move leads to counts as far as lambda says.
            assert_eq!(won[0] > drawn[0], lambda > 0.0);
        }
    }
}
