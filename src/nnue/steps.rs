//! Weights in 8 bits: those of a hidden number are small multiples of one step.

/// How many steps a weight may be away from zero.
pub const MOST_STEPS: u16 = i8::MAX as u16;

/// What is known of the weights of a hidden number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The greatest, without its sign.
    pub greatest: u16,
    /// The greatest number of which all are multiples; zero if all are zero.
    pub common: u16,
}

impl Column {
    /// Takes another weight into account, without its sign.
    #[inline]
    pub fn add(&mut self, size: u16) {
        self.greatest = self.greatest.max(size);
        // Most units have had a weight of one step by then.
        if self.common == 0 || !size.is_multiple_of(self.common) {
            self.common = greatest_common_divisor(self.common, size);
        }
    }

    /// The greatest step that all weights are multiples of, if it takes no more than [`MOST_STEPS`] to the greatest.
    pub fn step(&self) -> Option<u16> {
        let step = self.common.max(1);
        (self.greatest / step <= MOST_STEPS).then_some(step)
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

    fn column(sizes: &[u16]) -> Column {
        let mut column = Column::default();
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
            assert_eq!(column(sizes), Column { greatest, common }, "{sizes:?}");
            assert_eq!(column(sizes).step(), step, "{sizes:?}");
        }
        for step in 1..200 {
            let sizes: Vec<u16> = (0..=MOST_STEPS).map(|count| count * step).collect();
            assert_eq!(column(&sizes).step(), Some(step));
        }
    }
}
