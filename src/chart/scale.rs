//! From numbers to places on an axis, and the ticks of the axis.

/// How an axis places its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    #[default]
    Linear,
    /// Equal ratios are equally long; ticks at powers of ten, and at twice and five times these where there is room.
    Logarithmic,
    /// Equal ratios are equally long; ticks at powers of two.
    Doublings,
}

/// The least number that a logarithmic axis shows.
const MIN_LOGARITHMIC: f64 = 1e-9;
/// About how many ticks an axis has.
const TICKS: f64 = 6.0;
/// The most ticks of an axis.
const MAX_TICKS: usize = 40;

impl Scale {
    /// The place of a number before it is stretched to the axis.
    pub(super) fn project(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(MIN_LOGARITHMIC).log10(),
            Scale::Doublings => value.max(MIN_LOGARITHMIC).log2(),
        }
    }
}

/// An axis: a range of numbers, and the pixels from its low end to its high end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis for the finite numbers among `values`; from 0 to 1 if there are none.
    pub fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let (mut low, mut high) = values
            .filter(|value| value.is_finite())
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if scale != Scale::Linear {
            (low, high) = (low.max(MIN_LOGARITHMIC), high.max(MIN_LOGARITHMIC));
        }
        if low == high {
            (low, high) = if scale == Scale::Linear { (low, low + 1.0) } else { (low, 2.0 * low) };
        }
        Axis { scale, low, high, from, to }
    }

    /// This axis shortened so that this many pixels are left free at its low and high end.
    pub fn inset(self, at_low: f64, at_high: f64) -> Axis {
        let sign = (self.to - self.from).signum();
        Axis { from: self.from + sign * at_low, to: self.to - sign * at_high, ..self }
    }

    /// The pixel of a number.
    pub fn at(&self, value: f64) -> f64 {
        let [low, high, value] = [self.low, self.high, value].map(|value| self.scale.project(value));
        let share = (value - low) / (high - low);
        let share = if share.is_nan() { 0.0 } else { share.clamp(-0.02, 1.02) };
        self.from + share * (self.to - self.from)
    }

    /// Round numbers within the range, in order.
    pub fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => self.linear_ticks(),
            Scale::Doublings => self.powers(2.0, &[1.0]),
            Scale::Logarithmic => {
                let decades = (self.high / self.low).log10();
                let ticks = self.powers(10.0, if decades > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] });
                if ticks.len() < 2 { self.linear_ticks() } else { ticks }
            }
        }
    }

    fn linear_ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / TICKS;
        let unit = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * unit).find(|&step| step >= rough);
        let step = step.unwrap_or(unit);
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        (0..MAX_TICKS)
            .map(|index| first + index as f64)
            .take_while(|&n| n <= last)
            .map(|n| n * step)
            .collect()
    }

    fn powers(&self, base: f64, multiples: &[f64]) -> Vec<f64> {
        let first = self.low.log(base).floor();
        let decades = (0..MAX_TICKS).map(|index| base.powf(first + index as f64));
        decades
            .take_while(|&power| power <= self.high * (1.0 + 1e-9))
            .flat_map(|power| multiples.iter().map(move |multiple| power * multiple))
            .filter(|tick| (self.low * (1.0 - 1e-9)..=self.high * (1.0 + 1e-9)).contains(tick))
            .collect()
    }
}

/// A number in few digits: `391`, `0.25`, `12 k`, `2.5 M`.
pub fn short(value: f64) -> String {
    let size = value.abs();
    let text = if size >= 1e9 {
        format!("{:.3e}", value)
    } else if size >= 1e6 {
        format!("{} M", digits(value / 1e6))
    } else if size >= 1e4 {
        format!("{} k", digits(value / 1e3))
    } else {
        digits(value)
    };
    // The sign that is as long as a plus.
    text.replacen('-', "\u{2212}", 1)
}

/// Three digits that count, without zeros at the end of a fraction.
fn digits(value: f64) -> String {
    let size = value.abs();
    let places = match size {
        _ if size >= 100.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 || size == 0.0 => 2,
        _ => (2.0 - size.log10().floor()).clamp(2.0, 9.0) as usize,
    };
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale, low: f64, high: f64) -> Axis {
        Axis::new(scale, [low, high].into_iter(), 0.0, 100.0)
    }

    #[test]
    fn numbers_have_few_digits() {
        let numbers = [0.0, -4.0, 0.25, 391.4, 12_345.0, 2_500_000.0, 3e9, 0.00123, 9.996, -12.34];
        let expected = ["0", "−4", "0.25", "391", "12.3 k", "2.5 M", "3.000e9", "0.00123", "10", "−12.3"];
        assert_eq!(numbers.map(short), expected);
    }

    #[test]
    fn ticks_are_round_and_within_the_range() {
        assert_eq!(axis(Scale::Linear, 0.0, 391.0).ticks(), [0.0, 100.0, 200.0, 300.0]);
        assert_eq!(axis(Scale::Linear, -30.0, 10.0).ticks(), [-30.0, -20.0, -10.0, 0.0, 10.0]);
        assert_eq!(axis(Scale::Doublings, 1.0, 12.0).ticks(), [1.0, 2.0, 4.0, 8.0]);
        assert_eq!(axis(Scale::Logarithmic, 900.0, 12_000.0).ticks(), [1000.0, 2000.0, 5000.0, 10_000.0]);
        assert_eq!(axis(Scale::Logarithmic, 5.0, 2e6).ticks(), [10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        for scale in [Scale::Linear, Scale::Logarithmic, Scale::Doublings] {
            for (low, high) in [(0.0, 0.0), (1.0, 1.0), (1e-12, 1e12), (-5.0, 3.0), (f64::NAN, f64::INFINITY)]
            {
                let axis = axis(scale, low, high);
                assert!(axis.ticks().len() <= 3 * MAX_TICKS, "{scale:?} {low} {high}");
                let places = [low, high, 0.0, f64::NAN].map(|value| axis.at(value));
                assert!(places.iter().all(|place| place.is_finite()), "{scale:?} {low} {high}");
            }
        }
    }

    #[test]
    fn places_grow_with_numbers() {
        let linear = axis(Scale::Linear, 0.0, 10.0);
        assert_eq!([0.0, 5.0, 10.0].map(|value| linear.at(value)), [0.0, 50.0, 100.0]);
        let doublings = axis(Scale::Doublings, 1.0, 16.0);
        assert_eq!([1.0, 4.0, 16.0].map(|value| doublings.at(value)), [0.0, 50.0, 100.0]);
        assert_eq!(linear.inset(10.0, 20.0).at(10.0), 80.0);
        let upwards = Axis::new(Scale::Linear, [0.0, 1.0].into_iter(), 100.0, 0.0);
        assert_eq!((upwards.at(1.0), upwards.inset(10.0, 20.0).at(0.0)), (0.0, 90.0));
    }
}
