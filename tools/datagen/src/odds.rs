//! What scores are worth: the chances of winning, drawing and losing at each score.

/// Centipawns of a bin.
const WIDTH: u16 = 10;
/// Greater scores are won anyway, and say nothing.
const BINS: usize = 120;

/// Results by score, seen by the side that is ahead.
#[derive(Clone, Debug)]
pub struct Odds {
    /// Lost, drawn and won.
    counts: [[u64; 3]; BINS],
}

/// The chance of winning at a score is logistic, and so is that of losing, mirrored; what they leave is the draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The score at which every second game is won, in centipawns.
    pub even_chance: f64,
    /// How many centipawns the odds of winning take to grow by the factor e.
    pub spread: f64,
}

impl Curve {
    /// The chances of losing, drawing and winning.
    fn chances(self, score: f64) -> [f64; 3] {
        let logistic = |score: f64| 1.0 / (1.0 + ((self.even_chance - score) / self.spread).exp());
        let (win, loss) = (logistic(score), logistic(-score));
        [loss, 1.0 - win - loss, win]
    }
}

impl Default for Odds {
    fn default() -> Odds {
        Odds { counts: [[0; 3]; BINS] }
    }
}

impl Odds {
    /// Counts a position: the score for the side to move, and its result: 0 lost, 1 drawn, 2 won.
    pub fn add(&mut self, score: i16, result: usize) {
        let bin = usize::from(score.unsigned_abs() / WIDTH);
        if let Some(counts) = self.counts.get_mut(bin) {
            counts[if score < 0 { 2 - result } else { result }] += 1;
        }
    }

    /// How likely these results are on a curve (the logarithm, a position), so that more is better.
    fn likelihood(&self, curve: Curve) -> f64 {
        let positions: u64 = self.counts.iter().flatten().sum();
        let bin = |(bin, counts): (usize, &[u64; 3])| -> f64 {
            let chances = curve.chances((bin as f64 + 0.5) * f64::from(WIDTH));
            counts.iter().zip(chances).map(|(&count, chance)| count as f64 * chance.max(1e-9).ln()).sum()
        };
        self.counts.iter().enumerate().map(bin).sum::<f64>() / positions.max(1) as f64
    }

    /// The likeliest curve, to a tenth of a centipawn; `None` without wins and draws to tell it from.
    pub fn fit(&self) -> Option<Curve> {
        let seen = |result: usize| self.counts.iter().any(|counts| counts[result] > 0);
        if !(seen(1) && seen(2)) {
            return None;
        }
        // Uphill by steps that grow shorter: there is one hill.
        let mut best = Curve { even_chance: 150.0, spread: 100.0 };
        let mut value = self.likelihood(best);
        let mut step = 64.0;
        while step >= 0.1 {
            let former = best;
            for (even_chance, spread) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let next = Curve {
                    even_chance: (best.even_chance + even_chance).clamp(0.0, 5000.0),
                    spread: (best.spread + spread).clamp(1.0, 5000.0),
                };
                let found = self.likelihood(next);
                if found > value {
                    (best, value) = (next, found);
                }
            }
            if best == former {
                step /= 2.0;
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_found_again() {
        let curve = Curve { even_chance: 210.0, spread: 75.0 };
        let mut odds = Odds::default();
        for score in -1199i16..1200 {
            for (result, chance) in curve.chances(f64::from(score)).into_iter().enumerate() {
                for _ in 0..(1000.0 * chance).round() as usize {
                    odds.add(score, result);
                }
            }
        }
        let found = odds.fit().unwrap();
        assert!((found.even_chance - 210.0).abs() < 3.0 && (found.spread - 75.0).abs() < 3.0, "{found:?}");
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let mut odds = Odds::default();
        assert_eq!(odds.fit(), None);
        odds.add(i16::MIN, 0);
        odds.add(30, 2);
        assert_eq!(odds.fit(), None);
        odds.add(-30, 1);
        assert!(odds.fit().is_some_and(|curve| curve.spread >= 1.0));
    }
}
