//! Aspiration windows: the root is searched with a narrow window round its last score, which widens until the score lies
//! inside.

use super::window::{INFINITY, Window};
use crate::params;
use crate::types::{Depth, Value, is_decisive};

/// The window of one root search, and how it changes when the score lies outside.
///
/// A narrow window lets most of the tree fail high or low at once (aspiration windows; Slate and Atkin 1977, "Chess 4.5").
/// The first is wider the farther the last score is from zero, since great scores jump more. After a fail-high the root is
/// searched a ply shallower, up to three: the better move is known, only its score is not (the practice of Stockfish since
/// 2019). Its numbers were tuned here with those of pruning but for the limits, which were set by hand; none was measured alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AspirationWindow {
    /// The window to search with.
    pub window: Window,
    /// The plies by which the root is searched shallower than the iteration.
    pub reduction: Depth,
    width: Value,
}

impl AspirationWindow {
    /// The first window of an iteration of this depth, round the score of the last one if it is known and not decisive.
    pub fn new(depth: Depth, last_score: Option<Value>) -> AspirationWindow {
        let mut width = params::aspiration_width();
        let window = match last_score.filter(|&score| !is_decisive(score)) {
            Some(score) if depth >= params::aspiration_depth() => {
                width += score * score / params::aspiration_score();
                Window { alpha: (score - width).max(-INFINITY), beta: (score + width).min(INFINITY) }
            }
            _ => Window::FULL,
        };
        AspirationWindow { window, reduction: 0, width }
    }

    /// Widens the window if the value of a search lies outside, and after a fail-low lowers its upper end to the middle (the practice
    /// of Stockfish); returns true if it lies inside.
    pub fn contains_or_widen(&mut self, value: Value) -> bool {
        let Window { alpha, beta } = self.window;
        self.window = if value <= alpha {
            self.reduction = 0;
            Window { alpha: (value - self.width).max(-INFINITY), beta: (alpha + beta) / 2 }
        } else if value >= beta {
            self.reduction = (self.reduction + 1).min(params::aspiration_reduction_max());
            Window { alpha, beta: (value + self.width).min(INFINITY) }
        } else {
            return true;
        };
        self.width += (self.width * params::aspiration_growth() / 1024).max(1);
        if self.width > params::aspiration_width_max() {
            self.window = Window::FULL;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::mate_in;

    const DEEP: Depth = 20;

    #[test]
    fn the_first_window_lies_round_the_last_score() {
        for score in [-900, -30, 0, 30, 900] {
            let Window { alpha, beta } = AspirationWindow::new(DEEP, Some(score)).window;
            assert_eq!(alpha + beta, 2 * score);
            assert!(beta - score >= params::aspiration_width());
        }
        for (depth, score) in
            [(1, Some(0)), (DEEP, None), (DEEP, Some(mate_in(5))), (DEEP, Some(-mate_in(5)))]
        {
            assert_eq!(AspirationWindow::new(depth, score).window, Window::FULL, "{depth} {score:?}");
        }
    }

    #[test]
    fn a_score_outside_moves_its_side_of_the_window() {
        let first = AspirationWindow::new(DEEP, Some(0));
        let mut low = first;
        assert!(!low.contains_or_widen(-50));
        assert!(low.window.alpha < -50 && low.window.beta < first.window.beta);
        let mut high = first;
        for times in 1..=5 {
            let value = high.window.beta;
            assert!(!high.contains_or_widen(value));
            assert!(
                high.window.beta > value && high.reduction == times.min(params::aspiration_reduction_max())
            );
            assert_eq!(high.window.alpha, first.window.alpha);
        }
        let value = high.window.alpha;
        assert!(!high.contains_or_widen(value) && high.reduction == 0);
        let mut inside = first;
        assert!(inside.contains_or_widen(0) && inside == first);
    }

    #[test]
    fn every_score_lies_inside_in_the_end() {
        for score in [-31_999, -5000, -100, 100, 5000, 31_999] {
            let mut aspiration = AspirationWindow::new(DEEP, Some(0));
            let tries = (1..).find(|_| aspiration.contains_or_widen(score)).expect("it ends");
            assert!(tries < 30, "{score}: {tries}");
        }
    }
}
