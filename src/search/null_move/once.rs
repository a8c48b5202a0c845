//! One null move on a path.

use super::scheme::{FailHigh, Scheme, usual};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

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
    const PATH: bool = true;

    fn allowed(&self, node: &NodeView) -> bool {
        usual(node) && node.path.on_path == 0
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
    fn a_path_has_one_null_move_at_most() {
        let (once, node) = (Once { r: 3 }, NodeView::sample(9, 0));
        assert!(once.allowed(&node));
        assert!(!once.allowed(&NodeView { in_check: true, ..node }));
        for on_path in 1..4 {
            let path = NullPath { on_path, ..NullPath::default() };
            assert!(!once.allowed(&NodeView { path, ..node }), "however long ago");
        }
        assert_eq!(once.reduction(&node), 3);
        assert_eq!(once.on_fail_high(&node, 700), FailHigh::Cut);
    }
}
