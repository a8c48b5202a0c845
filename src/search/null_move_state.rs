//! What the null moves on the path mean for the nodes below them.

use std::collections::TryReserveError;

use crate::types::{MAX_PLY, Move};
use crate::util::memory::boxed_slice;

/// The null moves that led to a node, and what came of those above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullMoveState {
    /// The null moves just before the node, with no move between them.
    pub in_row: u8,
    /// The null moves on the whole path from the root.
    pub on_path: u8,
    /// A node above is searched shallower because its null move failed high.
    pub below_reduction: bool,
    /// Null moves are forbidden at even plies below the first number, and at odd plies below the second: a verification
    /// search is running.
    pub null_move_min_ply: [u16; 2],
    /// The good moves that nodes of the path had besides the one that was searched, at even and at odd plies.
    pub alternatives: [u8; 2],
}

impl NullMoveState {
    /// The state of the child that a move leads to.
    pub fn after_move(self) -> NullMoveState {
        NullMoveState { in_row: 0, ..self }
    }

    /// The state of the child that a null move leads to.
    pub fn after_null_move(self) -> NullMoveState {
        NullMoveState {
            in_row: self.in_row.saturating_add(1),
            on_path: self.on_path.saturating_add(1),
            ..self
        }
    }

    /// True if a verification search forbids null moves at this ply.
    pub fn is_forbidden(self, ply: usize) -> bool {
        ply < usize::from(self.null_move_min_ply[ply % 2])
    }

    /// True if the node is in a verification search, at whatever depth of it.
    pub fn is_verifying(self) -> bool {
        self.null_move_min_ply != [0; 2]
    }

    /// Forbids null moves for this many plies from the node at `ply` on, to its side to move or to both sides.
    pub fn forbid(&mut self, ply: usize, plies: usize, both_sides: bool) {
        for parity in 0..2 {
            if both_sides || parity == ply % 2 {
                let min_ply = &mut self.null_move_min_ply[parity];
                *min_ply = (*min_ply).max((ply + plies) as u16);
            }
        }
    }

    /// The alternatives that the opponent of the side to move at this ply had on the way here.
    pub fn opponent_alternatives(self, ply: usize) -> u8 {
        self.alternatives[(ply + 1) % 2]
    }
}

/// What a node of the path knows of null moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullMoveEntry {
    /// How the node was reached. Its parent writes this.
    pub state: NullMoveState,
    /// What its children inherit. The node writes this itself.
    pub for_children: NullMoveState,
    /// The move that refuted its null move.
    pub refutation: Option<Move>,
    /// The move of it that is being searched is extended; kept in the mode `falcon` only.
    pub extended: bool,
    /// It is being searched once more, to verify its null move.
    pub verifying: bool,
}

/// What every node of the path knows of null moves, by ply.
pub struct NullMoveStack(Box<[NullMoveEntry]>);

impl NullMoveStack {
    /// A path without null moves.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> Result<NullMoveStack, TryReserveError> {
        Ok(NullMoveStack(boxed_slice(NullMoveEntry::default(), MAX_PLY + 2)?))
    }

    /// Makes it a path without null moves again.
    pub fn clear(&mut self) {
        self.0.fill(NullMoveEntry::default());
    }

    /// The node at `ply`.
    #[inline]
    pub fn at(&mut self, ply: usize) -> &mut NullMoveEntry {
        &mut self.0[ply]
    }

    /// The move that refuted the null move two plies before.
    pub fn refutation_two_plies_before(&self, ply: usize) -> Option<Move> {
        self.0[ply.checked_sub(2)?].refutation
    }

    /// The node at `ply` makes a move, or a null move: its child inherits.
    #[inline]
    pub fn descend(&mut self, ply: usize, null_move: bool) {
        let inherited = self.0[ply].for_children;
        self.0[ply + 1].state = if null_move { inherited.after_null_move() } else { inherited.after_move() };
    }

    /// A child of the node at `ply` is about to be searched although the node had `good_moves` in all: the others are
    /// alternatives.
    pub fn add_alternatives(&mut self, ply: usize, good_moves: u8) {
        let entry = self.at(ply);
        let alternatives = &mut entry.for_children.alternatives[ply % 2];
        *alternatives = entry.state.alternatives[ply % 2].saturating_add(good_moves.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_counts_its_null_moves() {
        let mut stack = NullMoveStack::new().expect("memory");
        for (ply, null_move) in [true, false, true, true, false].into_iter().enumerate() {
            let state = stack.at(ply).state;
            stack.at(ply).for_children = state;
            stack.descend(ply, null_move);
        }
        let states = [0, 1, 2, 3, 4, 5].map(|ply| stack.at(ply).state);
        assert_eq!(states.map(|state| state.in_row), [0, 1, 0, 1, 2, 0]);
        assert_eq!(states.map(|state| state.on_path), [0, 1, 1, 2, 3, 3]);
        stack.clear();
        assert_eq!(stack.at(4).state, NullMoveState::default());
    }

    #[test]
    fn what_a_node_decides_reaches_its_descendants_and_not_itself() {
        let mut stack = NullMoveStack::new().expect("memory");
        stack.at(3).for_children =
            NullMoveState { below_reduction: true, null_move_min_ply: [9; 2], ..NullMoveState::default() };
        stack.descend(3, true);
        assert_eq!(stack.at(3).state, NullMoveState::default());
        let child = stack.at(4).state;
        assert!(child.below_reduction && child.is_forbidden(8) && !child.is_forbidden(9));
    }

    #[test]
    fn a_verification_forbids_null_moves_to_the_side_that_it_names() {
        for ply in 3..5 {
            let (mut own, mut both) = (NullMoveState::default(), NullMoveState::default());
            assert!(!own.is_verifying());
            own.forbid(ply, 4, false);
            both.forbid(ply, 4, true);
            both.forbid(ply, 2, true);
            assert!(own.is_verifying() && both.is_verifying());
            let forbidden =
                |state: NullMoveState| [0, 1, 2, 3, 4].map(|plies| state.is_forbidden(ply + plies));
            assert_eq!(forbidden(own), [true, false, true, false, false]);
            assert_eq!(forbidden(both), [true, true, true, true, false]);
        }
    }

    #[test]
    fn alternatives_add_up_for_each_side() {
        let mut stack = NullMoveStack::new().expect("memory");
        stack.add_alternatives(4, 3);
        stack.descend(4, false);
        let inherited = stack.at(5).state;
        stack.at(5).for_children = inherited;
        stack.add_alternatives(5, 6);
        stack.descend(5, false);
        let state = stack.at(6).state;
        assert_eq!(state.alternatives, [2, 5]);
        assert_eq!((state.opponent_alternatives(6), state.opponent_alternatives(7)), (5, 2));
        stack.add_alternatives(6, 0);
        assert_eq!(stack.at(6).for_children.alternatives[0], 2, "a node without good moves adds nothing");
    }
}
