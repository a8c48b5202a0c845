//! Scores and depths.

use std::fmt;

/// A score inside the search, from the point of view of the side to move. It always fits in 16 bits.
///
/// There are three bands on either side of zero. Up to [`MAX_EVAL`] a value is an evaluation in centipawns. Above that,
/// from [`TB_WIN_IN_MAX`] to [`TB_WIN`], it is a win by an endgame tablebase, less the plies from the root to the position
/// that the tablebase knows. From [`MATE_IN_MAX`] to [`MATE`] it is a forced mate, less the plies from the root to the
/// mate.
pub type Value = i32;

/// A search depth in plies.
pub type Depth = i32;

/// One more than the deepest ply that the search can reach.
pub const MAX_PLY: usize = 246;

/// The greatest depth of a search, in plies: a node of the last ply has no depth left.
pub const MAX_SEARCH_DEPTH: Depth = MAX_PLY as Depth - 1;

/// The score of a draw.
pub const DRAW: Value = 0;

/// The score of having mated.
pub const MATE: Value = 32_000;

/// The least value of a forced mate; its negative is the greatest value of being mated.
pub const MATE_IN_MAX: Value = MATE - MAX_PLY as Value;

/// The value of a position won by a tablebase at the root: just below every mate.
pub const TB_WIN: Value = MATE_IN_MAX - 1;

/// The least value of a tablebase win; its negative is the greatest value of a tablebase loss.
pub const TB_WIN_IN_MAX: Value = TB_WIN - MAX_PLY as Value;

/// The greatest evaluation, in centipawns: just below every tablebase win. Its negative is the least evaluation.
pub const MAX_EVAL: Value = TB_WIN_IN_MAX - 1;

/// The score of mating at `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The score of being mated at `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// True if a value is proved, for either side, by a mate or a tablebase: it lies outside the band of evaluations.
#[inline]
pub const fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// True if a value is a proved win for the side to move, by a mate or a tablebase.
#[inline]
pub const fn is_win(value: Value) -> bool {
    value > MAX_EVAL
}

/// True if a value is a proved loss for the side to move, by a mate or a tablebase.
#[inline]
pub const fn is_loss(value: Value) -> bool {
    value < -MAX_EVAL
}

/// True if a value is a forced mate, given or suffered.
#[inline]
pub const fn is_mate(value: Value) -> bool {
    value >= MATE_IN_MAX || value <= -MATE_IN_MAX
}

/// A score as people and graphical interfaces read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns for the side to move. A tablebase win stays the plain [`Value`], so that it is shown above every
    /// evaluation, and a nearer win above a farther one.
    Centipawns(i32),
    /// Mate in this many full moves; negative, or zero on the board, when the side to move is mated.
    Mate(i32),
}

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        if !is_mate(value) {
            Score::Centipawns(value)
        } else if value > 0 {
            Score::Mate((MATE - value + 1) / 2)
        } else {
            Score::Mate(-((MATE + value) / 2))
        }
    }
}

impl fmt::Display for Score {
    /// The score of a UCI `info` line: `cp 31` or `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::from(mate_in(1)), Score::Mate(1));
        assert_eq!(Score::from(mate_in(3)), Score::Mate(2));
        assert_eq!(Score::from(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::from(mated_in(4)), Score::Mate(-2));
        assert_eq!(Score::from(-35).to_string(), "cp -35");
    }

    #[test]
    fn every_value_lies_in_one_band() {
        for value in Value::from(i16::MIN)..=Value::from(i16::MAX) {
            let plies_to_mate = MATE - value.abs();
            let mate = plies_to_mate <= MAX_PLY as Value;
            let tablebase = (TB_WIN_IN_MAX..=TB_WIN).contains(&value.abs());
            let evaluation = (-MAX_EVAL..=MAX_EVAL).contains(&value);
            assert_eq!([mate, tablebase, evaluation].into_iter().filter(|&band| band).count(), 1, "{value}");
            assert_eq!(is_mate(value), mate, "{value}");
            assert_eq!(is_decisive(value), !evaluation, "{value}");
            assert_eq!(is_win(value), !evaluation && value > 0, "{value}");
            assert_eq!(is_loss(value), is_win(-value), "{value}");
            if value.abs() > MATE {
                continue;
            }
            match Score::from(value) {
                Score::Centipawns(shown) => assert!(!mate && shown == value, "{value}"),
                Score::Mate(moves) if value > 0 => {
                    assert!(mate && 2 * moves - plies_to_mate == (value & 1), "{value}");
                }
                Score::Mate(moves) => assert!(mate && -2 * moves == plies_to_mate - (value & 1), "{value}"),
            }
        }
        for ply in 0..=MAX_PLY {
            let tablebase = TB_WIN - ply as Value;
            assert!(is_mate(mate_in(ply)) && is_mate(mated_in(ply)) && mated_in(ply) == -mate_in(ply));
            assert!(!is_mate(tablebase) && is_win(tablebase) && is_loss(-tablebase));
        }
    }
}
