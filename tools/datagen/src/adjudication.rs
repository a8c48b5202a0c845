//! Adjudication: games are ended by the scores of both players when the result is beyond doubt.

use caesura::types::{Color, Value, is_mate};

use crate::game::{Ending, Winner};

/// When a game is adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjudicationRules {
    /// A game is won when the score is at least this many centipawns for the same side for `win_plies` plies in a row.
    pub win_score: Value,
    /// The number of plies in a row for a win, by both players together.
    pub win_plies: u32,
    /// A game is won at the first mate score, whatever `win_plies` says.
    pub win_at_first_mate_score: bool,
    /// A game is drawn when the score is at most this many centipawns for either side for `draw_plies` plies in a row.
    pub draw_score: Value,
    /// The number of plies in a row for a draw, by both players together.
    pub draw_plies: u32,
    /// The first ply of the game, opening included, that counts towards a draw.
    pub draw_from_ply: u32,
}

impl AdjudicationRules {
    /// The rules of games between two players, by which matches and the tuner play: both must see the result for long.
    pub const MATCH: AdjudicationRules = AdjudicationRules {
        win_score: 1200,
        win_plies: 8,
        win_at_first_mate_score: false,
        draw_score: 8,
        draw_plies: 12,
        draw_from_ply: 80,
    };
}

/// Follows the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    /// Plies in a row with a winning score for the same side, positive for White.
    winning_plies: i64,
    /// Plies in a row with a drawn score.
    drawn_plies: u32,
}

impl Adjudicator {
    /// An adjudicator for a new game.
    pub fn new(rules: AdjudicationRules) -> Adjudicator {
        Adjudicator { rules, winning_plies: 0, drawn_plies: 0 }
    }

    /// Adds the score of the position at `ply` of the game, in centipawns from White's point of view. Returns how the
    /// game ends if it is decided.
    pub fn add_score(&mut self, ply: u32, white_score: Value) -> Option<(Ending, Winner)> {
        let rules = self.rules;
        let winner = Winner::of(if white_score > 0 { Color::White } else { Color::Black });
        let is_mate = is_mate(white_score);
        if is_mate && rules.win_at_first_mate_score {
            return Some((Ending::MateFound, winner));
        }
        let sign = i64::from(white_score.signum());
        self.winning_plies = if white_score.abs() < rules.win_score {
            0
        } else if self.winning_plies.signum() == sign {
            self.winning_plies + sign
        } else {
            sign
        };
        if self.winning_plies.unsigned_abs() >= u64::from(rules.win_plies) {
            return Some((if is_mate { Ending::MateFound } else { Ending::WinByScore }, winner));
        }
        let is_level = white_score.abs() <= rules.draw_score && ply >= rules.draw_from_ply;
        self.drawn_plies = if is_level { self.drawn_plies + 1 } else { 0 };
        (self.drawn_plies >= rules.draw_plies).then_some((Ending::DrawByScore, Winner::Draw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::SelfPlayRules;

    /// The index of the score that ends the game, and how.
    fn adjudicate(
        rules: AdjudicationRules,
        scores: &[Value],
        first_ply: u32,
    ) -> Option<(usize, Ending, Winner)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(index, &score)| {
            let (ending, winner) = adjudicator.add_score(first_ply + index as u32, score)?;
            Some((index, ending, winner))
        })
    }

    fn short_rules() -> AdjudicationRules {
        let rules = SelfPlayRules::default().adjudication;
        AdjudicationRules { win_score: 1500, win_plies: 3, draw_plies: 3, draw_from_ply: 10, ..rules }
    }

    #[test]
    fn wins_need_agreement_in_a_row() {
        let ends = |scores: &[Value]| adjudicate(short_rules(), scores, 0);
        assert_eq!(ends(&[1500, 1600, 1700]), Some((2, Ending::WinByScore, Winner::White)));
        assert_eq!(ends(&[-1500, -1600, -1700]), Some((2, Ending::WinByScore, Winner::Black)));
        assert_eq!(ends(&[1500, -1500, 1500, -1500, 1500]), None);
        assert_eq!(ends(&[1500, 1500, 1499, 1500, 1500]), None);
        assert_eq!(ends(&[0, -31990]), Some((1, Ending::MateFound, Winner::Black)));
    }

    #[test]
    fn draws_need_level_scores_in_a_row_late_in_the_game() {
        let ends = |scores: &[Value], first_ply| adjudicate(short_rules(), scores, first_ply);
        assert_eq!(ends(&[8, -8, 0], 10), Some((2, Ending::DrawByScore, Winner::Draw)));
        assert_eq!(ends(&[0, 0, 0, 0], 8), None);
        assert_eq!(ends(&[0, 0, 9, 0, 0], 10), None);
    }

    #[test]
    fn in_a_match_a_mate_score_needs_agreement_too() {
        let ends = |scores: &[Value], first_ply| adjudicate(AdjudicationRules::MATCH, scores, first_ply);
        assert_eq!(ends(&[1200; 8], 0), Some((7, Ending::WinByScore, Winner::White)));
        assert_eq!(ends(&[-31_990; 8], 0), Some((7, Ending::MateFound, Winner::Black)));
        assert_eq!(ends(&[1300, -1300, 1300, -1300, 1300, -1300, 1300, -1300, 1300], 0), None);
        assert_eq!(ends(&[0; 12], 80), Some((11, Ending::DrawByScore, Winner::Draw)));
        assert_eq!(ends(&[0; 12], 79), None);
    }
}
