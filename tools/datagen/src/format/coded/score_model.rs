//! The scores of a game, each coded as its change against the one before.

use super::adaptive::{Mantissa, Probability, Symbol, length};
use super::range_coder::Coder;

/// Bands of the recent changes: the first score of a game, two for a score of zero, and seven sizes.
const CHANGE_BANDS: usize = 10;
/// Bands of the size of the score.
const SIZE_BANDS: usize = 6;
/// Bits of the greatest change, between 16-bit numbers.
const CHANGE_BITS: usize = 17;
/// Sizes of the last change, with its sign.
const TENDENCIES: usize = 7;

/// The scores before the one that is coded, all from the view of the side to move there.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoreHistory {
    expected: i32,
    /// The last changes, newest first.
    changes: [i32; 3],
    plies: usize,
}

impl ScoreHistory {
    /// The last score, for the side that is to move now; 0 at the start of a game.
    pub fn expected(&self) -> i32 {
        self.expected
    }

    /// Adds a score.
    pub fn push(&mut self, score: i32) {
        let change = if self.plies == 0 { 0 } else { score - self.expected };
        let [last, second, _] = self.changes;
        self.changes = [-change, -last, -second];
        self.expected = -score;
        self.plies += 1;
    }

    fn change_band(&self) -> usize {
        let [last, second, third] = self.changes.map(|change| change.unsigned_abs().min(2000));
        match (self.plies, self.expected) {
            (0, _) => 0,
            (_, 0) => 1 + usize::from(last > 0),
            _ => {
                let recent_change = 3 * last + 2 * second + third;
                2 + length(recent_change * recent_change / 36).div_ceil(2).clamp(1, 7)
            }
        }
    }

    fn size_band(&self) -> usize {
        match self.expected.unsigned_abs() {
            0..32 => 0,
            32..128 => 1,
            128..320 => 2,
            320..800 => 3,
            800..1400 => 4,
            _ => 5,
        }
    }

    fn tendency(&self) -> usize {
        let last = self.changes[0];
        let size = match length(last.unsigned_abs()) {
            0 => 0,
            1..4 => 1,
            4..6 => 2,
            _ => 3,
        };
        if last < 0 { 3 - size } else { 3 + size }
    }
}

/// What is learnt of the scores of a block.
#[derive(Clone, Debug)]
pub struct ScoreModel {
    length: [[Symbol<32>; SIZE_BANDS]; CHANGE_BANDS],
    negative: [[Probability; TENDENCIES]; CHANGE_BITS],
    mantissas: [Mantissa<CHANGE_BANDS>; CHANGE_BITS],
}

impl Default for ScoreModel {
    fn default() -> ScoreModel {
        ScoreModel {
            length: [[Symbol::default(); SIZE_BANDS]; CHANGE_BANDS],
            negative: [[Probability::default(); TENDENCIES]; CHANGE_BITS],
            mantissas: [Mantissa::default(); CHANGE_BITS],
        }
    }
}

impl ScoreModel {
    /// Codes a score. A damaged code may give one that is no 16-bit number.
    pub fn code(&mut self, coder: &mut impl Coder, history: &ScoreHistory, score: i32) -> i32 {
        let change = score - history.expected;
        let size = change.unsigned_abs();
        let band = history.change_band();
        let lengths = &mut self.length[band][history.size_band()];
        // Only a damaged code gives a greater length.
        let length = lengths.code(coder, length(size)).min(CHANGE_BITS);
        if length == 0 {
            return history.expected;
        }
        let negative = self.negative[length - 1][history.tendency()].code(coder, change < 0);
        let size = self.mantissas[length - 1].code(coder, band, size, length) as i32;
        history.expected + if negative { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::super::range_coder::{Decoder, Encoder};
    use super::*;

    #[test]
    fn every_score_comes_back_after_any_other() {
        // Steps that reach all pairs of extremes, and all 16-bit numbers.
        let extremes = [i16::MIN, -32_000, -31_999, -1, 0, 1, 32_000, i16::MAX];
        let pairs =
            extremes.into_iter().flat_map(|first| extremes.into_iter().flat_map(move |next| [first, next]));
        let scores: Vec<i32> = pairs.chain(i16::MIN..=i16::MAX).map(i32::from).collect();
        let mut encoder = Encoder::new(Vec::new());
        let (mut model, mut history) = (ScoreModel::default(), ScoreHistory::default());
        for &score in &scores {
            assert_eq!(model.code(&mut encoder, &history, score), score);
            history.push(score);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let (mut model, mut history) = (ScoreModel::default(), ScoreHistory::default());
        for &score in &scores {
            assert_eq!(model.code(&mut decoder, &history, 0), score);
            history.push(score);
        }
    }
}
