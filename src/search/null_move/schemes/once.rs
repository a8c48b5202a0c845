//! One null move on a path.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{Scheme, usual_conditions};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::Depth;

/// At most one null move on any path (Schaeffer 1987, "Speculative computing", on the program Minix; after Beal 1986).
///
/// A side that may pass once and still stands above beta probably has a good move; but a search in which both sides
/// pass again and again is no longer about chess. So below a null move there is no other one: the tree is larger than
/// with recursive null moves, the answer surer. A fail-high cuts.
#[derive(Clone, Copy, Debug)]
pub struct Once {
    /// The plies by which the null move is searched shallower.
    pub r: Depth,
}

impl Scheme for Once {
    const NAME: &'static str = "once";
    const SUMMARY: &'static str = "at most one null move on a path; R open";
    const SOURCE: &'static str = "Schaeffer 1987, after Beal";
    const USES_R: bool = true;
    const READS_PATH: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Once { r: settings.r }
    }

    fn may_try(&self, node: &NodeView) -> bool {
        usual_conditions(node) && node.null_moves.on_path == 0
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        self.r
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move::scheme::FailHigh;
    use crate::search::null_move_state::NullMoveState;

    #[test]
    fn a_path_has_one_null_move_at_most() {
        let (once, node) = (Once { r: 3 }, NodeView::sample(9, 0));
        assert!(once.may_try(&node));
        assert!(!once.may_try(&NodeView { in_check: true, ..node }));
        for on_path in 1..4 {
            let path = NullMoveState { on_path, ..NullMoveState::default() };
            assert!(!once.may_try(&NodeView { null_moves: path, ..node }), "however long ago");
        }
        assert_eq!(once.reduction(&node), 3);
        assert_eq!(once.on_fail_high(&node, 700), FailHigh::Cut);
    }
}
