//! By how much the static evaluation is usually wrong.

use super::entry::{Entry, boxed};
use crate::board::Board;
use crate::params;
use crate::types::{Color, Value};

use super::continuation::Row;

const SIZE: usize = 16384;
const LIMIT: i32 = 1024;

type Table = Box<[[Entry<LIMIT>; SIZE]; 2]>;

/// The difference between what searches found and what the static evaluation had said, remembered by features
/// of the position: its pawns, each side's pieces, the minor and the major pieces, and the two moves that led to it.
/// An evaluation errs in the same direction in positions that share them (correction history, Wieder 2024 and others).
pub struct Correction {
    pawn: Table,
    non_pawn: [Table; 2],
    minor: Table,
    major: Table,
    continuation: Table,
}

/// The slot of two successive moves.
#[inline]
fn succession(earlier: Row, later: Row) -> usize {
    (earlier * 769 + later) % SIZE
}

#[inline]
fn slot(key: u64) -> usize {
    key as usize % SIZE
}

impl Correction {
    /// No corrections.
    pub fn new() -> Self {
        let table = || boxed([Entry::default(); SIZE]);
        Correction {
            pawn: table(),
            non_pawn: [table(), table()],
            minor: table(),
            major: table(),
            continuation: table(),
        }
    }

    /// What to add to the static evaluation of the side to move after two moves (theirs and the opponent's), in centipawns.
    #[inline]
    pub fn get(&self, board: &Board, (earlier, later): (Row, Row)) -> Value {
        let (side, keys) = (board.side_to_move().index(), board.keys());
        let non_pawn = Color::ALL
            .into_iter()
            .map(|color| self.non_pawn[color.index()][side][slot(keys.non_pawn[color.index()])].get())
            .sum::<i32>();
        let sum = params::correction_pawn() * self.pawn[side][slot(keys.pawn)].get()
            + params::correction_non_pawn() * non_pawn
            + params::correction_minor() * self.minor[side][slot(keys.minor)].get()
            + params::correction_major() * self.major[side][slot(keys.major)].get()
            + params::correction_continuation() * self.continuation[side][succession(earlier, later)].get();
        sum / 1024
    }

    /// Learns that a search of some depth found `difference` more than the static evaluation had said.
    #[inline]
    pub fn update(&mut self, board: &Board, (earlier, later): (Row, Row), depth: i32, difference: Value) {
        let (side, keys) = (board.side_to_move().index(), board.keys());
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        self.pawn[side][slot(keys.pawn)].update(bonus);
        for color in Color::ALL {
            self.non_pawn[color.index()][side][slot(keys.non_pawn[color.index()])].update(bonus);
        }
        self.minor[side][slot(keys.minor)].update(bonus);
        self.major[side][slot(keys.major)].update(bonus);
        self.continuation[side][succession(earlier, later)].update(bonus);
    }
}
