//! Feature weights in 8 bits: those of a hidden unit are multiples of one quantisation scale, at most 127 times as great.

/// Bound of the absolute value of a feature weight in units of its scale.
pub const MAX_QUANTISED: u16 = i8::MAX as u16;

/// What decides the scale of a hidden unit: statistics of its feature weights, in units of 1/`QA`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightStatistics {
    /// The greatest absolute value.
    pub max_abs: u16,
    /// The greatest common divisor; zero if all weights are zero.
    pub gcd: u16,
}

impl WeightStatistics {
    /// Takes the absolute value of one more weight into account.
    #[inline]
    pub fn add(&mut self, abs: u16) {
        self.max_abs = self.max_abs.max(abs);
        // The divisor soon stops changing, so that the common case is one division.
        if self.gcd == 0 || !abs.is_multiple_of(self.gcd) {
            self.gcd = greatest_common_divisor(self.gcd, abs);
        }
    }

    /// The greatest scale of which all weights are multiples; `None` if the greatest of them is more than
    /// [`MAX_QUANTISED`] times that scale.
    pub fn scale(&self) -> Option<u16> {
        let scale = self.gcd.max(1);
        (self.max_abs / scale <= MAX_QUANTISED).then_some(scale)
    }

    /// The [scale](Self::scale), with which what was rounded once stays as it is; or where there is none, the least that the
    /// greatest weight allows, to multiples of which the weights must be rounded.
    pub fn scale_to_round_to(&self) -> u16 {
        self.scale().unwrap_or(self.max_abs.div_ceil(MAX_QUANTISED))
    }
}

fn greatest_common_divisor(mut a: u16, mut b: u16) -> u16 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics(weights: &[u16]) -> WeightStatistics {
        let mut statistics = WeightStatistics::default();
        weights.iter().for_each(|&abs| statistics.add(abs));
        statistics
    }

    #[test]
    fn scales_are_the_greatest_possible() {
        for (weights, max_abs, gcd, scale) in [
            (&[][..], 0, 0, Some(1)),
            (&[0, 0], 0, 0, Some(1)),
            (&[0, 12, 0, 18], 18, 6, Some(6)),
            (&[127], 127, 127, Some(127)),
            (&[127, 1], 127, 1, Some(1)),
            (&[128, 3], 128, 1, None),
            (&[254, 2], 254, 2, Some(2)),
            (&[256, 2], 256, 2, None),
            (&[u16::MAX, 0], u16::MAX, u16::MAX, Some(u16::MAX)),
        ] {
            assert_eq!(statistics(weights), WeightStatistics { max_abs, gcd }, "{weights:?}");
            assert_eq!(statistics(weights).scale(), scale, "{weights:?}");
        }
        for scale in 1..200 {
            let weights: Vec<u16> = (0..=MAX_QUANTISED).map(|count| count * scale).collect();
            assert_eq!(statistics(&weights).scale(), Some(scale));
        }
    }
}
