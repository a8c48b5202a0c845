//! What a scheme can do, found by asking it: so the tests that every scheme must pass need no list of schemes.

use super::{FailHigh, FailLow, NullMoveSettings, Scheme, SchemeName, SchemeVisitor};
use crate::search::node::NodeView;
use crate::search::null_move_state::NullMoveState;
use crate::types::Depth;

/// The depths, in plies, of the nodes at which schemes are asked: those below the root of a search to depth 8.
const DEPTHS: std::ops::Range<Depth> = 1..8;

/// What a scheme answers at some node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// It tries a null move.
    pub(crate) tries: bool,
    /// A null move leaves depth for a search: not all are answered by quiescence.
    pub(crate) searches: bool,
    /// It tries a null move in answer to a null move.
    pub(crate) tries_twice: bool,
    /// A fail-high cuts.
    pub(crate) cuts: bool,
    /// A fail-high reduces.
    pub(crate) reduces: bool,
    /// A fail-high is verified.
    pub(crate) verifies: bool,
    /// A reduced node that fails low is searched again.
    pub(crate) researches: bool,
}

impl Abilities {
    /// What the scheme of this name can do.
    pub(crate) fn of(name: SchemeName) -> Abilities {
        name.dispatch(&NullMoveSettings::default(), Ask)
    }
}

/// Asks a scheme at quiet nodes of all kinds: cut nodes and others, below a null move, below a reduction, with one piece.
struct Ask;

impl SchemeVisitor for Ask {
    type Output = Abilities;

    fn visit<S: Scheme>(self, scheme: S) -> Abilities {
        let mut found = Abilities::default();
        for (depth, kind) in DEPTHS.flat_map(|depth| (0..16).map(move |kind| (depth, kind))) {
            let [cut_node, after_null, below_reduction, single_piece] =
                [1, 2, 4, 8].map(|bit| kind & bit > 0);
            let in_row = u8::from(after_null);
            let node = NodeView {
                cut_node,
                after_null,
                own_pieces: if single_piece { 1 } else { 4 },
                null_moves: NullMoveState {
                    in_row,
                    on_path: in_row,
                    below_reduction,
                    ..NullMoveState::default()
                },
                ..NodeView::sample(depth, 900)
            };
            let tries = scheme.may_try(&node);
            found.tries |= tries;
            found.searches |= tries && depth - 1 - scheme.reduction(&node) > 0;
            found.tries_twice |= tries && after_null;
            if tries || scheme.fails_high_statically(&node) {
                match scheme.on_fail_high(&node, node.beta) {
                    FailHigh::Cut => found.cuts = true,
                    FailHigh::Reduce(plies) => {
                        found.reduces |= plies > 0;
                        found.researches |= scheme.on_reduced_fail_low(&node) == FailLow::Research;
                    }
                    FailHigh::Verify { .. } => found.verifies = true,
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_can_do_what_their_papers_say() {
        let none = Abilities::default();
        let pruning = Abilities { tries: true, searches: true, cuts: true, ..none };
        let reduction = Abilities { tries: true, searches: true, reduces: true, ..none };
        for (scheme, can) in [
            (SchemeName::Off, none),
            (SchemeName::Fixed, pruning),
            (SchemeName::Double, Abilities { tries_twice: true, ..pruning }),
            (SchemeName::Fruit, Abilities { verifies: true, ..pruning }),
            (SchemeName::Verified, Abilities { reduces: true, researches: true, ..pruning }),
            (SchemeName::Fhr, Abilities { reduces: true, ..none }),
            (SchemeName::Extended, reduction),
            (SchemeName::Tuned, Abilities { searches: false, researches: true, ..reduction }),
        ] {
            assert_eq!(Abilities::of(scheme), can, "{scheme:?}");
        }
    }
}
