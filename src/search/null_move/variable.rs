//! A bound that depends on the path.

use super::scheme::{FailHigh, Scheme, usual};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// What a move is taken to be worth more than passing, by the number of good moves left aside: none, one, more.
const TEMPO: [Value; 3] = [0, 10, 20];

/// Variable null-move bound (Bjoernsson and Marsland 2000, "Risk management in game-tree pruning"): a null move cuts
/// already when it reaches beta less the worth of a tempo, and that worth is the greater the less a mistake matters.
///
/// A wrong cut harms only if it decides what is played. It makes a move of the opponent look bad; if on the path here the
/// opponent left aside other moves that may be as good, then one of them probably takes its place. So the tempo counts 0,
/// 10 or 20 centipawns with none, one, or several such moves. Inside a null move's search no other null move is tried: the
/// bound of one would vouch for the bound of the other.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The plies by which the null move is searched shallower.
    pub r: Depth,
}

impl Scheme for Variable {
    const PATH: bool = true;
    const RIVALS: bool = true;

    fn allowed(&self, node: &NodeView) -> bool {
        usual(node) && node.path.on_path == 0
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        self.r
    }

    fn bound(&self, node: &NodeView) -> Value {
        let rivals = usize::from(node.path.enemy_rivals(node.ply));
        node.beta - TEMPO[rivals.min(TEMPO.len() - 1)]
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
    fn the_bound_falls_with_the_moves_that_the_opponent_left_aside() {
        let variable = Variable { r: 3 };
        for ply in 1..6 {
            for (rivals, tempo) in [(0, 0), (1, 10), (2, 20), (200, 20)] {
                let mut path = NullPath { rivals: [9, 9], ..NullPath::default() };
                path.rivals[(ply + 1) % 2] = rivals;
                let node = NodeView { ply, path, ..NodeView::sample(7, 0) };
                assert_eq!(variable.bound(&node), node.beta - tempo);
                assert_eq!(variable.on_fail_high(&node, node.beta - tempo), FailHigh::Cut);
            }
        }
    }

    #[test]
    fn no_null_move_is_tried_below_another() {
        let (variable, node) = (Variable { r: 3 }, NodeView::sample(7, 0));
        assert!(variable.allowed(&node) && !variable.allowed(&NodeView { in_check: true, ..node }));
        let path = NullPath { on_path: 1, ..NullPath::default() };
        assert!(!variable.allowed(&NodeView { path, ..node }));
        assert_eq!(variable.reduction(&node), 3);
    }
}
