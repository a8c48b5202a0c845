//! Weights in 8 bits: those of a hidden number are small multiples of one step.

/// How many steps a weight may be away from zero.
pub const MAX_QUANTISED: u16 = i8::MAX as u16;

/// What is known of the weights of a hidden number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightStatistics {
    /// The greatest, without its sign.
    pub max_abs: u16,
    /// The greatest number of which all are multiples; zero if all are zero.
    pub gcd: u16,
}

impl WeightStatistics {
    /// Takes another weight into account, without its sign.
    #[inline]
    pub fn add(&mut self, size: u16) {
        self.max_abs = self.max_abs.max(size);
        // Most units have had a weight of one step by then.
        if self.gcd == 0 || !size.is_multiple_of(self.gcd) {
            self.gcd = greatest_common_divisor(self.gcd, size);
        }
    }

    /// The greatest step that all weights are multiples of, if it takes no more than [`MOST_STEPS`] to the greatest.
    pub fn scale(&self) -> Option<u16> {
        let step = self.gcd.max(1);
        (self.max_abs / step <= MAX_QUANTISED).then_some(step)
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

    fn column(sizes: &[u16]) -> WeightStatistics {
        let mut column = WeightStatistics::default();
        sizes.iter().for_each(|&size| column.add(size));
        column
    }

    #[test]
    fn steps_are_as_great_as_can_be() {
        for (sizes, greatest, common, step) in [
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
            assert_eq!(column(sizes), WeightStatistics { max_abs: greatest, gcd: common }, "{sizes:?}");
            assert_eq!(column(sizes).scale(), step, "{sizes:?}");
        }
        for step in 1..200 {
            let sizes: Vec<u16> = (0..=MAX_QUANTISED).map(|count| count * step).collect();
            assert_eq!(column(&sizes).scale(), Some(step));
        }
    }
}
