//! Play below full strength: `Skill Level`, `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A limited engine searches several lines. After an iteration whose depth grows with the level it chooses one of them at
//! random, where a line is the less likely the worse it is and the higher the level: by the weights of Boltzmann's
//! distribution, whose temperature falls with the level. That the choice is made between lines of a search, early, and
//! that levels go from 0 to 20 is Stockfish's idea.

use crate::engine::Info;
use crate::types::{Depth, Value};
use crate::util::random::SplitMix;

/// The level of full strength.
pub const FULL_LEVEL: usize = 20;
/// The Elo of level 0.
pub const MIN_ELO: usize = 1320;
/// The Elo of [`FULL_LEVEL`].
pub const MAX_ELO: usize = 3190;
/// Elo and the level that plays at it, rising, as fitted at 20,000 nodes a move against Stockfish 15.1 with the same
/// `UCI_Elo`; `docs/uci.md` has the check.
const LEVELS: [(f64, f64); 5] = [
    (MIN_ELO as f64, 0.0),
    (1500.0, 2.1),
    (2000.0, 5.2),
    (2500.0, 12.6),
    (MAX_ELO as f64, FULL_LEVEL as f64),
];
/// Lines between which a limited engine chooses, where it chooses at all.
const LINES: usize = 4;

/// At level 0, by how many centipawns worse a line is that is chosen less often by the factor e.
const TEMPERATURE: f64 = 290.0;
/// After how many levels the temperature has fallen by the factor e. Where it fell only evenly, to nothing at full
/// strength, greater depth did not help against choices that were bad in the mean: level 7 was hardly stronger than level
/// 2.
const COOLING: f64 = 2.5;
/// From this temperature down the best line is played: the others are hardly ever as good.
const LEAST_TEMPERATURE: f64 = 4.0;
/// By how many centipawns a line counts as worse at most: a mate is no more than that.
const MAX_LOSS: Value = 1000;

/// What the options say of the strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// `Skill Level`, 0 to 20.
    pub level: usize,
    /// `UCI_LimitStrength`: the Elo counts, and the level does not.
    pub limited: bool,
    /// `UCI_Elo`.
    pub elo: usize,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength { level: FULL_LEVEL, limited: false, elo: MIN_ELO }
    }
}

impl Strength {
    /// The level to play at, between the whole ones if it comes from an Elo; `None` for full strength.
    ///
    /// Between the Elo of the table the level grows evenly. Against Stockfish 15.1 with the same `UCI_Elo`: 1500 +54 ± 47
    /// (200 games), 2000 −20 ± 45 (191), 2500 +109 ± 45 (200). At 2000, level 5.5 has +89 ± 46 (200); at 2500, 11 has +169 ± 64
    /// (104), and 10, with four lines, −101 ± 81 (67). With an earlier network, 1.6 and 2.5 had −124 ± 64 (120) and +106 ± 45
    /// (200) at 1500: depth grows by whole plies, and strength with it.
    pub fn limit(self) -> Option<f64> {
        let level = if self.limited { level_of(self.elo as f64) } else { self.level as f64 };
        Some(level).filter(|&level| level < FULL_LEVEL as f64)
    }
}

/// The level that plays at an Elo.
fn level_of(elo: f64) -> f64 {
    LEVELS.windows(2).find(|pair| elo <= pair[1].0).map_or(FULL_LEVEL as f64, |pair| {
        let [(low, from), (high, to)] = [pair[0], pair[1]];
        from + (to - from) * ((elo - low) / (high - low)).max(0.0)
    })
}

/// The depth in plies of the iteration after which the move is chosen.
pub fn depth(level: f64) -> Depth {
    1 + level as Depth
}

/// In centipawns, by how much worse a line is that is chosen less often by the factor e.
fn temperature(level: f64) -> f64 {
    TEMPERATURE * (-level / COOLING).exp()
}

