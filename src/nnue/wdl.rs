//! What a value means for the result of the game.

use crate::types::{MATE_IN_MAX, Value};

// Fitted to 2,300 games of two versions of the engine with the network l512, at 8,000 nodes a move from unbalanced openings
// (256,000 scores).

/// The score at which a side wins every second game and draws nearly all others, in centipawns.
const EVEN_CHANCE: f64 = 108.0;
/// How many centipawns the odds of winning take to grow by the factor e.
const SPREAD: f64 = 70.0;

/// The chances of win, draw and loss, per mille, of the side whose score this is: a plain logistic for winning
/// and the mirrored one for losing; what they leave is the draw.
pub fn win_draw_loss(score: Value) -> [i32; 3] {
    if score.abs() >= MATE_IN_MAX {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance = |score: f64| (1000.0 / (1.0 + ((EVEN_CHANCE - score) / SPREAD).exp())).round() as i32;
    let (win, loss) = (chance(f64::from(score)), chance(-f64::from(score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{mate_in, mated_in};

    #[test]
    fn chances_add_up_and_follow_the_score() {
        let mut former = win_draw_loss(mated_in(1));
        assert_eq!((former, win_draw_loss(mate_in(1))), ([0, 0, 1000], [1000, 0, 0]));
        for score in -MATE_IN_MAX + 1..MATE_IN_MAX {
            let chances = win_draw_loss(score);
            assert_eq!(chances.iter().sum::<i32>(), 1000);
            assert!(chances.iter().all(|&chance| chance >= 0), "{score}: {chances:?}");
            assert!(chances[0] >= former[0] && chances[2] <= former[2]);
            former = chances;
        }
        let [win, draw, loss] = win_draw_loss(0);
        assert!(win == loss && draw > 600);
    }
}
