//! The arithmetic of a factorial experiment: every factor is off or on at random, independently of the others, so that each
//! game says something of all of them (Fisher 1935, "The Design of Experiments").

use std::str::FromStr;

use caesura::engine::{Param, SplitMix};
use serde::{Deserialize, Serialize};
use toolkit::statistics::quantile;

use crate::FactorError;

/// Elo for each point more a game, beside an equal opponent: the slope of the curve of expected scores (Elo 1978).
const ELO_PER_SCORE: f64 = 4.0 * 400.0 / std::f64::consts::LN_10;

/// A change whose worth is asked for: parameters with the values that they have when it is on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Factor {
    /// What it is called in the result.
    pub name: String,
    /// The names of the parameters, and their values when it is on.
    pub values: Vec<(String, i32)>,
}

impl FromStr for Factor {
    type Err = FactorError;

    /// Reads `name:parameter=value,parameter=value`.
    fn from_str(text: &str) -> Result<Factor, FactorError> {
        let syntax = || FactorError::Syntax(text.to_string());
        let (name, list) = text.split_once(':').ok_or_else(syntax)?;
        let value = |item: &str| {
            let (parameter, value) = item.split_once('=').ok_or_else(syntax)?;
            Ok((parameter.trim().to_string(), value.trim().parse().map_err(|_| syntax())?))
        };
        let values: Vec<_> = list.split(',').map(value).collect::<Result<_, FactorError>>()?;
        if name.trim().is_empty() {
            return Err(syntax());
        }
        Ok(Factor { name: name.trim().to_string(), values })
    }
}

/// What one player has: the value of every parameter of every factor, and for each factor 1 where it is on, -1 where it is
/// off. The other player has the opposite of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Treatment {
    /// The values of both players, in the order of [`Factorial::names`].
    pub values: [Vec<i32>; 2],
    /// The factors of the first player.
    pub signs: Vec<f64>,
}

/// What a factor was found to be worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The name of the factor.
    pub name: String,
    /// Elo of a player with it against one without it.
    pub elo: f64,
    /// Half of the 95 % interval, in Elo.
    pub error: f64,
}

/// The factors of an experiment and the sums over its pairs of games that their effects are found from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factorial {
    /// The factors.
    factors: Vec<Factor>,
    /// The values of all their parameters while they are off.
    off: Vec<i32>,
    /// The pairs of games played.
    pairs: u64,
    /// The sums of the products of every two factors' signs.
    products: Vec<Vec<f64>>,
    /// The sums of the products of each factor's sign and the result.
    moments: Vec<f64>,
    /// The sum of the squared results.
    squares: f64,
}

impl Factorial {
    /// An experiment without games, on parameters out of `params`. Off, a parameter has its default.
    ///
    /// # Errors
    /// If a parameter is unknown, belongs to two factors, is out of its range or is not changed.
    pub fn new(factors: Vec<Factor>, params: &[Param]) -> Result<Factorial, FactorError> {
        let mut off = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for (name, value) in factors.iter().flat_map(|factor| &factor.values) {
            let param = params
                .iter()
                .find(|param| param.name == name)
                .ok_or_else(|| FactorError::Unknown(name.clone()))?;
            if seen.contains(&param.name) {
                return Err(FactorError::Twice(name.clone()));
            }
            if !(param.min..=param.max).contains(value) || *value == param.default {
                let Param { min, max, default, .. } = *param;
                return Err(FactorError::Value { name: name.clone(), value: *value, min, max, default });
            }
            seen.push(param.name);
            off.push(param.default);
        }
        let count = factors.len();
        if count == 0 {
            return Err(FactorError::None);
        }
        let (products, moments) = (vec![vec![0.0; count]; count], vec![0.0; count]);
        Ok(Factorial { factors, off, pairs: 0, products, moments, squares: 0.0 })
    }

