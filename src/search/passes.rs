//! What the null moves on the path mean for the nodes below them.

use crate::types::{MAX_PLY, Move};

/// The null moves that led to a node, and what came of those above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullPath {
    /// The null moves just before the node, with no move between them.
    pub in_row: u8,
    /// The null moves on the whole path from the root.
    pub on_path: u8,
    /// A node above is searched shallower because its null move failed high.
    pub below_reduction: bool,
    /// Null moves are forbidden at plies below this one: a verification search is under way.
    pub barred_until: u16,
    /// The good moves that nodes of the path left aside, for even and for odd plies.
    pub rivals: [u8; 2],
}

impl NullPath {
    /// The path of the child that a move leads to.
    pub fn after_move(self) -> NullPath {
        NullPath { in_row: 0, ..self }
    }

    /// The path of the child that a null move leads to.
    pub fn after_null(self) -> NullPath {
        NullPath { in_row: self.in_row.saturating_add(1), on_path: self.on_path.saturating_add(1), ..self }
    }

    /// True if a verification search forbids null moves at this ply.
    pub fn is_barred(self, ply: usize) -> bool {
        ply < usize::from(self.barred_until)
    }

    /// The good moves that the opponent of the side to move at this ply left aside on the way here.
    pub fn enemy_rivals(self, ply: usize) -> u8 {
        self.rivals[(ply + 1) % 2]
    }
}

/// What a node of the path knows of null moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pass {
    /// How the node was reached. Its parent writes this.
    pub entry: NullPath,
    /// What its children are to know. It writes this itself.
    pub below: NullPath,
    /// The move that refuted its null move.
    pub refutation: Option<Move>,
}

/// What every node of the path knows of null moves, by ply.
pub struct Passes(Box<[Pass]>);

impl Passes {
    /// For a path without null moves.
    pub fn new() -> Passes {
        Passes(vec![Pass::default(); MAX_PLY + 2].into_boxed_slice())
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.fill(Pass::default());
    }

    /// The node at `ply`.
    #[inline]
    pub fn at(&mut self, ply: usize) -> &mut Pass {
        &mut self.0[ply]
    }

    /// The move that refuted the null move two plies before.
    pub fn refutation_before(&self, ply: usize) -> Option<Move> {
        self.0[ply.checked_sub(2)?].refutation
    }

    /// The node at `ply` makes a move, or passes.
    #[inline]
    pub fn descend(&mut self, ply: usize, null: bool) {
        let below = self.0[ply].below;
        self.0[ply + 1].entry = if null { below.after_null() } else { below.after_move() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_counts_its_null_moves() {
        let mut passes = Passes::new();
        for (ply, null) in [true, false, true, true, false].into_iter().enumerate() {
            let entry = passes.at(ply).entry;
            passes.at(ply).below = entry;
            passes.descend(ply, null);
        }
        let entries = [0, 1, 2, 3, 4, 5].map(|ply| passes.at(ply).entry);
        assert_eq!(entries.map(|path| path.in_row), [0, 1, 0, 1, 2, 0]);
        assert_eq!(entries.map(|path| path.on_path), [0, 1, 1, 2, 3, 3]);
        passes.clear();
        assert_eq!(passes.at(4).entry, NullPath::default());
    }

    #[test]
    fn what_a_node_decides_reaches_its_descendants_and_not_itself() {
        let mut passes = Passes::new();
        passes.at(3).below = NullPath { below_reduction: true, barred_until: 9, ..NullPath::default() };
        passes.descend(3, true);
        assert_eq!(passes.at(3).entry, NullPath::default());
        let child = passes.at(4).entry;
        assert!(child.below_reduction && child.is_barred(8) && !child.is_barred(9));
    }

    #[test]
    fn rivals_are_those_of_the_other_side() {
        let path = NullPath { rivals: [2, 5], ..NullPath::default() };
        assert_eq!((path.enemy_rivals(4), path.enemy_rivals(7)), (5, 2));
    }
}
