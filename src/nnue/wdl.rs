//! What a score means: the probabilities of win, draw and loss, and centipawns that mean the same with much material as with
//! little.
//!
//! The chance to win grows by a logistic curve with the score, and what the mirror images of the two sides leave is drawn.
//! A lead of a pawn wins more seldom the less is left on the board, so that the score of an even chance depends on the
//! material (the practice of Stockfish since 2020).

use crate::types::{MAX_EVAL, Value, is_decisive};

/// What the model knows at one amount of material.
struct Knot {
    /// What both sides have on the board, in pawns (78 at the start).
    material: i32,
    /// The score at which a side wins half of its games, in centipawns.
    even_chance: f64,
    /// The centipawns in which the odds of winning grow by the factor e.
    spread: f64,
}

/// Fitted to 823 games of Caesura with ab512 against itself, 25,000 nodes a move from openings that people play (97,000
/// scores; `datagen stats`), and smoothed. In 9,590 games of 1,000 nodes the scores of an even chance are the same within 8
/// in 100, and the spread is twice as great. In 900 games of ac512 against ab512 both networks' scores of an even chance are the
/// same within 7 in 100, in 4,372 of ad512 against ac512 within one, and in 3,496 of ae512 against ad512 likewise. Between two
/// knots all changes evenly.
const KNOTS: [Knot; 10] = {
    const fn knot(material: i32, even_chance: f64, spread: f64) -> Knot {
        Knot { material, even_chance, spread }
    }
    [
        knot(6, 200.0, 34.0),
        knot(14, 177.0, 35.0),
        knot(22, 153.0, 37.0),
        knot(30, 147.0, 38.0),
        knot(38, 131.0, 38.0),
        knot(46, 125.0, 38.0),
        knot(54, 117.0, 42.0),
        knot(62, 114.0, 47.0),
        knot(70, 109.0, 49.0),
        knot(76, 101.0, 48.0),
    ]
};

/// The score in centipawns at which a side wins half of its games, and the spread.
fn curve(material: i32) -> (f64, f64) {
    let next = KNOTS.iter().position(|knot| material <= knot.material).unwrap_or(KNOTS.len() - 1);
    let (low, high) = (&KNOTS[next.saturating_sub(1)], &KNOTS[next]);
    let distance = (high.material - low.material).max(1);
    let share = f64::from((material - low.material).clamp(0, distance)) / f64::from(distance);
    let between = |low: f64, high: f64| low + (high - low) * share;
    (between(low.even_chance, high.even_chance), between(low.spread, high.spread))
}

/// A score of the search, in centipawns, as people are shown it: at 100 the side ahead wins half of its games. `material` is
/// what both sides have on the board, in pawns. Mates and wins by endgame tables are shown as they are.
pub fn shown_score(score: Value, material: i32) -> Value {
    if is_decisive(score) {
        return score;
    }
    (f64::from(score) * 100.0 / curve(material).0).round() as Value
}

/// The score of the search, in centipawns, that [`shown_score`] shows so: what it does, undone but for the rounding. A score that is
/// shown as it is stays as it is.
pub fn score_of_shown(shown: Value, material: i32) -> Value {
    if is_decisive(shown) {
        return shown;
    }
    let score = (f64::from(shown) * curve(material).0 / 100.0).round() as Value;
    score.clamp(-MAX_EVAL, MAX_EVAL)
}

/// The probabilities of win, draw and loss, per mille, for the side with a score of the search in centipawns. `material` is
/// what both sides have on the board, in pawns.
///
/// A mate and a win by endgame tables are certain.
pub fn win_draw_loss(score: Value, material: i32) -> [i32; 3] {
    if is_decisive(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let (even_chance, spread) = curve(material);
    let probability = |score: f64| (1000.0 / (1.0 + ((even_chance - score) / spread).exp())).round() as i32;
    let (win, loss) = (probability(f64::from(score)), probability(-f64::from(score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::types::{MATE_IN_MAX, TB_WIN, mate_in, mated_in};

    #[test]
    fn probabilities_sum_to_one_and_rise_with_the_score() {
        for material in [0, 3, 6, 20, 78, 103, 200] {
            let mut previous = win_draw_loss(mated_in(1), material);
            assert_eq!((previous, win_draw_loss(mate_in(1), material)), ([0, 0, 1000], [1000, 0, 0]));
            for score in -MATE_IN_MAX + 1..MATE_IN_MAX {
                let wdl = win_draw_loss(score, material);
                assert_eq!(wdl.iter().sum::<i32>(), 1000);
                assert!(wdl.iter().all(|&share| share >= 0), "{score}: {wdl:?}");
                assert!(wdl[0] >= previous[0] && wdl[2] <= previous[2]);
                previous = wdl;
            }
            let [win, draw, loss] = win_draw_loss(0, material);
            assert!(win == loss && draw > 700, "{material}: {draw}");
        }
    }

    #[test]
    fn the_less_is_on_the_board_the_greater_a_lead_must_be() {
        for material in 1..120 {
            assert!(curve(material).0 <= curve(material - 1).0, "{material}");
        }
        for knot in KNOTS {
            assert_eq!(curve(knot.material), (knot.even_chance, knot.spread));
        }
        assert_eq!(curve(34), ((147.0 + 131.0) / 2.0, 38.0));
        assert_eq!(Board::start().material(), 78);
    }

    #[test]
    fn what_is_shown_leads_back_to_the_score() {
        for material in 0..120 {
            // A shown centipawn is at most two of the search.
            for score in (-3000..=3000).chain([mate_in(3), mated_in(4), TB_WIN - 3, -TB_WIN, MAX_EVAL]) {
                let back = score_of_shown(shown_score(score, material), material);
                assert!((back - score).abs() <= 1, "{material}: {score} came back as {back}");
            }
        }
        assert_eq!(score_of_shown(100, 78), 101);
        assert_eq!(score_of_shown(100, 6), 200);
        // What no search can have found.
        assert_eq!(score_of_shown(MAX_EVAL, 6), MAX_EVAL);
    }

    #[test]
    fn a_hundred_is_an_even_chance() {
        for material in 0..120 {
            let half = curve(material).0.round() as Value;
            assert_eq!(shown_score(half, material), 100);
            assert!((win_draw_loss(half, material)[0] - 500).abs() <= 8, "{material}");
            assert_eq!(shown_score(-half, material), -100);
            assert_eq!(shown_score(0, material), 0);
            for decisive in [TB_WIN, -TB_WIN, mate_in(7), mated_in(7)] {
                assert_eq!(shown_score(decisive, material), decisive);
            }
        }
    }
}