    /// True if the other experiment has the same factors with the same values.
    pub fn is_same_as(&self, other: &Factorial) -> bool {
        (&self.factors, &self.off) == (&other.factors, &other.off)
    }

    /// True if the sums are numbers and as many as the factors need: a stored experiment may have been damaged.
    pub fn has_sound_sums(&self) -> bool {
        let is_sound =
            |sums: &Vec<f64>| sums.len() == self.factors.len() && sums.iter().all(|sum| sum.is_finite());
        self.products.len() == self.factors.len()
            && self.products.iter().chain([&self.moments]).all(is_sound)
            && self.squares.is_finite()
    }

    /// The parameters of all factors.
    pub fn names(&self) -> Vec<String> {
        self.factors.iter().flat_map(|factor| &factor.values).map(|(name, _)| name.clone()).collect()
    }

    /// The pairs of games recorded.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Draws which factors are on for the first player.
    pub fn draw(&self, random: &mut SplitMix) -> Treatment {
        let signs: Vec<f64> =
            self.factors.iter().map(|_| if random.next() >> 63 == 0 { 1.0 } else { -1.0 }).collect();
        let on = self
            .factors
            .iter()
            .zip(&signs)
            .flat_map(|(factor, &sign)| factor.values.iter().map(move |&(_, value)| (sign > 0.0, value)));
        let (first, second) =
            on.zip(&self.off).map(|((on, value), &off)| if on { (value, off) } else { (off, value) }).unzip();
        Treatment { values: [first, second], signs }
    }

    /// Takes in a pair of games: `result` is the wins less the losses of the first player.
    pub fn record(&mut self, treatment: &Treatment, result: i32) {
        let score = f64::from(result) / 4.0;
        let signs = &treatment.signs;
        for (row, &sign) in self.products.iter_mut().zip(signs) {
            row.iter_mut().zip(signs).for_each(|(sum, &other)| *sum += sign * other);
        }
        self.moments.iter_mut().zip(signs).for_each(|(sum, &sign)| *sum += sign * score);
        self.squares += score * score;
        self.pairs += 1;
    }

