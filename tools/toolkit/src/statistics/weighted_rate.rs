//! How often something happens, from a sample that was not taken evenly.

use super::confidence::TWO_SIDED;

/// A rate from weighted observations that come in groups, such as the nodes of one search: within a group they are alike,
/// so that the error is that of the groups (the ratio estimator of survey sampling; Cochran 1977, "Sampling Techniques",
/// chapters 6 and 9).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightedRate {
    /// The weight of all observations, and of those in which it happened, by group.
    groups: Vec<(f64, f64)>,
    /// How many observations there are.
    pub observations: u64,
}

impl WeightedRate {
    /// Adds a group: the weight of each observation, and whether it happened.
    pub fn add_group(&mut self, observations: impl IntoIterator<Item = (f64, bool)>) {
        let (mut all, mut happened) = (0.0, 0.0);
        for (weight, is_one) in observations {
            self.observations += 1;
            all += weight;
            happened += if is_one { weight } else { 0.0 };
        }
        if all > 0.0 {
            self.groups.push((all, happened));
        }
    }

    fn total(&self) -> f64 {
        self.groups.iter().map(|(all, _)| all).sum()
    }

    /// The rate, from 0 to 1; `None` without observations.
    pub fn rate(&self) -> Option<f64> {
        let happened: f64 = self.groups.iter().map(|(_, happened)| happened).sum();
        (self.total() > 0.0).then(|| happened / self.total())
    }

    /// Half the 95 % interval of the rate; 0 without observations. From fewer than two groups nothing can be said: 1. Where
    /// all observations agree, three divided by the number of groups, those that weigh little counting for less (Hanley and
    /// Lippman-Hand 1983, "If nothing goes wrong, is everything all right?"): more than that would hardly have stayed unseen.
    pub fn error(&self) -> f64 {
        let Some(rate) = self.rate() else { return 0.0 };
        let count = self.groups.len() as f64;
        if count < 2.0 {
            return 1.0;
        }
        if rate <= 0.0 || rate >= 1.0 {
            let weights: f64 = self.groups.iter().map(|(all, _)| all.powi(2)).sum();
            let groups = self.total().powi(2) / weights;
            return (3.0 / groups).min(1.0);
        }
        let squares: f64 = self.groups.iter().map(|(all, happened)| (happened - rate * all).powi(2)).sum();
        TWO_SIDED * (squares * count / (count - 1.0)).sqrt() / self.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_in_groups_of_one_are_a_binomial_count() {
        let mut rate = WeightedRate::default();
        (0..400).for_each(|index| rate.add_group([(2.5, index % 4 == 0)]));
        assert_eq!((rate.rate(), rate.observations), (Some(0.25), 400));
        let binomial = TWO_SIDED * (0.25 * 0.75 / 399.0_f64).sqrt();
        assert!((rate.error() - binomial).abs() < 1e-9, "{}", rate.error());
    }

    #[test]
    fn observations_of_a_group_that_are_alike_count_once() {
        let (mut single, mut repeated) = (WeightedRate::default(), WeightedRate::default());
        for index in 0..50 {
            single.add_group([(1.0, index % 2 == 0)]);
            repeated.add_group([(1.0, index % 2 == 0); 9]);
        }
        assert!((single.error() - repeated.error()).abs() < 1e-12);
    }

    #[test]
    fn what_was_never_seen_may_yet_happen() {
        for happens in [false, true] {
            let mut rate = WeightedRate::default();
            (0..60).for_each(|_| rate.add_group([(2.0, happens)]));
            assert!((rate.error() - 0.05).abs() < 1e-12, "{}", rate.error());
            // One group that weighs as much as all others: they say little more than four would.
            rate.add_group([(120.0, happens)]);
            assert!((0.7..0.8).contains(&rate.error()), "{}", rate.error());
        }
    }

    #[test]
    fn a_heavy_observation_stands_for_many() {
        let mut rate = WeightedRate::default();
        assert_eq!((rate.rate(), rate.error()), (None, 0.0));
        rate.add_group([(9.0, true), (1.0, false)]);
        assert_eq!((rate.rate(), rate.error()), (Some(0.9), 1.0));
        rate.add_group([(10.0, false)]);
        assert_eq!(rate.rate(), Some(0.45));
    }
}