/// How many lines are searched at this level. Each costs as many nodes as the best one, or nearly: where nodes end a search
/// and not its depth, four lines are far weaker than one (`UCI_Elo` 2500 had −191 ± 58 with four, 100 games).
pub fn lines(level: f64) -> usize {
    if temperature(level) > LEAST_TEMPERATURE { LINES } else { 1 }
}

/// The index of the line that is played at this level. `lines` has the best line first and is not empty; those that were only
/// searched for the user are not chosen from.
pub fn choose(lines: &[Info], level: f64, random: &mut SplitMix) -> usize {
    let lines = &lines[..lines.len().min(self::lines(level))];
    let best = lines.iter().map(|line| line.score).max().unwrap_or(0);
    let temperature = temperature(level);
    let weight = |line: &Info| (-f64::from((best - line.score).min(MAX_LOSS)) / temperature).exp();
    let weights: Vec<f64> = lines.iter().map(weight).collect();
    let mut rest = random.unit() * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return index;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::mate_in;

    fn counts(scores: &[Value], level: f64) -> Vec<usize> {
        let lines: Vec<Info> = scores.iter().map(|&score| Info { score, ..Info::default() }).collect();
        let mut random = SplitMix(1);
        let mut counts = vec![0; lines.len()];
        (0..10_000).for_each(|_| counts[choose(&lines, level, &mut random)] += 1);
        counts
    }

    #[test]
    fn better_lines_are_likelier_and_more_so_at_higher_levels() {
        let mut last = 0;
        for level in [0.0, 2.0, 4.0, 6.0, 8.0, 10.0] {
            let counts = counts(&[30, 0, -60, -200], level);
            assert!(counts.is_sorted_by(|a, b| a >= b), "{level}: {counts:?}");
            assert!(counts[0] > last, "{level}: {counts:?}");
            last = counts[0];
        }
        assert_eq!(counts(&[10, 10], 0.0).iter().sum::<usize>(), 10_000);
        // Equal lines are equally likely; 5 standard deviations are 250.
        assert!(counts(&[10, 10], 10.0)[0].abs_diff(5000) < 250);
        // A user who asks for more lines than the level chooses from meets no weaker opponent.
        assert_eq!(self::counts(&[10; LINES + 2], 0.0)[LINES..], [0, 0]);
        // Where chance has no say there is only one line, or those that the user has asked for.
        assert_eq!((lines(10.0), lines(11.0)), (LINES, 1));
        assert_eq!(self::counts(&[10, 10], 11.0), [10_000, 0]);
    }

    #[test]
    fn a_lost_mate_is_rare_but_thinkable() {
        let counts = counts(&[mate_in(1), 50], 0.0);
        assert!(counts[1] > 0 && counts[1] < 500, "{counts:?}");
        assert_eq!(self::counts(&[-mate_in(2)], 0.0), [10_000]);
    }

    #[test]
    fn levels_come_from_either_option() {
        let default = Strength::default();
        assert_eq!(default.limit(), None);
        assert_eq!(Strength { level: 7, ..default }.limit(), Some(7.0));
        assert_eq!(Strength { level: 7, limited: true, ..default }.limit(), Some(0.0));
        assert_eq!(Strength { limited: true, elo: MAX_ELO, ..default }.limit(), None);
        let middle = f64::midpoint(LEVELS[1].1, LEVELS[2].1);
        assert!(
            Strength { limited: true, elo: 1750, ..default }
                .limit()
                .is_some_and(|level| (level - middle).abs() < 1e-9)
        );
        let levels: Vec<f64> =
            (MIN_ELO..MAX_ELO).filter_map(|elo| Strength { limited: true, elo, ..default }.limit()).collect();
        assert_eq!(levels.len(), MAX_ELO - MIN_ELO);
        assert!(levels.is_sorted_by(|a, b| a < b));
        assert_eq!((depth(0.0), depth(7.9)), (1, 8));
    }
}
