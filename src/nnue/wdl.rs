//! The WDL model: the probabilities of win, draw and loss at a score.

use crate::types::{Value, is_decisive};

// Fitted to 2,300 games of two versions of the engine with the network l512, at 8,000 nodes a move from unbalanced openings
// (256,000 scores).

/// The score, in centipawns, at which a side wins half of its games.
const HALF_WINS: f64 = 108.0;
/// The centipawns in which the odds of winning grow by the factor e.
const SPREAD: f64 = 70.0;

/// The probabilities of win, draw and loss, per mille, for the side with a score in centipawns.
///
/// A logistic curve gives the wins, its mirror image the losses; what they leave is drawn. A mate and a tablebase win are
/// certain.
pub fn win_draw_loss(score: Value) -> [i32; 3] {
    if is_decisive(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let probability = |score: f64| (1000.0 / (1.0 + ((HALF_WINS - score) / SPREAD).exp())).round() as i32;
    let (win, loss) = (probability(f64::from(score)), probability(-f64::from(score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MATE_IN_MAX, mate_in, mated_in};

    #[test]
    fn probabilities_sum_to_one_and_rise_with_the_score() {
        let mut previous = win_draw_loss(mated_in(1));
        assert_eq!((previous, win_draw_loss(mate_in(1))), ([0, 0, 1000], [1000, 0, 0]));
        for score in -MATE_IN_MAX + 1..MATE_IN_MAX {
            let wdl = win_draw_loss(score);
            assert_eq!(wdl.iter().sum::<i32>(), 1000);
            assert!(wdl.iter().all(|&share| share >= 0), "{score}: {wdl:?}");
            assert!(wdl[0] >= previous[0] && wdl[2] <= previous[2]);
            previous = wdl;
        }
        let [win, draw, loss] = win_draw_loss(0);
        assert!(win == loss && draw > 600);
    }
}
