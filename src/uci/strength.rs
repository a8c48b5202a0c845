//! Play below full strength: `Skill Level`, `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A limited engine searches several lines. After an iteration whose depth grows with the level it chooses one of them at
//! random, where a line is the less likely the worse it is and the higher the level: by the weights of Boltzmann's
//! distribution, whose temperature falls with the level. That the choice is made between lines of a search, early, and
//! that levels go from 0 to 20 is Stockfish's idea. Depth and number of lines are whole numbers; so that strength grows
//! without steps, a level between two of them has the one in some searches and the other in the rest.

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
const LEVELS: [(f64, f64); 6] = [
    (MIN_ELO as f64, 0.0),
    (1500.0, 1.9),
    (1750.0, 2.7),
    (2000.0, 5.0),
    (2500.0, 10.3),
    (MAX_ELO as f64, FULL_LEVEL as f64),
];
/// Lines between which an engine of a low level chooses.
const MOST_LINES: usize = 4;
/// Up to this level there are [`MOST_LINES`].
const MOST_LINES_LEVEL: f64 = 7.0;
/// From this level on the best line is played: the others are hardly ever as good.
const ONE_LINE_LEVEL: f64 = 12.0;

/// At level 0, by how many centipawns worse a line is that is chosen less often by the factor e.
const TEMPERATURE: f64 = 290.0;
/// After how many levels the temperature has fallen by the factor e. Where it fell only evenly, to nothing at full
/// strength, greater depth did not help against choices that were bad in the mean: level 7 was hardly stronger than level
/// 2.
const COOLING: f64 = 2.5;
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
    /// Between the Elo of the table the level grows evenly. Against Stockfish 15.1 with the same `UCI_Elo`: 1500 +47 ± 45
    /// (200 games), 1750 −14 ± 44 (200), 1875 −86 ± 62 (120), 2000 −37 ± 47 (200), 2250 −47 ± 41 (200), 2500 +7 ± 41 (200). At
    /// 1750, level 3.45 has +184 ± 54 (200). When depth and lines were whole numbers for a level, 2500 had +169 ± 64 at level 11
    /// (104 games) and −101 ± 81 at 10 (67), with four lines and not one.
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

/// In centipawns, by how much worse a line is that is chosen less often by the factor e.
fn temperature(level: f64) -> f64 {
    TEMPERATURE * (-level / COOLING).exp()
}

/// How many lines are searched at this level in the mean. Each costs as many nodes as the best one, or nearly: where nodes
/// end a search and not its depth, four lines are far weaker than one (by some 250 Elo at 20,000 nodes), so that their
/// number falls over several levels.
fn mean_lines(level: f64) -> f64 {
    let share = (ONE_LINE_LEVEL - level) / (ONE_LINE_LEVEL - MOST_LINES_LEVEL);
    1.0 + (MOST_LINES - 1) as f64 * share.clamp(0.0, 1.0)
}

/// One of the two whole numbers beside `mean`, which is the mean of many: chance decides.
fn round_by_chance(mean: f64, random: &mut SplitMix) -> usize {
    (mean + random.unit()) as usize
}

/// What a level below full strength leaves to one search.
#[derive(Clone, Debug)]
pub struct Handicap {
    /// The depth in plies of the iteration after which the move is chosen.
    pub depth: Depth,
    /// How many lines are searched, of which one is chosen; at least 1.
    pub lines: usize,
    /// In centipawns, by how much worse a line is that is chosen less often by the factor e.
    temperature: f64,
    /// What the choice is made by.
    random: SplitMix,
}

impl Handicap {
    /// The handicap of a level, 0 to [`FULL_LEVEL`], in a search whose chances are those of `random`.
    pub fn of_level(level: f64, mut random: SplitMix) -> Handicap {
        Handicap {
            depth: round_by_chance(1.0 + level, &mut random) as Depth,
            lines: round_by_chance(mean_lines(level), &mut random),
            temperature: temperature(level),
            random,
        }
    }

    /// The index of the line that is played. `lines` has the best line first and is not empty; those that were only searched
    /// for the user are not chosen from.
    pub fn choose(&mut self, lines: &[Info]) -> usize {
        let lines = &lines[..lines.len().min(self.lines)];
        let best = lines.iter().map(|line| line.score).max().unwrap_or(0);
        let weight = |line: &Info| (-f64::from((best - line.score).min(MAX_LOSS)) / self.temperature).exp();
        let weights: Vec<f64> = lines.iter().map(weight).collect();
        let mut rest = self.random.unit() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return index;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::mate_in;

    fn counts(scores: &[Value], level: f64) -> Vec<usize> {
        let lines: Vec<Info> = scores.iter().map(|&score| Info { score, ..Info::default() }).collect();
        let mut counts = vec![0; lines.len()];
        for seed in 0..10_000 {
            counts[Handicap::of_level(level, SplitMix(seed)).choose(&lines)] += 1;
        }
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
        assert!(counts(&[10, 10], 7.0)[0].abs_diff(5000) < 250);
        // A user who asks for more lines than the level chooses from meets no weaker opponent.
        assert_eq!(self::counts(&[10; MOST_LINES + 2], 0.0)[MOST_LINES..], [0, 0]);
        // Where chance has no say there is only one line, or those that the user has asked for.
        assert_eq!(self::counts(&[10, 10], ONE_LINE_LEVEL), [10_000, 0]);
    }

    #[test]
    fn depth_rises_and_lines_fall_evenly_with_the_level() {
        let mean = |level: f64, number: fn(&Handicap) -> f64| {
            (0..10_000).map(|seed| number(&Handicap::of_level(level, SplitMix(seed)))).sum::<f64>() / 10_000.0
        };
        for tenth in 0..10 * FULL_LEVEL {
            let level = tenth as f64 / 10.0;
            let lines = 1.0 + 3.0 * ((12.0 - level) / 5.0).clamp(0.0, 1.0);
            // 5 standard deviations of a mean are 0.025.
            assert!(
                (mean(level, |handicap| f64::from(handicap.depth)) - 1.0 - level).abs() < 0.025,
                "{level}"
            );
            assert!((mean(level, |handicap| handicap.lines as f64) - lines).abs() < 0.025, "{level}");
        }
        for (level, depth, lines) in [(0.0, 1, 4), (7.0, 8, 4), (12.0, 13, 1), (19.0, 20, 1)] {
            for seed in 0..100 {
                let handicap = Handicap::of_level(level, SplitMix(seed));
                assert_eq!((handicap.depth, handicap.lines), (depth, lines));
            }
        }
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
        let middle = f64::midpoint(LEVELS[2].1, LEVELS[3].1);
        assert!(
            Strength { limited: true, elo: 1875, ..default }
                .limit()
                .is_some_and(|level| (level - middle).abs() < 1e-9)
        );
        let levels: Vec<f64> =
            (MIN_ELO..MAX_ELO).filter_map(|elo| Strength { limited: true, elo, ..default }.limit()).collect();
        assert_eq!(levels.len(), MAX_ELO - MIN_ELO);
        assert!(levels.is_sorted_by(|a, b| a < b));
    }
}
