//! Arithmetic coding of yes-or-no decisions: each takes as many bits as its probability is worth.
//!
//! The coder is the binary one without carries of Matt Mahoney's PAQ (2002): the probability of a decision cuts the
//! interval between two 32-bit numbers, and the leading bytes in which both ends agree are written.

/// The number of bits of a probability.
pub const PROBABILITY_BITS: u32 = 16;

/// Both directions of the coder, so that a model is written once: an encoder writes the decision that it is given, and a
/// decoder ignores it and returns the one that it reads.
pub trait Coder {
    /// Codes a decision that is true with the probability `probability` / 65536, which must be neither 0 nor 65536.
    fn code(&mut self, decision: bool, probability: u32) -> bool;

    /// True if the decisions needed more bytes than a decoder has.
    fn is_overrun(&self) -> bool;

    /// Codes the lowest `bits` bits of a number, all of whose values are equally likely.
    fn code_bits(&mut self, value: u32, bits: u32) -> u32 {
        (0..bits).rev().fold(0, |coded, bit| {
            let decision = self.code(value >> bit & 1 == 1, 1 << (PROBABILITY_BITS - 1));
            coded << 1 | u32::from(decision)
        })
    }
}

/// The numbers that the code can still become. The ends differ in their leading bytes.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Interval = Interval { low: 0, high: u32::MAX };

    /// The last number of the part that stands for `true`. Both parts hold at least one number.
    #[inline]
    fn split(self, probability: u32) -> u32 {
        debug_assert!((1..1 << PROBABILITY_BITS).contains(&probability));
        let width = u64::from(self.high - self.low);
        self.low + ((width * u64::from(probability)) >> PROBABILITY_BITS) as u32
    }

    #[inline]
    fn choose(&mut self, decision: bool, split: u32) {
        if decision {
            self.high = split;
        } else {
            self.low = split + 1;
        }
    }

    /// Removes and returns the leading byte if both ends agree in it.
    #[inline]
    fn shift(&mut self) -> Option<u8> {
        if (self.low ^ self.high) >> 24 != 0 {
            return None;
        }
        let byte = (self.low >> 24) as u8;
        self.low <<= 8;
        self.high = self.high << 8 | 0xff;
        Some(byte)
    }
}

/// Writes decisions.
#[derive(Debug)]
pub struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    /// An encoder that appends to these bytes.
    pub fn new(bytes: Vec<u8>) -> Encoder {
        Encoder { interval: Interval::ALL, bytes }
    }

    /// The number of bytes so far, those before the first decision included.
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Writes what the last decisions need, and returns all bytes.
    pub fn finish(mut self) -> Vec<u8> {
        // The leading byte of the lower end is less than that of the upper one, so that the next greater byte with zeros
        // behind it, which a decoder reads after the end, lies between them.
        self.bytes.push((self.interval.low >> 24) as u8 + 1);
        self.bytes
    }
}

impl Coder for Encoder {
    #[inline]
    fn code(&mut self, decision: bool, probability: u32) -> bool {
        let split = self.interval.split(probability);
        self.interval.choose(decision, split);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
        decision
    }

    fn is_overrun(&self) -> bool {
        false
    }
}

/// The number of bytes that a decoder reads ahead.
const AHEAD: usize = 4;

/// Reads decisions. Any bytes can be read: those that no encoder wrote give some decisions, too.
#[derive(Debug)]
pub struct Decoder<'a> {
    interval: Interval,
    value: u32,
    bytes: &'a [u8],
    /// The number of bytes read, with the zeros behind the end.
    read: usize,
}

impl Decoder<'_> {
    /// A decoder of all the bytes that an encoder wrote.
    pub fn new(bytes: &[u8]) -> Decoder<'_> {
        let mut decoder = Decoder { interval: Interval::ALL, value: 0, bytes, read: 0 };
        for _ in 0..AHEAD {
            decoder.read_byte();
        }
        decoder
    }

    #[inline]
    fn read_byte(&mut self) {
        let byte = self.bytes.get(self.read).copied().unwrap_or(0);
        self.value = self.value << 8 | u32::from(byte);
        self.read += 1;
    }

    /// True if the decisions needed all bytes and no more.
    pub fn is_at_end(&self) -> bool {
        self.read + 1 == self.bytes.len() + AHEAD
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn code(&mut self, _: bool, probability: u32) -> bool {
        let split = self.interval.split(probability);
        let decision = self.value <= split;
        self.interval.choose(decision, split);
        while self.interval.shift().is_some() {
            self.read_byte();
        }
        decision
    }

    fn is_overrun(&self) -> bool {
        self.read >= self.bytes.len() + AHEAD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decisions with probabilities of all sizes, mostly those that are likely.
    fn decisions() -> impl Iterator<Item = (bool, u32)> {
        (0..20_000u32).map(|turn| {
            let noise = turn.wrapping_mul(2_654_435_761) >> 7;
            let probability = [1, 65_535, 32_768, 1 + noise % 65_535][turn as usize % 4];
            (noise.wrapping_mul(40_503) % 65_536 < probability, probability)
        })
    }

    #[test]
    fn decisions_come_back_in_the_space_that_they_are_worth() {
        let mut encoder = Encoder::new(b"before".to_vec());
        let mut bits = 0.0;
        for (decision, probability) in decisions() {
            encoder.code(decision, probability);
            let p = f64::from(probability) / 65_536.0;
            bits -= if decision { p.log2() } else { (1.0 - p).log2() };
        }
        let bytes = encoder.finish();
        let length = (bytes.len() - 6) as f64;
        assert!(length < bits / 8.0 * 1.01 + 2.0, "{length} bytes for {bits} bits");
        let mut decoder = Decoder::new(&bytes[6..]);
        for (decision, probability) in decisions() {
            assert_eq!(decoder.code(false, probability), decision);
        }
        assert!(decoder.is_at_end() && !decoder.is_overrun());
    }

    #[test]
    fn a_code_that_is_cut_or_too_long_is_noticed() {
        let mut encoder = Encoder::new(Vec::new());
        encoder.code_bits(0x1234_5678, 32);
        encoder.code_bits(0x9abc_def0, 32);
        let mut bytes = encoder.finish();
        let read = |bytes: &[u8]| {
            let mut decoder = Decoder::new(bytes);
            decoder.code_bits(0, 32);
            decoder.code_bits(0, 32);
            (decoder.is_at_end(), decoder.is_overrun())
        };
        assert_eq!(read(&bytes), (true, false));
        assert_eq!(read(&bytes[..bytes.len() - 1]), (false, true));
        bytes.push(0);
        assert_eq!(read(&bytes), (false, false));
    }
}
