//! Two null moves in a row.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::Scheme;
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::Depth;

/// How many null moves may follow each other.
const IN_ROW: u8 = 2;

/// Double null move (Diepeveen 1997): two null moves in a row are allowed, a third is not; a fail-high cuts.
///
/// The answer to a null move may be a null move too. If it is, the first side has to move after all, in the same position
/// and shallower: in zugzwang it now finds no good move, the second null move fails high, and the first one does not cut.
/// The search checks itself, at the price of a few more nodes, and given depth enough it finds every zugzwang.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    /// The plies by which a null move is searched shallower.
    pub r: Depth,
}

impl Scheme for Double {
    const NAME: &'static str = "double";
    const SUMMARY: &'static str = "two null moves in a row, so that zugzwang shows itself; R open";
    const SOURCE: &'static str = "Diepeveen 1997";
    const USES_R: bool = true;
    const READS_PATH: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Double { r: settings.r }
    }

    fn may_try(&self, node: &NodeView) -> bool {
        !node.in_check && node.null_moves.in_row < IN_ROW
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
    fn two_in_a_row_are_allowed_and_not_three() {
        let (double, node) = (Double { r: 2 }, NodeView::sample(9, 0));
        for in_row in 0..5 {
            let path = NullMoveState { in_row, on_path: in_row, ..NullMoveState::default() };
            let node = NodeView { null_moves: path, after_null: in_row > 0, ..node };
            assert_eq!(double.may_try(&node), in_row < 2);
            assert!(!double.may_try(&NodeView { in_check: true, ..node }));
        }
        let path = NullMoveState { in_row: 0, on_path: 6, ..NullMoveState::default() };
        assert!(double.may_try(&NodeView { null_moves: path, ..node }));
        assert_eq!((double.reduction(&node), double.on_fail_high(&node, 0)), (2, FailHigh::Cut));
    }
}
