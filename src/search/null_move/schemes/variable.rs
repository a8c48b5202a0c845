//! A bound that depends on the path.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::Scheme;
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// With more good alternatives on the path than this, a tempo is worth its full value.
const MANY: u8 = 15;

/// What a move is taken to be worth more than passing, in centipawns, by the number of good alternatives that the
/// opponent had on the path.
const fn tempo(alternatives: u8) -> Value {
    match alternatives {
        0 => 0,
        1..=MANY => 10,
        _ => 20,
    }
}

/// Variable null-move bound (Bjoernsson and Marsland 2000, "Risk management in game-tree pruning"): a null move cuts
/// already when it reaches beta less the worth of a tempo, and that worth is the greater the less a mistake matters.
///
/// A wrong cut harms only if it decides what is played. It makes a move of the opponent look bad; if on the path here the
/// opponent had alternatives that may be as good, then one of them probably takes its place. So the tempo counts 0,
/// 10 or 20 centipawns with none, up to 15, or more such moves. Below a null move the bound of another one is beta: a
/// lowered bound would vouch for a lowered bound.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The plies by which the null move is searched shallower.
    pub r: Depth,
}

impl Scheme for Variable {
    const NAME: &'static str = "variable";
    const SUMMARY: &'static str = "cuts a little below beta where the path had other good moves; R open";
    const SOURCE: &'static str = "Bjoernsson and Marsland 2000";
    const USES_R: bool = true;
    const READS_PATH: bool = true;
    const READS_ALTERNATIVES: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Variable { r: settings.r }
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        self.r
    }

    fn bound(&self, node: &NodeView) -> Value {
        if node.null_moves.on_path > 0 {
            return node.beta;
        }
        node.beta - tempo(node.null_moves.opponent_alternatives(node.ply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move::scheme::FailHigh;
    use crate::search::null_move_state::NullMoveState;

    #[test]
    fn the_bound_falls_with_the_moves_that_the_opponent_left_aside() {
        let variable = Variable { r: 3 };
        for ply in 1..6 {
            for (alternatives, tempo) in [(0, 0), (1, 10), (15, 10), (16, 20), (200, 20)] {
                let mut path = NullMoveState { alternatives: [9, 9], ..NullMoveState::default() };
                path.alternatives[(ply + 1) % 2] = alternatives;
                let node = NodeView { ply, null_moves: path, ..NodeView::sample(7, 0) };
                assert_eq!(variable.bound(&node), node.beta - tempo);
                assert_eq!(variable.on_fail_high(&node, node.beta - tempo), FailHigh::Cut);
            }
        }
    }

    #[test]
    fn below_a_null_move_the_bound_is_beta() {
        let (variable, node) = (Variable { r: 3 }, NodeView::sample(7, 0));
        assert!(variable.may_try(&node) && !variable.may_try(&NodeView { in_check: true, ..node }));
        let path = NullMoveState { on_path: 1, alternatives: [20; 2], ..NullMoveState::default() };
        let below = NodeView { null_moves: path, ..node };
        assert!(variable.may_try(&below) && !variable.may_try(&NodeView { after_null: true, ..below }));
        assert_eq!((variable.bound(&below), variable.reduction(&below)), (node.beta, 3));
    }
}