    /// What the factors are worth, the best first, by least squares over all pairs; nothing while there are too few pairs
    /// to tell the factors apart.
    pub fn effects(&self) -> Vec<Effect> {
        let count = self.factors.len();
        let freedom = self.pairs.saturating_sub(count as u64);
        let Some(inverse) = inverse(&self.products).filter(|_| freedom > 0) else {
            return Vec::new();
        };
        let coefficients: Vec<f64> = inverse.iter().map(|row| dot(row, &self.moments)).collect();
        let residual = (self.squares - dot(&coefficients, &self.moments)).max(0.0) / freedom as f64;
        let width = ELO_PER_SCORE * quantile(freedom.try_into().unwrap_or(u32::MAX));
        let effect = |index: usize| Effect {
            name: self.factors[index].name.clone(),
            elo: ELO_PER_SCORE * coefficients[index],
            error: width * (residual * inverse[index][index]).sqrt(),
        };
        let mut effects: Vec<Effect> = (0..count).map(effect).collect();
        effects.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        effects
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The inverse of a square matrix by Gauss-Jordan elimination; `None` if it is singular.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |row: usize| (0..size).map(move |column| f64::from(u8::from(row == column)));
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(row, values)| values.iter().copied().chain(unit(row)).collect())
        .collect();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        let divisor = rows[column][column];
        if divisor.abs() < 1e-9 {
            return None;
        }
        rows[column].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(index, _)| index != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some(rows.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use caesura::engine::TUNABLE_PARAMS;

    fn experiment(factors: &[&str]) -> Result<Factorial, FactorError> {
        let factors = factors.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        Factorial::new(factors, TUNABLE_PARAMS)
    }

    #[test]
    fn factors_are_read_and_what_makes_no_sense_is_refused() {
        let param = &TUNABLE_PARAMS[0];
        let good = format!("a:{}={}", param.name, param.default + 1);
        assert_eq!(experiment(&[&good]).unwrap().names(), [param.name]);
        for wrong in ["", "a", ":x=1", "a:", "a:x", "a:x=y", "a:x=1,"] {
            assert!(matches!(wrong.parse::<Factor>(), Err(FactorError::Syntax(_))), "{wrong}");
        }
        assert!(matches!(experiment(&[]), Err(FactorError::None)));
        assert!(matches!(experiment(&["a:no_such_number=1"]), Err(FactorError::Unknown(_))));
        assert!(matches!(experiment(&[&good, &good]), Err(FactorError::Twice(_))));
        for value in [param.default, param.max + 1, param.min - 1] {
            let text = format!("a:{}={value}", param.name);
            assert!(matches!(experiment(&[&text]), Err(FactorError::Value { .. })), "{text}");
        }
    }

    #[test]
    fn the_players_have_opposite_factors_with_all_their_values() {
        let [a, b, c] = [0, 1, 2].map(|index| &TUNABLE_PARAMS[index]);
        let one = format!("one:{}={},{}={}", a.name, a.max, b.name, b.max);
        let two = format!("two:{}={}", c.name, c.max);
        let experiment = experiment(&[&one, &two]).unwrap();
        let mut random = SplitMix(5);
        let mut seen = Vec::new();
        for _ in 0..40 {
            let treatment = experiment.draw(&mut random);
            for (player, side) in [(0, 1.0), (1, -1.0)] {
                let on = |factor: usize| treatment.signs[factor] * side > 0.0;
                let value = |param: &Param, factor| if on(factor) { param.max } else { param.default };
                assert_eq!(treatment.values[player], [value(a, 0), value(b, 0), value(c, 1)]);
            }
            seen.push(treatment.signs.iter().map(|&sign| sign as i32).collect::<Vec<_>>());
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 4, "every combination comes");
    }

    #[test]
    fn effects_are_found_through_noise_and_lie_within_their_errors() {
        let names: Vec<String> = (0..6)
            .map(|index| {
                let param = &TUNABLE_PARAMS[index];
                format!("f{index}:{}={}", param.name, param.max)
            })
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut experiment = experiment(&names).unwrap();
        assert!(experiment.effects().is_empty());
        // What each is worth, in points of a game.
        let worth = [0.10, -0.10, 0.05, 0.0, 0.0, 0.0];
        let mut random = SplitMix(11);
        for _ in 0..20_000 {
            let treatment = experiment.draw(&mut random);
            let chance = 0.5 + dot(&treatment.signs, &worth);
            let won = (0..2).filter(|_| random.unit() <= chance).count();
            experiment.record(&treatment, 2 * won as i32 - 2);
        }
        let effects = experiment.effects();
        assert_eq!((effects.len(), experiment.pairs()), (6, 20_000));
        assert!(effects.is_sorted_by(|a, b| a.elo >= b.elo));
        for Effect { name, elo, error } in effects {
            let index: usize = name[1..].parse().unwrap();
            assert!((elo - ELO_PER_SCORE * worth[index]).abs() < 1.5 * error, "{name} {elo} {error}");
            // 40,000 games of which none is drawn.
            assert!((3.0..4.0).contains(&error), "{error}");
        }
    }

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, 0.0, 3.0], vec![4.0, 1.0, 0.0]];
        let inverse = inverse(&matrix).unwrap();
        for (row, values) in matrix.iter().enumerate() {
            let column = |index: usize| inverse.iter().map(|row| row[index]).collect::<Vec<_>>();
            let product: Vec<f64> = (0..3).map(|index| dot(values, &column(index))).collect();
            let wrong =
                |(index, &value): (usize, &f64)| (value - f64::from(u8::from(row == index))).abs() > 1e-12;
            assert!(!product.iter().enumerate().any(wrong), "{product:?}");
        }
        assert!(super::inverse(&[vec![1.0, 2.0], vec![2.0, 4.0]]).is_none());
    }
}
