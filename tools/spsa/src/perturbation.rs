//! The arithmetic of SPSA (Spall 1992): perturbations, gain schedule and updates.

use caesura::engine::{Param, SplitMix};
use serde::{Deserialize, Serialize};

/// The exponent with which the rate falls (recommended by Spall).
const RATE_POWER: f64 = 0.602;
/// The stability constant of the rate, as a share of all pairs.
const STABILITY: f64 = 0.1;

/// The sizes of perturbations and updates over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GainSchedule {
    /// The size of a perturbation, in steps of each parameter.
    pub spread: f64,
    /// The update for one win more than losses at the end of the run, as a share of the perturbation.
    pub rate: f64,
    /// The number of pairs of games in the whole run.
    pub pairs: u64,
}

impl GainSchedule {
    /// The rate once `played` pairs are played.
    pub fn rate_after(&self, played: u64) -> f64 {
        let early = STABILITY * self.pairs as f64;
        self.rate * ((early + self.pairs as f64) / (early + played as f64 + 1.0)).powf(RATE_POWER)
    }
}

/// A parameter during tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedParam {
    /// Its name in `params.rs`.
    pub name: String,
    /// The value at the start.
    pub default: i32,
    /// Its least value.
    pub min: i32,
    /// Its greatest value.
    pub max: i32,
    /// Its step.
    pub step: i32,
    /// The present value.
    pub value: f64,
    /// The sum of the values after each pair of the second half of the run.
    pub sum: f64,
}

impl TunedParam {
    /// A parameter at its default.
    pub fn of(param: &Param) -> TunedParam {
        TunedParam {
            name: param.name.to_string(),
            default: param.default,
            min: param.min,
            max: param.max,
            step: param.step,
            value: f64::from(param.default),
            sum: 0.0,
        }
    }

    /// The value that the run proposes after `averaged` pairs of its second half: the average over these pairs, which has a
    /// smaller error than the last value (Polyak and Juditsky 1992, "Acceleration of stochastic
    /// approximation by averaging"), or, before that, where it stands.
    pub fn proposed(&self, averaged: u64) -> i32 {
        let value = if averaged > 0 { self.sum / averaged as f64 } else { self.value };
        (value.round() as i32).clamp(self.min, self.max)
    }
}

/// Two sets of values on opposite sides of the present ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// The values of the first player.
    pub plus: Vec<i32>,
    /// The values of the second player.
    pub minus: Vec<i32>,
    /// The direction of the first, 1 or -1 for each number.
    pub signs: Vec<f64>,
}

/// Rounds up or down at random so that the expected result is the value, and clamps to the range of the parameter.
fn round_randomly(value: f64, param: &TunedParam, random: &mut SplitMix) -> i32 {
    let whole = value.floor();
    let up = random.unit() < value - whole;
    (whole as i32 + i32::from(up)).clamp(param.min, param.max)
}

/// Draws a random direction and returns both sets of values.
pub fn perturb(params: &[TunedParam], schedule: &GainSchedule, random: &mut SplitMix) -> Perturbation {
    let mut perturbation = Perturbation { plus: Vec::new(), minus: Vec::new(), signs: Vec::new() };
    for param in params {
        let sign = if random.next() & 1 == 0 { 1.0 } else { -1.0 };
        let distance = sign * schedule.spread * f64::from(param.step);
        perturbation.plus.push(round_randomly(param.value + distance, param, random));
        perturbation.minus.push(round_randomly(param.value - distance, param, random));
        perturbation.signs.push(sign);
    }
    perturbation
}

/// Moves the values towards the winner. `result` is the wins less the losses of the first player in the pair.
pub fn update(
    params: &mut [TunedParam],
    schedule: &GainSchedule,
    played: u64,
    perturbation: &Perturbation,
    result: i32,
) {
    let rate = schedule.rate_after(played) * f64::from(result);
    for (param, sign) in params.iter_mut().zip(&perturbation.signs) {
        let moved = param.value + rate * sign * schedule.spread * f64::from(param.step);
        param.value = moved.clamp(f64::from(param.min), f64::from(param.max));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> Vec<TunedParam> {
        [("a", 50, 0, 100, 5), ("b", 10, -20, 40, 2), ("c", 1, 0, 2, 1)]
            .map(|(name, default, min, max, step)| TunedParam::of(&Param { name, default, min, max, step }))
            .to_vec()
    }

    #[test]
    fn a_trial_lies_round_the_present_values_and_within_the_ranges() {
        let schedule = GainSchedule { spread: 1.5, rate: 0.01, pairs: 100 };
        let mut random = SplitMix(1);
        let mut numbers = params();
        numbers[1].value = 39.5;
        for _ in 0..200 {
            let perturbation = perturb(&numbers, &schedule, &mut random);
            for (index, number) in numbers.iter().enumerate() {
                let range = number.min..=number.max;
                assert!(
                    range.contains(&perturbation.plus[index]) && range.contains(&perturbation.minus[index])
                );
                let distance = perturbation.signs[index] * 1.5 * f64::from(number.step);
                for (value, wanted) in [
                    (perturbation.plus[index], number.value + distance),
                    (perturbation.minus[index], number.value - distance),
                ] {
                    let wanted = wanted.clamp(f64::from(number.min), f64::from(number.max));
                    assert!((f64::from(value) - wanted).abs() < 1.0, "{value}, {wanted}");
                }
            }
        }
    }

    #[test]
    fn rounding_is_right_on_average() {
        let (number, mut random) = (&params()[0], SplitMix(7));
        let sum: i32 = (0..10_000).map(|_| round_randomly(30.25, number, &mut random)).sum();
        assert!((f64::from(sum) / 10_000.0 - 30.25).abs() < 0.02, "{sum}");
    }

    #[test]
    fn the_rate_falls_to_the_one_asked_for() {
        let schedule = GainSchedule { spread: 1.0, rate: 0.01, pairs: 1000 };
        assert!((0..1000).all(|played| schedule.rate_after(played) > schedule.rate_after(played + 1)));
        assert!((schedule.rate_after(999) - 0.01).abs() < 1e-9);
    }

    #[test]
    fn it_finds_the_top_of_a_hill_through_noise() {
        // The first player wins the more often the nearer it is to (70, 0).
        let worth = |values: &[i32]| {
            let (a, b) = (f64::from(values[0] - 70) / 20.0, f64::from(values[1]) / 8.0);
            -(a * a + b * b)
        };
        let schedule = GainSchedule { spread: 1.0, rate: 0.02, pairs: 20_000 };
        let (mut numbers, mut random) = (params(), SplitMix(3));
        for played in 0..schedule.pairs {
            let perturbation = perturb(&numbers, &schedule, &mut random);
            let chance = 1.0 / (1.0 + (worth(&perturbation.minus) - worth(&perturbation.plus)).exp());
            let result = if random.unit() < chance { 1 } else { -1 };
            update(&mut numbers, &schedule, played, &perturbation, result);
        }
        assert!((numbers[0].value - 70.0).abs() < 4.0, "{numbers:?}");
        assert!(numbers[1].value.abs() < 2.5, "{numbers:?}");
    }
}
