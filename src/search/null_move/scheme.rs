//! What a null-move scheme must answer.

use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// What a null move's fail-high means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailHigh {
    /// The node fails high.
    Cut,
    /// The node is searched on, so many plies shallower.
    Reduce(Depth),
    /// The node fails high if a search of its moves does.
    Verify {
        /// How deep the moves are searched, in plies; at least one.
        depth: Depth,
        /// For how many plies, from the node on, null moves are forbidden meanwhile.
        barred: usize,
    },
}

/// What it means that a reduced node's search failed low although its null move had failed high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailLow {
    /// The reduced search is right.
    Accept,
    /// The node is searched again at its full depth.
    Research,
}

/// A null-move scheme: pure answers from a view of the node.
///
/// The constants say what of the view it reads; what nobody reads is not worked out.
pub trait Scheme: Copy + Send + Sync + 'static {
    /// It reads [`NodeView::path`].
    const PATH: bool = false;
    /// It reads the path's rivals, too.
    const RIVALS: bool = false;
    /// It reads [`NodeView::own_pieces`] and [`NodeView::most_pieces`].
    const MATERIAL: bool = false;
    /// It reads [`NodeView::threat`].
    const THREATS: bool = false;
    /// The search looks at the switches of [`Settings`](super::Settings).
    const SWITCHES: bool = true;

    /// May a null move be tried here?
    fn allowed(&self, node: &NodeView) -> bool;

    /// How many plies shallower the null move is searched than a move would be (R).
    fn reduction(&self, node: &NodeView) -> Depth;

    /// What the null move's value must reach to be a fail-high.
    fn bound(&self, node: &NodeView) -> Value {
        node.beta
    }

    /// What a null move's fail-high with this value means.
    fn on_fail_high(&self, node: &NodeView, value: Value) -> FailHigh;

    /// What a fail-low of the reduced search means.
    fn on_reduced_fail_low(&self, _node: &NodeView) -> FailLow {
        FailLow::Accept
    }

    /// Is the fail-high of the null move plain to see, without a search?
    fn foresees_fail_high(&self, _node: &NodeView) -> bool {
        false
    }

    /// May the table settle a reduced node with a value that was searched no deeper than the reduced depth?
    fn table_settles_reduced(&self, _node: &NodeView, _value: Value) -> bool {
        true
    }

    /// By how much less late moves of a reduced node are reduced, in 1024ths of a ply.
    fn late_move_relief(&self) -> i32 {
        0
    }
}

/// What most schemes ask before they try a null move: no check, and no null move just before.
#[inline]
pub fn usual(node: &NodeView) -> bool {
    !node.in_check && !node.after_null
}
