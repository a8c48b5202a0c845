//! Adaptive null-move pruning.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::Scheme;
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::Depth;

/// Beyond this depth the reduction is the greater one.
const DEEP: Depth = 8;
/// Beyond this depth it is, if one side has [`MIN_PIECES`].
const MIDDLE: Depth = 6;
/// The pieces besides pawns and king that the richer side must have for the greater reduction at middle depths.
const MIN_PIECES: u8 = 3;

/// Adaptive null-move pruning (Heinz 1999, "Adaptive null-move pruning"): R = 3 beyond depth 8, and beyond depth 6 while
/// the richer side has three pieces besides pawns and king; R = 2 otherwise. A fail-high cuts.
///
/// R = 3 saves much where the null search is deep enough to see what matters, R = 2 oversees less near the leaves and in
/// endgames, where a deep search is cheap and tactics are long.
#[derive(Clone, Copy, Debug)]
pub struct Adaptive;

impl Scheme for Adaptive {
    const NAME: &'static str = "adaptive";
    const SUMMARY: &'static str = "R = 2 or 3 by depth and material";
    const SOURCE: &'static str = "Heinz 1999";
    const READS_MATERIAL: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        Adaptive
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        if node.depth > DEEP || node.depth > MIDDLE && node.most_pieces >= MIN_PIECES { 3 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move::scheme::FailHigh;

    #[test]
    fn the_reduction_grows_with_depth_and_material() {
        let reduction =
            |depth, most_pieces| Adaptive.reduction(&NodeView { most_pieces, ..NodeView::sample(depth, 0) });
        for most_pieces in 0..8 {
            assert_eq!([1, 6, 9, 30].map(|depth| reduction(depth, most_pieces)), [2, 2, 3, 3]);
        }
        assert_eq!(
            [0, 2, 3, 7].map(|pieces| [7, 8].map(|depth| reduction(depth, pieces))),
            [[2; 2], [2; 2], [3; 2], [3; 2]]
        );
        for depth in 1..30 {
            assert_eq!(Adaptive.on_fail_high(&NodeView::sample(depth, 0), 0), FailHigh::Cut);
            assert!(Adaptive.may_try(&NodeView::sample(depth, -900)));
            assert!(!Adaptive.may_try(&NodeView { in_check: true, ..NodeView::sample(depth, 0) }));
            assert!(!Adaptive.may_try(&NodeView { after_null: true, ..NodeView::sample(depth, 0) }));
        }
    }
}
