//! Two null moves in a row.

use super::scheme::{FailHigh, Scheme};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

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
    const PATH: bool = true;

    fn allowed(&self, node: &NodeView) -> bool {
        !node.in_check && node.path.in_row < IN_ROW
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        self.r
    }

    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::passes::NullPath;

    #[test]
    fn two_in_a_row_are_allowed_and_not_three() {
        let (double, node) = (Double { r: 2 }, NodeView::sample(9, 0));
        for in_row in 0..5 {
            let path = NullPath { in_row, on_path: in_row, ..NullPath::default() };
            let node = NodeView { path, after_null: in_row > 0, ..node };
            assert_eq!(double.allowed(&node), in_row < 2);
            assert!(!double.allowed(&NodeView { in_check: true, ..node }));
        }
        let path = NullPath { in_row: 0, on_path: 6, ..NullPath::default() };
        assert!(double.allowed(&NodeView { path, ..node }));
        assert_eq!((double.reduction(&node), double.on_fail_high(&node, 0)), (2, FailHigh::Cut));
    }
}
