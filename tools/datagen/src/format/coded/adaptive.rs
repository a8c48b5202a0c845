//! Probabilities that follow what they have seen, and numbers coded by them.

use super::range_coder::{Coder, PROBABILITY_BITS};

/// The number of decisions after which a probability no longer follows more slowly.
const LIMIT: u8 = 250;
/// What a learnt probability keeps from certainty.
const MIN_PROBABILITY: u32 = 32;

/// The probability of a kind of decision, learnt from those before.
#[derive(Clone, Copy, Debug)]
pub struct Probability {
    /// Of `true`, in 1 / 65536.
    value: u16,
    /// The number of decisions seen, up to [`LIMIT`].
    seen: u8,
}

impl Default for Probability {
    fn default() -> Probability {
        Probability { value: 1 << (PROBABILITY_BITS - 1), seen: 0 }
    }
}

impl Probability {
    /// Codes a decision and learns from it.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, decision: bool) -> bool {
        let probability =
            u32::from(self.value).clamp(MIN_PROBABILITY, (1 << PROBABILITY_BITS) - MIN_PROBABILITY);
        let decision = coder.code(decision, probability);
        let target = if decision { i32::from(u16::MAX) } else { 0 };
        let value = i32::from(self.value);
        // The mean of what was seen, and of one and a half guesses that both are equally likely.
        self.value = (value + (target - value) * 2 / (2 * i32::from(self.seen) + 3)) as u16;
        self.seen += u8::from(self.seen < LIMIT);
        decision
    }
}

/// A symbol below `SIZE`, a power of two, decided bit by bit from the highest.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<const SIZE: usize>([Probability; SIZE]);

impl<const SIZE: usize> Default for Symbol<SIZE> {
    fn default() -> Symbol<SIZE> {
        Symbol([Probability::default(); SIZE])
    }
}

impl<const SIZE: usize> Symbol<SIZE> {
    /// Codes a symbol.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, symbol: usize) -> usize {
        const { assert!(SIZE.is_power_of_two()) };
        let mut node = 1;
        for bit in (0..SIZE.trailing_zeros()).rev() {
            let decision = self.0[node].code(coder, symbol >> bit & 1 == 1);
            node = node << 1 | usize::from(decision);
        }
        node - SIZE
    }
}

/// The number of bits of a number without its leading zeros.
#[inline]
pub fn length(value: u32) -> usize {
    (u32::BITS - value.leading_zeros()) as usize
}

/// The bits behind the leading one of numbers of one length. The first three are learnt, the first of them apart for each
/// of `CONTEXTS` contexts, and the others equally likely (as in the codes of Elias and Golomb).
#[derive(Clone, Copy, Debug)]
pub struct Mantissa<const CONTEXTS: usize> {
    first: [Probability; CONTEXTS],
    next: [Probability; 8],
}

impl<const CONTEXTS: usize> Default for Mantissa<CONTEXTS> {
    fn default() -> Mantissa<CONTEXTS> {
        Mantissa { first: [Probability::default(); CONTEXTS], next: [Probability::default(); 8] }
    }
}

impl<const CONTEXTS: usize> Mantissa<CONTEXTS> {
    /// Codes a number of `length` bits, at least 1.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, context: usize, value: u32, length: usize) -> u32 {
        let mut rest = length - 1;
        let mut coded = 1;
        while rest > 0 && coded < 8 {
            rest -= 1;
            let decision = value >> rest & 1 == 1;
            let probability =
                if coded == 1 { &mut self.first[context] } else { &mut self.next[coded as usize] };
            coded = coded << 1 | u32::from(probability.code(coder, decision));
        }
        coded << rest | coder.code_bits(value, rest as u32)
    }
}

/// A number of any size: its length, then the bits behind the leading one.
#[derive(Clone, Debug, Default)]
pub struct Number {
    length: Symbol<64>,
    mantissas: [Mantissa<1>; 32],
}

impl Number {
    /// Codes a number.
    pub fn code(&mut self, coder: &mut impl Coder, value: u32) -> u32 {
        // Only a damaged code gives lengths of more than 32 bits.
        match self.length.code(coder, length(value)).min(32) {
            0 => 0,
            length => self.mantissas[length - 1].code(coder, 0, value, length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::range_coder::{Decoder, Encoder};
    use super::*;

    #[test]
    fn numbers_of_every_size_come_back() {
        let numbers: Vec<u32> = (0..32)
            .flat_map(|bit| [0, 1, 3].map(|offset| (1u32 << bit).wrapping_sub(1).wrapping_add(offset)))
            .chain([u32::MAX, 12_345, 12_345])
            .collect();
        let mut encoder = Encoder::new(Vec::new());
        let mut model = Number::default();
        numbers.iter().for_each(|&number| assert_eq!(model.code(&mut encoder, number), number));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut model = Number::default();
        for &number in &numbers {
            assert_eq!(model.code(&mut decoder, 0), number);
        }
        assert!(decoder.is_at_end());
    }

    #[test]
    fn what_is_always_the_same_takes_little_space() {
        let mut encoder = Encoder::new(Vec::new());
        let mut model = Symbol::<16>::default();
        (0..1000).for_each(|_| assert_eq!(model.code(&mut encoder, 11), 11));
        assert!(encoder.length() < 10, "{}", encoder.length());
    }
}
