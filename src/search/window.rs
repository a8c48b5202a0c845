//! Alpha and beta as one value, and the best of a node so far.

use std::ops::ControlFlow;

use crate::types::{Bound, MATE, Move, Value, mate_in, mated_in};

/// Greater than every value that a search can return, in centipawns.
pub const INFINITY: Value = MATE + 1;

/// The search window: values at or below `alpha` are a fail low, values at or above `beta` a fail high.
///
/// In principal variation search most windows are *zero windows*, with `beta == alpha + 1`: no value lies inside, and
/// the search only proves on which side the true one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the side to move has already: a value at or below it is of no use, in centipawns.
    pub alpha: Value,
    /// What the opponent already has elsewhere: a value at or above it will not be allowed, in centipawns.
    pub beta: Value,
}

impl Window {
    /// The window that every value lies inside.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The zero window that proves whether a value is above `alpha`.
    #[inline]
    pub const fn zero_above(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The zero window that proves whether a value reaches `beta`.
    #[inline]
    pub const fn zero_below(beta: Value) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// The same window as the opponent sees it: bounds swapped and negated.
    #[inline]
    pub const fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// True if `beta` is `alpha + 1`.
    #[inline]
    pub const fn is_zero_window(self) -> bool {
        self.beta == self.alpha + 1
    }

    /// The distance of beta from alpha, in centipawns.
    #[inline]
    pub const fn width(self) -> Value {
        self.beta - self.alpha
    }

    /// True if no value is between alpha and beta and the node can be left with `alpha`.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Mate-distance pruning: the best that can happen at `ply` is a mate with the next move, the worst is being mated
    /// here. Where a mate nearer to the root is known already, nothing below this node can matter: breaks with alpha
    /// (the practice of most engines; not measured by itself here, since it matters only where a mate is near).
    #[inline]
    pub fn within_mate_distance(self, ply: usize) -> ControlFlow<Value, Window> {
        let window = Window { alpha: self.alpha.max(mated_in(ply)), beta: self.beta.min(mate_in(ply + 1)) };
        if window.is_empty() { ControlFlow::Break(window.alpha) } else { ControlFlow::Continue(window) }
    }

    /// What a value that a search of this window returned says about the true one.
    #[inline]
    pub const fn bound_of(self, value: Value) -> Bound {
        Bound::from_window(value, self.alpha, self.beta)
    }
}

/// What one more move's value changed in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raise {
    /// The move is not better than alpha.
    FailLow,
    /// The move is the best so far and lies inside the window: alpha has been raised.
    RaisedAlpha,
    /// The move reaches beta: the node can be left.
    FailHigh,
}

/// The best move of a node so far (fail-soft: the best value may lie outside the window).
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// The best value so far, in centipawns; `-INFINITY` before the first.
    pub value: Value,
    /// The move that raised alpha last, if any did.
    pub best_move: Option<Move>,
    /// The window, its alpha raised by the moves so far.
    pub window: Window,
}

impl Best {
    /// No move has been searched yet, but at least `value` is certain (in quiescence by standing pat).
    pub fn at_least(value: Value, window: Window) -> Best {
        Best { value, best_move: None, window: Window { alpha: window.alpha.max(value), ..window } }
    }

    /// No move has been searched yet and nothing is certain.
    pub fn none(window: Window) -> Best {
        Best { value: -INFINITY, best_move: None, window }
    }

    /// Takes in a value that is certain without a move.
    pub fn raise_to(&mut self, value: Value) {
        if value > self.value {
            self.value = value;
            if value > self.window.alpha {
                self.best_move = None;
                self.window.alpha = value;
            }
        }
    }

    /// Takes in the value of one more move.
    #[inline]
    pub fn raise(&mut self, m: Move, value: Value) -> Raise {
        if value > self.value {
            self.value = value;
            if value > self.window.alpha {
                self.best_move = Some(m);
                if value >= self.window.beta {
                    return Raise::FailHigh;
                }
                self.window.alpha = value;
                return Raise::RaisedAlpha;
            }
        }
        Raise::FailLow
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn zero_windows_hold_nothing_and_are_negated_into_zero_windows() {
        for value in [-500, -1, 0, 1, 31_000] {
            assert_eq!(Window::zero_above(value), Window::zero_below(value + 1));
            assert!(
                Window::zero_above(value).is_zero_window()
                    && Window::zero_above(value).negated().is_zero_window()
            );
            assert_eq!(Window::zero_above(value).negated().negated(), Window::zero_above(value));
            assert!(!Window::zero_above(value).is_empty());
            assert!(Window { alpha: value, beta: value }.is_empty());
        }
        assert_eq!(Window { alpha: -3, beta: 20 }.negated(), Window { alpha: -20, beta: 3 });
    }

    #[test]
    fn a_value_is_a_bound_or_exact() {
        let window = Window { alpha: -5, beta: 5 };
        for (value, bound) in [
            (-6, Bound::Upper),
            (-5, Bound::Upper),
            (-4, Bound::Exact),
            (4, Bound::Exact),
            (5, Bound::Lower),
            (6, Bound::Lower),
        ] {
            assert_eq!(window.bound_of(value), bound, "{value}");
        }
    }

    #[test]
    fn a_mate_nearer_to_the_root_empties_the_window() {
        for ply in 0..40 {
            let (worst, best) = (mated_in(ply), mate_in(ply + 1));
            let left = Window { alpha: worst, beta: best };
            assert_eq!(Window::FULL.within_mate_distance(ply), ControlFlow::Continue(left));
            let nearer = Window::zero_above(best).within_mate_distance(ply);
            assert_eq!(nearer, ControlFlow::Break(best));
            let window = Window::zero_below(best);
            assert_eq!(window.within_mate_distance(ply), ControlFlow::Continue(window));
            let nearer = Window::zero_below(worst).within_mate_distance(ply);
            assert_eq!(nearer, ControlFlow::Break(worst));
        }
    }

    #[test]
    fn the_best_move_is_the_last_that_raised_alpha() {
        let moves = Board::start().legal_moves();
        let window = Window { alpha: 0, beta: 50 };
        let mut best = Best::none(window);
        assert_eq!(best.value, -INFINITY);
        assert_eq!(best.raise(moves[0], -30), Raise::FailLow);
        assert_eq!((best.value, best.best_move, best.window), (-30, None, window));
        assert_eq!(best.raise(moves[1], 10), Raise::RaisedAlpha);
        assert_eq!(best.raise(moves[2], 10), Raise::FailLow);
        assert_eq!((best.value, best.best_move), (10, Some(moves[1])));
        assert_eq!(best.window, Window { alpha: 10, beta: 50 });
        assert_eq!(best.raise(moves[3], 50), Raise::FailHigh);
        assert_eq!((best.value, best.best_move, best.window.alpha), (50, Some(moves[3]), 10));
    }

    #[test]
    fn what_is_certain_raises_alpha_without_a_move() {
        let window = Window { alpha: 0, beta: 50 };
        assert_eq!(Best::at_least(20, window).window.alpha, 20);
        assert_eq!(Best::at_least(-20, window).window.alpha, 0);
        assert_eq!(Best::at_least(-20, window).value, -20);
        let m = Board::start().legal_moves()[0];
        let after = |value| {
            let mut best = Best::none(window);
            best.raise(m, 20);
            best.raise_to(value);
            (best.value, best.window.alpha, best.best_move)
        };
        assert_eq!(after(-5), (20, 20, Some(m)));
        assert_eq!(after(30), (30, 30, None));
    }
}
