//! Moves with scores, from which the best is taken.

use arrayvec::ArrayVec;

use crate::board::MoveList;
use crate::types::Move;

/// Moves and the scores by which they are ordered.
#[derive(Debug, Default)]
pub struct RankedMoves {
    moves: MoveList,
    /// For each move a number that is greater, the higher its score is, and of equal scores the earlier its place: so that no
    /// branch hangs on which of two moves comes first.
    ranks: ArrayVec<i64, 256>,
}

/// The rank of a score at a place below 256.
#[inline]
fn rank(score: i32, place: usize) -> i64 {
    i64::from(score) << 32 | (255 - place as i64)
}

impl RankedMoves {
    /// Makes these the moves that `generate` appends to a list, but for one. They have no scores yet, and none can be taken.
    #[inline]
    pub fn generate(&mut self, except: Option<Move>, generate: impl FnOnce(&mut MoveList)) {
        self.ranks.clear();
        self.moves.clear();
        generate(&mut self.moves);
        if let Some(except) = except {
            self.moves.retain(|m| *m != except);
        }
    }

    /// Scores each move; `score` gets its place in the list, too.
    #[inline]
    pub fn score(&mut self, mut score: impl FnMut(usize, Move) -> i32) {
        self.ranks.clear();
        self.ranks.extend(self.moves.iter().enumerate().map(|(place, &m)| rank(score(place, m), place)));
    }

    /// Adds to the score of the move at a place of the list.
    #[inline]
    pub fn add(&mut self, place: usize, bonus: impl FnOnce(Move) -> i32) {
        self.ranks[place] += i64::from(bonus(self.moves[place])) << 32;
    }

    /// Adds to the score of each move.
    pub fn add_to_each(&mut self, bonus: impl Fn(Move) -> i32) {
        for (rank, &m) in self.ranks.iter_mut().zip(&self.moves) {
            *rank += i64::from(bonus(m)) << 32;
        }
    }

    /// Takes out the move with the highest score, of equal ones the first; the last takes its place. With it comes the score.
    #[inline]
    pub fn take_best(&mut self) -> Option<(Move, i32)> {
        let best = self.ranks.iter().copied().max()?;
        let place = 255 - (best & 255) as usize;
        self.ranks.swap_remove(place);
        if let Some(last) = self.ranks.get_mut(place) {
            *last = rank((*last >> 32) as i32, place);
        }
        Some((self.moves.swap_remove(place), (best >> 32) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};
    use crate::util::random::SplitMix;

    #[test]
    fn the_best_comes_first_and_the_earlier_of_equal_ones() {
        let mut random = SplitMix(5);
        for count in 0..=256 {
            let moves: MoveList = (0..count)
                .map(|index| [index % 64, (index + 1 + index / 64) % 64].map(Square::from_index))
                .map(|[from, to]| Move::new(from, to, MoveKind::Quiet))
                .collect();
            let except = moves.get(count / 3).copied();
            let mut ranked = RankedMoves::default();
            ranked.generate(except, |list| list.extend(moves.iter().copied()));
            let mut expected: Vec<(Move, i32)> = Vec::new();
            ranked.score(|place, m| {
                assert_eq!(place, expected.len());
                expected.push((m, [i32::MIN / 2, -3, 0, 1, i32::MAX / 2][random.next() as usize % 5]));
                expected[place].1
            });
            let rest = || moves.iter().copied().filter(|&m| Some(m) != except);
            assert!(expected.iter().map(|&(m, _)| m).eq(rest()));
            let parity = |m: Move| i32::from(m.bits() % 2);
            ranked.add_to_each(parity);
            expected.iter_mut().for_each(|(m, score)| *score += parity(*m));
            if let Some((m, score)) = expected.last_mut() {
                *score -= 5;
                let last = *m;
                ranked.add(expected.len() - 1, |m| if m == last { -5 } else { 1 });
            }
            while let Some(best) = ranked.take_best() {
                let highest = expected.iter().map(|&(_, score)| score).max().expect("as many moves");
                let place = expected.iter().position(|&(_, score)| score == highest).expect("the highest");
                assert_eq!(expected.swap_remove(place), best);
            }
            assert!(expected.is_empty());
        }
    }
}
