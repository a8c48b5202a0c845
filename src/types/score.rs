//! Scores and depths.

use std::fmt;

/// A score inside the search, in centipawns for the side to move; mates count from [`MATE`] down.
/// Always fits in 16 bits.
pub type Value = i32;

/// A search depth in plies.
pub type Depth = i32;

/// The deepest ply that the search can reach.
pub const MAX_PLY: usize = 246;

/// The score of having mated.
pub const MATE: Value = 32_000;

/// Scores at or above this are a forced mate; at or below its negative, being mated.
pub const MATE_IN_MAX: Value = MATE - MAX_PLY as Value;

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

/// True if a value is a forced mate for either side.
#[inline]
pub const fn is_decisive(value: Value) -> bool {
    value >= MATE_IN_MAX || value <= -MATE_IN_MAX
}

/// True if a value is a forced win.
#[inline]
pub const fn is_win(value: Value) -> bool {
    value >= MATE_IN_MAX
}

/// A score as it is shown to people and graphical interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns for the side to move.
    Centipawns(i32),
    /// Mate in so many full moves; negative or zero when the side to move is mated.
    Mate(i32),
}

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        if value >= MATE_IN_MAX {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_IN_MAX {
            Score::Mate(-((MATE + value) / 2))
        } else {
            Score::Centipawns(value)
        }
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 31` or `mate -3`.
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
}
